package local

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// start creates the policy: from a checkpoint, or from scratch with a warm start, whose result is commit 0.
func (t *trainer) start(ctx context.Context) (*sdk.FinishedEvent, error) {
	t.health = healthCheck{config: t.config.health()}
	if t.request.FromCheckpoint != "" {
		return nil, t.startFrom(t.request.FromCheckpoint)
	}
	if t.request.Resumed {
		return nil, fmt.Errorf("resume stage %s: the request names no checkpoint", t.request.Stage)
	}
	if err := t.startNew(tinylm.Options{Optimizer: t.settings.adamw}); err != nil {
		return nil, err
	}
	if t.config.WarmStart != nil {
		if ended, err := t.warmStart(ctx, *t.config.WarmStart); ended != nil || err != nil {
			return ended, err
		}
	}
	t.policy.ResetOptimizer()
	t.freezeReference()
	t.policy.Publish()
	return nil, t.checkpoint(t.lastStep)
}

// startNew creates the policy that the spec names, or a random one. A smoke run, whose policy is smaller, has a random
// one.
func (t *trainer) startNew(o tinylm.Options) (err error) {
	if !t.request.Smoke {
		if t.policy, err = exportedPolicy(t.request.Policy, t.model, o); err != nil || t.policy != nil {
			return err
		}
	}
	t.policy, err = tinylm.New(t.model, uint64(t.settings.seed), o)
	return err
}

// startFrom continues with the policy from a checkpoint: one of this stage if the stage is resumed, or of the previous
// stage otherwise.
func (t *trainer) startFrom(dir string) error {
	policy, err := tinylm.Load(dir, tinylm.Options{Optimizer: t.settings.adamw})
	if err != nil {
		return err
	}
	if policy.Config() != t.model {
		return fmt.Errorf("start from checkpoint %s: its policy is %+v, but this adapter's preset and context "+
			"specify %+v: use the adapter block that it was trained with", dir, policy.Config(), t.model)
	}
	t.policy = policy
	if t.request.Resumed {
		state, err := readState(dir)
		if err != nil {
			return err
		}
		if state.Step != t.lastStep {
			return fmt.Errorf("resume stage %s after step %d: checkpoint %s is from step %d", t.request.Stage,
				t.lastStep, dir, state.Step)
		}
		t.health.counts = state.Health
		return nil
	}
	if !t.request.CarryOptimizer {
		policy.ResetOptimizer()
	}
	t.freezeReference()
	return nil
}

// freezeReference makes the stage's initial policy the reference for its KL penalty.
func (t *trainer) freezeReference() {
	if t.settings.hyper.KL > 0 {
		t.policy.FreezeReference()
	}
}
