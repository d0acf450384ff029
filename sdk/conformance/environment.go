package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

const environmentPrefix = "ENV"

const envOpen = "ENV-OPEN-01"

func environmentGroup() group {
	const open, step, end, snapshot, tasks = "environment.proto, Open: ", "environment.proto, Step: ",
		"environment.proto, Close: ", "environment.proto, Snapshot: ", "environment.proto, Tasks: "
	opened := []string{configFixture, envOpen}
	return group{environmentPrefix, []Check{
		{
			ID: envOpen, Level: Must, After: []string{configFixture}, Title: "the environment opens an episode",
			Rule:   open + "\"Starts an episode.\"",
			Remedy: "provide a task that the environment can play, in the fixtures or by the capability tasks",
			run:    func(t *T) { t.episode("open") },
		},
		{
			ID: "ENV-OPEN-02", Level: Must, After: opened, Title: "a repeated Open restarts the episode",
			Rule:   open + "\"A repeated Open of an open episode restarts it.\"",
			Remedy: "discard the state of the episode and begin again",
			run:    checkOpenAgain,
		},
		{
			ID: "ENV-OPEN-03", Level: Must, After: opened,
			Title: "the tools have unique names and parameters that are JSON Schemas of objects",
			Rule: "message.proto, Tool: \"JSON Schema of the arguments, kept verbatim\"; names are unique within " +
				"the episode",
			Remedy: "rename tools that clash; parameters: {\"type\":\"object\",\"properties\":{…}}",
			run:    checkTools,
		},
		{
			ID: "ENV-STEP-01", Level: Must, After: opened,
			Title: "Step answers each tool call once, in the order of the calls",
			Rule: "environment.proto, StepResponse: \"Tool results in the order of the calls, then the next user " +
				"turn, if any.\"",
			Remedy: "answer every call, including failed ones, with a message of role tool and the call's id",
			run:    checkResults,
		},
		{
			ID: "ENV-STEP-02", Level: Must, After: opened,
			Title:  "a repeated step_id returns the stored response and changes nothing",
			Rule:   step + "\"It is idempotent by step_id: a repeat returns the stored response.\"",
			Remedy: "store the response to the last step_id of each episode",
			run:    checkStepAgain,
		},
		{
			ID: "ENV-STEP-03", Level: Must, After: opened,
			Title: "a step of an unknown episode is NOT_FOUND with SessionLost",
			Rule: step + "\"It fails with NOT_FOUND and SessionLost if the process does not have the episode: the " +
				"host starts a new attempt.\"",
			Remedy: "return NOT_FOUND with the status detail awhost.v1.SessionLost",
			run:    checkSessionLost,
		},
		{
			ID: "ENV-STEP-04", Level: Must, After: opened,
			Title: "calls of tools that do not exist, and arguments that do not match the schema, get a tool " +
				"result instead of an error status",
			Rule:   "message.proto, ToolCall: \"the environment checks it against the tool's schema\"",
			Remedy: "return a tool result that describes the mistake: policies make such calls all the time",
			run:    checkOddCalls,
		},
		{
			ID: "ENV-STEP-05", Level: Must, After: opened, Title: "the numbers are finite",
			Rule:   "environment.proto, StepResponse: turn_reward: \"finite.\"",
			Remedy: "leave out values that are not finite numbers",
			run:    checkNumbers,
		},
		{
			ID: "ENV-STEP-06", Level: Must, After: opened, Title: "a step after done is FAILED_PRECONDITION",
			Rule:   step + "\"FAILED_PRECONDITION after done.\"",
			Remedy: "keep a record of the ended episode until it is closed",
			run:    checkAfterDone,
		},
		{
			ID: "ENV-STEP-07", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-04"),
			Title: "the environment accepts any Unicode in the arguments of a call: NULs, halves of surrogate " +
				"pairs, right-to-left text, thousands of accents",
			Rule: "message.proto, ToolCall: \"the environment checks it against the tool's schema\"",
			Remedy: "return a tool result; replace characters that cannot be written before they enter a " +
				"response, a log or a file name",
			run: checkHostileArguments,
		},
		{
			ID: "ENV-STEP-08", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-04"),
			Title: "the environment accepts any number in the arguments of a call: zero, negative numbers, " +
				"numbers beyond 32 and 64 bits, fractions",
			Rule:   "message.proto, ToolCall: \"the environment checks it against the tool's schema\"",
			Remedy: "return a tool result; bound the cost of a number before using it",
			run:    checkHostileNumbers,
		},
		{
			ID: "ENV-STEP-10", Level: Must, After: opened,
			Title:  "a tool executes calls that match its schema, if the fixtures have calls that it executes",
			Rule:   "message.proto, Tool: \"JSON Schema of the arguments, kept verbatim\"",
			Remedy: "make the schema and the tool agree, because policies make calls according to the schema",
			run:    checkFittingTools,
		},
		{
			ID: "ENV-STEP-11", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-01", "ENV-STEP-04"),
			Title: "Step also answers each call of a message in which calls are repeated",
			Rule: "environment.proto, StepResponse: \"Tool results in the order of the calls, then the next user " +
				"turn, if any.\"",
			Remedy: "answer every call of the message; policies send several",
			run:    checkSeveralCalls,
		},
		{
			ID: "ENV-STEP-13", Level: Must,
			After: append(slices.Clone(opened), "ENV-OPEN-02", "ENV-STEP-04", "ENV-STEP-05", "ENV-STEP-08"),
			Title: "the environment accepts each of these numbers, and its reward for it is finite, also if earlier calls of " +
				"the message would end the episode",
			Rule: "environment.proto, StepResponse: turn_reward: \"finite.\"",
			Remedy: "return a tool result; bound a number in the schema, or before computing with it: the square of 1e200 is " +
				"infinite",
			run: checkNumbersAlone,
		},
		{
			ID: "ENV-STEP-12", Level: Must, After: opened, Needs: NeedNoUserTurn,
			Title: "without multi_user_turn, no response of Step continues with a user message",
			Rule: "environment.proto, EnvironmentCapabilities: multi_user_turn: \"Without it, Step only returns a user " +
				"message when the episode has ended.\"",
			Remedy: "declare multi_user_turn: agents that end at their first answer cannot be used otherwise",
			run:    checkUserTurns,
		},
		{
			ID: "ENV-STEP-14", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-01"),
			Title: "a step that sets truncated also sets done",
			Rule: "environment.proto, StepResponse: truncated: \"The episode has ended because a limit was reached: done " +
				"is true as well.\"",
			Remedy: "set done with truncated: without it, the host continues the episode",
			run:    checkTruncated,
		},
		{
			ID: "ENV-STEP-15", Level: Must, After: append(slices.Clone(opened), "ENV-OPEN-02", "ENV-STEP-04", "ENV-STEP-06"),
			Title:  "the environment answers the messages of the fixtures also when they are repeated or out of order",
			Rule:   "environment.proto, Step: \"Takes the assistant's message and returns tool results\"",
			Remedy: "return a tool result that describes the mistake, for example that a book has already been returned",
			run:    checkRepeatedSteps,
		},
		{
			ID: "ENV-STEP-16", Level: Must,
			After: append(slices.Clone(opened), "ENV-OPEN-02", "ENV-STEP-04", "ENV-STEP-07", "ENV-STEP-08"),
			Title: "the environment answers each call that a schema permits: all of an enumeration, empty lists, `1/0`",
			Rule:  "message.proto, Tool: \"JSON Schema of the arguments, kept verbatim\"; output of a model is data",
			Remedy: "return a tool result that describes the mistake; bound the cost of an expression; list in the schema " +
				"only what the tool knows",
			run: checkValues,
		},
		{
			ID: "ENV-STEP-09", Level: Should, After: []string{configFixture, envOpen, "ENV-STEP-10"},
			Title: "each call in the fixtures that the environment executes matches the schema of its tool",
			Rule: "message.proto, Tool: \"JSON Schema of the arguments, kept verbatim\"; a policy receives no " +
				"other description of them",
			Remedy: "make the schema and the tool agree, because policies make calls according to the schema; or " +
				"mark the result as an error",
			run: checkFittingCalls,
		},
		{
			ID: "ENV-FIXTURES-01", Level: Should,
			After: []string{configFixture, envOpen, "ENV-STEP-01", "ENV-STEP-10", "ENV-STEP-09"},
			Title: "the calls in the fixtures fit: their tools exist and have these arguments, and one call succeeds",
			Rule:  "the fixtures: other checks play their calls, and test little if these are mistakes",
			Remedy: "edit the call at the line that the message names, or add a call that fits; or correct the name or the " +
				"schema of the tool; ignore it for a call that is wrong on purpose",
			run: checkFixtureCalls,
		},
		{
			ID: "ENV-TEXT-01", Level: Must, After: opened,
			Title:  "the environment accepts any text: empty, Unicode, control characters, a megabyte",
			Rule:   "message.proto, Message: output of a model is data",
			Remedy: "respond; describe text that cannot be used in the response, not by a status",
			run:    checkText,
		},
		{
			ID: "ENV-CLOSE-01", Level: Must, After: opened,
			Title:  "closing an episode twice, or an unknown one, succeeds",
			Rule:   end + "\"Closing an unknown or closed episode returns OK.\"",
			Remedy: "return OK",
			run:    checkClose,
		},
		{
			ID: "ENV-WAIT-01", Level: Must, After: opened,
			Title: "calls of other episodes do not wait until a slow call returns",
			Rule: "environment.proto, EnvironmentService: \"Calls of different episodes are concurrent\"; \"A slow call " +
				"does not delay the calls of other episodes.\"",
			Remedy: "wait with await in async functions, or make the function synchronous; hold no lock of the component " +
				"during a slow call",
			run: checkWaiting,
		},
		{
			ID: "ENV-ISOLATION-01", Level: Must, After: append(slices.Clone(opened), "ENV-WAIT-01"),
			Title: "concurrent episodes do not affect each other",
			Rule: "environment.proto, EnvironmentService: \"Calls of different episodes are concurrent and never " +
				"share state.\"",
			Remedy: "keep the state per episode, nothing in globals, and lock shared data",
			run:    checkIsolation,
		},
		{
			ID: "ENV-SEED-01", Level: Must, After: opened, Needs: NeedDeterminism,
			Title: "equal seeds, tasks and messages give equal responses, also in another process",
			Rule: "environment.proto, EnvironmentCapabilities: deterministic_under_seed: \"Equal seeds, tasks and " +
				"messages give equal responses.\"",
			Remedy: "draw all randomness from the seed; exclude times and addresses from responses; or do not " +
				"declare the capability",
			run: checkSeed,
		},
		{
			ID: "ENV-SEED-02", Level: Must, After: append(slices.Clone(opened), "ENV-SEED-01"), Needs: NeedDeterminism,
			Title: "equal seeds, tasks and messages give equal tools, attachments, and final digests, also in another process",
			Rule: "environment.proto, EnvironmentCapabilities: deterministic_under_seed: \"Equal seeds, tasks and " +
				"messages give equal responses.\" CloseResponse: \"Equal states have equal digests\"",
			Remedy: "sort sets, and leave ids, times, and addresses out of the digest",
			run:    checkSeedDetails,
		},
		{
			ID: "ENV-SEED-03", Level: Must, After: append(slices.Clone(opened), "ENV-SEED-01"),
			Title:  "an episode opens with each seed of 64 bits",
			Rule:   "environment.proto, OpenRequest: fixed64 seed",
			Remedy: "derive smaller numbers from a hash of the seed",
			run:    checkSeeds,
		},
		{
			ID: "ENV-SEED-04", Level: Must, After: append(slices.Clone(opened), "ENV-SEED-01", "ENV-SEED-02"),
			Needs: NeedDeterminism,
			Title: "another date and another run id change no response",
			Rule: "environment.proto, EnvironmentCapabilities: deterministic_under_seed: \"Equal seeds, tasks and " +
				"messages give equal responses.\"",
			Remedy: "take dates from the task, and derive randomness from the seed only",
			run:    checkSeedElsewhere,
		},
		{
			ID: "ENV-SNAPSHOT-01", Level: Must, After: opened, Needs: NeedSnapshot,
			Title:  "Snapshot returns JSON, the same twice, and changes nothing",
			Rule:   snapshot + "\"Returns the state of an open episode\"",
			Remedy: "write the state as JSON, in a fixed order",
			run:    checkSnapshot,
		},
		{
			ID: "ENV-SNAPSHOT-02", Level: Must, After: opened, Needs: NeedSnapshot,
			Title: "a snapshot of an unknown episode is NOT_FOUND with SessionLost",
			Rule: "environment.proto, SessionLost: \"The status detail of a Step or Snapshot whose episode this " +
				"process does not have; the status is NOT_FOUND.\"",
			Remedy: "return NOT_FOUND with the status detail awhost.v1.SessionLost",
			run: func(t *T) {
				_, err := environmentOf(t.shared()).Snapshot(t.call(), &awhostv1.SnapshotRequest{EpisodeId: "never opened"})
				t.checkSessionLostError(err, "a snapshot of an episode that was never opened")
			},
		},
		{
			ID: "ENV-SNAPSHOT-03", Level: Must, Needs: NeedSnapshot,
			After:  append(slices.Clone(opened), "ENV-OPEN-02", "ENV-SNAPSHOT-01", "ENV-SEED-01"),
			Title:  "an episode with snapshots proceeds and ends like one without",
			Rule:   snapshot + "\"Returns the state of an open episode\"",
			Remedy: "return a copy of the state: change nothing in Snapshot, and empty no list",
			run:    checkSnapshotEffects,
		},
		{
			ID: "ENV-PRIVATE-01", Level: Must, After: opened,
			Title: "the private part of a task appears in no message to a policy, no snapshot and no log line",
			Rule: "message.proto, Task: \"A JSON object that only components with the need `ground_truth` " +
				"receive; empty for all others.\"",
			Remedy: "exclude it from messages, tool texts, schemas, snapshots and logs; list members that " +
				"policies may see in `reveals` of the fixtures",
			run: checkEnvironmentPrivate,
		},
		{
			ID: "ENV-PRIVATE-02", Level: Must, After: append(slices.Clone(opened), "ENV-PRIVATE-01", "ENV-STEP-04"),
			Title: "the private part of a task appears in no error of a tool, not even as a number",
			Rule: "message.proto, Task: \"A JSON object that only components with the need `ground_truth` " +
				"receive; empty for all others.\"",
			Remedy: "describe the mistake in the call, and leave out the state and the task",
			run: func(t *T) {
				t.checkPrivateIn("an error of a tool", func(secret) bool { return true }, (*episode).errorTexts)
			},
		},
		{
			ID: "ENV-PRIVATE-03", Level: Must,
			After: append(slices.Clone(opened), "ENV-OPEN-02", "ENV-PRIVATE-01", "ENV-STEP-04", "ENV-STEP-08"),
			Title: "a text of the private part of a task appears in no result of a call with an unusual number",
			Rule: "message.proto, Task: \"A JSON object that only components with the need `ground_truth` " +
				"receive; empty for all others.\"",
			Remedy: "check both bounds of a position, and keep private values out of lists that a tool reads: index -1 is the " +
				"last element in Python",
			run: func(t *T) {
				isText := func(n secret) bool { return n.unique && !n.onlyEarly }
				t.checkPrivateIn("the result of a call with an unusual number", isText, (*episode).numberTexts)
			},
		},
		{
			ID: "ENV-PRIVATE-04", Level: Must,
			After: append(slices.Clone(opened), "ENV-OPEN-02", "ENV-PRIVATE-01", "ENV-STEP-04", "ENV-STEP-08"),
			Title: "a text of the private part of a task is not completed for a policy that wrote most of it",
			Rule: "message.proto, Task: \"A JSON object that only components with the need `ground_truth` " +
				"receive; empty for all others.\"",
			Remedy: "report a wrong text without the right one (\"did you mean Paris?\"), or list the member in " +
				"`reveals` of the fixtures",
			run: func(t *T) {
				isText := func(n secret) bool { return n.unique && !n.onlyEarly }
				t.checkPrivateIn("the response to a text that lacks its last letter", isText, (*episode).nearTexts)
			},
		},
		{
			ID: "ENV-PRIVATE-05", Level: Must, After: append(slices.Clone(opened), "ENV-OPEN-02", "ENV-PRIVATE-01"),
			Title: "a number of the private part of a task appears in no response of Step and in no snapshot",
			Rule: "message.proto, Task: \"A JSON object that only components with the need `ground_truth` " +
				"receive; empty for all others.\"",
			Remedy: "leave the number out of results and snapshots, also at the end of an episode; or list the member in " +
				"`reveals` of the fixtures",
			run: func(t *T) {
				t.checkPrivateIn("a response or a snapshot", func(n secret) bool { return n.onlyEarly }, (*episode).playedTexts)
			},
		},
		{
			ID: "ENV-REWARD-01", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-04", "ENV-STEP-05"),
			Title: "a call of an unknown tool, or one that its schema refuses, gets no more reward than a message without " +
				"calls",
			Rule:   "environment.proto, StepResponse: turn_reward: \"The reward of the turn; finite.\"",
			Remedy: "check a call before rewarding it: training reinforces calls that get a reward",
			run:    checkUnearnedRewards,
		},
		{
			ID: "ENV-REWARD-02", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-05", "ENV-SEED-01"),
			Needs: NeedDeterminism,
			Title: "the reward of a turn depends on its message, not only on the message before",
			Rule:  "environment.proto, StepResponse: turn_reward: \"The reward of the turn; finite.\"",
			Remedy: "compute the reward after applying the message, and return it in the same response: training assigns " +
				"it to this message",
			run: checkLateRewards,
		},
		{
			ID: "ENV-DAEMON-01", Level: Must, After: opened,
			Title:  "no process remains after the plugin has exited",
			Rule:   "plugin.proto, Stop: \"Asks the component to finish: write a checkpoint, close connections.\"",
			Remedy: "end the processes of an episode in Close, and all others when the plugin exits; do not detach them",
			run:    checkDaemons,
		},
		{
			ID: "ENV-TASKS-01", Level: Must, After: []string{configFixture}, Needs: NeedTasks,
			Title: "Tasks returns the tasks in a fixed order, and the cursor counts from the first one",
			Rule: tasks + "\"Streams the environment's own tasks in a fixed order.\" cursor: \"The position of " +
				"the first task.\"",
			Remedy: "sort the tasks; begin with the task at the cursor",
			run:    checkTasks,
		},
		{
			ID: "ENV-TASKS-02", Level: Must, After: []string{configFixture}, Needs: NeedTasks,
			Title:  "the tasks have unique ids and are JSON objects",
			Rule:   "message.proto, Task",
			Remedy: "give each task an id that is stable over time",
			run:    checkTaskShape,
		},
		{
			ID: "ENV-TASKS-03", Level: Must, After: []string{configFixture, "ENV-TASKS-01", "ENV-TASKS-02"}, Needs: NeedTasks,
			Title:  "another process returns the same tasks in the same order",
			Rule:   tasks + "\"Streams the environment's own tasks in a fixed order.\"",
			Remedy: "sort the tasks, and derive nothing from a hash that differs between processes",
			run: func(t *T) {
				if got, want := t.tasks(t.fresh(), 0, 20), t.tasks(t.shared(), 0, 20); !equalTasks(got, want) {
					t.errorf("another process returns\n%v\ninstead of\n%v", got, want)
				}
			},
		},
		{
			ID: "ENV-TASKS-04", Level: Must, After: []string{configFixture, "ENV-TASKS-02"}, Needs: NeedTasks,
			Title: "no member of the public parts repeats the ground truth of each task",
			Rule: "message.proto, Task: \"A JSON object that only components with the need `ground_truth` " +
				"receive; empty for all others.\"",
			Remedy: "leave the member out of the public part, which agents and environments receive; list a truth that " +
				"policies may see in `reveals` of the fixtures",
			run: checkPublicTruth,
		},
		{
			ID: "ENV-TASKS-05", Level: Must, After: []string{configFixture, envOpen, "ENV-TASKS-02"}, Needs: NeedTasks,
			Title:  "Tasks also returns validation tasks, or none, with unique ids, and the first one opens",
			Rule:   tasks + "\"Streams the environment's own tasks in a fixed order.\"",
			Remedy: "return no tasks for a split that the environment does not have",
			run:    checkValidationTasks,
		},
		{
			ID: "ENV-CANCEL-01", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-02", "ENV-ISOLATION-01"),
			Title: "a canceled step leaves the episode unchanged, or one step further",
			Rule:  step + "\"It is idempotent by step_id: a repeat returns the stored response.\"",
			Remedy: "finish a step once it has begun, store its response, and return it to the repeat; never end " +
				"the process because a call is canceled",
			run: checkEnvironmentCancelled,
		},
		{
			ID: "ENV-CHAOS-01", Level: Must, After: append(slices.Clone(opened), "ENV-STEP-03", "ENV-SEED-01"),
			Title: "after kill -9 in the middle of any call another process serves, without the episodes that " +
				"were open",
			Rule: step + "\"It fails with NOT_FOUND and SessionLost if the process does not have the episode: the " +
				"host starts a new attempt.\"",
			Remedy: "do not interpret a file in the component's directory as a sign of another running process: " +
				"locks end with their process, files do not",
			run: checkEnvironmentKilled,
		},
		{
			ID: "ENV-FILES-01", Level: Must, After: append(slices.Clone(opened), "ENV-WAIT-01"),
			Title: "closed episodes leave no files or directories behind",
			Rule:  end + "\"Ends an episode. The host always calls it\"",
			Remedy: "remove the episode's files in Close and at a repeated Open; list files that should stay in " +
				"`keeps` of the fixtures",
			run: checkEnvironmentFiles,
		},
		{
			ID: "ENV-DRIFT-01", Level: Must, After: append(slices.Clone(opened), "ENV-WAIT-01"),
			Title: "the thousandth episode proceeds like an equal earlier one",
			Rule: "environment.proto, EnvironmentCapabilities: deterministic_under_seed: \"Equal seeds, tasks and " +
				"messages give equal responses.\"",
			Remedy: "keep no counter, sum or random number generator across episodes",
			run:    checkDrift,
		},
		{
			ID: "ENV-LEAK-02", Level: Must, After: append(slices.Clone(opened), "ENV-WAIT-01"),
			Title:  "an episode leaves at most 8 KiB of memory behind, and no open file or thread",
			Rule:   "environment.proto, EnvironmentService: \"One configured process serves many episodes at a time\"",
			Remedy: "drop the data of an episode when it has ended, or bound it; close what it opened",
			run:    checkHeavyLeaks,
		},
		{
			ID: "ENV-LEAK-01", Level: Should, After: append(slices.Clone(opened), "ENV-LEAK-02"),
			Title:  "ten thousand episodes leave no memory, open files or threads behind",
			Rule:   "environment.proto, EnvironmentService: \"One configured process serves many episodes at a time\"",
			Remedy: "drop an episode's data when it is closed; close the files and connections that it opened",
			run:    checkLeaks,
		},
	}}
}

