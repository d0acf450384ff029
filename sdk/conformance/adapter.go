package conformance

import "slices"

const (
	adapterPrefix = "ADP"
	checkIDPlan   = "ADP-PLAN-01"
	checkIDTrain  = "ADP-TRAIN-01"
)

// Prerequisites of adapter checks.
var (
	planned   = []string{configFixture, checkIDPlan}
	trained   = append(slices.Clone(planned), checkIDTrain)
	accounted = append(slices.Clone(trained), "ADP-TRAIN-03", "ADP-TRAIN-05")
)

func adapterGroup() group {
	return group{adapterPrefix, slices.Concat(trainingChecks(), policyChecks(), tokenChecks())}
}

// trainingChecks returns the checks for plans and training.
func trainingChecks() []Check {
	const plan, train, control = "adapter.proto, Plan: ", "adapter.proto, Train: ", "adapter.proto, Control: "
	return []Check{
		{
			ID: checkIDPlan, Level: Must, After: []string{configFixture},
			Title:  "Plan returns the same response twice and writes nothing",
			Rule:   plan + "\"It is pure: it starts nothing and writes nothing.\"",
			Remedy: "describe files in the plan, and write them in Train",
			run:    checkPlanPure,
		},
		{
			ID: "ADP-PLAN-02", Level: Must, After: planned,
			Title: "each knob that the user wrote is mapped to a key, or refused with a reason",
			Rule: "adapter.proto, KnobMapping: \"The framework's key; empty if refused.\" \"The reason for the " +
				"refusal; empty if mapped.\"",
			Remedy: "return a mapping for each path in Knobs.set",
			run:    checkPlanKnobs,
		},
		{
			ID: "ADP-PLAN-03", Level: Must, After: planned, Title: "an unknown knob is refused",
			Rule: "adapter.proto, Knobs: \"An adapter refuses a knob that it does not support.\"",
			Remedy: "return a mapping with the reason in `refused`, or a diagnostic of severity ERROR that names " +
				"the knob",
			run: checkPlanUnknownKnob,
		},
		{
			ID: "ADP-PLAN-04", Level: Must, After: planned, Title: "effective keys have a JSON value and an origin",
			Rule: "adapter.proto, EffectiveKey: \"One value of the framework's configuration and its origin.\"",
			Remedy: "write the value as JSON; set the origin to a knob, `config:FILE`, `overrides`, `default` or " +
				"`required by awhost`",
			run: checkPlanEffective,
		},
		{
			ID: "ADP-PLAN-05", Level: Must, After: planned,
			Title:  "Plan declares no capability that the description lacks",
			Rule:   "adapter.proto, AdapterCapabilities: \"Plan may narrow the capabilities from Describe.\"",
			Remedy: "declare the capability in the description, which the host reads before it plans",
			run:    checkPlanNarrows,
		},
		{
			ID: "ADP-PLAN-06", Level: Must, After: planned, Needs: NeedSmoke,
			Title: "the plan of a smoke run requires no GPU",
			Rule: "adapter.proto, PlanRequest: smoke: \"It then describes the smoke run, lists no GPU among its " +
				"requirements\"",
			Remedy: "add requirements of kind gpu only if smoke is false",
			run:    checkPlanSmoke,
		},
		{
			ID: "ADP-PLAN-07", Level: Must, After: append(slices.Clone(planned), "ADP-PLAN-03"),
			Title: "a plan that maps knobs refuses an unknown one, also if it contains an error",
			Rule:  "adapter.proto, Knobs: \"An adapter refuses a knob that it does not support.\"",
			Remedy: "go through `set` of the knobs, and refuse those without a place in the framework: an error of the " +
				"installation says nothing about them",
			run: checkPlanRefusesDespiteError,
		},
		{
			ID: checkIDTrain, Level: Must, After: planned, Title: "the adapter trains a stage to its end and reports it",
			Rule: train + "\"Runs one stage.\" \"ends with `finished`\"",
			Remedy: "set a configuration, knobs and a policy in the fixtures with which a step takes seconds; end " +
				"with FinishedEvent, outcome COMPLETED, and the last step",
			run: checkTrainEnds,
		},
		{
			ID: "ADP-TRAIN-02", Level: Must, After: trained, Title: "the events are numbered from 1, without gaps",
			Rule:   "adapter.proto, TrainEvent: \"The number of the event, from 1, without gaps within a launch.\"",
			Remedy: "number the events when they are sent",
			run:    checkTrainSeq,
		},
		{
			ID: "ADP-TRAIN-03", Level: Must, After: trained,
			Title:  "each step lists the episodes that it used: only requested ones, each once",
			Rule:   "adapter.proto, ConsumedEvent: \"The episodes that a step used, in slot order.\"",
			Remedy: "emit one ConsumedEvent per step, in order, with a use for each episode of its batch",
			run:    checkTrainConsumed,
		},
		{
			ID: "ADP-TRAIN-04", Level: Must, After: trained, Title: "the metrics are finite",
			Rule:   "adapter.proto, MetricsEvent: \"The values are finite.\"",
			Remedy: "leave out values that are not finite numbers",
			run:    checkTrainMetrics,
		},
		{
			ID: "ADP-TRAIN-05", Level: Must, After: trained,
			Title: "an announced checkpoint exists, is complete and has the announced digest",
			Rule:  "adapter.proto, CheckpointEvent: \"A checkpoint whose files are complete and synced.\"",
			Remedy: "write, sync and rename before emitting the event; use one directory per checkpoint below " +
				"checkpoint_dir",
			run: checkTrainCheckpoints,
		},
		{
			ID: "ADP-TRAIN-06", Level: Must, After: trained, Title: "a launch is trained once",
			Rule: train + "\"A launch_id is trained once: a second Train with it fails with ALREADY_EXISTS; use " +
				"Recover.\"",
			Remedy: "keep the ids of the launches of this process",
			run:    checkTrainTwice,
		},
		{
			ID: "ADP-TRAIN-07", Level: Must, After: trained, Needs: NeedBarrier,
			Title:  "after the directive STOP at a boundary the adapter writes a checkpoint and ends as stopped",
			Rule:   "host.proto, Directive: \"Write a checkpoint and end the stage as stopped.\"",
			Remedy: "obey the response of StepBoundary",
			run:    checkTrainStop,
		},
		{
			ID: "ADP-TRAIN-08", Level: Must, After: trained,
			Title:  "after drain the adapter finishes the step, writes a checkpoint and ends as stopped",
			Rule:   "adapter.proto, ControlRequest: \"Finish the step, write a checkpoint, end the stage as stopped.\"",
			Remedy: "check a flag at each boundary",
			run:    checkTrainDrain,
		},
		{
			ID: "ADP-TRAIN-09", Level: Must, After: trained, Title: "after abort the trainer ends",
			Rule: control + "\"After `abort` the trainer ends, even one that could outlive the adapter, and the " +
				"stream of Train or Recover ends once the trainer has ended.\"",
			Remedy: "end the trainer, wait until it has ended, and end the stream",
			run:    checkTrainAbort,
		},
		{
			ID: "ADP-TRAIN-10", Level: Must, After: accounted, Needs: NeedNoRecover,
			Title:  "canceling the call ends the training",
			Rule:   train + "\"Canceling the call ends the training unless the capability `recover` is declared\"",
			Remedy: "end the trainer with the call's context",
			run:    checkTrainCancel,
		},
		{
			ID: "ADP-CONTROL-01", Level: Must, After: trained,
			Title: "Control of a launch that the adapter does not train, or no longer trains, is NOT_FOUND",
			Rule: control + "\"It fails with NOT_FOUND for a launch that this process does not train: it never " +
				"did, it no longer does, or Recover has to find the trainer first.\"",
			Remedy: "look up the launch_id among the launches with an open stream; if it is missing, wrap " +
				"ErrNoTrainer, or raise NoTrainer",
			run: checkControlUnknown,
		},
	}
}

