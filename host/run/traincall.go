package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/host/participants"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// trainCall is one Train or Recover call: a stage, trained from a commit onward, in one adapter process. It has its own
// engine, so that episodes belonging to a dead trainer or adapter cannot mix with later ones.
type trainCall struct {
	run       *runner // provides the plan, journal, plugins and views
	stage     plan.Stage
	index     int
	id        string
	trainer   *runstore.Trainer // to be taken up; nil: a new one is started
	published uint64            // the last of its events that was already published
	adapter   sdk.Adapter
	engine    *rollout.Engine
	tasks     *taskSource
	staging   string // where the trainer writes its checkpoints
	first     int    // first own step

	reports reports
	facts   facts

	// boundaries is held by the boundary in progress and guards the fields below. over is closed when no further
	// boundary is possible.
	boundaries sync.Mutex
	ended      chan struct{}
	refused    int           // calls of agents without a lease, before the launch
	answered   *answer       // to the last boundary
	decided    *decision     // a boundary's decision that ended the stage
	began      time.Time     // start of the current step
	timings    commitTimings // since the numbers of the last step

	outlives   atomic.Bool           // the trainer may outlive this process: a later host looks for it
	failure    atomic.Pointer[error] // the first error on the host's side
	failed     chan struct{}         // closed on that error
	tokensLeft bool                  // some rows of tokens were not kept; used by the event stream only
}

func newTrainCall(ctx context.Context, r *runner, index, attempt int) (*trainCall, error) {
	r.state.rollBack()
	if attempt > 1 || r.trainer != nil { // steps after the last commit are repeated, or count
		if err := r.recallFindings(); err != nil {
			return nil, err
		}
	}
	stage := r.Plan.Stages[index]
	l := &trainCall{
		run: r, stage: stage, index: index, reports: newReports(), ended: make(chan struct{}), failed: make(chan struct{}),
		began:   time.Now(),
		refused: r.service.Leases.Refused(),
		id: fmt.Sprintf("%s.%.8s.i%d.%s.%d", r.Writer.Ref(), r.Writer.Info.ID, r.Writer.Incarnation(), stage.Name,
			attempt),
		tasks:   newTaskSource(r.Plan, stage),
		trainer: r.trainer, first: r.nextStep(),
	}
	r.failures = l.facts.newest
	l.outlives.Store(l.trainer != nil || r.Plan.Adapters[stage.Adapter].Capabilities.Recover)
	if l.trainer != nil {
		l.id = l.trainer.Launch.LaunchID
		if err := l.resume(); err != nil {
			return nil, err
		}
	}
	if r.published.launch == l.id {
		l.published = r.published.seq
	}
	if err := r.startPlugins(ctx, append([]string{stage.Adapter}, l.stageBinding().Addresses()...)); err != nil {
		return nil, err
	}
	if l.trainer == nil && r.stopping() {
		return nil, errStopped // no step is running
	}
	adapter, _ := r.plugins.Find(stage.Adapter)
	l.adapter = adapter.Adapter()
	setup, err := l.setup()
	if err == nil && setup.Script == nil { // a script also replaces served models
		err = participants.Prepare(ctx, setup)
	}
	if err != nil {
		return nil, err
	}
	l.engine, err = rollout.New(rollout.Options{
		RunSeed: stage.Knobs.Seed, Sink: sink{l}, Tracer: r.tracer(),
		AwaitPlugin: l.awaitPlugin, ReconnectGrace: stage.ReconnectGrace,
		Processes: processTracker{r}, Blamed: l.blamed, MaxBlamed: r.Plan.Train.MaxRestarts,
		OpenWindow: runstore.OpenWindow, ResultBytes: r.Plan.MessageLimits()[stage.Adapter],
	})
	if err != nil {
		return nil, err
	}
	err = l.engine.Configure(setup)
	if err == nil && l.trainer != nil {
		err = l.resumeEngine(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, l.engine.Close(ctx))
	}
	if attempt == 1 {
		l.publishStage()
	}
	return l, nil
}