func checkOpenAgain(t *T) {
	e := t.episode("again")
	before := e.play(maxSteps)
	first := e.transcript(before)
	e.reopen()
	answers := e.play(maxSteps) // a step after the end of the episode would be refused
	if answers[0].GetDone() && !before[0].GetDone() && len(e.scripted) > 1 {
		t.errorf("after the second Open, the first step is the last: the episode continues from the old state")
	}
	second := e.transcript(answers)
	if t.component.has(NeedDeterminism) && second != first {
		t.errorf("after a repeated Open the episode differs:\n%s\nbefore\n%s", second, first)
	}
}

func checkTools(t *T) {
	e := t.episode("tools")
	if len(e.opened.GetTools()) == 0 {
		t.skipf("the episode has no tools")
	}
	seen := map[string]bool{}
	for _, tool := range e.opened.GetTools() {
		if tool.GetName() == "" || seen[tool.GetName()] {
			t.errorf("the tool name %q is repeated or empty", tool.GetName())
		}
		seen[tool.GetName()] = true
		var parameters map[string]any
		if err := json.Unmarshal(tool.GetParametersJson(), &parameters); err != nil {
			t.errorf("the parameters of %s are not a JSON object: %v", tool.GetName(), err)
		}
	}
}

func checkResults(t *T) {
	e := t.episode("results")
	message := e.next()
	if len(message.GetToolCalls()) == 0 {
		t.skipf("the first message of the episode calls no tool: provide one that does in the fixtures")
	}
	e.checkAnswers(message, false)
}