// policyChecks returns the checks for episodes, messages, and state that outlasts training.
func policyChecks() []Check {
	const generate, recovers = "adapter.proto, Generate: ", "adapter.proto, Recover: "
	const load, export = "adapter.proto, Load: ", "adapter.proto, Export: "
	const remote = "adapter.proto, DeleteCheckpoint: "
	return []Check{
		{
			ID: "ADP-EPISODE-01", Level: Must, After: trained,
			Title: "requests for episodes have unique ids and specify group, stage, split and task",
			Rule:  "host.proto, RunEpisodeRequest: \"chosen by the caller, unique per run.\"",
			Remedy: "derive the id from launch, step, group and sample; increase the draw to request another " +
				"sample of the slot",
			run: checkEpisodes,
		},
		{
			ID: "ADP-EPISODE-02", Level: Must, After: trained,
			Title: "an episode without a number, or one that the host masks, is not trained",
			Rule: "host.proto, EpisodeResult: \"absent unless scored. It is never made up.\" masked: \"Keep the " +
				"row, but train nothing of it.\"",
			Remedy: "mask or leave out failed episodes, according to the capability `unscorable`, and report " +
				"MASKED, FILTERED or LOST",
			run: checkEpisodesFail,
		},
		{
			ID: "ADP-EPISODE-03", Level: Must, After: append(slices.Clone(trained), "ADP-EPISODE-02"),
			Title: "two launches request groups at the same positions, regardless of the groups' ids",
			Rule: "host.proto, RunEpisodeRequest: \"The position of the group within its step, from 0. Seeds are " +
				"derived from stage, split, step and this field.\"",
			Remedy: "count groups within the step in group_index, or omit it and specify the task by its " +
				"dataset_index; choose only group_id at random",
			run: checkEpisodePlaces,
		},
		{
			ID: "ADP-EPISODE-04", Level: Must, After: accounted,
			Title: "the reward of a sample whose siblings all failed is not trained",
			Rule: "adapter.proto, group_of_one: \"trains nothing by its reward\"; \"the host withholds the first " +
				"result with a number until a second one of its group arrives\"",
			Remedy: "declare the actual behavior; for raw, request all samples of a group without waiting for " +
				"one, and leave out the samples that the host marks",
			run: checkGroupOfOne,
		},
		{
			ID: "ADP-GEN-01", Level: Must, After: trained,
			Title:  "a repeated call_id gets the same message and changes nothing",
			Rule:   generate + "\"It is idempotent by call_id\"",
			Remedy: "keep the responses of each running episode",
			run:    func(t *T) { t.reportProbes(func(p *probes) []string { return p.repeated }) },
		},
		{
			ID: "ADP-GEN-02", Level: Must, After: trained,
			Title: "a message extends its chain by the new messages and itself",
			Rule: "adapter.proto, GenerateResponse: \"The number of messages in the chain, including the sampled " +
				"one: the next `base`.\"",
			Remedy: "count messages, not tokens; keep the chain's id while the chain is only extended",
			run:    func(t *T) { t.reportProbes(func(p *probes) []string { return p.extended }) },
		},
		{
			ID: "ADP-GEN-03", Level: Must, After: trained,
			Title:  "a conversation that does not plainly extend its chain starts a new chain and reports it",
			Rule:   "adapter.proto, GenerateRequest: \"the response starts a new chain and reports this in `drift`\"",
			Remedy: "compare base with the chain's length; return DRIFT_FORK or DRIFT_REALIGN",
			run:    func(t *T) { t.reportProbes(func(p *probes) []string { return p.diverged }) },
		},
		{
			ID: "ADP-GEN-04", Level: Must, After: trained, Needs: NeedContext,
			Title:  "a message that does not fit into the context is refused, and the chain is unchanged",
			Rule:   "adapter.proto, GenerateError: \"The chain is unchanged.\"",
			Remedy: "return ABORTED with the detail GenerateError of kind CONTEXT_FULL before appending anything",
			run:    func(t *T) { t.reportProbes(func(p *probes) []string { return p.full }) },
		},
		{
			ID: "ADP-RESUME-01", Level: Must, After: accounted, Needs: NeedResume,
			Title: "from a checkpoint the adapter continues with the remaining steps",
			Rule: "adapter.proto, TrainRequest: \"The number of steps of this stage that are already finished: " +
				"schedules continue from there.\"",
			Remedy: "load from_checkpoint and begin with first_step",
			run:    checkResume,
		},
		{
			ID: "ADP-RESUME-02", Level: Must, After: append(slices.Clone(accounted), "ADP-RESUME-01", "ADP-EPISODE-04"),
			Needs: NeedResume,
			Title: "if equal stages end with equal checkpoints, a resumed one ends with the same checkpoint",
			Rule:  "adapter.proto, TrainRequest: carry_optimizer: \"Keep the optimizer's state of from_checkpoint.\"",
			Remedy: "write everything that the next step depends on into the checkpoint, and load all of it: the optimizer's " +
				"moments, schedules, and counters",
			run: checkResumeEqual,
		},
		{
			ID: "ADP-RECOVER-01", Level: Must, After: planned,
			Title: "a launch without a trainer cannot be recovered, and Recover does not start it",
			Rule: recovers + "\"NOT_FOUND means that the trainer does not exist or has ended. UNIMPLEMENTED means " +
				"the same\"",
			Remedy: "return NOT_FOUND, or do not implement Recover",
			run:    checkRecoverNothing,
		},
		{
			ID: "ADP-RECOVER-02", Level: Must, After: accounted, Needs: NeedRecover,
			Title: "after kill -9 in the middle of a step the adapter finds its trainer again, which continues " +
				"and trains no step twice",
			Rule: recovers + "\"Re-attaches to the trainer of a launch after the adapter's process or the host " +
				"was lost, and continues as Train does.\"",
			Remedy: "store the data that Recover needs in the component's directory or in the handle before the " +
				"first event",
			run: checkRecover,
		},
		{
			ID: "ADP-SERVE-01", Level: Must, After: planned, Needs: NeedServe,
			Title: "after Load the adapter generates without training, and Release is idempotent",
			Rule: load + "\"Afterwards Generate serves episodes that the host itself chose, all from this one " +
				"policy\"",
			Remedy: "serve Generate for episodes that were not announced; release unknown episodes without an error",
			run:    checkLoad,
		},
		{
			ID: "ADP-SERVE-02", Level: Must, After: planned, Needs: NeedServe,
			Title:  "Load of a checkpoint that cannot be read is UNKNOWN with a text, and the loaded policy stays",
			Rule:   load + "\"It fails with UNKNOWN, with a text for the user, if the checkpoint cannot be read\"",
			Remedy: "load into a new object, and replace the old one after loading has succeeded",
			run:    checkLoadWrong,
		},
		{
			ID: "ADP-SERVE-03", Level: Must, After: planned, Needs: NeedServe,
			Title:  "a process that serves does not train",
			Rule:   load + "\"Train is refused after a Load: one process does one or the other\"",
			Remedy: "return FAILED_PRECONDITION",
			run:    checkLoadThenTrain,
		},
		{
			ID: "ADP-EXPORT-01", Level: Must, After: accounted, Needs: NeedExport,
			Title:  "an export contains the files that it lists, and replaces nothing",
			Rule:   export + "\"It fails with ALREADY_EXISTS if the name exists; it replaces nothing.\"",
			Remedy: "write next to the target, sync and rename; list each file with its size",
			run:    checkExport,
		},
		{
			ID: "ADP-EXPORT-02", Level: Must, After: accounted, Needs: NeedExport,
			Title: "a format that is not listed is UNKNOWN with a text, and leaves nothing behind",
			Rule: export + "\"It is atomic: the directory appears complete and synced under its final name, or " +
				"not at all.\"",
			Remedy: "check the format and the checkpoint before creating the directory",
			run:    checkExportWrong,
		},
		{
			ID: "ADP-REMOTE-01", Level: Must, After: append(slices.Clone(accounted), "ADP-RESUME-01"), Needs: NeedRemote,
			Title: "DeleteCheckpoint succeeds twice, and for an incomplete checkpoint, and changes no other checkpoint",
			Rule:  remote + "\"It does not change the directory, or other checkpoints. It is idempotent\"",
			Remedy: "delete only the data that the directory names, and return no error for data that does not exist; let " +
				"the host remove the directory",
			run: checkRemote,
		},
		{
			ID: "ADP-CHAOS-01", Level: Must, After: append(slices.Clone(accounted), "ADP-RESUME-01"),
			Title: "after kill -9 in the middle of a step another process trains from the last checkpoint",
			Rule:  "plugin.proto, ConfigureRequest: \"A number that increases each time a host takes over the run.\"",
			Remedy: "do not interpret a file in the component's directory as a sign of another running process: " +
				"locks end with their process, files do not",
			run: checkAdapterKilled,
		},
	}
}
