package local

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/sdk"
)

func TestHealth_Counts(t *testing.T) {
	moved := func(entropy float64) grpo.Metrics { return grpo.Metrics{Updates: 1, Entropy: entropy} }
	flat := grpo.Metrics{BatchStats: grpo.BatchStats{RewardMean: 0.25}}
	type step struct {
		metrics grpo.Metrics
		success float64
		want    string // part of the reason; empty: continue
	}
	tests := map[string][]step{
		"collapse": {{moved(0.1), 0, ""}, {moved(0.1), 0, ""}, {moved(0.1), 0, "entropy collapse"}},
		"entropy that recovers": {
			{moved(0.1), 0, ""}, {moved(0.1), 0, ""}, {moved(2), 0, ""}, {moved(0.1), 0, ""}, {moved(0.1), 0, ""},
			{moved(0.1), 0, "entropy collapse"},
		},
		"a step that measures nothing does not end a collapse": {{moved(0.1), 0, ""}, {moved(0.1), 0, ""}, {flat, 0, ""},
			{moved(0.1), 0, "entropy collapse"}},
		"low entropy of a policy that succeeds": {{moved(0.1), 0.95, ""}, {moved(0.1), 1, ""},
			{moved(0.1), 1, ""}, {moved(0.1), 1, ""}},
		"no variance": {{flat, 0, ""}, {flat, 0, ""},
			{flat, 0, "no group had samples with different rewards for 3 steps"}},
		"variance that comes back": {{flat, 0, ""}, {flat, 0, ""}, {moved(2), 0, ""},
			{flat, 0, ""}, {flat, 0, ""}, {flat, 0, "the mean reward is 0.25"}},
		"no variance because all is solved": {{flat, 1, ""}, {flat, 1, ""}, {flat, 1, ""}, {flat, 1, ""}},
		"the reward defines no success": {{flat, -1, ""}, {flat, -1, ""}, {flat, -1,
			"no group"}},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			h := healthCheck{config: healthConfig{MinEntropy: 0.5, Patience: 3}}
			for i, s := range steps {
				got := h.observe(s.metrics, s.success)
				if (got == "") != (s.want == "") || !strings.Contains(got, s.want) {
					t.Errorf("step %d: %q, want %q", i+1, got, s.want)
				}
			}
		})
	}
}

// The step that triggers the halt must still count: its checkpoint is announced, and the host gets its boundary.
func TestHealth_HaltsAfterTheStep(t *testing.T) {
	equal := func(ctx context.Context, h *scriptedHost, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		result, err := twoTurns(ctx, h, req)
		if err == nil {
			*result.Reward = 1
		}
		return result, err
	}
	tests := map[string]struct {
		health map[string]any
		play   func(context.Context, *scriptedHost, sdk.EpisodeRequest) (*sdk.EpisodeResult, error)
		says   []string
	}{
		"entropy": {
			health: map[string]any{"min_entropy": 100, "patience": 2}, play: twoTurns,
			says: []string{"entropy collapse", "lower optimizer.learning_rate or set algorithm.entropy"},
		},
		"variance": {
			health: map[string]any{"patience": 2}, play: equal,
			says: []string{"the mean reward is 1", "check the reward, raise sampling.temperature or start from a better policy"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			rig := func() *rig {
				r := newRig(t, map[string]any{"health": test.health})
				r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
					return test.play(ctx, r.host, req)
				}
				return r
			}
			r := rig()
			finished := r.train(r.request(knobsOf(5, nil)), sdk.FinishedHalted)
			for _, part := range test.says {
				if !strings.Contains(finished.Reason, part) {
					t.Errorf("the reason is %q, want %q in it", finished.Reason, part)
				}
			}
			course := r.reportedCourse()
			want := []string{"checkpoint 2", "boundary 2", "finished halted 2"}
			if diff := cmp.Diff(want, course[len(course)-3:]); diff != "" {
				t.Errorf("end of the stage (-want +got):\n%s", diff)
			}
			// An interrupted run must halt at the same step.
			again := rig()
			req := again.request(knobsOf(5, nil))
			req.Resumed, req.CarryOptimizer, req.FromCheckpoint, req.StepsDone, req.FirstStep = true, true, r.checkpoint(1), 1, 2
			if resumed := again.train(req, sdk.FinishedHalted); resumed.Step != 2 {
				t.Errorf("resumed after step 1, it halted after step %d, want 2", resumed.Step)
			}
		})
	}
}

func TestHealth_TheHostsDirectiveComesFirst(t *testing.T) {
	r := newRig(t, map[string]any{"health": map[string]any{"min_entropy": 100, "patience": 1}})
	r.host.decide = func(req sdk.StepBoundaryRequest) (sdk.Directive, string) {
		if req.Step == 1 {
			return sdk.DirectiveFinishStage, "good enough"
		}
		return sdk.DirectiveContinue, ""
	}
	if finished := r.train(r.request(knobsOf(5, nil)), sdk.FinishedCompleted); finished.Reason != "good enough" {
		t.Errorf("the reason is %q", finished.Reason)
	}
}

func TestHealth_ABrokenPolicyHalts(t *testing.T) {
	for name, test := range map[string]struct {
		rate float64
		step int // the last step that counts
		says string
	}{
		"its logprobs are not numbers":  {1e39, 0, "update of step 1: the update made the policy's logprobs NaN"},
		"its gradients are not numbers": {1e30, 1, "update of step 2: GRPO step: apply gradient: the gradient of"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			finished := r.train(r.request(knobsOf(3, func(k *sdk.Knobs) {
				k.Optimizer.LearningRate, k.Optimizer.WarmupSteps = ptr(test.rate), ptr(0)
			})), sdk.FinishedHalted)
			if finished.Step != test.step || !strings.Contains(finished.Reason, test.says) ||
				!strings.Contains(finished.Reason, "lower the learning rate") {
				t.Errorf("halted after step %d: %s", finished.Step, finished.Reason)
			}
			if n := len(r.checkpoints()); n != test.step+1 {
				t.Errorf("%d checkpoints were announced, want those up to step %d: the broken step is not one", n, test.step)
			}
		})
	}
}

func TestHealth_AWarmStartThatBreaksThePolicyHalts(t *testing.T) {
	for _, steps := range []int{2, 4} { // with 2, the last update breaks it
		r := warmRig(t)
		r.inner.config.WarmStart.LearningRate, r.inner.config.WarmStart.Steps = 1e35, steps
		finished := r.train(r.request(knobsOf(1, nil)), sdk.FinishedHalted)
		if !strings.Contains(finished.Reason, "warm start: ") ||
			!strings.Contains(finished.Reason, "lower the learning rate") {
			t.Errorf("the reason is %q", finished.Reason)
		}
		if len(r.checkpoints()) != 0 {
			t.Error("a broken policy was announced as a checkpoint")
		}
	}
}
