package verl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/outliving"
)

// boundaryHost answers boundaries by step.
type boundaryHost struct {
	sdk.Host
	said    *[]string
	answers map[int]sdk.Directive
}

func (h boundaryHost) StepBoundary(_ context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	*h.said = append(*h.said, fmt.Sprintf("boundary %d validated=%v", req.Step, req.Validated))
	if d, ok := h.answers[req.Step]; ok {
		return &sdk.StepBoundaryResponse{Directive: d, Reason: "because"}, nil
	}
	return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue}, nil
}

// stepsRig is steps over a folder, with all that it says.
type stepsRig struct {
	*steps
	said []string

	mu    sync.Mutex
	ended []stage.Ending
	told  []string
}

func newStepsRig(t *testing.T, dir folder, base int, answers map[int]sdk.Directive) *stepsRig {
	t.Helper()
	r := &stepsRig{}
	r.steps = &steps{
		launch: "l", stage: "s", base: base, done: base - 1, dir: dir, metrics: &tail{path: dir.metrics()}, episodes: map[int][]finished{},
		checkpoints: checkpoints{dir: dir.checkpoints(""), every: 2}, host: boundaryHost{said: &r.said, answers: answers},
		tell: func(m string) { r.told = append(r.told, m) },
		end: func(e stage.Ending) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.ended = append(r.ended, e)
		},
		emit: func(e sdk.TrainEvent) error {
			switch {
			case e.Metrics != nil:
				r.said = append(r.said, fmt.Sprintf("metrics %d loss %g", e.Metrics.Step, e.Metrics.Values["train/loss"]))
			case e.Tokens != nil:
				r.said = append(r.said, fmt.Sprintf("tokens %d of %s", e.Tokens.Step, e.Tokens.Rows[0].EpisodeID))
			case e.Consumed != nil:
				r.said = append(r.said, fmt.Sprintf("consumed %d %v", e.Consumed.Step, e.Consumed.Episodes))
			case e.Checkpoint != nil:
				r.said = append(r.said, fmt.Sprintf("checkpoint %d %s", e.Checkpoint.Step, filepath.Base(e.Checkpoint.Path)))
			}
			return nil
		},
	}
	return r
}

