package telemetry

import (
	"go.opentelemetry.io/otel/attribute"
)

// The names of OpenTelemetry's conventions for generative AI, in one place. They are in development and change:
// followed are gen-ai-agent-spans.md at e8fc5751506258db1459d1bde47994e01dee922e, gen-ai-spans.md at
// 9430220eb6f3f8a0e41d2e0e548aeb5cb9ca5f14 and gen-ai-events.md at 997a19cc9be3bcd54fe4f45213df8c274f4776f0, all in
// docs/gen-ai of github.com/open-telemetry/semantic-conventions-genai. A test holds what is sent to this table.
const (
	keyOperation     = attribute.Key("gen_ai.operation.name")
	keyProvider      = attribute.Key("gen_ai.provider.name")
	keyConversation  = attribute.Key("gen_ai.conversation.id")
	keyAgent         = attribute.Key("gen_ai.agent.name")
	keyWorkflow      = attribute.Key("gen_ai.workflow.name")
	keyRequestModel  = attribute.Key("gen_ai.request.model")
	keyRequestSeed   = attribute.Key("gen_ai.request.seed")
	keyResponseID    = attribute.Key("gen_ai.response.id")
	keyFinishReasons = attribute.Key("gen_ai.response.finish_reasons")
	keyInputTokens   = attribute.Key("gen_ai.usage.input_tokens")
	keyOutputTokens  = attribute.Key("gen_ai.usage.output_tokens")
	keyTool          = attribute.Key("gen_ai.tool.name")
	keyToolType      = attribute.Key("gen_ai.tool.type")
	keyToolCall      = attribute.Key("gen_ai.tool.call.id")
	keyError         = attribute.Key("error.type")

	// Content, which is sent where the spec asks for it.
	keyInput     = attribute.Key("gen_ai.input.messages")
	keyOutput    = attribute.Key("gen_ai.output.messages")
	keyArguments = attribute.Key("gen_ai.tool.call.arguments")
	keyResult    = attribute.Key("gen_ai.tool.call.result")

	// An event of a span, and its attributes.
	eventEvaluation = "gen_ai.evaluation.result"
	keyEvaluation   = attribute.Key("gen_ai.evaluation.name")
	keyScore        = attribute.Key("gen_ai.evaluation.score.value")
	keyLabel        = attribute.Key("gen_ai.evaluation.score.label")
	keyExplanation  = attribute.Key("gen_ai.evaluation.explanation") // content
)

// There is no convention for training: these names are awhost's own.
const (
	keyRun         = attribute.Key("awhost.run") // of the resource
	keyIncarnation = attribute.Key("awhost.run.incarnation")
	keyStage       = attribute.Key("awhost.stage")
	keySplit       = attribute.Key("awhost.split")
	keyStep        = attribute.Key("awhost.step")
	keyTask        = attribute.Key("awhost.task.id")
	keyEpisode     = attribute.Key("awhost.episode.id")
	keyAttempt     = attribute.Key("awhost.episode.attempt")
	keyGroup       = attribute.Key("awhost.group.id")
	keySample      = attribute.Key("awhost.group.sample")
	keyVersion     = attribute.Key("awhost.policy.version")
	keyOutcome     = attribute.Key("awhost.outcome")
	keyReward      = attribute.Key("awhost.reward")
	keySuccess     = attribute.Key("awhost.success")
	keyMasked      = attribute.Key("awhost.masked")
	keyGivenUp     = attribute.Key("awhost.attempt.given_up")
	keyAddress     = attribute.Key("awhost.address") // of a block
	keyCall        = attribute.Key("awhost.call")    // of a plugin
	keyWaitFor     = attribute.Key("awhost.wait.for")
)

// The operations, which begin the names of their spans.
const (
	operationWorkflow = "invoke_workflow"
	operationAgent    = "invoke_agent"
	operationChat     = "chat"
	operationTool     = "execute_tool"
)

// The names of spans that no convention has.
const (
	spanEnvironment = "environment" // with the call
	spanScore       = "score"       // with the address of the reward
	spanWait        = "wait"        // with what for
)

// toolTypeFunction is the type of tools that are called with arguments.
const toolTypeFunction = "function"

// The labels of evaluations.
const (
	labelPass = "pass"
	labelFail = "fail"
)