func checkSeveralCalls(t *T) {
	e := t.episode("several")
	if len(e.opened.GetTools()) == 0 {
		t.skipf("the episode has no tools")
	}
	calls := append(e.malformedCalls()[:1:1], e.calls()...)
	if first := e.next().GetToolCalls(); len(first) > 0 {
		calls = append(calls, first[0], first[0])
	}
	for i, call := range calls {
		calls[i] = &awhostv1.ToolCall{Id: fmt.Sprintf("several-%d", i), Name: call.GetName(),
			ArgumentsJson: call.GetArgumentsJson()}
	}
	e.checkAnswers(assistant("", calls...), true)
}

// checkUserTurns plays the scripts, and messages without calls.
func checkUserTurns(t *T) {
	for n := range t.playableEpisodes() {
		e := t.episodeIn(t.shared(), fmt.Sprintf("turns-%d", n), n)
		answers, _ := e.tryPlay(len(e.scripted) + probedSteps) // an error is covered by another check
		e.reopen()
		e.scripted = []*awhostv1.Message{assistant("conformance")}
		more, _ := e.tryPlay(probedSteps)
		for _, out := range append(answers, more...) {
			for _, m := range out.GetMessages() {
				if m.GetRole() == awhostv1.Role_ROLE_USER && !out.GetDone() {
					t.fatalf("with the task of %s, a response of Step contains the user message %.80q", e.fixture.place, textOf(m))
				}
			}
		}
	}
}

