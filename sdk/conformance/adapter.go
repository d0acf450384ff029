package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

const (
	adapterPrefix = "ADP"
	plans         = "ADP-PLAN-01"
	trains        = "ADP-TRAIN-01"
)

func adapterGroup() group {
	const plan, train, control, generate, recovers, load, export = "adapter.proto, Plan: ", "adapter.proto, Train: ", "adapter.proto, Control: ",
		"adapter.proto, Generate: ", "adapter.proto, Recover: ", "adapter.proto, Load: ", "adapter.proto, Export: "
	planned := []string{configFixture, plans}
	trained := append(slices.Clone(planned), trains)
	accounted := append(slices.Clone(trained), "ADP-TRAIN-03", "ADP-TRAIN-05")
	return group{adapterPrefix, []Check{
		{
			ID: plans, Level: Must, After: []string{configFixture}, Title: "Plan answers the same twice, and writes nothing",
			Rule:   plan + "\"Pure: nothing is started, nothing is written.\"",
			Remedy: "say in the plan what would be written, and write it in Train",
			run:    checkPlanPure,
		},
		{
			ID: "ADP-PLAN-02", Level: Must, After: planned, Title: "each knob that the user wrote is mapped to a key, or refused with a reason",
			Rule:   "adapter.proto, KnobMapping: \"The framework's key; empty when refused.\" \"The reason; empty when mapped.\"",
			Remedy: "answer a mapping for each path in Knobs.set",
			run:    checkPlanKnobs,
		},
		{
			ID: "ADP-PLAN-03", Level: Must, After: planned, Title: "a knob that it does not know is refused",
			Rule:   "adapter.proto, Knobs: \"an adapter refuses a knob that it does not know\"",
			Remedy: "answer a mapping with the reason in `refused`, or a diagnostic of severity ERROR that names the knob",
			run:    checkPlanUnknownKnob,
		},
		{
			ID: "ADP-PLAN-04", Level: Must, After: planned, Title: "effective keys have a value that is JSON, and say where it comes from",
			Rule:   "adapter.proto, EffectiveKey: \"One value of the framework's configuration and where it came from.\"",
			Remedy: "write the value as JSON; the origin is a knob, `config:FILE`, `overrides`, `default` or `required by awhost`",
			run:    checkPlanEffective,
		},
		{
			ID: "ADP-PLAN-05", Level: Must, After: planned, Title: "Plan promises nothing that the description does not",
			Rule:   "adapter.proto, AdapterCapabilities: \"Plan may narrow what Describe says.\"",
			Remedy: "declare the capability in the description, where the host looks before it plans",
			run:    checkPlanNarrows,
		},
		{
			ID: trains, Level: Must, After: planned, Title: "it trains a stage to its end, and says so",
			Rule:   train + "\"Runs one stage.\" \"it ends with `finished`\"",
			Remedy: "give a configuration, knobs and a policy in the fixtures with which a step takes seconds; end with FinishedEvent, outcome COMPLETED, and the last step",
			run:    checkTrainEnds,
		},
		{
			ID: "ADP-TRAIN-02", Level: Must, After: trained, Title: "its events are numbered from 1, without gaps",
			Rule:   "adapter.proto, TrainEvent: \"From 1, without gaps within a launch.\"",
			Remedy: "number them where they are sent",
			run:    checkTrainSeq,
		},
		{
			ID: "ADP-TRAIN-03", Level: Must, After: trained, Title: "each step says which episodes it used: those that it asked for, each once",
			Rule:   "adapter.proto, ConsumedEvent: \"Which episodes a step used, in slot order.\"",
			Remedy: "emit one ConsumedEvent per step, in order, with a use for each episode of its batch",
			run:    checkTrainConsumed,
		},
		{
			ID: "ADP-TRAIN-04", Level: Must, After: trained, Title: "its metrics are finite",
			Rule:   "adapter.proto, MetricsEvent: \"Finite.\"",
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
			Rule:   train + "\"A launch_id is trained once: a second Train with it is ALREADY_EXISTS; use Recover.\"",
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
			Rule:   control + "\"After `abort` the trainer ends, also one that could outlive the adapter, and the stream of Train or Recover ends when it has.\"",
			Remedy: "end the trainer, wait for its end, and end the stream",
			run:    checkTrainAbort,
		},
		{
			ID: "ADP-TRAIN-10", Level: Must, After: accounted, Needs: NeedNoRecover, Title: "when the call is cancelled the training ends",
			Rule:   train + "\"Cancelling the call ends the training unless the capability `recover` is declared\"",
			Remedy: "end the trainer with the call's context",
			run:    checkTrainCancel,
		},
		{
			ID: "ADP-EPISODE-01", Level: Must, After: trained, Title: "its requests for episodes have ids of their own, and say which group, stage, split and task they are of",
			Rule:   "host.proto, RunEpisodeRequest: \"Chosen by the caller, unique per run.\"",
			Remedy: "make the id of the launch, step, group and sample; count the draw up where another sample of the slot is wanted",
			run:    checkEpisodes,
		},
		{
			ID: "ADP-EPISODE-02", Level: Must, After: trained, Title: "an episode without a number is not trained",
			Rule:   "host.proto, EpisodeResult: \"Absent unless scored. Never invented.\"",
			Remedy: "mask or leave out what failed, by the capability `unscorable`, and say MASKED, FILTERED or LOST",
			run:    checkEpisodesFail,
		},
		{
			ID: "ADP-GEN-01", Level: Must, After: trained, Title: "a repeated call_id gets the same message, and changes nothing",
			Rule:   generate + "\"Idempotent by call_id\"",
			Remedy: "keep the answers of each episode that runs",
			run:    func(t *T) { t.probed(func(p *probes) []string { return p.repeated }) },
		},
		{
			ID: "ADP-GEN-02", Level: Must, After: trained, Title: "a message lengthens its chain by what was new and itself",
			Rule:   "adapter.proto, GenerateResponse: \"Messages in the chain, the sampled one included: the next `base`.\"",
			Remedy: "count messages, not tokens; keep the chain's id while it is only extended",
			run:    func(t *T) { t.probed(func(p *probes) []string { return p.extended }) },
		},
		{
			ID: "ADP-GEN-03", Level: Must, After: trained, Title: "a conversation that is no plain extension starts a chain of its own, and says so",
			Rule:   "adapter.proto, GenerateRequest: \"the answer starts a new chain and says so in `drift`\"",
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
			Rule:   "adapter.proto, TrainRequest: \"Steps of this stage that are finished already: schedules go on from there.\"",
			Remedy: "load from_checkpoint and begin with first_step",
			run:    checkResume,
		},
		{
			ID: "ADP-RECOVER-01", Level: Must, After: planned, Title: "a launch that nobody trains cannot be recovered, and is not started by it",
			Rule:   recovers + "\"NOT_FOUND when there is no such trainer, or none any more; UNIMPLEMENTED means the same\"",
			Remedy: "answer NOT_FOUND, or leave Recover out",
			run:    checkRecoverNothing,
		},
		{
			ID: "ADP-RECOVER-02", Level: Must, After: accounted, Needs: NeedRecover, Title: "killed in the middle of a step, it finds its trainer again, which goes on and trains no step twice",
			Rule:   recovers + "\"Re-attaches to the trainer of a launch after the adapter's process or the host was gone, and goes on as Train\"",
			Remedy: "leave what Recover needs in the component's directory or in the handle before the first event",
			run:    checkRecover,
		},
		{
			ID: "ADP-SERVE-01", Level: Must, After: planned, Needs: NeedServe, Title: "after Load it answers without training, and Release is idempotent",
			Rule:   load + "\"afterwards Generate answers for episodes that the host chose itself, all from this one policy\"",
			Remedy: "answer Generate for episodes that nobody announced; release what is not there without an error",
			run:    checkLoad,
		},
		{
			ID: "ADP-SERVE-02", Level: Must, After: planned, Needs: NeedServe, Title: "a checkpoint that cannot be read is UNKNOWN with a text, and what was loaded stays",
			Rule:   load + "\"UNKNOWN, with a text for the user, when the checkpoint cannot be read\"",
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
			Rule:   export + "\"ALREADY_EXISTS when there is something of that name; nothing is replaced.\"",
			Remedy: "write beside the target, sync and rename; name each file with its size",
			run:    checkExport,
		},
		{
			ID: "ADP-EXPORT-02", Level: Must, After: accounted, Needs: NeedExport, Title: "a format that it does not list is UNKNOWN with a text, and leaves nothing behind",
			Rule:   export + "\"All or nothing: the directory appears complete and synced, under its final name, or not at all.\"",
			Remedy: "look at the format and the checkpoint before the directory is made",
			run:    checkExportWrong,
		},
		{
			ID: "ADP-CHAOS-01", Level: Must, After: append(slices.Clone(accounted), "ADP-RESUME-01"), Title: "after kill -9 in the middle of a step another process trains from the last checkpoint",
			Rule:   "plugin.proto, ConfigureRequest: \"Raised each time that a host takes the run over.\"",
			Remedy: "take nothing in the component's directory for a sign that somebody else is alive: locks die with their process, files do not",
			run:    checkAdapterKilled,
		},
	}}
}

