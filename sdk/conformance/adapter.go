package conformance

import "slices"

const (
	adapterPrefix = "ADP"
	plans         = "ADP-PLAN-01"
	trains        = "ADP-TRAIN-01"
)

// Prerequisites of adapter checks.
var (
	planned   = []string{configFixture, plans}
	trained   = append(slices.Clone(planned), trains)
	accounted = append(slices.Clone(trained), "ADP-TRAIN-03", "ADP-TRAIN-05")
)

func adapterGroup() group {
	return group{adapterPrefix, slices.Concat(trainingChecks(), policyChecks())}
}

// trainingChecks returns the checks of plans and training.
func trainingChecks() []Check {
	const plan, train, control = "adapter.proto, Plan: ", "adapter.proto, Train: ", "adapter.proto, Control: "
	return []Check{
		{
			ID: plans, Level: Must, After: []string{configFixture}, Title: "Plan answers the same twice, and writes nothing",
			Rule:   plan + "\"It is pure: it starts nothing and writes nothing.\"",
			Remedy: "say in the plan what would be written, and write it in Train",
			run:    checkPlanPure,
		},
		{
			ID: "ADP-PLAN-02", Level: Must, After: planned, Title: "each knob that the user wrote is mapped to a key, or refused with a reason",
			Rule:   "adapter.proto, KnobMapping: \"The framework's key; empty if refused.\" \"The reason for the refusal; empty if mapped.\"",
			Remedy: "answer a mapping for each path in Knobs.set",
			run:    checkPlanKnobs,
		},
		{
			ID: "ADP-PLAN-03", Level: Must, After: planned, Title: "a knob that it does not know is refused",
			Rule:   "adapter.proto, Knobs: \"An adapter refuses a knob that it does not support.\"",
			Remedy: "answer a mapping with the reason in `refused`, or a diagnostic of severity ERROR that names the knob",
			run:    checkPlanUnknownKnob,
		},
		{
			ID: "ADP-PLAN-04", Level: Must, After: planned, Title: "effective keys have a value that is JSON, and say where it comes from",
			Rule:   "adapter.proto, EffectiveKey: \"One value of the framework's configuration and its origin.\"",
			Remedy: "write the value as JSON; the origin is a knob, `config:FILE`, `overrides`, `default` or `required by awhost`",
			run:    checkPlanEffective,
		},
		{
			ID: "ADP-PLAN-05", Level: Must, After: planned, Title: "Plan promises nothing that the description does not",
			Rule:   "adapter.proto, AdapterCapabilities: \"Plan may narrow the capabilities from Describe.\"",
			Remedy: "declare the capability in the description, where the host looks before it plans",
			run:    checkPlanNarrows,
		},
		{
			ID: trains, Level: Must, After: planned, Title: "it trains a stage to its end, and says so",
			Rule:   train + "\"Runs one stage.\" \"ends with `finished`\"",
			Remedy: "give a configuration, knobs and a policy in the fixtures with which a step takes seconds; end with FinishedEvent, outcome COMPLETED, and the last step",
			run:    checkTrainEnds,
		},
		{
			ID: "ADP-TRAIN-02", Level: Must, After: trained, Title: "its events are numbered from 1, without gaps",
			Rule:   "adapter.proto, TrainEvent: \"The number of the event, from 1, without gaps within a launch.\"",
			Remedy: "number them where they are sent",
			run:    checkTrainSeq,
		},
		{
			ID: "ADP-TRAIN-03", Level: Must, After: trained, Title: "each step says which episodes it used: those that it asked for, each once",
			Rule:   "adapter.proto, ConsumedEvent: \"The episodes that a step used, in slot order.\"",
			Remedy: "emit one ConsumedEvent per step, in order, with a use for each episode of its batch",
			run:    checkTrainConsumed,
		},
		{
			ID: "ADP-TRAIN-04", Level: Must, After: trained, Title: "its metrics are finite",
			Rule:   "adapter.proto, MetricsEvent: \"The values are finite.\"",
			Remedy: "leave out what is not a number",
			run:    checkTrainMetrics,
		},
		{
			ID: "ADP-TRAIN-05", Level: Must, After: trained, Title: "a checkpoint is there, complete and with its digest, when it is announced",
			Rule:   "adapter.proto, CheckpointEvent: \"A checkpoint whose files are complete and synced.\"",
			Remedy: "write, sync, rename, and only then emit; one directory per checkpoint below checkpoint_dir",
			run:    checkTrainCheckpoints,
		},
		{
			ID: "ADP-TRAIN-06", Level: Must, After: trained, Title: "a launch is trained once",
			Rule:   train + "\"A launch_id is trained once: a second Train with it fails with ALREADY_EXISTS; use Recover.\"",
			Remedy: "keep the ids of the launches of this process",
			run:    checkTrainTwice,
		},
		{
			ID: "ADP-TRAIN-07", Level: Must, After: trained, Needs: NeedBarrier, Title: "told to stop at a boundary, it writes a checkpoint and ends as stopped",
			Rule:   "host.proto, Directive: \"Write a checkpoint and end the stage as stopped.\"",
			Remedy: "obey what StepBoundary answers",
			run:    checkTrainStop,
		},
		{
			ID: "ADP-TRAIN-08", Level: Must, After: trained, Title: "after drain it finishes the step, writes a checkpoint and ends as stopped",
			Rule:   "adapter.proto, ControlRequest: \"Finish the step, write a checkpoint, end the stage as stopped.\"",
			Remedy: "look at a flag at each boundary",
			run:    checkTrainDrain,
		},
		{
			ID: "ADP-TRAIN-09", Level: Must, After: trained, Title: "after abort the trainer ends",
			Rule:   control + "\"After `abort` the trainer ends, even one that could outlive the adapter, and the stream of Train or Recover ends once the trainer has ended.\"",
			Remedy: "end the trainer, wait for its end, and end the stream",
			run:    checkTrainAbort,
		},
		{
			ID: "ADP-TRAIN-10", Level: Must, After: accounted, Needs: NeedNoRecover, Title: "when the call is cancelled the training ends",
			Rule:   train + "\"Canceling the call ends the training unless the capability `recover` is declared\"",
			Remedy: "end the trainer with the call's context",
			run:    checkTrainCancel,
		},
		{
			ID: "ADP-CONTROL-01", Level: Must, After: trained, Title: "Control of a launch that it does not train, or no more, is NOT_FOUND",
			Rule:   control + "\"It fails with NOT_FOUND for a launch that this process does not train: it never did, it no longer does, or Recover has to find the trainer first.\"",
			Remedy: "look the launch_id up among the launches whose stream is open; wrap ErrNoTrainer, or raise NoTrainer, where it is none of them",
			run:    checkControlUnknown,
		},
	}
}

