package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// trainer trains one stage.
type trainer struct {
	*adapter
	settings settings
	request  sdk.TrainRequest
	host     sdk.Host
	emit     func(sdk.TrainEvent) error
	health   healthCheck
	// tokenizerFiles make a checkpoint loadable by transformers; by name.
	tokenizerFiles map[string][]byte
}

var metricNames = []string{
	"train/loss", "train/learning_rate", "train/reward", "train/reward_std", "train/success_rate", "train/entropy", "train/kl",
	"train/clip_fraction", "train/grad_norm", "train/logprob_gap", "train/tokens", "train/tokens_per_second", "train/groups",
	"train/zero_variance_groups", "train/masked", "train/dropped", "train/updates", "train/rollout_seconds", "train/update_seconds",
	"warm_start/loss", "warm_start/grad_norm", "warm_start/learning_rate",
}

// prepare makes the policy: from a checkpoint, or from scratch with a warm start, whose result is commit 0.
func (t *trainer) prepare(ctx context.Context) error {
	t.health = healthCheck{config: *t.config.Health}
	var err error
	if t.tokenizerFiles, err = tokenizer.HuggingFaceFiles(); err != nil {
		return err
	}
	options := tinylm.Options{Optimizer: t.settings.adamw}
	if from := t.request.FromCheckpoint; from != "" {
		policy, err := tinylm.Load(from, options)
		if err != nil {
			return fmt.Errorf("load checkpoint %s: %w", from, err)
		}
		if !t.request.CarryOptimizer {
			policy.ResetOptimizer()
		}
		if t.settings.hyper.KL > 0 && !t.request.Resumed {
			policy.FreezeReference() // the KL penalty of a stage pulls towards where the stage began
		}
		t.policy = policy
		return nil
	}
	policy, err := tinylm.New(t.model, uint64(t.settings.seed), options)
	if err != nil {
		return err
	}
	t.policy = policy
	if t.config.WarmStart != nil {
		if err := t.warmStart(ctx, *t.config.WarmStart); err != nil {
			return fmt.Errorf("warm start: %w", err)
		}
	}
	policy.ResetOptimizer()
	if t.settings.hyper.KL > 0 {
		policy.FreezeReference()
	}
	policy.Publish()
	return t.checkpoint(t.request.FirstStep - 1)
}

// run makes the steps that are left of the stage.
func (t *trainer) run(ctx context.Context) error {
	if t.request.StepsDone == 0 && !t.request.Resumed {
		done, err := t.boundary(ctx, t.request.FirstStep-1, t.settings.validateBefore)
		if done || err != nil {
			return err
		}
	}
	for k := t.request.StepsDone + 1; k <= t.settings.steps; k++ {
		step := t.request.FirstStep + k - t.request.StepsDone - 1
		if err := t.step(ctx, step, k); err != nil {
			return err
		}
		done, err := t.boundary(ctx, step, t.validationDue(k))
		if done || err != nil {
			return err
		}
	}
	return t.finish(sdk.FinishedCompleted, "", t.request.FirstStep+t.settings.steps-t.request.StepsDone-1)
}

func (t *trainer) validationDue(k int) bool {
	every := t.settings.validateEvery
	return k == t.settings.steps || every > 0 && k%every == 0 || t.evaluate.Swap(false)
}

// step is one round of rollouts and the update that follows.
func (t *trainer) step(ctx context.Context, step, k int) error {
	began := time.Now()
	batch, err := t.rollouts(ctx, step, k)
	if err != nil {
		return err
	}
	rolled := time.Now()
	if err := t.phase("update", step, 0, 1); err != nil {
		return err
	}
	hyper := t.settings.hyper
	hyper.LearningRate = t.settings.schedule.At(k)
	hyper.Seed = uint64(t.settings.seed)<<32 ^ uint64(step)
	metrics, err := t.policy.GRPOStep(batch.samples, hyper)
	var broken *tinylm.NonFiniteGradientError
	if errors.As(err, &broken) {
		return t.finish(sdk.FinishedHalted, broken.Error(), step-1)
	}
	if err != nil {
		return fmt.Errorf("update of step %d: %w", step, err)
	}
	snapshot := t.policy.Publish()
	values := batch.metrics(metrics, rolled.Sub(began), time.Since(rolled))
	if err := t.emit(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: step, Values: values}}); err != nil {
		return err
	}
	consumed := &sdk.ConsumedEvent{Step: step, VersionAfter: snapshot.Version, Episodes: batch.consumed()}
	if err := t.emit(sdk.TrainEvent{Consumed: consumed}); err != nil {
		return err
	}
	if err := t.checkpoint(step); err != nil {
		return err
	}
	if reason := t.health.observe(metrics, batch.successRate()); reason != "" {
		return t.finish(sdk.FinishedHalted, reason, step)
	}
	return nil
}

// errFinished ends a stage early, after its finished event.
var errFinished = errors.New("the stage has finished")

func (t *trainer) finish(outcome sdk.FinishedOutcome, reason string, step int) error {
	err := t.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: outcome, Reason: reason, Step: step}})
	if err != nil || outcome == sdk.FinishedCompleted {
		return err
	}
	return errFinished
}

// boundary validates when it is due and asks the host how to go on.
func (t *trainer) boundary(ctx context.Context, step int, validate bool) (done bool, err error) {
	if validate {
		if err := t.validation(ctx, step); err != nil {
			return false, fmt.Errorf("validation after step %d: %w", step, err)
		}
	}
	answer, err := t.host.StepBoundary(ctx, sdk.StepBoundaryRequest{
		LaunchID: t.request.LaunchID, Stage: t.request.Stage, Step: step, Validated: validate,
	})
	if err != nil {
		return false, fmt.Errorf("ask the host after step %d: %w", step, err)
	}
	switch answer.Directive {
	case sdk.DirectiveFinishStage:
		return true, t.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Reason: answer.Reason, Step: step}})
	case sdk.DirectiveStop:
		return true, t.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedStopped, Reason: answer.Reason, Step: step}})
	case sdk.DirectiveAbort:
		return true, t.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedFailed, Reason: answer.Reason, Step: step}})
	}
	if t.drain.Load() {
		return true, t.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedStopped, Reason: "drained", Step: step}})
	}
	return false, nil
}

// checkpoint writes the state after a step into a directory of its own and announces it. The host commits it.
func (t *trainer) checkpoint(step int) error {
	dir := filepath.Join(t.request.CheckpointDir, fmt.Sprintf("step-%06d", step))
	if err := os.RemoveAll(dir); err != nil { // what an interrupted attempt left
		return fmt.Errorf("clear checkpoint %s: %w", dir, err)
	}
	if err := t.policy.Save(dir); err != nil {
		return fmt.Errorf("write checkpoint %s: %w", dir, err)
	}
	for name, content := range t.tokenizerFiles {
		if err := writeSynced(filepath.Join(dir, name), content); err != nil {
			return fmt.Errorf("write checkpoint %s: %w", dir, err)
		}
	}
	return t.emit(sdk.TrainEvent{Checkpoint: &sdk.CheckpointEvent{Step: step, Path: dir, Digest: t.policy.Digest()}})
}

func writeSynced(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

func (t *trainer) phase(name string, step, done, total int) error {
	return t.emit(sdk.TrainEvent{Phase: &sdk.PhaseEvent{Name: name, Step: step, Done: done, Total: total, Ended: done == total}})
}