func checkPlanPure(t *T) {
	req := t.planRequest()
	if err := os.WriteFile(filepath.Join(req.GetRunDir(), "kept"), nil, 0o600); err != nil {
		t.need(err, "write a file")
	}
	adapter := adapterOf(t.shared())
	first, err := adapter.Plan(t.call(), req)
	t.need(err, "Plan")
	again, err := adapter.Plan(t.call(), req)
	t.need(err, "Plan for the second time")
	if !proto.Equal(first, again) {
		t.errorf("the second plan is another:\n%s\nthe first:\n%s", protojson.Format(again), protojson.Format(first))
	}
	left, err := os.ReadDir(req.GetRunDir())
	t.need(err, "read the run's directory")
	if len(left) != 1 || left[0].Name() != "kept" {
		t.errorf("after Plan the run's directory holds %v, and before it held the file kept", listed(left))
	}
}

func listed(list []fs.DirEntry) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Name()
	}
	return out
}

// plan asks for the stage that the suite trains.
func (t *T) plan(change func(*awhostv1.PlanRequest)) *awhostv1.PlanResponse {
	req := t.planRequest()
	if change != nil {
		change(req)
	}
	out, err := adapterOf(t.shared()).Plan(t.call(), req)
	t.need(err, "Plan")
	return out
}