// policyChecks returns the checks of episodes, messages, and of state that outlasts a training.
func policyChecks() []Check {
	const generate, recovers = "adapter.proto, Generate: ", "adapter.proto, Recover: "
	const load, export = "adapter.proto, Load: ", "adapter.proto, Export: "
	return []Check{
		{
			ID: "ADP-EPISODE-01", Level: Must, After: trained, Title: "its requests for episodes have ids of their own, and say which group, stage, split and task they are of",
			Rule:   "host.proto, RunEpisodeRequest: \"chosen by the caller, unique per run.\"",
			Remedy: "make the id of the launch, step, group and sample; count the draw up where another sample of the slot is wanted",
			run:    checkEpisodes,
		},
		{
			ID: "ADP-EPISODE-02", Level: Must, After: trained,
			Title: "an episode without a number, or that the host masks, is not trained",
			Rule: "host.proto, EpisodeResult: \"absent unless scored. It is never made up.\" " +
				"masked: \"Keep the row, but train nothing of it.\"",
			Remedy: "mask or leave out what failed, by the capability `unscorable`, and say MASKED, FILTERED or LOST",
			run:    checkEpisodesFail,
		},
		{
			ID: "ADP-EPISODE-03", Level: Must, After: append(slices.Clone(trained), "ADP-EPISODE-02"), Title: "two launches ask for groups at the same places, whatever they call them",
			Rule:   "host.proto, RunEpisodeRequest: \"The position of the group within its step, from 0. Seeds are derived from stage, split, step and this field.\"",
			Remedy: "count groups within the step in group_index, or leave it out and name the task by its dataset_index; draw nothing but group_id",
			run:    checkEpisodePlaces,
		},
		{
			ID: "ADP-EPISODE-04", Level: Must, After: accounted, Title: "nothing is learned from the reward of a sample whose siblings all failed",
			Rule:   "adapter.proto, group_of_one: \"trains nothing by its reward\"; \"the host withholds the first result with a number until a second one of its group arrives\"",
			Remedy: "declare what is true; for raw ask for all samples of a group without waiting for one, and leave out what the host marks",
			run:    checkGroupOfOne,
		},
		{
			ID: "ADP-GEN-01", Level: Must, After: trained, Title: "a repeated call_id gets the same message, and changes nothing",
			Rule:   generate + "\"It is idempotent by call_id\"",
			Remedy: "keep the answers of each episode that runs",
			run:    func(t *T) { t.probed(func(p *probes) []string { return p.repeated }) },
		},
		{
			ID: "ADP-GEN-02", Level: Must, After: trained, Title: "a message lengthens its chain by what was new and itself",
			Rule:   "adapter.proto, GenerateResponse: \"The number of messages in the chain, including the sampled one: the next `base`.\"",
			Remedy: "count messages, not tokens; keep the chain's id while it is only extended",
			run:    func(t *T) { t.probed(func(p *probes) []string { return p.extended }) },
		},
		{
			ID: "ADP-GEN-03", Level: Must, After: trained, Title: "a conversation that is no plain extension starts a chain of its own, and says so",
			Rule:   "adapter.proto, GenerateRequest: \"the response starts a new chain and reports this in `drift`\"",
			Remedy: "compare base with the chain's length; answer DRIFT_FORK or DRIFT_REALIGN",
			run:    func(t *T) { t.probed(func(p *probes) []string { return p.strayed }) },
		},
		{
			ID: "ADP-GEN-04", Level: Must, After: trained, Needs: NeedContext, Title: "a message that the context does not take is refused, and the chain is as it was",
			Rule:   "adapter.proto, GenerateError: \"The chain is unchanged.\"",
			Remedy: "answer ABORTED with the detail GenerateError of kind CONTEXT_FULL before anything is appended",
			run:    func(t *T) { t.probed(func(p *probes) []string { return p.full }) },
		},
		{
			ID: "ADP-RESUME-01", Level: Must, After: accounted, Needs: NeedResume, Title: "from a checkpoint it goes on with the steps that are left",
			Rule:   "adapter.proto, TrainRequest: \"The number of steps of this stage that are already finished: schedules continue from there.\"",
			Remedy: "load from_checkpoint and begin with first_step",
			run:    checkResume,
		},
		{
			ID: "ADP-RECOVER-01", Level: Must, After: planned, Title: "a launch that nobody trains cannot be recovered, and is not started by it",
			Rule:   recovers + "\"NOT_FOUND means that the trainer does not exist or has ended. UNIMPLEMENTED means the same\"",
			Remedy: "answer NOT_FOUND, or leave Recover out",
			run:    checkRecoverNothing,
		},
		{
			ID: "ADP-RECOVER-02", Level: Must, After: accounted, Needs: NeedRecover, Title: "killed in the middle of a step, it finds its trainer again, which goes on and trains no step twice",
			Rule:   recovers + "\"Re-attaches to the trainer of a launch after the adapter's process or the host was lost, and continues as Train does.\"",
			Remedy: "leave what Recover needs in the component's directory or in the handle before the first event",
			run:    checkRecover,
		},
		{
			ID: "ADP-SERVE-01", Level: Must, After: planned, Needs: NeedServe, Title: "after Load it answers without training, and Release is idempotent",
			Rule:   load + "\"Afterwards Generate serves episodes that the host itself chose, all from this one policy\"",
			Remedy: "answer Generate for episodes that nobody announced; release what is not there without an error",
			run:    checkLoad,
		},
		{
			ID: "ADP-SERVE-02", Level: Must, After: planned, Needs: NeedServe, Title: "a checkpoint that cannot be read is UNKNOWN with a text, and what was loaded stays",
			Rule:   load + "\"It fails with UNKNOWN, with a text for the user, if the checkpoint cannot be read\"",
			Remedy: "load into something new, and replace the old when that has succeeded",
			run:    checkLoadWrong,
		},
		{
			ID: "ADP-SERVE-03", Level: Must, After: planned, Needs: NeedServe, Title: "a process that serves does not train",
			Rule:   load + "\"Train is refused after a Load: one process does one or the other\"",
			Remedy: "answer FAILED_PRECONDITION",
			run:    checkLoadThenTrain,
		},
		{
			ID: "ADP-EXPORT-01", Level: Must, After: accounted, Needs: NeedExport, Title: "an export is there with the files that it names, and replaces nothing",
			Rule:   export + "\"It fails with ALREADY_EXISTS if the name exists; it replaces nothing.\"",
			Remedy: "write beside the target, sync and rename; name each file with its size",
			run:    checkExport,
		},
		{
			ID: "ADP-EXPORT-02", Level: Must, After: accounted, Needs: NeedExport, Title: "a format that it does not list is UNKNOWN with a text, and leaves nothing behind",
			Rule:   export + "\"It is atomic: the directory appears complete and synced under its final name, or not at all.\"",
			Remedy: "look at the format and the checkpoint before the directory is made",
			run:    checkExportWrong,
		},
		{
			ID: "ADP-CHAOS-01", Level: Must, After: append(slices.Clone(accounted), "ADP-RESUME-01"), Title: "after kill -9 in the middle of a step another process trains from the last checkpoint",
			Rule:   "plugin.proto, ConfigureRequest: \"A number that increases each time a host takes over the run.\"",
			Remedy: "take nothing in the component's directory for a sign that somebody else is alive: locks die with their process, files do not",
			run:    checkAdapterKilled,
		},
	}
}
