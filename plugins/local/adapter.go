package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// adapter is one configured trainer. It trains one stage at a time; Generate runs beside it.
type adapter struct {
	config   config
	model    tinylm.Config
	log      *slog.Logger
	episodes episodes
	policy   *tinylm.Policy // set before the first episode is asked for

	training sync.Mutex  // held by the running Train
	drain    atomic.Bool // end the stage at the next boundary
	evaluate atomic.Bool // validate at the next boundary
}

func newAdapter(c config, log *slog.Logger) (*adapter, error) {
	if c.Health == nil {
		c.Health = &health{MinEntropy: 0.002, Patience: 5}
	}
	model, err := c.model()
	if err != nil {
		return nil, err
	}
	return &adapter{config: c, model: model, log: log}, model.Validate()
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	if !a.training.TryLock() {
		return errors.New("another stage is still being trained")
	}
	defer a.training.Unlock()
	a.drain.Store(false)
	s, err := newSettings(req.Knobs, req)
	if err != nil {
		return err
	}
	t := &trainer{adapter: a, settings: s, request: req, host: host, emit: emit}
	if err := t.prepare(ctx); err != nil {
		return err
	}
	return t.run(ctx)
}

// Control implements sdk.Adapter. Sampling and updates alternate, so that pausing would only delay: it is refused.
func (a *adapter) Control(_ context.Context, req sdk.ControlRequest) error {
	switch req.Action {
	case sdk.ControlDrain:
		a.drain.Store(true)
		return nil
	case sdk.ControlCheckpointNow:
		return nil // every step is a checkpoint
	}
	return fmt.Errorf("control: the embedded trainer does not know the action %q", req.Action)
}

// Evaluate implements sdk.AdapterWithEvaluate.
func (a *adapter) Evaluate(context.Context, string) error {
	a.evaluate.Store(true)
	return nil
}

// Stop implements sdk.Stopper: the step that runs is finished and its checkpoint written.
func (a *adapter) Stop(ctx context.Context, progress func(string)) error {
	a.drain.Store(true)
	progress("finishing the step")
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		a.training.Lock()
		defer a.training.Unlock()
	}()
	select {
	case <-finished:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the step did not end in time: %w", ctx.Err())
	}
}

var (
	_ sdk.AdapterWithEvaluate = (*adapter)(nil)
	_ sdk.Stopper             = (*adapter)(nil)
)
