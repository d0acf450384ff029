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
			Title: "it plays an episode to its end, and asks the policy in it",
			Rule:  run + "\"An episode in which the policy was never called is FAILED{AGENT} and gets no score.\"",
			Remedy: "ask by HostService.AgentGenerate; name in the fixtures' `episodes` a task, tools and messages " +
				"with which the agent gets to an end",
			run: checkAgentRuns,
		},
		{
			ID: "AGT-RUN-02", Level: Must, After: runs,
			Title:  "its result has finite numbers, and metadata that are an object",
			Rule:   "agent.proto, RunResponse: \"A JSON object for rewards.\"",
			Remedy: "leave out what is not a number; put lists and texts into a member of an object",
			run:    checkAgentResult,
		},
		{
			ID: "AGT-RUN-03", Level: Must, After: runs, Needs: NeedNoEnvironment,
			Title:  "without an environment it plays, and takes no step",
			Rule:   "agent.proto, RunRequest: \"Whether the episode has an environment to step in.\"",
			Remedy: "look at has_environment, or declare the capability needs_environment",
			run:    checkAgentAlone,
		},
		{
			ID: "AGT-LEASE-01", Level: Must, After: runs,
			Title: "each call bears the lease of its episode, and none is made when the episode is over",
			Rule: "agent.proto, RunRequest: \"It is valid while this call is in progress, and only from the " +
				"plugin that received it.\"",
			Remedy: "keep the lease with the episode, never in a variable of the plugin; end all that works " +
				"for an episode before Run answers",
			run: checkAgentLease,
		},
		{
			ID: "AGT-LEASE-02", Level: Must, After: runs,
			Title:  "the lease stands in no message, no result and no log line",
			Rule:   "agent.proto, RunRequest: \"The lease, a secret, for AgentGenerate and AgentStep.\"",
			Remedy: "do not log requests; name an episode by its episode_id",
			run:    checkAgentSecret,
		},
		{
			ID: "AGT-CHAIN-01", Level: Must, After: runs,
			Title: "a conversation goes on from a chain of its episode, at a message that there is",
			Rule: "host.proto, AgentGenerateRequest: \"The conversation, as named by the last response; " +
				"empty starts one.\"",
			Remedy: "send chain and chain_length of the answer that the conversation goes on from, as chain " +
				"and base",
			run: func(t *T) { t.rightly(aboutChains) },
		},
		{
			ID: "AGT-CHAIN-02", Level: Should, After: append(slices.Clone(runs), "AGT-CHAIN-01"),
			Title: "what the policy said is gone on from by its chain, and not told to it as a new message",
			Rule: "host.proto, AgentGenerateRequest: \"The messages since then; together with the chain, the " +
				"model's entire input.\"",
			Remedy: "send what is new behind the last answer, with its chain: the policy is trained on the " +
				"tokens that it sampled; sdk/chat does it",
			run: func(t *T) { t.rightly(aboutRetold) },
		},
		{
			ID: "AGT-REPEAT-01", Level: Should, After: runs,
			Title: "equal requests of an episode say which of them they are",
			Rule: "host.proto, AgentGenerateRequest: \"A number that distinguishes equal requests, counted from 0 in " +
				"the order in which the agent makes them\"",
			Remedy: "count equal requests of an episode, and send the number in repeat; sdk/chat does it",
			run:    func(t *T) { t.rightly(aboutRepeats) },
		},
		{
			ID: "AGT-STEP-01", Level: Must, After: runs,
			Title: "it gives the environment the message of each call once, and none when the episode is done",
			Rule:  step + "\"The message of a call is accepted once: a repeat fails with INVALID_ARGUMENT.\"",
			Remedy: "name the call_id of the answer, once; end, or ask on without a step, when an answer is " +
				"`done`",
			run: checkAgentSteps,
		},
		{
			ID: "AGT-CLAIM-01", Level: Should, After: runs,
			Title:  "it brings no transcript of what the host has carried",
			Rule:   "agent.proto, RunResponse: \"Ignored if it has received any.\"",
			Remedy: "leave `messages` empty: the host has written down what was said",
			run:    checkAgentClaims,
		},
		{
			ID: "AGT-SAME-01", Level: Should, After: runs,
			Title: "the same task and the same answers get the same requests and the same result, in " +
				"another process, too",
			Rule: generate + "\"Samples the next message of a conversation for an agent\"; what an agent " +
				"asks must follow from what it was told",
			Remedy: "ask in a fixed order; leave times, random numbers and the order of sets and maps out " +
				"of messages, metadata and metrics",
			run: checkAgentSame,
		},
		{
			ID: "AGT-PARALLEL-01", Level: Must, After: runs, Needs: NeedConcurrency,
			Title: "episodes at the same time are not mixed up",
			Rule:  run + "\"Many calls run at a time.\"",
			Remedy: "keep what belongs to an episode in variables of Run; declare max_concurrent where " +
				"there is a limit",
			run: checkAgentParallel,
		},
		{
			ID: "AGT-LIMIT-01", Level: Must, After: runs, Title: "it comes to an end when a limit is reached",
			Rule: generate + "\"nothing was sampled, and the agent may still answer\"",
			Remedy: "take context_full for the end of the conversation: answer with what there is, or " +
				"return the error",
			run: checkAgentFull,
		},
		{
			ID: "AGT-LIMIT-02", Level: Must, After: runs,
			Title: "it comes to an end when the conversation has its turns, though the policy goes on",
			Rule: "agent.proto, RunRequest: \"The maximum number of assistant messages in one " +
				"conversation; 0 means no limit. The host enforces it.\"",
			Remedy: "count the turns, or take context_full for the end; a conversation that is begun anew " +
				"for more turns never ends",
			run: checkAgentTurns,
		},
		{
			ID: "AGT-LIMIT-03", Level: Must, After: runs,
			Title:  "it stops when the deadline of the episode is over",
			Rule:   run + "\"The deadline is the call's.\"",
			Remedy: "end with the call's context",
			run:    checkAgentDeadline,
		},
		{
			ID: "AGT-FAIL-01", Level: Must, After: runs,
			Title:  "an episode in which the policy failed is not answered as if it had not",
			Rule:   generate + over,
			Remedy: "return the error as it is: its class says what the host does next",
			run:    checkAgentModelFails,
		},
		{
			ID: "AGT-FAIL-02", Level: Must, After: runs,
			Title:  "an episode in which the environment failed is not answered as if it had not",
			Rule:   step + "\"Leases and errors are as for AgentGenerate.\"",
			Remedy: "return the error as it is: its class says what the host does next",
			run:    checkAgentEnvironmentFails,
		},
		{
			ID: "AGT-FAIL-03", Level: Must, After: append(slices.Clone(runs), "AGT-FAIL-01"),
			Title:  "after a failure of the policy it does not ask on and on",
			Rule:   generate + over,
			Remedy: "do not repeat what failed: the host plays the episode again where the spec says so",
			run:    checkAgentGivesUp,
		},
		{
			ID: "AGT-ODD-01", Level: Must, After: runs, Title: "it outlives whatever the policy says",
			Rule: "message.proto, MalformedCall: \"An attempted tool call that cannot be parsed.\"",
			Remedy: "let the environment answer calls that are wrong; expect messages without content, " +
				"unknown tools, and arguments of any form",
			run: checkAgentOdd,
		},
		{
			ID: "AGT-ODD-02", Level: Should, After: append(slices.Clone(runs), "AGT-ODD-01"),
			Title: "what the policy says wrongly is not made a failure of the agent",
			Rule: "message.proto, ToolCall: \"It parses as JSON; the environment checks it against the " +
				"tool's schema.\"",
			Remedy: "give calls to the environment as they are, and its answers to the policy: it learns " +
				"from a number, not from a failure",
			run: checkAgentOddIsNoFailure,
		},
		{
			ID: "AGT-CANCEL-01", Level: Must, After: runs,
			Title: "cancelled while the policy is asked, it stops",
			Rule: run + "\"Canceling the call ends the episode and its lease; the agent stops as soon as " +
				"it can.\"",
			Remedy: "end with the call's context; an error of the policy is no reason to ask again",
			run:    checkAgentCancelled,
		},
		{
			ID: "AGT-CANCEL-02", Level: Must, After: runs, Title: "cancelled while a tool is called, it stops",
			Rule: run + "\"Canceling the call ends the episode and its lease; the agent stops as soon as " +
				"it can.\"",
			Remedy: "end with the call's context; an error of the environment is no reason to step again",
			run:    checkAgentCancelledInStep,
		},
		{
			ID: "AGT-CANCEL-03", Level: Must, After: append(slices.Clone(runs), "AGT-CANCEL-01"),
			Title: "after 64 episodes that were given up it plays as before",
			Rule: run + "\"Canceling the call ends the episode and its lease; the agent stops as soon as " +
				"it can.\"",
			Remedy: "give back what an episode holds, also when it is cancelled: a slot, a lock, a connection",
			run:    checkAgentAfterCancelled,
		},
		{
			ID: "AGT-CHAOS-01", Level: Must, After: runs,
			Title: "after kill -9 in the middle of an episode another process plays as before",
			Rule:  "plugin.proto, ConfigureRequest: \"A number that increases each time a host takes over the run.\"",
			Remedy: "take nothing in the component's directory for a sign that somebody else is alive: " +
				"locks die with their process, files do not",
			run: checkAgentKilled,
		},
	}}
}
