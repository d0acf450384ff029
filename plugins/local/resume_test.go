package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// enableAllState enables all state that a resumed stage could lose: momentum, a reference, several updates per step, a
// schedule.
func enableAllState(k *sdk.Knobs) {
	k.Algorithm.KL, k.Algorithm.Entropy = ptr(0.05), ptr(0.01)
	k.MiniBatch.Size, k.MiniBatch.Epochs = ptr(3), ptr(2)
	k.Optimizer.Schedule, k.Optimizer.WarmupSteps = ptr("cosine"), ptr(2)
}

func warmRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, warmStartOf(3))
	r.host.datasets = map[string][]sdk.Task{demosAddress: demonstrationsOf(t, map[string]string{"a": "b", "c": "d"})}
	return r
}

func TestResume_FromEveryStepGivesTheBitsOfTheUndisturbedRun(t *testing.T) {
	const steps = 4
	whole := warmRig(t)
	whole.train(whole.request(knobsOf(steps, enableAllState)), sdk.FinishedCompleted)
	want := whole.digests(0)
	for done := range steps {
		r := warmRig(t)
		req := r.request(knobsOf(steps, enableAllState))
		req.LaunchID, req.Resumed, req.CarryOptimizer = "run/again", true, true
		req.FromCheckpoint, req.StepsDone, req.FirstStep = whole.checkpoint(done), done, done+1
		r.train(req, sdk.FinishedCompleted)
		if diff := cmp.Diff(want[done+1:], r.digests(0)); diff != "" {
			t.Errorf("resumed after step %d (-undisturbed +resumed):\n%s", done, diff)
		}
		for _, b := range r.host.boundaries {
			if b.Step == done {
				t.Errorf("resumed after step %d: the boundary of that step is behind the stage, and was asked again", done)
			}
		}
	}
}

func TestTraining_DoesNotDependOnConcurrency(t *testing.T) {
	var digests [][]stepDigest
	for _, concurrency := range []int{1, 64} {
		r := newRig(t, nil)
		r.train(r.request(knobsOf(2, func(k *sdk.Knobs) { enableAllState(k); k.Concurrency = concurrency })),
			sdk.FinishedCompleted)
		digests = append(digests, r.digests(0))
	}
	if diff := cmp.Diff(digests[0], digests[1]); diff != "" {
		t.Errorf("digests (-one at a time +many):\n%s", diff)
	}
}

func TestTraining_DependsOnTheSeed(t *testing.T) {
	var last []string
	for _, seed := range []int64{1, 2} {
		r := newRig(t, nil)
		r.train(r.request(knobsOf(1, func(k *sdk.Knobs) { k.Seed = seed })), sdk.FinishedCompleted)
		last = append(last, r.digests(0)[0].Digest)
	}
	if last[0] == last[1] {
		t.Error("two seeds draw the same policy")
	}
}

func TestResume_RefusesWhatIsNotItsCheckpoint(t *testing.T) {
	whole := newRig(t, nil)
	whole.train(whole.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	tests := map[string]struct {
		config map[string]any
		change func(t *testing.T, req *sdk.TrainRequest)
		want   string
	}{
		"of another step": {
			change: func(_ *testing.T, req *sdk.TrainRequest) { req.FirstStep, req.StepsDone = 3, 2 },
			want:   "is from step 1",
		},
		"missing": {
			change: func(_ *testing.T, req *sdk.TrainRequest) { req.FromCheckpoint = whole.checkpoint(9) },
			want:   "no such file",
		},
		"not named": {
			change: func(_ *testing.T, req *sdk.TrainRequest) { req.FromCheckpoint = "" },
			want:   "names no checkpoint",
		},
		"of a newer format": {
			change: func(t *testing.T, req *sdk.TrainRequest) {
				req.FromCheckpoint = copied(t, whole.checkpoint(1))
				if err := os.WriteFile(filepath.Join(req.FromCheckpoint, "trainer.json"), []byte(`{"version":2,"step":1}`),
					0o644); err != nil {
					t.Fatal(err)
				}
			},
			want: "has format 2, this awhost reads 1",
		},
		"of another policy": {
			config: map[string]any{"context": 96},
			want:   "use the adapter block that it was trained with",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, test.config)
			req := r.request(knobsOf(3, nil))
			req.Resumed, req.FromCheckpoint, req.FirstStep, req.StepsDone = true, whole.checkpoint(1), 2, 1
			if test.change != nil {
				test.change(t, &req)
			}
			if finished := r.train(req, sdk.FinishedFailed); !strings.Contains(finished.Reason, test.want) {
				t.Errorf("the reason is %q, want %q in it", finished.Reason, test.want)
			}
		})
	}
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(out, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return out
}

// A second stage must continue from the first one's last checkpoint and step count, and restart its schedule.
func TestSecondStage_CarriesWhatTheSpecSays(t *testing.T) {
	first := newRig(t, nil)
	first.train(first.request(knobsOf(2, func(k *sdk.Knobs) { k.Algorithm.KL = ptr(0.1) })), sdk.FinishedCompleted)
	before, err := tinylm.Load(first.checkpoint(2), tinylm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		carryOptimizer bool
		updates        int // after one step of the second stage
	}{
		"weights":               {false, 1},
		"weights and optimizer": {true, before.Updates() + 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			req := r.request(knobsOf(1, func(k *sdk.Knobs) { k.Algorithm.KL, k.Optimizer.Schedule = ptr(0.2), ptr("constant") }))
			req.Stage, req.StageIndex, req.FirstStep, req.FromCheckpoint, req.CarryOptimizer = "second", 1, 3,
				first.checkpoint(2), test.carryOptimizer
			finished := r.train(req, sdk.FinishedCompleted)
			if finished.Step != 3 {
				t.Errorf("the stage ended after step %d, want 3", finished.Step)
			}
			if first := r.host.boundaries[0].Step; first != 2 {
				t.Errorf("the stage begins with the boundary of step %d, want the previous step's", first)
			}
			after, err := tinylm.Load(r.checkpoint(3), tinylm.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := after.Updates(); got != test.updates {
				t.Errorf("the optimiser counts %d updates, want %d", got, test.updates)
			}
			if kl := r.metrics(3)["train/kl"]; kl != 0 {
				t.Errorf("at the first step the policy is %v away from the reference: it must be the start of this stage", kl)
			}
			if rate := r.metrics(3)["train/learning_rate"]; rate != 0.2*1e-3 {
				t.Errorf("the learning rate is %v, want the first fifth of the warm-up", rate)
			}
			if task := r.host.asked(sdk.SplitTrain, 3)[0].DatasetIndex; task != 0 {
				t.Errorf("the stage begins at task %d of its dataset", task)
			}
			if v := r.host.asked(sdk.SplitTrain, 3)[0].PolicyVersion; v != 2 {
				t.Errorf("the stage begins with version %d of the policy, want 2", v)
			}
		})
	}
}
