package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// launch is one Train call: a stage, from a commit on, on one process of the adapter. It has an engine of its own, so that
// episodes of a trainer that died cannot mix with those of its successor.
type launch struct {
	*runner
	stage          plan.Stage
	index          int
	id             string
	adapterAddress string
	adapter        sdk.Adapter
	engine         *rollout.Engine
	tasksOf        *taskSource
	began          time.Time // of the step under way

	events   sync.Mutex
	arrived  chan struct{} // closed and replaced at each event
	seen     uint64        // seq of the last event
	pending  pendingStep
	finished *sdk.FinishedEvent
	decided  *decision // why the boundary ended the stage

	failure atomic.Pointer[error] // the first error of the host's own side
}

// pendingStep is what the trainer has said of the step under way.
type pendingStep struct {
	metrics    *sdk.MetricsEvent
	consumed   *sdk.ConsumedEvent
	checkpoint *sdk.CheckpointEvent
	seq        uint64
}

// adapterLost says that the adapter's process died in the middle of a stage.
type adapterLost struct {
	address string
	err     error
}

// Error implements error.
func (e *adapterLost) Error() string { return e.err.Error() }

func newLaunch(ctx context.Context, r *runner, index, done, attempt int) (*launch, error) {
	stage := r.Plan.Stages[index]
	l := &launch{
		runner: r, stage: stage, index: index, adapterAddress: stage.Adapter, arrived: make(chan struct{}), began: time.Now(),
		id: fmt.Sprintf("%s.i%d.%s.%d", r.Writer.Ref(), r.Writer.Incarnation(), stage.Name, attempt),
	}
	adapter, err := r.instance(ctx, stage.Adapter)
	if err != nil {
		return nil, err
	}
	l.adapter = adapter.Adapter()
	l.tasksOf = &taskSource{
		train: r.Plan.Data[stage.Dataset], validation: r.Plan.Data[stage.Validation],
		order: dataset.NewOrder(r.Plan.Tasks(stage.Dataset), stage.Knobs.Seed),
	}
	setup, err := l.setup(ctx)
	if err != nil {
		return nil, err
	}
	l.engine, err = rollout.New(rollout.Options{
		RunSeed: stage.Knobs.Seed, Sink: sink{l}, AwaitPlugin: l.awaitPlugin, ReconnectGrace: stage.ReconnectGrace,
	})
	if err != nil {
		return nil, err
	}
	if err := l.engine.Configure(setup); err != nil {
		return nil, err
	}
	l.publishStage(done)
	return l, nil
}

// train runs the stage to its end.
func (l *launch) train(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l.service.current.Store(l)
	defer l.service.current.Store(nil)
	watched := make(chan struct{})
	go func() { // the engine's failure ends the training
		defer close(watched)
		select {
		case <-l.engine.Failed():
			cancel(l.engine.Err())
		case <-ctx.Done():
		}
	}()
	// The launch is on record before the trainer starts; it also clears what an earlier one left unfinished.
	err := l.Writer.AppendLaunch(ctx, runstore.LaunchRecord{LaunchID: l.id, Stage: l.stage.Name, StageIndex: l.index, FirstStep: l.nextStep()})
	var request sdk.TrainRequest
	if err == nil {
		request, err = l.request()
	}
	if err == nil {
		err = l.adapter.Train(ctx, request, nil, l.receive)
	}
	cause := context.Cause(ctx)
	cancel(nil)
	<-watched
	closeCtx, cancelClose := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancelClose()
	closeErr := l.engine.Close(closeCtx)
	return l.outcome(err, cause, closeErr)
}

// outcome says how the stage ended: nil means completed.
func (l *launch) outcome(err, cause, closeErr error) error {
	if failure := l.failure.Load(); failure != nil {
		return *failure
	}
	if engineErr := l.engine.Err(); engineErr != nil {
		return engineErr
	}
	if cause != nil {
		return cause
	}
	if errors.Is(err, sdk.ErrUnavailable) {
		return &adapterLost{address: l.adapterAddress, err: err}
	}
	if err != nil {
		return fmt.Errorf("train stage %s: %w", l.stage.Name, err)
	}
	if l.decided != nil && l.decided.err != nil {
		return l.decided.err
	}
	switch f := l.finished; {
	case f == nil:
		return fmt.Errorf("train stage %s: the adapter ended without saying how", l.stage.Name)
	case f.Outcome == sdk.FinishedCompleted:
		return closeErr
	case f.Outcome == sdk.FinishedStopped:
		return errStopped
	case f.Outcome == sdk.FinishedHalted:
		return &GuardError{Reason: f.Reason}
	default:
		return fmt.Errorf("train stage %s: %s", l.stage.Name, f.Reason)
	}
}