// checkAnswers plays a message, and checks that each of its calls has a result. An episode that ends may omit the
// results, or the last results if mayEnd is set.
func (e *episode) checkAnswers(message *awhostv1.Message, mayEnd bool) {
	t := e.t
	out, err := e.step(message)
	t.need(err, "Step")
	var got []string
	user := false
	for _, m := range out.GetMessages() {
		switch m.GetRole() {
		case awhostv1.Role_ROLE_TOOL:
			got = append(got, m.GetToolCallId())
			if user {
				t.errorf("a tool result comes after the next user turn")
			}
		case awhostv1.Role_ROLE_USER:
			user = true
		default:
			t.errorf("the response contains a message with role %s", m.GetRole())
		}
	}
	var want []string
	for _, call := range message.GetToolCalls() {
		want = append(want, call.GetId())
	}
	ended := out.GetDone() && (len(got) == 0 || mayEnd && len(got) <= len(want) && slices.Equal(got, want[:len(got)]))
	if !slices.Equal(got, want) && !ended {
		t.errorf("the calls are %v, but the results answer %v", want, got)
	}
}

func checkStepAgain(t *T) {
	e := t.episode("repeat")
	message := e.next()
	first, err := e.step(message)
	t.need(err, "Step")
	again, err := e.stepAs(e.stepID(), message)
	if err != nil {
		t.fatalf("the same step_id again: %v", err)
	}
	if !proto.Equal(first, again) {
		t.errorf("the same step_id returns\n%s\nafter\n%s", protojson.Format(again), protojson.Format(first))
	}
}