func checkPlanKnobs(t *T) {
	t.plannable()
	known, _ := t.knobs()
	var knobs sdk.Knobs
	t.need(json.Unmarshal(known.GetJson(), &knobs), "read the knobs")
	out := t.plan(nil)
	for _, path := range knobs.Set {
		i := slices.IndexFunc(out.GetKnobs(), func(m *awhostv1.KnobMapping) bool { return m.GetKnob() == path })
		if i < 0 {
			t.errorf("nothing is said of the knob %s", path)
		}
	}
	for _, m := range out.GetKnobs() {
		if (m.GetKey() == "") == (m.GetRefused() == "") {
			t.errorf("the knob %q has the key %q and is refused for %q: it should be one or the other", m.GetKnob(), m.GetKey(), m.GetRefused())
		}
	}
}

// unknownKnob is one that no vocabulary has.
const unknownKnob = "conformance.no_such_knob"

func checkPlanUnknownKnob(t *T) {
	t.plannable()
	out := t.plan(func(req *awhostv1.PlanRequest) {
		var knobs map[string]any
		t.need(json.Unmarshal(req.GetStages()[0].GetKnobs().GetJson(), &knobs), "read the knobs")
		set, _ := knobs["set"].([]any)
		knobs["set"] = append(set, unknownKnob)
		text, err := json.Marshal(knobs)
		t.need(err, "write the knobs")
		req.Stages[0].Knobs.Json = text
	})
	for _, m := range out.GetKnobs() {
		if m.GetKnob() == unknownKnob && m.GetRefused() != "" {
			return
		}
	}
	for _, d := range out.GetDiagnostics() {
		if d.GetSeverity() == awhostv1.Diagnostic_SEVERITY_ERROR && strings.Contains(d.GetSummary()+d.GetDetail(), unknownKnob) {
			return
		}
	}
	t.errorf("the knob %s is taken without a word", unknownKnob)
}

func checkPlanEffective(t *T) {
	t.plannable()
	for _, key := range t.plan(nil).GetEffective() {
		if key.GetKey() == "" || key.GetOrigin() == "" || !json.Valid(key.GetValueJson()) {
			t.errorf("an effective key is %q = %q from %q", key.GetKey(), key.GetValueJson(), key.GetOrigin())
		}
	}
}

func checkPlanNarrows(t *T) {
	t.plannable()
	planned := t.plan(nil).GetCapabilities()
	if planned == nil {
		t.errorf("the plan says nothing of capabilities")
		return
	}
	described := t.component.GetAdapter().ProtoReflect()
	planned.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.Kind() == protoreflect.BoolKind && !described.Get(field).Bool():
			t.errorf("the plan has the capability %s, which the description has not", field.Name())
		case field.IsList():
			declared := described.Get(field).List()
			for i := range v.List().Len() {
				if !holds(declared, v.List().Get(i).String()) {
					t.errorf("the plan has %s %q, which the description has not", field.Name(), v.List().Get(i).String())
				}
			}
		}
		return true
	})
}

func holds(list protoreflect.List, want string) bool {
	for i := range list.Len() {
		if list.Get(i).String() == want {
			return true
		}
	}
	return false
}

