package conformance

import "slices"

const (
	agentPrefix = "AGT"
	agentRuns   = "AGT-RUN-01"
)

func agentGroup() group {
	const run, generate, step = "agent.proto, Run: ", "host.proto, AgentGenerate: ", "host.proto, AgentStep: "
	const over = "\"Any other error ends the episode.\""
	configured := []string{configFixture}
	runs := append(slices.Clone(configured), agentRuns)
	return group{agentPrefix, []Check{
		{
			ID: agentRuns, Level: Must, After: configured,
			Title: "the agent plays an episode to its end and calls the policy in it",
			Rule:  run + "\"An episode in which the policy was never called is FAILED{AGENT} and gets no score.\"",
			Remedy: "call HostService.AgentGenerate; provide a task, tools and messages in the fixtures' " +
				"`episodes` with which the agent can finish",
			run: checkAgentRuns,
		},
		{
			ID: "AGT-RUN-02", Level: Must, After: runs,
			Title:  "the result has finite numbers and an object as metadata",
			Rule:   "agent.proto, RunResponse: \"A JSON object for rewards.\"",
			Remedy: "leave out values that are not finite numbers; put lists and texts into a member of an object",
			run:    checkAgentResult,
		},
		{
			ID: "AGT-RUN-03", Level: Must, After: runs, Needs: NeedNoEnvironment,
			Title:  "without an environment the agent plays and takes no step",
			Rule:   "agent.proto, RunRequest: \"Whether the episode has an environment to step in.\"",
			Remedy: "check has_environment, or declare the capability needs_environment",
			run:    checkAgentAlone,
		},
		{
			ID: "AGT-LEASE-01", Level: Must, After: runs,
			Title: "each call carries the lease of its episode, and none is made after the episode has ended",
			Rule: "agent.proto, RunRequest: \"It is valid while this call is in progress, and only from the " +
				"plugin that received it.\"",
			Remedy: "keep the lease with the episode, never in a variable of the plugin; end all work for an " +
				"episode before Run returns",
			run: checkAgentLease,
		},
		{
			ID: "AGT-LEASE-02", Level: Must, After: runs,
			Title:  "the lease appears in no message, no result and no log line",
			Rule:   "agent.proto, RunRequest: \"The lease, a secret, for AgentGenerate and AgentStep.\"",
			Remedy: "do not log requests; identify an episode by its episode_id",
			run:    checkAgentSecret,
		},
		{
			ID: "AGT-CHAIN-01", Level: Must, After: runs,
			Title: "a conversation continues from a chain of its episode, at an existing message",
			Rule: "host.proto, AgentGenerateRequest: \"The conversation, as named by the last response; empty " +
				"starts one.\"",
			Remedy: "send chain and chain_length of the response that the conversation continues from, as chain " +
				"and base",
			run: func(t *T) { t.checkTopic(topicChains) },
		},
		{
			ID: "AGT-CHAIN-02", Level: Should, After: append(slices.Clone(runs), "AGT-CHAIN-01"),
			Title: "messages of the policy are continued by their chain, not sent again as new messages",
			Rule: "host.proto, AgentGenerateRequest: \"The messages since then; together with the chain, the " +
				"model's entire input.\"",
			Remedy: "send only the messages after the last response, with its chain: the policy is trained on the " +
				"tokens that it sampled; sdk/chat does this",
			run: func(t *T) { t.checkTopic(topicRepeatedMessages) },
		},
		{
			ID: "AGT-REPEAT-01", Level: Should, After: runs,
			Title: "equal requests of an episode are numbered",
			Rule: "host.proto, AgentGenerateRequest: \"A number that distinguishes equal requests, counted from 0 " +
				"in the order in which the agent makes them\"",
			Remedy: "count equal requests of an episode, and send the number in repeat; sdk/chat does this",
			run:    func(t *T) { t.checkTopic(topicRepeatNumbers) },
		},
		{
			ID: "AGT-STEP-01", Level: Must, After: runs,
			Title: "the agent passes the message of each call to the environment once, and none after the episode " +
				"is done",
			Rule:   step + "\"The message of a call is accepted once: a repeat fails with INVALID_ARGUMENT.\"",
			Remedy: "send the call_id of the response, once; after a `done` response end, or continue without a step",
			run:    checkAgentSteps,
		},
		{
			ID: "AGT-CLAIM-01", Level: Should, After: runs,
			Title:  "the agent returns no transcript of messages that the host has carried",
			Rule:   "agent.proto, RunResponse: \"Ignored if it has received any.\"",
			Remedy: "leave `messages` empty: the host has recorded the conversation",
			run:    checkAgentClaims,
		},
		{
			ID: "AGT-SAME-01", Level: Should, After: runs,
			Title: "the same task and the same responses give the same requests and the same result, also in " +
				"another process",
			Rule: generate + "\"Samples the next message of a conversation for an agent\"; the requests of an " +
				"agent must be determined by its inputs",
			Remedy: "send requests in a fixed order; exclude times, random numbers and the order of sets and maps " +
				"from messages, metadata and metrics",
			run: checkAgentSame,
		},
		{
			ID: "AGT-SAME-02", Level: Must, After: runs,
			Title: "equal episodes send their requests in the same order",
			Rule: generate + "\"Equal episodes of an agent send equal requests in the same order; requests sent at once may " +
				"arrive in any order.\"",
			Remedy: "send concurrent requests at once, without random pauses, and the others one after the other",
			run:    checkAgentOrder,
		},
		{
			ID: "AGT-SAME-03", Level: Must, After: runs,
			Title: "the episode id does not appear in a request to the policy",
			Rule: "agent.proto, RunRequest: place: \"It is the same at each attempt and in equal runs, whereas episode_id " +
				"differs between the launches of a trainer.\"",
			Remedy: "show `place` instead, or nothing: with the id, equal runs send different prompts",
			run:    checkAgentIDs,
		},
		{
			ID: "AGT-SAME-04", Level: Must, After: runs,
			Title: "an episode's requests contain nothing of an earlier episode",
			Rule: generate + "\"Equal episodes of an agent send equal requests in the same order; requests sent at once may " +
				"arrive in any order.\"",
			Remedy: "keep conversations, summaries, and lessons in variables of Run: with text of earlier episodes, a " +
				"prompt depends on what else was played",
			run: checkAgentMemory,
		},
		{
			ID: "AGT-SAME-05", Level: Must, After: runs,
			Title: "the present date or time does not appear in a request to the policy",
			Rule: generate + "\"Equal episodes of an agent send equal requests in the same order; requests sent at once may " +
				"arrive in any order.\"",
			Remedy: "take the date from the task or the configuration: with the clock, equal runs send different prompts",
			run:    checkAgentClock,
		},
		{
			ID: "AGT-PARALLEL-01", Level: Must, After: runs, Needs: NeedConcurrency,
			Title:  "concurrent episodes are not mixed up",
			Rule:   run + "\"Many calls run at a time.\"",
			Remedy: "keep the data of an episode in variables of Run; declare max_concurrent if there is a limit",
			run:    checkAgentParallel,
		},
		{
			ID: "AGT-LIMIT-01", Level: Must, After: runs, Title: "the agent finishes when a limit is reached",
			Rule:   generate + "\"nothing was sampled, and the agent may still answer\"",
			Remedy: "treat context_full as the end of the conversation: return the answer so far, or the error",
			run:    checkAgentFull,
		},
		{
			ID: "AGT-LIMIT-02", Level: Must, After: runs,
			Title: "the agent finishes when the conversation has reached its turn limit, even if the policy continues",
			Rule: "agent.proto, RunRequest: \"The maximum number of assistant messages in one conversation; 0 " +
				"means no limit. The host enforces it.\"",
			Remedy: "count the turns, or treat context_full as the end; a conversation that is restarted for more " +
				"turns never ends",
			run: checkAgentTurns,
		},
		{
			ID: "AGT-LIMIT-03", Level: Must, After: runs,
			Title:  "the agent stops when the deadline of the episode has passed",
			Rule:   run + "\"The deadline is the call's.\"",
			Remedy: "end with the call's context",
			run:    checkAgentDeadline,
		},
		{
			ID: "AGT-FAIL-01", Level: Must, After: runs,
			Title:  "an episode in which the policy failed is not reported as successful",
			Rule:   generate + over,
			Remedy: "return the error unchanged: its class determines the host's action",
			run:    checkAgentModelFails,
		},
		{
			ID: "AGT-FAIL-02", Level: Must, After: runs,
			Title:  "an episode in which the environment failed is not reported as successful",
			Rule:   step + "\"Leases and errors are as for AgentGenerate.\"",
			Remedy: "return the error unchanged: its class determines the host's action",
			run:    checkAgentEnvironmentFails,
		},
		{
			ID: "AGT-FAIL-03", Level: Must, After: append(slices.Clone(runs), "AGT-FAIL-01"),
			Title:  "after a failure of the policy the agent does not keep sending requests",
			Rule:   generate + over,
			Remedy: "do not repeat failed requests: the host repeats the episode if the spec requires it",
			run:    checkAgentGivesUp,
		},
		{
			ID: "AGT-FAIL-04", Level: Must, After: append(slices.Clone(runs), "AGT-LEASE-02", "AGT-FAIL-01", "AGT-FAIL-03"),
			Title:  "a failure of the policy keeps its class",
			Rule:   generate + over,
			Remedy: "return the error unchanged: its class determines the host's action",
			run:    checkAgentErrorClass,
		},
		{
			ID: "AGT-ODD-01", Level: Must, After: runs, Title: "the agent survives any output of the policy",
			Rule: "message.proto, MalformedCall: \"An attempted tool call that cannot be parsed.\"",
			Remedy: "let the environment answer invalid calls; expect messages without content, unknown tools, " +
				"and arguments of any form",
			run: checkAgentOdd,
		},
		{
			ID: "AGT-ODD-02", Level: Should, After: append(slices.Clone(runs), "AGT-ODD-01"),
			Title: "invalid output of the policy is not reported as a failure of the agent",
			Rule: "message.proto, ToolCall: \"It parses as JSON; the environment checks it against the tool's " +
				"schema.\"",
			Remedy: "pass calls to the environment unchanged, and its responses to the policy, which learns from " +
				"a score, not from a failure",
			run: checkAgentOddIsNoFailure,
		},
		{
			ID: "AGT-CANCEL-01", Level: Must, After: runs,
			Title:  "canceled during a call to the policy, the agent stops",
			Rule:   run + "\"Canceling the call ends the episode and its lease; the agent stops as soon as it can.\"",
			Remedy: "end with the call's context; do not repeat a request because of an error of the policy",
			run:    checkAgentCancelled,
		},
		{
			ID: "AGT-CANCEL-02", Level: Must, After: runs, Title: "canceled during a tool call, the agent stops",
			Rule:   run + "\"Canceling the call ends the episode and its lease; the agent stops as soon as it can.\"",
			Remedy: "end with the call's context; do not repeat a step because of an error of the environment",
			run:    checkAgentCancelledInStep,
		},
		{
			ID: "AGT-CANCEL-03", Level: Must, After: append(slices.Clone(runs), "AGT-CANCEL-01"),
			Title:  "after 64 canceled episodes the agent plays as before",
			Rule:   run + "\"Canceling the call ends the episode and its lease; the agent stops as soon as it can.\"",
			Remedy: "release the resources of an episode, even if it is canceled: a slot, a lock, a connection",
			run:    checkAgentAfterCancelled,
		},
		{
			ID: "AGT-CHAOS-01", Level: Must, After: runs,
			Title: "after kill -9 during an episode, another process plays as before",
			Rule:  "plugin.proto, ConfigureRequest: \"A number that increases each time a host takes over the run.\"",
			Remedy: "do not interpret a file in the component's directory as a sign of another running process: " +
				"locks end with their process, files do not",
			run: checkAgentKilled,
		},
	}}
}