// checkSessionLostError checks that an error is NOT_FOUND with SessionLost.
func (t *T) checkSessionLostError(err error, what string) {
	t.refused(err, what, codes.NotFound)
	if status.Code(err) != codes.NotFound {
		return
	}
	for _, detail := range status.Convert(err).Details() {
		if _, ok := detail.(*awhostv1.SessionLost); ok {
			return
		}
	}
	t.errorf("%s is NOT_FOUND without the SessionLost detail: the host interprets it as an unknown component", what)
}

func checkSessionLost(t *T) {
	_, err := environmentOf(t.shared()).Step(t.call(),
		&awhostv1.StepRequest{EpisodeId: "never opened", InstanceId: "i", StepId: "s", Message: assistant("hello")})
	t.checkSessionLostError(err, "a step of an episode that was never opened")
	e := t.episode("closed")
	_, err = e.tryClose(t.call())
	t.need(err, "Close")
	_, err = e.step(assistant("hello"))
	t.checkSessionLostError(err, "a step of a closed episode")
}

func checkOddCalls(t *T) {
	names := []string{"no_such_tool"}
	for _, tool := range t.episode("odd").opened.GetTools() {
		names = append(names, tool.GetName())
	}
	for i, tool := range names {
		for k, arguments := range []string{`{}`, `{"no such argument":[null,{"a":1}]}`, `[]`, `null`, `"text"`, `{"a":` +
			strings.Repeat("9", 400) + `}`} {
			e := t.episode(fmt.Sprintf("odd-%d-%d", i, k))
			if _, err := e.step(assistant("", &awhostv1.ToolCall{Id: "odd", Name: tool, ArgumentsJson: arguments})); err != nil {
				t.errorf("%s(%.40s): %v", tool, arguments, err)
			}
			e.close() // the environment may limit the open episodes
		}
	}
}