// plannable skips a check where the stage cannot be trained here and the author has not said that it can: a plan with an error may
// be no more than that error.
func (t *T) plannable() {
	if t.component.fixture.Train != nil {
		return
	}
	for _, d := range t.plan(nil).GetDiagnostics() {
		if d.GetSeverity() == awhostv1.Diagnostic_SEVERITY_ERROR {
			t.skipf("its plan has an error, so that it says little, and nothing can be trained: %s. Give a configuration and `train` in the fixtures", d.GetSummary())
		}
	}
}

// trained is the stage that most checks look at. It is trained once.
func (t *T) trained() *stage {
	t.plannable()
	if t.component.trained == nil {
		s := t.stage(t.shared())
		s.probes = &probes{}
		t.component.trained, t.component.trainProblem = s, s.train(t.long())
	}
	t.need(t.component.trainProblem, "Train")
	return t.component.trained
}

// probed says what the odd calls of Generate have shown.
func (t *T) probed(of func(*probes) []string) {
	p := t.trained().probes
	if !p.played {
		t.skipf("no episode was sampled")
	}
	for _, wrong := range of(p) {
		t.errorf("%s", wrong)
	}
}

// long bounds a training run.
func (t *T) long() context.Context {
	limit := 5 * t.suite.config.Patience
	if f := t.component.fixture.Train; f != nil && f.Seconds > 0 {
		limit = time.Duration(f.Seconds) * time.Second
	}
	return t.within(limit)
}

func checkTrainEnds(t *T) {
	s := t.trained()
	for _, problem := range s.problems {
		t.errorf("%s", problem)
	}
	ends := 0
	for _, e := range s.events {
		if e.GetFinished() != nil {
			ends++
		}
	}
	switch f := s.finished(); {
	case f == nil || ends != 1:
		t.errorf("of %s %d are `finished`; it should be the last one alone", plural(int64(len(s.events)), "event"), ends)
	case f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != s.total:
		t.errorf("it ended as %s (%s) after step %d; it should be COMPLETED after step %d", f.GetOutcome(), f.GetReason(), f.GetStep(), s.total)
	}
	if s.answered == 0 {
		t.errorf("no episode was sampled: it was asked for %s", plural(int64(len(s.asked())), "episode"))
	}
}

func checkTrainSeq(t *T) {
	for i, e := range t.trained().events {
		if e.GetSeq() != uint64(i)+1 {
			t.errorf("event %d has the seq %d", i+1, e.GetSeq())
			return
		}
	}
}

func checkTrainConsumed(t *T) {
	s := t.trained()
	t.accounted(s, 1)
	if n := int64(len(s.consumed())); n != s.total {
		t.errorf("%s were trained, and %d said what they used", plural(s.total, "step"), n)
	}
}

// accounted sees that the steps of a stage used the episodes that were asked for, each once.
func (t *T) accounted(s *stage, first int64) {
	used := map[string]int64{}
	for i, c := range s.consumed() {
		if c.GetStep() != first+int64(i) {
			t.errorf("step %d says what it used where step %d should", c.GetStep(), first+int64(i))
		}
		if len(c.GetEpisodes()) == 0 {
			t.errorf("step %d used nothing", c.GetStep())
		}
		for _, e := range c.GetEpisodes() {
			switch before, twice := used[e.GetEpisodeId()]; {
			case twice:
				t.errorf("step %d uses episode %s, which step %d has used", c.GetStep(), e.GetEpisodeId(), before)
			case !s.ran(e.GetEpisodeId()):
				t.errorf("step %d uses episode %s, which it never asked for", c.GetStep(), e.GetEpisodeId())
			case e.GetUse() == awhostv1.ConsumedEpisode_USE_UNSPECIFIED:
				t.errorf("step %d does not say how it used episode %s", c.GetStep(), e.GetEpisodeId())
			}
			used[e.GetEpisodeId()] = c.GetStep()
		}
	}
}

func checkTrainMetrics(t *T) {
	for _, e := range t.trained().events {
		for name, v := range e.GetMetrics().GetValues() {
			if !finite(v) {
				t.errorf("the metric %s of step %d is %v", name, e.GetMetrics().GetStep(), v)
			}
		}
	}
}

func checkTrainCheckpoints(t *T) {
	s := t.trained()
	all := s.checkpoints()
	if len(all) == 0 || all[len(all)-1].GetStep() != s.total {
		t.errorf("there is no checkpoint of the last step")
	}
	for _, c := range all {
		switch info, err := os.Stat(c.GetPath()); {
		case err != nil:
			t.errorf("the checkpoint of step %d: %v", c.GetStep(), err)
		case !info.IsDir() || filepath.Dir(filepath.Clean(c.GetPath())) != filepath.Clean(s.request.GetCheckpointDir()):
			t.errorf("the checkpoint of step %d is %s: it should be a directory in %s", c.GetStep(), c.GetPath(), s.request.GetCheckpointDir())
		case c.GetDigest() == "":
			t.errorf("the checkpoint of step %d has no digest", c.GetStep())
		}
	}
}

