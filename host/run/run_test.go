package run_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
)

var position journal.Position

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestApply_Completes(t *testing.T) {
	r := newRig(t)
	r.outputs = `output "checkpoint" { value = train.sums.checkpoint }`
	e := r.apply().completes(3)

	if !e.Exact || e.Resumable || e.Reason != "" || e.TotalSteps != 3 {
		t.Errorf("%+v", e.RunFinished)
	}
	if !strings.HasSuffix(e.Checkpoint, "checkpoints/step-000003") ||
		string(e.Outputs["checkpoint"]) != `"`+e.Checkpoint+`"` {
		t.Errorf("checkpoint %s, outputs %s", e.Checkpoint, e.Outputs)
	}
	before, ok := e.Before.Get()
	after, ok2 := e.After.Get()
	if !ok || !ok2 || before < 0 || after != e.Metrics["validation/success_rate"] {
		t.Errorf("before %v, after %v of %v", e.Before, e.After, e.Metrics)
	}
	audit := e.addsUp()
	want := runstore.Audit{
		Commits: 4, Trained: 12, Validated: 9,
		Uncovered: []string{"journal.index", "lock", "logs/", "metrics.jsonl", "owner.json", "plugins/"},
	}
	if diff := cmp.Diff(want, *audit); diff != "" {
		t.Errorf("audit (-want +got):\n%s", diff)
	}
	summary := e.summary()
	if summary.Finish.Digest != e.Digest || summary.Finish.Metrics["train/loss"] == 0 || !summary.Finish.Exact {
		t.Errorf("on record: %+v", summary.Finish)
	}
}

func TestApply_TellsWhatHappens(t *testing.T) {
	r := newRig(t)
	r.verbose = true
	e := r.apply().completes(3)

	var kinds []string
	for _, published := range e.events {
		kind := string(published.Payload.Kind())
		switch kind {
		case "plugin_state", "log", "phase", "episode_finished":
			continue // their order depends on the machine
		}
		kinds = append(kinds, kind)
	}
	want := strings.Fields(`run_started stage_started finding
		validation_finished checkpoint_committed
		step_finished checkpoint_committed
		step_finished validation_finished checkpoint_committed
		step_finished validation_finished checkpoint_committed`)
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	start := payloads[event.RunStarted](e)[0]
	if start.Mode != event.ModeNew || start.Plan.TotalSteps != 3 || len(start.Plugins) != 3 {
		t.Errorf("%+v", start)
	}
	if diff := cmp.Diff([]event.StageStarted{{Name: "main", Total: 1, FirstStep: 1, Steps: 3}},
		payloads[event.StageStarted](e)); diff != "" {
		t.Errorf("stage (-want +got):\n%s", diff)
	}
	for i, step := range payloads[event.StepFinished](e) {
		if step.Step != i+1 || step.Total != 3 || step.Episodes != 4 || step.Outcomes["SCORED"] != 4 ||
			step.Metrics["train/loss"] == 0 || step.Seconds <= 0 {
			t.Errorf("%+v", step)
		}
	}
	highest := -1.0
	for i, pass := range payloads[event.ValidationFinished](e) {
		if pass.Step != []int{0, 2, 3}[i] || pass.Episodes != 3 || pass.Failed != 0 || pass.Seconds <= 0 {
			t.Errorf("%+v", pass)
		}
		rate, _ := pass.SuccessRate.Get()
		if want := pass.Step > 0 && rate > highest && rate > 0; pass.IsBest != want { // a best validation requires a step
			t.Errorf("step %d, %v: best %t", pass.Step, rate, pass.IsBest)
		}
		highest = max(highest, rate)
	}
	var kept []int
	for _, c := range payloads[event.CheckpointCommitted](e) {
		if c.IsKept {
			kept = append(kept, c.Step)
		}
	}
	if diff := cmp.Diff([]int{0, 2, 3}, kept); diff != "" {
		t.Errorf("kept checkpoints (-want +got):\n%s", diff)
	}
	if n := len(payloads[event.EpisodeFinished](e)); n != 12+9 {
		t.Errorf("%d episodes were reported", n)
	}
	states := map[event.PluginPhase]int{}
	for _, p := range payloads[event.PluginState](e) {
		states[p.State]++
	}
	if diff := cmp.Diff(map[event.PluginPhase]int{event.PluginStarting: 3, event.PluginReady: 3, event.PluginStopped: 3},
		states); diff != "" {
		t.Errorf("plugin states (-want +got):\n%s", diff)
	}
}

// The results of a run depend only on the spec, not on the number of concurrent episodes.
func TestApply_IsRepeatable(t *testing.T) {
	first := newRig(t)
	want := first.apply().completes(3)
	for _, concurrency := range []int{1, 64} {
		r := newRig(t)
		r.concurrency = concurrency
		got := r.apply().completes(3)
		if diff := cmp.Diff(want.lineage(), got.lineage()); diff != "" {
			t.Errorf("with %d episodes at a time (-want +got):\n%s", concurrency, diff)
		}
		if got.Digest != want.Digest {
			t.Errorf("digest %s, want %s", got.Digest, want.Digest)
		}
	}
	other := newRig(t)
	other.train = "seed = 2"
	if e := other.apply().completes(3); e.Digest == want.Digest {
		t.Error("another seed gives the same")
	}
}
