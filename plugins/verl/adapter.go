package verl

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/stage"
)

// adapter is one configured trainer. It trains one stage at a time.
type adapter struct {
	stage.Adapter
	config config
}

func newAdapter(c config, setup sdk.Setup) *adapter {
	a := &adapter{config: c}
	a.Init("verl", setup)
	a.Refusal = "verl saves at its own steps (checkpoint.every) and cannot be paused; use drain"
	return a
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	installed, err := settings.Configure(ctx, a.config.Python)
	if err != nil {
		return err
	}
	dir := folder(a.Folder(req.LaunchID))
	p := launchPlan{
		stage: req.Stage, knobs: req.Knobs, policy: req.Policy, data: sdk.DataSummary{TrainTasks: req.TrainTasks, ValidationTasks: req.ValidationTasks},
		dir: dir, checkpoints: dir.checkpoints(req.CheckpointDir), smoke: req.Smoke,
	}
	if req.FromCheckpoint != "" {
		if p.resumeFrom, err = place(dir.path("start"), req.FromCheckpoint, req.StepsDone, req.Resumed); err != nil {
			return err
		}
		p.newStage, p.weightsOnly = !req.Resumed, !req.CarryOptimizer
	}
	plan, problem := a.settle(installed, p)
	if problem == nil {
		problem = firstError(plan)
	}
	if problem != nil {
		return fmt.Errorf("%s: %s", problem.Summary, problem.Detail)
	}
	r := &record{
		Record: stage.NewRecord(recordFormat, req), Generation: plan.Generation, Steps: lastStep(plan, req),
		SaveEvery: max(0, plan.Int("trainer.save_freq")),
	}
	if plan.Generation == settings.V0 {
		r.Updates = plan.Step.Updates()
	}
	if v, _ := plan.Value("trainer.val_before_train"); v == true && !req.Resumed && req.ValidationTasks > 0 {
		r.ValidatesBefore = true
	}
	t := a.newTraining(r, dir, host, emit)
	return a.Adapter.Train(ctx, t.stage, func(ctx context.Context, _ string) (*stage.Command, error) {
		command := a.command(installed, dir, plan)
		if err := t.prepare(plan); err != nil {
			return nil, err
		}
		if req.Smoke {
			if err := makeModel(ctx, command[0], req, dir); err != nil {
				return nil, err
			}
		}
		return &stage.Command{
			Argv: command, Env: t.environment(plan), Message: "verl starts, which takes minutes; its log is " + dir.log(),
		}, t.steps.began(ctx, req.Resumed)
	})
}

// Recover implements sdk.AdapterWithRecover.
func (a *adapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	return a.Adapter.Recover(ctx, req, func(dir string) (*stage.Stage, error) {
		r := &record{}
		err := stage.ReadRecord(folder(dir).record(), recordFormat, r)
		return a.newTraining(r, folder(dir), host, emit).stage, err
	})
}

// firstError is the first thing that speaks against a start. apply has planned before, so that this is for what changed since.
func firstError(plan *settings.Resolved) *sdk.Diagnostic {
	for _, d := range plan.Diagnostics {
		if d.Severity == sdk.SeverityError {
			return &d
		}
	}
	for _, k := range plan.Knobs {
		if k.Refused != "" {
			return about("Setting refused", k.Knob+": "+k.Refused)
		}
	}
	return nil
}

// lastStep is verl's last step.
func lastStep(plan *settings.Resolved, req sdk.TrainRequest) int {
	if steps := plan.Int("trainer.total_training_steps"); steps > 0 {
		return steps
	}
	return plan.Int("trainer.total_epochs") * (req.TrainTasks / max(1, plan.Int("data.train_batch_size")))
}

var _ sdk.AdapterWithRecover = (*adapter)(nil)