func checkTrainTwice(t *T) {
	s := t.trained()
	if p := t.shared(); p != s.process { // that one is gone
		s = t.stage(p)
		t.need(s.train(t.long()), "Train")
	}
	again := t.stage(s.process)
	again.request.LaunchId = s.request.GetLaunchId()
	t.refused(again.train(t.call()), "a second Train of the same launch", codes.AlreadyExists)
}

// stopped sees that a stage ended as stopped, with a checkpoint of its last step.
func (t *T) stopped(s *stage) {
	f := s.finished()
	if f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_STOPPED {
		t.errorf("it ended as %s (%s) after step %d; it should be STOPPED", f.GetOutcome(), f.GetReason(), f.GetStep())
		return
	}
	all := s.checkpoints()
	if f.GetStep() > 0 && (len(all) == 0 || all[len(all)-1].GetStep() != f.GetStep()) {
		t.errorf("it stopped after step %d, of which there is no checkpoint", f.GetStep())
	}
}

func checkTrainStop(t *T) {
	t.plannable()
	s := t.stage(t.fresh())
	s.decide = func(req *awhostv1.StepBoundaryRequest) awhostv1.StepBoundaryResponse_Directive {
		if req.GetStep() >= 1 {
			return awhostv1.StepBoundaryResponse_DIRECTIVE_STOP
		}
		return awhostv1.StepBoundaryResponse_DIRECTIVE_CONTINUE
	}
	t.need(s.train(t.long()), "Train")
	t.stopped(s)
}

// control tells the trainer something once its first episode is there. Whoever waits reads what came of it when the stage is over.
func (s *stage) control(action awhostv1.ControlRequest_Action) (told *bool) {
	var once sync.Once
	told = new(bool)
	s.judge = func(*awhostv1.RunEpisodeRequest, *awhostv1.EpisodeResult) {
		once.Do(func() {
			_, err := s.adapter.Control(s.t.call(), &awhostv1.ControlRequest{LaunchId: s.request.GetLaunchId(), Action: action, Reason: "conformance"})
			if err != nil {
				s.problem("Control %s: %v", action, err)
			}
			*told = err == nil
		})
	}
	return told
}

func checkTrainDrain(t *T) {
	t.plannable()
	s := t.stage(t.fresh())
	s.control(awhostv1.ControlRequest_ACTION_DRAIN)
	t.need(s.train(t.long()), "Train")
	for _, problem := range s.problems {
		t.errorf("%s", problem)
	}
	t.stopped(s)
}

func checkTrainAbort(t *T) {
	t.plannable()
	p := t.fresh()
	s := t.stage(p)
	told := s.control(awhostv1.ControlRequest_ACTION_ABORT)
	err := s.train(t.long())
	if !*told {
		t.fatalf("it could not be told: %s", strings.Join(append(s.problems, "there was no episode"), "; "))
	}
	if status.Code(err) == codes.DeadlineExceeded {
		t.fatalf("the stream goes on after Control abort")
	}
	if p.Exit() != nil {
		t.errorf("Control abort ended the plugin: %v", p.Exit())
	}
	if f := s.finished(); f != nil && f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_FAILED && f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_STOPPED {
		t.errorf("after Control abort it ended as %s", f.GetOutcome())
	}
	for _, c := range s.checkpoints() {
		if c.GetStep() >= s.total {
			t.errorf("after Control abort in the first step it trained to step %d", c.GetStep())
		}
	}
}

func checkTrainCancel(t *T) {
	t.plannable()
	p := t.fresh()
	s := t.stage(p)
	ctx, cancel := context.WithCancel(t.long())
	defer cancel()
	s.judge = func(*awhostv1.RunEpisodeRequest, *awhostv1.EpisodeResult) { cancel() }
	_ = s.train(ctx) // cancelled
	time.Sleep(abandoned)
	before := t.suite.host.strays.Load()
	time.Sleep(abandoned)
	if n := t.suite.host.strays.Load() - before; n > 0 {
		t.errorf("it was cancelled %s ago and still asks for episodes: %d times in another %s", abandoned, n, abandoned)
	}
	again := t.stage(p)
	err := again.train(t.long())
	for patient := t.call(); err != nil && patient.Err() == nil && p.Exit() == nil; { // the one before may take its time to end
		time.Sleep(abandoned / 4)
		again = t.stage(p)
		err = again.train(t.long())
	}
	if err != nil {
		t.fatalf("the next Train of the process: %v", err)
	}
	if f := again.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED {
		t.errorf("the next Train of the process ended as %s (%s)", f.GetOutcome(), f.GetReason())
	}
}