// train runs the stage to completion.
func (l *trainCall) train(ctx context.Context) error {
	training, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var watchers sync.WaitGroup
	watchers.Go(func() { l.watchHost(training, cancel) })
	watchers.Go(func() { l.drainOnStop(training) })
	err := l.call(training)
	cause := context.Cause(training)
	cancel(nil)
	watchers.Wait()
	close(l.ended)
	l.boundaries.Lock() // waits for a committing boundary: nothing of this launch may happen after its end
	defer l.boundaries.Unlock()
	l.closeEngine(ctx)
	l.run.published = published{l.id, l.reports.seen}
	outcome := l.outcome(ctx, err, cause)
	if err := l.recordEnd(ctx, err); err != nil && (outcome == nil || errors.Is(outcome, errTrainerGone)) {
		return err
	}
	return outcome
}

// call makes the Train call. It records the launch before the trainer starts. The record also clears unfinished data
// from an earlier launch.
func (l *trainCall) call(ctx context.Context) error {
	if l.trainer != nil {
		return l.reattach(ctx)
	}
	request, err := l.request()
	if err != nil {
		return err
	}
	record := runstore.LaunchRecord{LaunchID: l.id, Stage: l.stage.Name, StageIndex: l.index, FirstStep: request.FirstStep,
		Outlives: l.outlives.Load(), Samples: l.samples()}
	if err := l.releaseUnfinished(ctx); err != nil {
		return l.fail(err)
	}
	if err := l.run.Writer.AppendLaunch(ctx, record); err != nil {
		return l.fail(err)
	}
	if err := l.findTasks(ctx); err != nil {
		return l.fail(err)
	}
	// after the record, which clears the data of an earlier trainer in this folder
	if l.staging, err = l.run.Writer.StagingDir(); err != nil {
		return l.fail(err)
	}
	request.CheckpointDir = l.staging
	l.run.watch.launched()
	l.run.service.current.Store(l)
	defer l.run.service.current.Store(nil)
	return l.adapter.Train(ctx, request, nil, func(e sdk.TrainEvent) error { return l.receive(ctx, e) })
}

// request returns the request for the Train call, which starts from the tip of the lineage.
func (l *trainCall) request() (sdk.TrainRequest, error) {
	c := l.run.Plan.Component(l.stage.Adapter)
	req := sdk.TrainRequest{
		LaunchID: l.id, Stage: l.stage.Name, StageIndex: l.index, Config: c.Block.Config, Knobs: l.stage.Knobs,
		FirstStep:      l.run.nextStep(),
		CarryOptimizer: l.stage.Carry != spec.CarryWeights, Incarnation: l.run.Writer.Incarnation(),
		TrainTasks: l.run.Plan.Tasks(l.stage.Dataset), ValidationTasks: l.run.Plan.Tasks(l.stage.Validation),
		Smoke: l.run.Plan.Smoke != nil,
	}
	if policy := l.run.Plan.Spec.Blocks[l.run.Plan.Train.Policy]; policy != nil {
		req.Policy = policy.Config
	}
	tip := l.run.Writer.Tip()
	if tip == nil && l.index > 0 {
		return req, fmt.Errorf("begin stage %s: the previous stages left no checkpoint to start from", l.stage.Name)
	}
	if tip != nil {
		req.FromCheckpoint = tip.Path
	} else if start := l.run.Plan.Start; start != nil {
		if _, err := os.Stat(start.Checkpoint); err != nil {
			return req, fmt.Errorf("start the policy from step %d of %s: its checkpoint is missing: restore %s, or start "+
				"another run: %w", start.Step, start.Run, start.Checkpoint, err)
		}
		req.FromCheckpoint, req.CarryOptimizer = start.Checkpoint, false
	}
	if tip != nil && tip.StageIndex == l.index {
		req.Resumed, req.CarryOptimizer, req.StepsDone = true, true, l.run.done(l.index)
		return req, nil
	}
	l.run.state.now.Stages[l.index] = req.FirstStep - 1
	return req, nil
}

