package local

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

const (
	warmupSteps   = 20     // of the warm start's learning rate
	warmStartSeed = 0x7a51 // separates its draws from other uses of the run's seed
)

// warmStart imitates demonstrations so that even the first rollouts call tools. An interrupted warm start restarts from
// the beginning.
func (t *trainer) warmStart(ctx context.Context, c warmStartConfig) (*sdk.FinishedEvent, error) {
	demos, err := t.demonstrations(ctx, c.Dataset)
	if err != nil {
		return nil, fmt.Errorf("warm start: %w", err)
	}
	schedule := grpo.Schedule{Peak: c.LearningRate, Shape: grpo.Hold, WarmupSteps: warmupSteps, TotalSteps: c.Steps}
	if err := schedule.Validate(); err != nil {
		return nil, fmt.Errorf("warm start: %w", err)
	}
	random := rand.New(rand.NewPCG(uint64(t.settings.seed), warmStartSeed))
	report := newProgress(c.Steps, func(done int) error { return t.phase("warm_start", t.lastStep, done, c.Steps) })
	var last tinylm.SFTMetrics
	for step := 1; step <= c.Steps; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t.drain.Load() {
			return t.ended(sdk.FinishedStopped, "drained in the warm start, which restarts when the run is resumed"),
				nil
		}
		if last, err = t.policy.SFTStep(sampleRows(demos, c.Batch, random), schedule.At(step)); err != nil {
			return t.brokenPolicyEvent(fmt.Errorf("warm start: %w", err))
		}
		if err := report.add(); err != nil {
			return nil, err
		}
	}
	if err := probe(t.policy, demos); err != nil {
		return t.brokenPolicyEvent(fmt.Errorf("warm start: %w", err))
	}
	values := map[string]float64{metricCloningLoss: last.Loss, metricCloningGradNorm: last.GradNorm,
		metricCloningRate: last.LearningRate}
	return nil, t.emit(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: t.lastStep, Values: values}})
}

// sampleRows draws rows with replacement.
func sampleRows(rows []tinylm.Row, n int, random *rand.Rand) []tinylm.Row {
	out := make([]tinylm.Row, n)
	for i := range out {
		out[i] = rows[random.IntN(len(rows))]
	}
	return out
}