// abandoned is how long a trainer may take to see that nobody waits for it.
const abandoned = 2 * time.Second

func checkEpisodes(t *T) {
	s := t.trained()
	seen := map[string]*awhostv1.RunEpisodeRequest{}
	groups := map[string]map[int64]bool{}
	size := map[string]int64{}
	for _, e := range s.episodes {
		id := e.GetEpisodeId()
		if before := seen[id]; id == "" || before != nil && !proto.Equal(before, e) {
			t.errorf("the episode id %q is empty, or of two that differ", id)
		}
		seen[id] = e
		switch {
		case e.GetGroupId() == "" || e.GetGroupSize() < 1:
			t.errorf("episode %s is of the group %q, of %d", id, e.GetGroupId(), e.GetGroupSize())
		case e.SampleIndex != nil && (e.GetSampleIndex() < 0 || e.GetSampleIndex() >= e.GetGroupSize()):
			t.errorf("episode %s is sample %d of %d", id, e.GetSampleIndex(), e.GetGroupSize())
		case e.GetStage() != stageName:
			t.errorf("episode %s is of the stage %q; it should be %q", id, e.GetStage(), stageName)
		case e.GetSplit() == awhostv1.Split_SPLIT_UNSPECIFIED:
			t.errorf("episode %s is of no split", id)
		case e.GetSource() == nil:
			t.errorf("episode %s has neither a task nor a dataset_index", id)
		}
		size[e.GetGroupId()] = e.GetGroupSize()
		if e.SampleIndex == nil {
			continue
		}
		if groups[e.GetGroupId()] == nil {
			groups[e.GetGroupId()] = map[int64]bool{}
		}
		groups[e.GetGroupId()][e.GetSampleIndex()] = true
	}
	for _, c := range s.consumed() { // groups that were begun ahead may be cut by the end
		for _, used := range c.GetEpisodes() {
			id := seen[used.GetEpisodeId()].GetGroupId()
			if samples := groups[id]; samples != nil && int64(len(samples)) != size[id] {
				t.errorf("step %d uses the group %s, of which %d samples of %d were asked for", c.GetStep(), id, len(samples), size[id])
				delete(groups, id)
			}
		}
	}
}

func checkEpisodesFail(t *T) {
	t.plannable()
	s := t.stage(t.fresh())
	failed := sync.Map{}
	var left atomic.Int64
	left.Store(2) // not more: a trainer that draws other samples instead has to come to an end
	s.judge = func(req *awhostv1.RunEpisodeRequest, out *awhostv1.EpisodeResult) {
		if req.GetSplit() != awhostv1.Split_SPLIT_VALIDATION && left.Add(-1) >= 0 {
			failed.Store(req.GetEpisodeId(), true)
			out.Outcome, out.Reward, out.Masked = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_FAILED, nil, true
			out.Failure = &awhostv1.Failure{Class: awhostv1.FailureClass_FAILURE_CLASS_ENVIRONMENT, Detail: "conformance"}
		}
	}
	t.need(s.train(t.long()), "Train")
	for _, c := range s.consumed() {
		for _, e := range c.GetEpisodes() {
			if _, without := failed.Load(e.GetEpisodeId()); without && e.GetUse() == awhostv1.ConsumedEpisode_USE_TRAINED {
				t.errorf("step %d trains episode %s, which has no reward", c.GetStep(), e.GetEpisodeId())
			}
		}
	}
}

func checkResume(t *T) {
	all := t.trained().checkpoints()
	if len(all) == 0 {
		t.fatalf("there is no checkpoint")
	}
	from := all[0]
	s := t.stage(t.fresh())
	if from.GetStep() >= s.total {
		t.skipf("the first checkpoint is that of the last step: let `train` in the fixtures write one after each step")
	}
	s.request.FromCheckpoint, s.request.FirstStep, s.request.StepsDone, s.request.Resumed = from.GetPath(), from.GetStep()+1, from.GetStep(), true
	s.request.CarryOptimizer = true
	t.need(s.train(t.long()), "Train from the checkpoint")
	for _, step := range s.asked() {
		if step <= from.GetStep() {
			t.errorf("from the checkpoint of step %d it asks for an episode of step %d", from.GetStep(), step)
			break
		}
	}
	t.accounted(s, from.GetStep()+1)
	if f := s.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != s.total {
		t.errorf("from the checkpoint of step %d it ended as %s after step %d; it should be COMPLETED after step %d", from.GetStep(), f.GetOutcome(), f.GetStep(), s.total)
	}
}

