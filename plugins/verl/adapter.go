package verl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
)

// adapter is one configured trainer. It trains one stage at a time.
type adapter struct {
	config config
	dir    string
	log    *slog.Logger

	mu      sync.Mutex
	current *training
}

func newAdapter(c config, setup sdk.Setup) *adapter {
	return &adapter{config: c, dir: setup.Dir, log: setup.Log}
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	installed, problem := a.installed()
	if problem != nil {
		return fmt.Errorf("%s: %s", problem.Summary, problem.Detail)
	}
	dir := launchFolder(a.dir, req.LaunchID)
	p := launchPlan{
		stage: req.Stage, knobs: req.Knobs, policy: req.Policy, data: sdk.DataSummary{TrainTasks: req.TrainTasks, ValidationTasks: req.ValidationTasks},
		dir: dir, checkpoints: dir.checkpoints(req.CheckpointDir), smoke: req.Smoke,
	}
	if req.FromCheckpoint != "" {
		var err error
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
	r := &record{Request: req, Generation: plan.Generation, Steps: lastStep(plan, req), SaveEvery: max(0, plan.Int("trainer.save_freq")), Epoch: 1}
	if plan.Generation == settings.V0 {
		r.Updates = plan.Updates
	}
	if v, _ := plan.Value("trainer.val_before_train"); v == true && !req.Resumed && req.ValidationTasks > 0 {
		r.ValidatesBefore = true
	}
	return a.report(emit)(a.newTraining(r, dir, host, emit).begin(ctx, plan, a.command(installed, plan)))
}

// Recover implements sdk.AdapterWithRecover.
func (a *adapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	dir := launchFolder(a.dir, req.LaunchID)
	if len(req.Handle) > 0 {
		dir = folder(req.Handle)
	}
	r, err := readRecord(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: nothing is known of launch %s", sdk.ErrNoTrainer, req.LaunchID)
	case err != nil:
		return err
	}
	l, err := a.site(r.Request.Smoke).Launcher()
	if err != nil {
		return err
	}
	if err := a.find(ctx, l, r, dir); err != nil {
		return err
	}
	return a.report(emit)(a.newTraining(r, dir, host, emit).goOn(ctx, l, req.AfterSeq))
}

// find sees that the job of a launch is there, or has left something to tell.
func (a *adapter) find(ctx context.Context, l launch.Launcher, r *record, dir folder) error {
	var status launch.Status
	err := launch.Insist(ctx, a.config.Unreachable(), func(ctx context.Context) (err error) {
		if r.Job == nil { // we died in the moment between its start and the note of it
			found, err := l.Find(ctx, a.job(r.Request.LaunchID, dir))
			if err != nil {
				return err
			}
			r.Job = &found
		}
		status, err = l.Status(ctx, *r.Job)
		return err
	})
	switch {
	case errors.Is(err, launch.ErrNone):
		return fmt.Errorf("%w: %w", sdk.ErrNoTrainer, err)
	case errors.Is(err, launch.ErrUnreachable):
		return fmt.Errorf("find verl of launch %s, which may go on: %w. When its cluster answers again, resume the run", r.Request.LaunchID, err)
	case err != nil:
		return fmt.Errorf("find verl of launch %s: %w", r.Request.LaunchID, err)
	case status.State == launch.Ended && !r.ended(dir):
		// The next launch wants the GPUs of what it may have left running.
		if err := launch.Stop(ctx, l, *r.Job, a.config.Patience()); err != nil {
			return fmt.Errorf("end what verl of launch %s has left running: %w", r.Request.LaunchID, err)
		}
		return fmt.Errorf("%w: verl of launch %s is gone, with %s. %s", sdk.ErrNoTrainer, r.Request.LaunchID, status, diagnose(dir.log()))
	}
	return nil
}

// ended says whether verl has reported its last step: then there is something to tell although the process is gone.
func (r *record) ended(dir folder) bool {
	last := -1
	err := (&tail{path: dir.metrics()}).each(func(n numbers) error { last = n.Step; return nil })
	return err == nil && last >= r.Steps
}

// report tells how a training ended. A crash after some progress is a reason for another start, from the last commit.
func (a *adapter) report(emit func(sdk.TrainEvent) error) func(*sdk.FinishedEvent, error) error {
	return func(finished *sdk.FinishedEvent, err error) error {
		var crashed *crash
		if errors.As(err, &crashed) && crashed.progress {
			return fmt.Errorf("%w: %w", sdk.ErrUnavailable, err)
		}
		if err != nil {
			return err
		}
		return emit(sdk.TrainEvent{Finished: finished})
	}
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

// running notes what is being trained.
func (a *adapter) running(t *training) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.current = t
}

// over forgets it, unless a later life of it is being trained: two of them may overlap where only a stream broke.
func (a *adapter) over(t *training) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == t {
		a.current = nil
	}
}

func (a *adapter) training() (*training, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == nil {
		return nil, errors.New("verl is not running")
	}
	return a.current, nil
}

// Generate implements sdk.Adapter: the worker that asked for the episode samples.
func (a *adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	t, err := a.training()
	if err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}
	}
	answer, err := t.bridge.Generate(ctx, req)
	if err != nil {
		return nil, err
	}
	t.count(req.EpisodeID, answer.Versions)
	return answer, nil
}

// Control implements sdk.Adapter.
func (a *adapter) Control(_ context.Context, req sdk.ControlRequest) error {
	t, err := a.training()
	if err != nil || t.Request.LaunchID != req.LaunchID {
		return fmt.Errorf("control: %w: launch %s is not being trained", sdk.ErrNoTrainer, req.LaunchID)
	}
	switch req.Action {
	case sdk.ControlDrain:
		t.steps.want(ending{sdk.FinishedStopped, req.Reason})
	case sdk.ControlAbort:
		t.end(ending{sdk.FinishedFailed, "aborted: " + req.Reason})
	case sdk.ControlCheckpointNow, sdk.ControlPause, sdk.ControlResume:
		return fmt.Errorf("control: %s: verl saves at its own steps (checkpoint.every) and cannot be paused; use drain", req.Action)
	default:
		return fmt.Errorf("control: unknown action %q", req.Action)
	}
	return nil
}

var _ sdk.AdapterWithRecover = (*adapter)(nil)