func checkNumbers(t *T) {
	e := t.episode("numbers")
	for i, out := range e.play(maxSteps) {
		if out.TurnReward != nil && !finite(out.GetTurnReward()) {
			t.errorf("the reward of step %d is %v", i+1, out.GetTurnReward())
		}
		for name, v := range out.GetMetrics() {
			if !finite(v) {
				t.errorf("metric %s at step %d is %v", name, i+1, v)
			}
		}
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func checkAfterDone(t *T) {
	e := t.episode("done")
	answers := e.play(64)
	if !answers[len(answers)-1].GetDone() {
		t.skipf("the episode has not ended after %d steps: provide one in the fixtures that ends", len(answers))
	}
	_, err := e.step(assistant("more"))
	t.refused(err, "a step after done", codes.FailedPrecondition)
	if calls := e.calls(); len(calls) > 0 {
		_, err = e.step(assistant("", calls...))
		t.refused(err, "a step after done that calls tools", codes.FailedPrecondition)
	}
}

func checkText(t *T) {
	for name, text := range map[string]string{
		"nothing": "", "a space": " ", "Unicode": "Zażółć 🦥 \u202e\u0000\ufffe \U0010ffff é",
		"control characters":          "\x01\x1b[31m\r\n\t\x7f",
		"a megabyte":                  strings.Repeat("lorem ipsum ", 90_000),
		"text that looks like a call": `<tool_call>{"name":"x","arguments":{}}</tool_call>`,
	} {
		e := t.episode("text/" + name)
		if _, err := e.step(assistant(text)); err != nil {
			t.errorf("%s: %v", name, err)
		}
		if e.p.Exit() != nil {
			t.fatalf("%s ended the plugin: %v", name, e.p.Exit())
		}
	}
}

func checkClose(t *T) {
	e := t.episode("close")
	for _, closed := range []struct{ what, id string }{
		{"the first Close", e.id}, {"the second Close", e.id},
		{"the Close of an episode that was never opened", "never opened"},
	} {
		if _, err := environmentOf(e.p).Close(t.call(), &awhostv1.CloseRequest{EpisodeId: closed.id,
			InstanceId: e.opened.GetInstanceId(), Reason: "cancelled"}); t.sees(err) != nil {
			t.errorf("%s: %v", closed.what, err)
		}
	}
}

// parallelEpisodes is the number of episodes that are run concurrently.
const parallelEpisodes = 16

func checkIsolation(t *T) {
	p := t.shared()
	n := parallelEpisodes
	if most := int(t.component.GetEnvironment().GetMaxSessions()); most > 0 {
		n = min(n, most)
	}
	if n < 2 {
		t.skipf("%s serves one session at a time", t.component.address())
	}
	alone := make([]string, n)
	largest := 0
	for i := range n {
		e := t.episodeIn(p, fmt.Sprintf("alone-%d", i), i)
		alone[i] = e.transcript(e.play(maxSteps))
		largest = max(largest, e.largest)
		e.close() // others may need its slot
	}
	n = max(2, maxConcurrent(n, largest))
	together := make([]string, n)
	episodes := make([]*episode, n)
	for i := range n {
		episodes[i] = t.episodeIn(p, fmt.Sprintf("together-%d", i), i)
	}
	var all sync.WaitGroup
	problems := make([]error, n)
	for i, e := range episodes {
		all.Go(func() {
			var answers []*awhostv1.StepResponse
			answers, problems[i] = e.tryPlay(maxSteps)
			together[i] = e.transcript(answers)
		})
	}
	all.Wait()
	for i := range n {
		switch {
		case problems[i] != nil:
			t.errorf("concurrent episode %d of %d: %v", i+1, n, problems[i])
		case t.component.has(NeedDeterminism) && together[i] != alone[i]:
			t.errorf("episode %d differs when %d others are running:\n%s\nalone\n%s", i+1, n-1, together[i], alone[i])
		}
	}
}

func checkSeed(t *T) {
	play := func(p *client.Plugin, id string) string {
		e := t.episodeIn(p, id, 0)
		return e.transcript(e.play(maxSteps))
	}
	first := play(t.shared(), "seed")
	if again := play(t.shared(), "seed-2"); again != first {
		t.errorf("the second time:\n%s\nthe first time:\n%s", again, first)
	}
	if other := play(t.fresh(), "seed-3"); other != first {
		t.errorf("in another process:\n%s\nbefore:\n%s", other, first)
	}
}

func checkSeedDetails(t *T) {
	play := func(p *client.Plugin, id string) (said string) {
		e := t.episodeIn(p, id, 0)
		for _, out := range e.play(maxSteps) {
			out.Metrics = nil
			said += protojson.Format(out) + "\n"
		}
		out, err := e.tryClose(t.call())
		t.need(err, "Close")
		e.opened.InstanceId = ""
		return protojson.Format(e.opened) + "\n" + said + "final_state_digest " + out.GetFinalStateDigest()
	}
	// The state may contain the episode's id.
	first, other := play(t.shared(), "seed-4"), play(t.fresh(), "seed-4")
	lines, before := strings.Split(other, "\n"), strings.Split(first, "\n")
	for i := range min(len(lines), len(before)) {
		if lines[i] != before[i] {
			t.errorf("in another process %.400s, before %.400s", strings.TrimSpace(lines[i]), strings.TrimSpace(before[i]))
			return
		}
	}
	if first != other {
		t.errorf("in another process the episode has %d lines of JSON, before %d", len(lines), len(before))
	}
}

// snapshot returns the state of the episode.
func (e *episode) snapshot() string {
	out, err := environmentOf(e.p).Snapshot(e.t.call(), &awhostv1.SnapshotRequest{EpisodeId: e.id})
	e.t.need(err, "Snapshot")
	if !json.Valid(out.GetStateJson()) {
		e.t.fatalf("the state is not JSON: %.200q", out.GetStateJson())
	}
	return string(out.GetStateJson())
}

// checkSnapshotEffects plays an episode twice without snapshots and once with a snapshot before each message. After the
// script the policy calls all tools.
func checkSnapshotEffects(t *T) {
	if !t.component.has(NeedDeterminism) {
		t.skipf("%s does not declare the capability %s: its episodes differ anyway", t.component.address(), NeedDeterminism)
	}
	e := t.episode("snapshot")
	play := func(snapshots bool) (said, state string) {
		e.reopen()
		var answers []*awhostv1.StepResponse
		for done := false; !done && e.steps < max(len(e.scripted)+2, maxSteps); {
			if snapshots {
				e.snapshot()
			}
			message := e.next()
			if calls := e.calls(); e.steps >= len(e.scripted) && len(calls) > 0 {
				message = assistant("", calls...)
			}
			out, err := e.step(message)
			t.need(err, "Step")
			answers, done = append(answers, out), out.GetDone()
		}
		return e.transcript(answers), e.snapshot()
	}
	said, state := play(false)
	_, again := play(false)
	switch others, seen := play(true); {
	case others != said:
		t.errorf("with a snapshot before each message the episode is\n%s\nwithout\n%s", others, said)
	case state == again && seen != state:
		t.errorf("with a snapshot before each message the episode ends in the state\n%s\nwithout\n%s", seen, state)
	}
}

func checkSnapshot(t *T) {
	e := t.episode("snapshot")
	if first, second := e.snapshot(), e.snapshot(); first != second {
		t.errorf("two successive snapshots differ:\n%s\n%s", first, second)
	}
	if _, err := e.step(e.next()); err != nil {
		t.errorf("a step after a snapshot: %v", err)
	}
}

// tasks reads some of the environment's own tasks.
func (t *T) tasks(p *client.Plugin, cursor int64, most int) []*awhostv1.Task {
	return t.tasksOf(p, awhostv1.Split_SPLIT_TRAIN, cursor, most)
}

func (t *T) tasksOf(p *client.Plugin, split awhostv1.Split, cursor int64, most int) []*awhostv1.Task {
	stream, err := environmentOf(p).Tasks(t.call(),
		&awhostv1.EnvironmentServiceTasksRequest{Split: split, Cursor: cursor})
	t.need(err, "Tasks")
	var out []*awhostv1.Task
	for size := 0; len(out) < most && size < maxAnswerBytes; size += proto.Size(out[len(out)-1]) {
		next, err := stream.Recv()
		if err != nil {
			if s := status.Code(err); s != codes.Unknown && s != codes.OK { // io.EOF is not a status
				t.fatalf("Tasks: %v", err)
			}
			break
		}
		out = append(out, next.GetTask())
	}
	return out
}

func equalTasks(a, b []*awhostv1.Task) bool {
	return slices.EqualFunc(a, b, func(a, b *awhostv1.Task) bool { return proto.Equal(a, b) })
}

func checkTasks(t *T) {
	p := t.shared()
	first, second := t.tasks(p, 0, 20), t.tasks(p, 0, 20)
	if !equalTasks(first, second) {
		t.errorf("the second call returns different tasks or a different order")
	}
	if len(first) < 3 {
		t.skipf("%d training tasks are too few for a cursor", len(first))
	}
	if from := t.tasks(p, 2, 1); len(from) == 0 || !proto.Equal(from[0], first[2]) {
		t.errorf("with cursor 2 the first task is not the third")
	}
	if beyond := t.tasks(p, math.MaxInt32, 1); len(beyond) > 0 {
		t.errorf("the cursor after the last task returns a task")
	}
}

func checkTaskShape(t *T) { t.reportTaskShape(t.tasks(t.shared(), 0, 1000)) }

func (t *T) reportTaskShape(tasks []*awhostv1.Task) {
	seen := map[string]bool{}
	for i, task := range tasks {
		if task.GetId() == "" || seen[task.GetId()] {
			t.errorf("task %d: the id %q is repeated or empty", i, task.GetId())
		}
		seen[task.GetId()] = true
		for name, text := range map[string][]byte{"public": task.GetPublicJson(), "private": task.GetPrivateJson()} {
			var object map[string]any
			if err := json.Unmarshal(text, &object); err != nil && (name == "public" || len(text) > 0) {
				t.errorf("task %d: the %s part is not a JSON object: %v", i, name, err)
			}
		}
	}
}

// checkPublicTruth looks for a public member that equals the truth in every task.
func checkPublicTruth(t *T) {
	tasks := t.tasks(t.shared(), 0, 20)
	if len(tasks) < 3 {
		t.skipf("%s are too few", plural(int64(len(tasks)), "task"))
	}
	private := leavesOf(tasks[0].GetPrivateJson())
	for _, truth := range private {
		isTruth := len(private) == 1 || slices.Contains(truthNames, truth.path)
		if !isTruth || t.component.isRevealed(truth.path) {
			continue
		}
		for _, shown := range leavesOf(tasks[0].GetPublicJson()) {
			texts, equal := map[string]bool{}, true
			for _, task := range tasks {
				text, ok := truthMember(task.GetPrivateJson(), truth.path)
				public, known := truthMember(task.GetPublicJson(), shown.path)
				texts[text], equal = true, equal && ok && known && text == public
			}
			if equal && len(texts) > 1 {
				t.errorf("in each of %d tasks, the public member %s equals the private member %s", len(tasks), shown.path,
					truth.path)
			}
		}
	}
}

// truthNames lists the usual names of the private member that contains the truth.
var truthNames = []string{"ground_truth", "answer", "solution", "target", "label"}

// checkTruncated plays the script, and then calls the tools until the episode ends.
func checkTruncated(t *T) {
	for n := range max(1, min(len(t.component.fixture.Episodes), maxBadAnswerTasks)) {
		e := t.episodeIn(t.shared(), fmt.Sprintf("truncated-%d", n), n)
		for e.steps < maxTruncatedSteps {
			message := e.next()
			if calls := e.calls(); e.steps >= len(e.scripted) && len(calls) > 0 {
				message = assistant("", calls...)
			}
			out, err := e.step(message)
			if out.GetTruncated() && !out.GetDone() {
				t.errorf("step %d of an episode is truncated, but not done", e.steps)
			}
			if err != nil || out.GetDone() || out.GetTruncated() {
				break // an error is covered by another check
			}
		}
		e.close()
	}
}

// maxTruncatedSteps is the number of steps after which checkTruncated gives an episode up.
const maxTruncatedSteps = 40