func checkRecoverNothing(t *T) {
	s := t.stage(t.fresh())
	err := s.recover(t.call(), &awhostv1.RecoverRequest{LaunchId: "conformance/never"})
	t.refused(err, "Recover of a launch that was never trained", codes.NotFound, codes.Unimplemented)
	if n := len(s.asked()); n > 0 {
		t.errorf("Recover of a launch that was never trained asked for %s", plural(int64(n), "episode"))
	}
}

func checkRecover(t *T) {
	t.plannable()
	own := t.ownDir()
	p := t.freshIn(own, 1)
	s := t.stage(p)
	s.seen = func(e *awhostv1.TrainEvent) {
		if e.GetConsumed().GetStep() == 1 {
			t.killHard(p)
		}
	}
	if err := s.train(t.long()); err == nil {
		t.fatalf("it was killed after its first step, and the stream ended as if nothing had happened")
	}
	var handle []byte
	for _, e := range s.events {
		if h := e.GetHandle(); h != nil {
			handle = h.GetHandle()
		}
	}
	const after = 1 // as if the host had acted on the first event
	before := s.events[after:]
	s.events, s.adapter, s.seen = nil, adapterOf(t.freshIn(own, 2)), nil
	t.need(s.recover(t.long(), &awhostv1.RecoverRequest{LaunchId: s.request.GetLaunchId(), Handle: handle, AfterSeq: after}), "Recover")
	t.accounted(s, 1)
	for i, e := range s.events {
		if e.GetSeq() != uint64(after+i+1) {
			t.errorf("event %d after Recover from seq %d on has the seq %d", i+1, after, e.GetSeq())
			break
		}
		if i < len(before)-1 && !proto.Equal(e, before[i]) && e.GetHandle() == nil {
			t.errorf("event %d is repeated otherwise:\n%s\nbefore\n%s", i+1, protojson.Format(e), protojson.Format(before[i]))
			break
		}
	}
	if f := s.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != s.total {
		t.errorf("after Recover it ended as %s (%s) after step %d", f.GetOutcome(), f.GetReason(), f.GetStep())
	}
}

// asked is a question to a policy that was loaded.
func (t *T) question(episode string) *awhostv1.GenerateRequest {
	return &awhostv1.GenerateRequest{
		EpisodeId: episode, Attempt: 1, CallId: episode + "/0", Messages: []*awhostv1.Message{user("conformance")},
		Sampling: &awhostv1.Sampling{MaxTokens: 8}, Seed: 1, Trainable: true,
	}
}

func checkLoad(t *T) {
	adapter := adapterOf(t.fresh())
	loaded, err := adapter.Load(t.long(), &awhostv1.LoadRequest{Seed: 1, PolicyJson: t.policy()})
	t.need(err, "Load of the policy that training would start from")
	if loaded.GetPolicy() == "" {
		t.errorf("the answer to Load does not name the policy")
	}
	_, err = adapter.Generate(t.call(), t.question("conformance/loaded"))
	t.need(err, "Generate after Load")
	for _, what := range []string{"conformance/loaded", "conformance/loaded", "conformance/never"} {
		if _, err := adapter.Release(t.call(), &awhostv1.ReleaseRequest{EpisodeId: what}); err != nil {
			t.errorf("Release of %s: %v", what, err)
		}
	}
}

func checkLoadWrong(t *T) {
	adapter := adapterOf(t.fresh())
	_, err := adapter.Load(t.long(), &awhostv1.LoadRequest{Seed: 1, PolicyJson: t.policy()})
	t.need(err, "Load of the policy that training would start from")
	_, err = adapter.Load(t.long(), &awhostv1.LoadRequest{Checkpoint: filepath.Join(t.ownDir(), "no-such-checkpoint")})
	t.refused(err, "Load of a checkpoint that is not there", codes.Unknown)
	if err != nil && strings.TrimSpace(status.Convert(err).Message()) == "" {
		t.errorf("Load of a checkpoint that is not there says nothing")
	}
	if _, err := adapter.Generate(t.call(), t.question("conformance/kept")); err != nil {
		t.errorf("after a Load that failed the policy that was loaded before is gone: %v", err)
	}
}

func checkLoadThenTrain(t *T) {
	p := t.fresh()
	_, err := adapterOf(p).Load(t.long(), &awhostv1.LoadRequest{Seed: 1, PolicyJson: t.policy()})
	t.need(err, "Load of the policy that training would start from")
	t.refused(t.stage(p).train(t.call()), "Train after Load", codes.FailedPrecondition)
}

