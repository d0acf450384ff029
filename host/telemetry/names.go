package telemetry

// key is an attribute name.
type key string

// These names come from OpenTelemetry's conventions for generative AI. They are still in development and may change.
// This table follows gen-ai-agent-spans.md at e8fc5751506258db1459d1bde47994e01dee922e, gen-ai-spans.md at
// 9430220eb6f3f8a0e41d2e0e548aeb5cb9ca5f14 and gen-ai-events.md at 997a19cc9be3bcd54fe4f45213df8c274f4776f0, all in
// docs/gen-ai of github.com/open-telemetry/semantic-conventions-genai. A test checks all names that are sent against
// this table.
const (
	keyOperation     = key("gen_ai.operation.name")
	keyProvider      = key("gen_ai.provider.name")
	keyConversation  = key("gen_ai.conversation.id")
	keyAgent         = key("gen_ai.agent.name")
	keyWorkflow      = key("gen_ai.workflow.name")
	keyRequestModel  = key("gen_ai.request.model")
	keyRequestSeed   = key("gen_ai.request.seed")
	keyResponseID    = key("gen_ai.response.id")
	keyFinishReasons = key("gen_ai.response.finish_reasons")
	keyInputTokens   = key("gen_ai.usage.input_tokens")
	keyOutputTokens  = key("gen_ai.usage.output_tokens")
	keyTool          = key("gen_ai.tool.name")
	keyToolType      = key("gen_ai.tool.type")
	keyToolCall      = key("gen_ai.tool.call.id")
	keyError         = key("error.type")

	// Content, which is sent only if the spec enables it.
	keyInput     = key("gen_ai.input.messages")
	keyOutput    = key("gen_ai.output.messages")
	keyArguments = key("gen_ai.tool.call.arguments")
	keyResult    = key("gen_ai.tool.call.result")

	// An event of a span, and its attributes.
	eventEvaluation = "gen_ai.evaluation.result"
	keyEvaluation   = key("gen_ai.evaluation.name")
	keyScore        = key("gen_ai.evaluation.score.value")
	keyLabel        = key("gen_ai.evaluation.score.label")
	keyExplanation  = key("gen_ai.evaluation.explanation") // content
)

// Training has no convention: these names are specific to awhost.
const (
	keyRun         = key("awhost.run") // attribute of the resource
	keyIncarnation = key("awhost.run.incarnation")
	keyStage       = key("awhost.stage")
	keySplit       = key("awhost.split")
	keyStep        = key("awhost.step")
	keyTask        = key("awhost.task.id")
	keyEpisode     = key("awhost.episode.id")
	keyAttempt     = key("awhost.episode.attempt")
	keyGroup       = key("awhost.group.id")
	keySample      = key("awhost.group.sample")
	keyVersion     = key("awhost.policy.version")
	keyOutcome     = key("awhost.outcome")
	keyReward      = key("awhost.reward")
	keySuccess     = key("awhost.success")
	keyMasked      = key("awhost.masked")
	keyGivenUp     = key("awhost.attempt.given_up")
	keyAddress     = key("awhost.address") // address of a block
	keyCall        = key("awhost.call")    // call of a plugin
	keyWaitFor     = key("awhost.wait.for")
)

// The operations, used as prefixes of their spans' names.
const (
	operationWorkflow = "invoke_workflow"
	operationAgent    = "invoke_agent"
	operationChat     = "chat"
	operationTool     = "execute_tool"
)

// The names of spans outside of the conventions.
const (
	spanEnvironment = "environment" // followed by the call
	spanScore       = "score"       // followed by the address of the reward
	spanWait        = "wait"        // followed by the reason
)

// toolTypeFunction is the type of tools that are called with arguments.
const toolTypeFunction = "function"

// The labels of evaluations.
const (
	labelPass = "pass"
	labelFail = "fail"
)