// samples returns the number of samples per step planned by the spec or the adapter, or 0 if it is unknown.
func (l *trainCall) samples() int { return l.stage.Prompts * max(1, l.stage.GroupSize) }

// nextStep returns the first step after the last commit.
func (r *runner) nextStep() int {
	if tip := r.Writer.Tip(); tip != nil {
		return tip.Step + 1
	}
	return 1
}

// watchHost ends the training after a failure in the engine or elsewhere in the host, because from then on the trainer
// can only wait.
func (l *trainCall) watchHost(ctx context.Context, cancel context.CancelCauseFunc) {
	select {
	case <-l.engine.Failed():
		cancel(l.engine.Err())
	case <-l.failed:
		cancel(*l.failure.Load())
	case <-ctx.Done():
	}
}

// drainTimeout limits the request to finish the step.
const drainTimeout = 30 * time.Second

// drainOnStop asks a trainer without step boundaries to finish its step and end. Other trainers receive the stop at the
// next boundary, unless they are still starting, which can take a framework minutes, or are in a warm start. In these
// cases no result would be lost, and the first boundary may be far in the future.
func (l *trainCall) drainOnStop(ctx context.Context) {
	select {
	case <-l.run.Stop:
	case <-ctx.Done():
		return
	}
	if l.callsStepBoundary() && !l.starting() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := l.drain(ctx, errStopped.Error()); err != nil && ctx.Err() == nil {
		l.run.warn(drainWarning(err))
	}
}

// starting reports whether a trainer started by this launch has yet to finish its first step.
func (l *trainCall) starting() bool {
	l.boundaries.Lock()
	defer l.boundaries.Unlock()
	return l.trainer == nil && (l.answered == nil || l.answered.step < l.first)
}

// drain repeats the request until it succeeds, because an adapter that has just started may not have found or started
// its trainer yet.
func (l *trainCall) drain(ctx context.Context, reason string) error {
	again := time.NewTicker(abortInterval)
	defer again.Stop()
	for {
		err := l.adapter.Control(ctx, sdk.ControlRequest{LaunchID: l.id, Action: sdk.ControlDrain, Reason: reason})
		if err == nil || l.trainer == nil && !l.callsStepBoundary() {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return err
		}
	}
}

// closeEngine ends the running episodes.
func (l *trainCall) closeEngine(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := l.engine.Close(ctx); err != nil {
		l.run.warn(episodesWarning(err))
	}
	if n := l.run.service.Leases.Refused() - l.refused; n > 0 {
		l.run.warn(lateCallsWarning(l.stage.Agent, n))
	}
}

// fail stores the first error that occurs on the host's side. The run ended because of that error and not because of
// one of its consequences.
func (l *trainCall) fail(err error) error {
	if l.failure.CompareAndSwap(nil, &err) {
		close(l.failed)
	}
	return err
}

// outcome returns the error with which the stage ended, or nil if it completed successfully. A boundary's decision
// remains valid even if the trainer died while receiving it. The caller holds boundaries.
func (l *trainCall) outcome(ctx context.Context, err, cause error) error {
	if failure := l.failure.Load(); failure != nil {
		return *failure
	}
	if err == nil && cause == nil {
		if err := l.closeLastStep(ctx); err != nil {
			return err
		}
	}
	if l.decided != nil && l.decided.err != nil {
		return l.decided.err
	}
	if cause != nil {
		return cause
	}
	if err := l.engine.Err(); err != nil {
		return err
	}
	if errors.Is(err, sdk.ErrNoTrainer) {
		return errTrainerGone
	}
	if errors.Is(err, sdk.ErrUnavailable) {
		return &adapterLost{address: l.stage.Adapter, err: err}
	}
	if err != nil {
		return fmt.Errorf("train stage %s: %w", l.stage.Name, err)
	}
	return l.result()
}