// exports is a request for an export of the last checkpoint.
func (t *T) exports() *awhostv1.ExportRequest {
	all := t.trained().checkpoints()
	if len(all) == 0 {
		t.fatalf("there is no checkpoint")
	}
	return &awhostv1.ExportRequest{
		Checkpoint: all[len(all)-1].GetPath(), Format: t.component.GetAdapter().GetExportFormats()[0], Target: filepath.Join(t.ownDir(), "exported"),
	}
}

func checkExport(t *T) {
	adapter, req := adapterOf(t.shared()), t.exports()
	out, err := adapter.Export(t.long(), req)
	t.need(err, "Export")
	there := map[string]int64{}
	t.need(filepath.WalkDir(req.GetTarget(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			name, _ := filepath.Rel(req.GetTarget(), path)
			there[filepath.ToSlash(name)] = info.Size()
		}
		return err
	}), "look at the export")
	for _, f := range out.GetFiles() {
		if size, ok := there[f.GetName()]; !ok || size != f.GetBytes() {
			t.errorf("the file %s of the export is said to have %d bytes; it has %d", f.GetName(), f.GetBytes(), size)
		}
		delete(there, f.GetName())
	}
	for name := range there {
		t.errorf("the export has a file %s that it does not name", name)
	}
	_, err = adapter.Export(t.long(), req)
	t.refused(err, "an export where there is one", codes.AlreadyExists)
	t.alone(req)
}

// alone sees that there is nothing beside the target of an export.
func (t *T) alone(req *awhostv1.ExportRequest) {
	list, err := os.ReadDir(filepath.Dir(req.GetTarget()))
	t.need(err, "look at the export")
	for _, e := range list {
		if e.Name() != filepath.Base(req.GetTarget()) {
			t.errorf("an export leaves %s beside its target", e.Name())
		}
	}
}

func checkExportWrong(t *T) {
	adapter, req := adapterOf(t.shared()), t.exports()
	req.Format = "no-such-format"
	_, err := adapter.Export(t.long(), req)
	t.refused(err, "an export in a format that does not exist", codes.Unknown)
	if _, err := os.Stat(req.GetTarget()); !errors.Is(err, fs.ErrNotExist) {
		t.errorf("an export that failed leaves its target behind")
	}
	t.alone(req)
}

func checkAdapterKilled(t *T) {
	t.plannable()
	own := t.ownDir()
	p := t.freshIn(own, 1)
	s := t.stage(p)
	killed := false
	s.seen = func(e *awhostv1.TrainEvent) {
		if c := e.GetConsumed(); c != nil && c.GetStep() >= max(1, s.total-1) && !killed {
			killed = true
			t.killHard(p)
		}
	}
	err := s.train(t.long())
	if !killed {
		t.fatalf("it did not come to its step %d, behind which it was to be killed: %v", max(1, s.total-1), err)
	}
	p = t.freshIn(own, 2)
	if t.component.has(NeedRecover) {
		t.reap(p, s)
	}
	again := t.stage(p)
	if all := s.checkpoints(); len(all) > 0 && t.component.has(NeedResume) {
		last := all[len(all)-1]
		again.request.FromCheckpoint, again.request.FirstStep, again.request.StepsDone = last.GetPath(), last.GetStep()+1, last.GetStep()
		again.request.Resumed, again.request.CarryOptimizer = true, true
	}
	if again.request.GetFirstStep() > again.total {
		t.skipf("it had written its last checkpoint before it was killed")
	}
	again.request.Incarnation = 2
	t.need(again.train(t.long()), "Train in another process")
	t.accounted(again, again.request.GetFirstStep())
	if f := again.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != again.total {
		t.errorf("in another process it ended as %s (%s) after step %d", f.GetOutcome(), f.GetReason(), f.GetStep())
	}
}

// reap ends a trainer that has outlived its adapter: another one would train beside it.
func (t *T) reap(p *client.Plugin, s *stage) {
	left := &stage{t: t, adapter: adapterOf(p), request: s.request, total: s.total, tasks: s.tasks, results: map[string]*played{}, arrived: map[string]int{}}
	var once sync.Once
	var refused error
	left.seen = func(*awhostv1.TrainEvent) {
		once.Do(func() {
			_, refused = left.adapter.Control(t.call(), &awhostv1.ControlRequest{LaunchId: s.request.GetLaunchId(), Action: awhostv1.ControlRequest_ACTION_ABORT, Reason: "conformance"})
		})
	}
	err := left.recover(t.long(), &awhostv1.RecoverRequest{LaunchId: s.request.GetLaunchId()})
	if refused != nil || status.Code(err) == codes.DeadlineExceeded {
		t.errorf("a trainer that has outlived its adapter cannot be ended by Control abort after Recover: %v", errors.Join(refused, err))
	}
}