// GuardError says that a check stopped the run before it got worse: the trainer's health, or the circuit breaker.
type GuardError struct{ Reason string }

// Error implements error.
func (e *GuardError) Error() string { return e.Reason }

// request is the Train call: from the tip of the lineage on.
func (l *launch) request() (sdk.TrainRequest, error) {
	staging, err := l.Writer.StagingDir()
	if err != nil {
		return sdk.TrainRequest{}, err
	}
	c := l.Plan.Component(l.adapterAddress)
	req := sdk.TrainRequest{
		LaunchID: l.id, Stage: l.stage.Name, StageIndex: l.index, Config: c.Block.Config, Knobs: l.stage.Knobs, FirstStep: 1,
		CheckpointDir: staging, CarryOptimizer: l.stage.Carry != "weights", Incarnation: l.Writer.Incarnation(),
		TrainTasks: l.Plan.Tasks(l.stage.Dataset), ValidationTasks: l.Plan.Tasks(l.stage.Validation),
	}
	if tip := l.Writer.Tip(); tip != nil {
		req.FromCheckpoint, req.FirstStep = tip.Path, tip.Step+1
		if tip.StageIndex == l.index && !tip.StageEnd {
			req.Resumed, req.CarryOptimizer = true, true
			req.StepsDone = tip.Step - l.book.stageStart(l.index)
		}
	}
	if !req.Resumed {
		l.book.startStage(l.index, req.FirstStep-1)
	}
	return req, nil
}

// receive takes the trainer's events in order.
func (l *launch) receive(e sdk.TrainEvent) error {
	switch {
	case e.Phase != nil:
		l.publishPhase(e.Phase)
	case e.Log != nil:
		l.publishLog(e.Log.Level, l.adapterAddress, e.Log.Message, e.Log.Fields)
	case e.Handle != nil:
		if err := l.Writer.AppendHandle(context.Background(), runstore.HandleRecord{LaunchID: l.id, Handle: e.Handle.Handle, EventSeq: e.Seq}); err != nil {
			return l.fail(err)
		}
	}
	l.events.Lock()
	defer l.events.Unlock()
	switch {
	case e.Metrics != nil:
		l.pending.metrics, l.pending.seq = e.Metrics, e.Seq
	case e.Consumed != nil:
		l.pending.consumed = e.Consumed
	case e.Checkpoint != nil:
		l.pending.checkpoint = e.Checkpoint
	case e.Finished != nil:
		l.finished = e.Finished
	}
	l.seen = e.Seq
	close(l.arrived)
	l.arrived = make(chan struct{})
	return nil
}

// fail keeps the first error of the host's own side: it, not what follows from it, is why the run ends.
func (l *launch) fail(err error) error {
	l.failure.CompareAndSwap(nil, &err)
	return err
}

// awaitEvents waits until the events before a boundary have arrived, and takes what they said.
func (l *launch) awaitEvents(ctx context.Context, seq uint64) (pendingStep, error) {
	for {
		l.events.Lock()
		if l.seen >= seq {
			p := l.pending
			l.pending = pendingStep{}
			l.events.Unlock()
			return p, nil
		}
		arrived := l.arrived
		l.events.Unlock()
		select {
		case <-arrived:
		case <-ctx.Done():
			return pendingStep{}, fmt.Errorf("wait for the trainer's events: %w", ctx.Err())
		}
	}
}

// awaitPlugin waits for an environment or a reward that died. The adapter is another matter: without its process the
// launch is over.
func (l *launch) awaitPlugin(ctx context.Context, address string, cause error) error {
	if address == l.adapterAddress {
		return &adapterLost{address: address, err: cause}
	}
	instance, ok := l.plugins.Find(address)
	if !ok {
		return cause
	}
	if err := instance.Await(ctx); err != nil {
		return &PluginError{Address: address, Err: err}
	}
	return nil
}

func (l *launch) publishStage(done int) {
	l.Bus.Publish(event.StageStarted{
		Name: l.stage.Name, Index: l.index, Total: len(l.Plan.Stages), FirstStep: l.nextStep(), Steps: l.stage.Steps - done,
	})
}

func (l *launch) nextStep() int {
	if tip := l.Writer.Tip(); tip != nil {
		return tip.Step + 1
	}
	return 1
}
