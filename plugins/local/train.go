package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// trainer trains one stage. Its methods return the final event of the stage, or nil while the stage is running.
type trainer struct {
	*launch
	config      config
	model       tinylm.Config
	settings    settings
	request     sdk.TrainRequest
	host        sdk.Host
	emit        func(sdk.TrainEvent) error
	episodes    *episodes
	checkpoints string // directory

	policy   *tinylm.Policy // set by start
	health   healthCheck
	lastStep int // the last finished step, counted over all stages
}

// train runs the remaining steps of the stage.
func (t *trainer) train(ctx context.Context) (*sdk.FinishedEvent, error) {
	if ended, err := t.start(ctx); ended != nil || err != nil {
		return ended, err
	}
	if !t.request.Resumed {
		if ended, err := t.boundary(ctx, t.settings.validate.beforeTrain); ended != nil || err != nil {
			return ended, err
		}
	}
	for k := t.request.StepsDone + 1; k <= t.settings.steps; k++ {
		halt, ended, err := t.step(ctx, k)
		if ended != nil || err != nil {
			return ended, err
		}
		if ended, err := t.boundary(ctx, t.validationDue(k)); ended != nil || err != nil {
			return ended, err
		}
		if halt != "" {
			return t.ended(sdk.FinishedHalted, halt), nil
		}
	}
	return t.ended(sdk.FinishedCompleted, ""), nil
}

func (t *trainer) ended(outcome sdk.FinishedOutcome, reason string) *sdk.FinishedEvent {
	return &sdk.FinishedEvent{Outcome: outcome, Reason: reason, Step: t.lastStep}
}

func (t *trainer) validationDue(k int) bool {
	asked := t.evaluate.Swap(false)
	every := t.settings.validate.every
	return asked || k == t.settings.steps || every > 0 && k%every == 0
}

// step runs the k-th step of the stage: rollouts, the update, and the checkpoint of both. halt is the reason to stop
// training after the step, if any. A step that breaks the policy ends the stage without a checkpoint.
func (t *trainer) step(ctx context.Context, k int) (halt string, ended *sdk.FinishedEvent, err error) {
	number := t.lastStep + 1
	began := time.Now()
	batch, err := t.rollouts(ctx, number, k)
	if err != nil {
		return "", nil, fmt.Errorf("rollouts of step %d: %w", number, err)
	}
	rolled := time.Now()
	if err := t.phase("update", number, 0, 1); err != nil {
		return "", nil, err
	}
	hyper := t.settings.step(k, number)
	if err := t.reportTokens(number, batch, hyper); err != nil {
		return "", nil, err
	}
	metrics, err := t.policy.GRPOStep(batch.samples, hyper)
	if err == nil && metrics.Updates > 0 {
		err = probe(t.policy, batch.rows())
	}
	if err != nil {
		ended, err := t.brokenPolicyEvent(fmt.Errorf("update of step %d: %w", number, err))
		return "", ended, err
	}
	snapshot := t.policy.Publish()
	values := batch.metrics(metrics, durations{rollout: rolled.Sub(began), update: time.Since(rolled)})
	halt = t.health.observe(metrics, batch.successRate())
	return halt, nil, t.publish(number, values, &sdk.ConsumedEvent{Step: number, VersionAfter: snapshot.Version,
		Episodes: batch.consumed()})
}

// publish reports a step and then its checkpoint, so that the host has all reports when it commits.
func (t *trainer) publish(number int, values map[string]float64, consumed *sdk.ConsumedEvent) error {
	if err := t.phase("update", number, 1, 1); err != nil {
		return err
	}
	if err := t.emit(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: number, Values: values}}); err != nil {
		return err
	}
	if err := t.emit(sdk.TrainEvent{Consumed: consumed}); err != nil {
		return err
	}
	return t.checkpoint(number)
}

// brokenPolicyEvent ends the stage if an error means that the policy cannot be trained further.
func (t *trainer) brokenPolicyEvent(err error) (*sdk.FinishedEvent, error) {
	var gradient *tinylm.NonFiniteGradientError
	var probed *brokenPolicyError
	if errors.As(err, &gradient) || errors.As(err, &probed) {
		return t.ended(sdk.FinishedHalted, err.Error()), nil
	}
	return nil, err
}

// boundary runs a validation if one is due and asks the host for a directive.
func (t *trainer) boundary(ctx context.Context, validate bool) (*sdk.FinishedEvent, error) {
	validate = validate && t.request.ValidationTasks > 0
	if validate {
		if err := t.validation(ctx); err != nil {
			return nil, fmt.Errorf("validation after step %d: %w", t.lastStep, err)
		}
	}
	answer, err := t.host.StepBoundary(ctx, sdk.StepBoundaryRequest{
		LaunchID: t.request.LaunchID, Stage: t.request.Stage, Step: t.lastStep, Validated: validate,
	})
	if err != nil {
		return nil, fmt.Errorf("ask the host after step %d: %w", t.lastStep, err)
	}
	switch answer.Directive {
	case sdk.DirectiveFinishStage:
		return t.ended(sdk.FinishedCompleted, answer.Reason), nil
	case sdk.DirectiveStop:
		return t.ended(sdk.FinishedStopped, answer.Reason), nil
	case sdk.DirectiveAbort:
		return t.ended(sdk.FinishedFailed, answer.Reason), nil
	case sdk.DirectiveContinue:
	default:
		return nil, fmt.Errorf("ask the host after step %d: unknown directive %q", t.lastStep, answer.Directive)
	}
	if t.drain.Load() {
		return t.ended(sdk.FinishedStopped, "drained"), nil
	}
	return nil, nil
}

func (t *trainer) phase(name string, step, done, total int) error {
	return t.emit(sdk.TrainEvent{Phase: &sdk.PhaseEvent{Name: name, Step: step, Done: done, Total: total,
		Ended: done == total}})
}