// logs is verl at the end of a step.
func logs(t *testing.T, dir folder, step int, saved bool) {
	t.Helper()
	if saved {
		if err := os.MkdirAll(filepath.Join(dir.checkpoints(""), fmt.Sprintf("global_step_%d", step)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir.checkpoints(""), latestFile), []byte(fmt.Sprint(step)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := outliving.Append(dir.metrics(), numbers{Step: step, Values: map[string]float64{"actor/pg_loss": float64(step)}}); err != nil {
		t.Fatal(err)
	}
}

// V0 does not report the updates of a step, so the adapter does: of steps, not of a validation before the first.
func TestSteps_HaveTheirNumberOfUpdates(t *testing.T) {
	dir, got := folder(t.TempDir()), map[int]float64{}
	r := newStepsRig(t, dir, 10, nil)
	r.updates, r.validations = 3, true
	r.emit = func(e sdk.TrainEvent) error {
		if e.Metrics != nil {
			got[e.Metrics.Step] = e.Metrics.Values["train/updates"]
		}
		return nil
	}
	logs(t, dir, 0, false)
	logs(t, dir, 1, false)
	if _, err := r.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int]float64{10: 0, 11: 3}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSteps_ReportEachStepInOrderBeforeTheHostIsAsked(t *testing.T) {
	dir := folder(t.TempDir())
	r := newStepsRig(t, dir, 10, nil)
	if err := r.began(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	for _, f := range []finished{{Step: 11, ID: "b", Index: 1, Slot: 0, Use: sdk.ConsumedMasked}, {Step: 11, ID: "a", Index: 0, Slot: 1, Use: sdk.ConsumedTrained}, {Step: 11, ID: "a0", Index: 0, Slot: 0, Use: sdk.ConsumedTrained}, {Step: 12, ID: "c", Index: 2, Slot: 0, Use: sdk.ConsumedTrained}} {
		if err := r.add(f); err != nil {
			t.Fatal(err)
		}
	}
	logs(t, dir, 1, false)
	logs(t, dir, 2, true)
	if next, err := r.catchUp(t.Context()); err != nil || next != 13 {
		t.Fatalf("the next step is %d, %v", next, err)
	}
	want := []string{
		"boundary 10 validated=false",
		"metrics 11 loss 1", "consumed 11 [{a0 TRAINED} {a TRAINED} {b MASKED}]", "boundary 11 validated=false",
		"metrics 12 loss 2", "consumed 12 [{c TRAINED}]", "checkpoint 12 global_step_2", "boundary 12 validated=false",
	}
	if diff := cmp.Diff(want, r.said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSteps_AStopWaitsForTheNextCheckpoint(t *testing.T) {
	dir := folder(t.TempDir())
	r := newStepsRig(t, dir, 0, map[int]sdk.Directive{1: sdk.DirectiveStop})
	logs(t, dir, 1, false)
	if _, err := r.catchUp(t.Context()); err != nil || len(r.ended) != 0 {
		t.Fatalf("after step 1: %v, %v; there is no checkpoint yet", r.ended, err)
	}
	if len(r.told) != 1 || !strings.Contains(r.told[0], "after step 2") {
		t.Errorf("the user is told %q; want the step at which it ends", r.told)
	}
	logs(t, dir, 2, true)
	if _, err := r.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]stage.Ending{{Outcome: sdk.FinishedStopped, Reason: "because"}}, r.ended); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The request to end comes from another goroutine than the reports of steps: this is for the race detector.
func TestSteps_AStopMayComeWhileAStepIsClosed(t *testing.T) {
	dir := folder(t.TempDir())
	r := newStepsRig(t, dir, 0, nil)
	for step := range 20 {
		logs(t, dir, step+1, step%2 == 1)
	}
	var asking sync.WaitGroup
	asking.Go(func() {
		for range 100 {
			r.want(stage.Ending{Outcome: sdk.FinishedStopped, Reason: "enough"})
		}
	})
	if next, err := r.catchUp(t.Context()); err != nil || next != 21 {
		t.Errorf("the next step is %d, %v", next, err)
	}
	asking.Wait()
	if r.last() != 20 {
		t.Errorf("the last step is %d", r.last())
	}
}

func TestSteps_AnAbortEndsAtOnce(t *testing.T) {
	dir := folder(t.TempDir())
	r := newStepsRig(t, dir, 0, map[int]sdk.Directive{1: sdk.DirectiveAbort})
	logs(t, dir, 1, false)
	if _, err := r.catchUp(t.Context()); err != nil || len(r.ended) != 1 || r.ended[0].Outcome != sdk.FinishedFailed {
		t.Errorf("ended %v, %v", r.ended, err)
	}
}

func TestSteps_ALaterLifeGoesOnAfterTheHostsLastAnswer(t *testing.T) {
	dir := folder(t.TempDir())
	first := newStepsRig(t, dir, 0, nil)
	for _, f := range []finished{{Step: 1, ID: "a", Index: 0, Slot: 0, Use: sdk.ConsumedTrained}, {Step: 2, ID: "b", Index: 1, Slot: 0, Use: sdk.ConsumedTrained}} {
		if err := first.add(f); err != nil {
			t.Fatal(err)
		}
	}
	logs(t, dir, 1, false)
	if _, err := first.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	answered := first.seq
	if err := first.add(finished{Step: 2, ID: "c", Index: 1, Slot: 1, Use: sdk.ConsumedTrained}); err != nil { // and the process dies
		t.Fatal(err)
	}
	second := newStepsRig(t, dir, 0, nil)
	if _, err := second.recall(t.Context(), answered); err != nil {
		t.Fatal(err)
	}
	if err := second.add(finished{Step: 2, ID: "b", Index: 1, Slot: 0, Use: sdk.ConsumedMasked}); err != nil { // asked for again
		t.Fatal(err)
	}
	logs(t, dir, 2, true)
	if _, err := second.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"boundary 1 validated=false", "metrics 2 loss 2", "consumed 2 [{b MASKED} {c TRAINED}]", "checkpoint 2 global_step_2", "boundary 2 validated=false"}
	if diff := cmp.Diff(want, second.said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSteps_ABoundaryWhoseAnswerWasLostIsNotReportedAgain(t *testing.T) {
	dir := folder(t.TempDir())
	first := newStepsRig(t, dir, 0, nil)
	logs(t, dir, 1, false)
	first.host = dyingHost{}
	if _, err := first.catchUp(t.Context()); err == nil {
		t.Fatal("the host died and nobody noticed")
	}
	second := newStepsRig(t, dir, 0, map[int]sdk.Directive{1: sdk.DirectiveAbort})
	if _, err := second.recall(t.Context(), first.seq); err != nil {
		t.Fatal(err)
	}
	if _, err := second.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"boundary 1 validated=false"}, second.said); diff != "" || len(second.ended) != 1 {
		t.Errorf("ended %v; (-want +got):\n%s", second.ended, diff)
	}
}

// dyingHost hears of a boundary and answers no more.
type dyingHost struct{ sdk.Host }

func (dyingHost) StepBoundary(context.Context, sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	return nil, sdk.ErrUnavailable
}

func TestPlace_GivesAResumedStageEverythingAndANewOneNotTheData(t *testing.T) {
	from := t.TempDir()
	if err := os.MkdirAll(filepath.Join(from, "actor"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"data.pt", "actor/model.pt"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	resumed, err := place(filepath.Join(t.TempDir(), "new", "start"), from, 7, true)
	if err != nil || !strings.HasSuffix(resumed, "global_step_7") {
		t.Fatalf("%s, %v", resumed, err)
	}
	if _, err := os.ReadFile(filepath.Join(resumed, "data.pt")); err != nil {
		t.Errorf("a resumed stage lacks its place in the data: %v", err)
	}
	parent := t.TempDir()
	for range 2 { // again after a crash
		fresh, err := place(parent, from, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.ReadFile(filepath.Join(fresh, "actor", "model.pt")); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(fresh, "data.pt")); err == nil {
			t.Error("a new stage would read its data from where the other one was")
		}
	}
}

// A worker that finds that the tokens of an episode are not with it takes back what the adapter assumed.
func TestSteps_AWorkerCorrectsWhatBecameOfAnEpisode(t *testing.T) {
	dir := folder(t.TempDir())
	r := newStepsRig(t, dir, 0, nil)
	e := &episodes{stage: "s", steps: r.steps, hello: func() {}}
	for _, f := range []finished{{Step: 1, ID: "a", Slot: 0, Use: sdk.ConsumedTrained}, {Step: 1, ID: "b", Slot: 1, Use: sdk.ConsumedTrained}} {
		if err := r.add(f); err != nil {
			t.Fatal(err)
		}
	}
	correction := func(id string) sdk.TrainEvent {
		return sdk.TrainEvent{Consumed: &sdk.ConsumedEvent{Episodes: []sdk.ConsumedEpisode{{EpisodeID: id, Use: sdk.ConsumedMasked}}}}
	}
	if err := e.Event(t.Context(), bridge.Worker{}, correction("a")); err != nil {
		t.Fatal(err)
	}
	if err := e.Event(t.Context(), bridge.Worker{}, correction("c")); err == nil {
		t.Error("an episode that nobody knows was corrected")
	}
	if err := e.Event(t.Context(), bridge.Worker{}, sdk.TrainEvent{Log: &sdk.LogEvent{}}); err == nil {
		t.Error("a worker of verl reports a log")
	}
	again := newStepsRig(t, dir, 0, nil) // another life of the adapter
	if _, err := again.recall(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	logs(t, dir, 1, false)
	if _, err := again.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"metrics 1 loss 1", "consumed 1 [{a MASKED} {b TRAINED}]", "boundary 1 validated=false"}
	if diff := cmp.Diff(want, again.said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSteps_AStopWithoutCheckpointsSaysWhatIsLost(t *testing.T) {
	dir := folder(t.TempDir())
	r := newStepsRig(t, dir, 0, map[int]sdk.Directive{1: sdk.DirectiveStop})
	r.checkpoints.every = 0
	logs(t, dir, 1, false)
	if _, err := r.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.ended) != 1 || len(r.told) != 1 || !strings.Contains(r.told[0], "checkpoint.every") {
		t.Errorf("ended %v, told %q", r.ended, r.told)
	}
}

// Versions are the host's: verl counts the steps of a stage from 0, and names none before 0.9.
func TestTraining_CountsPolicyVersionsAsTheHostDoes(t *testing.T) {
	for generation, want := range map[settings.Generation]int64{settings.V0: 12, settings.V1: 13} {
		r := &record{Record: stage.Record{Request: sdk.TrainRequest{FirstStep: 11}}, Generation: generation}
		got := []sdk.VersionSpan{{Version: 3, Tokens: 5}}
		e := &episodes{}
		e.versions.Store("a validation", int64(12))
		(&training{record: r, episodes: e}).Count("a validation", got)
		if got[0].Version != want {
			t.Errorf("%s: version %d, want %d", generation, got[0].Version, want)
		}
	}
}
