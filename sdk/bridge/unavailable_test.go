package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

// unavailableHandler is a handler that fails all calls until it is back. Calls of each kind are counted.
type unavailableHandler struct {
	*host
	back chan struct{}

	counting sync.Mutex
	calls    map[string]int
}

func newUnavailableHandler(turns int) *unavailableHandler {
	return &unavailableHandler{host: newHost(turns), back: make(chan struct{}), calls: map[string]int{}}
}

func (a *unavailableHandler) call(kind string) error {
	select {
	case <-a.back:
		return nil
	default:
	}
	a.counting.Lock()
	defer a.counting.Unlock()
	a.calls[kind]++
	return fmt.Errorf("keep it: %w: no space left on device", sdk.ErrUnavailable)
}

// tried waits until each kind of call was made some times.
func (a *unavailableHandler) tried(t *testing.T, times int, kinds ...string) {
	t.Helper()
	for _, kind := range kinds {
		eventually(t, "calls of "+kind, func() bool {
			a.counting.Lock()
			defer a.counting.Unlock()
			return a.calls[kind] >= times
		})
	}
}

func (a *unavailableHandler) RunEpisode(ctx context.Context, w bridge.Worker,
	req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	if err := a.call("RunEpisode"); err != nil {
		return nil, err
	}
	return a.host.RunEpisode(ctx, w, req)
}

func (a *unavailableHandler) Boundary(
	ctx context.Context, w bridge.Worker, req sdk.StepBoundaryRequest,
) (*sdk.StepBoundaryResponse, error) {
	if err := a.call("Boundary"); err != nil {
		return nil, err
	}
	return a.host.Boundary(ctx, w, req)
}

func (a *unavailableHandler) Event(ctx context.Context, w bridge.Worker, e sdk.TrainEvent) error {
	if err := a.call("Event"); err != nil {
		return err
	}
	return a.host.Event(ctx, w, e)
}

// While the host or the adapter is unavailable, the worker must wait. It gets an answer later, or from the next
// adapter.
func TestUnavailable_IsRetried(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		t.Run(fmt.Sprintf("restarted %t", restarted), func(t *testing.T) {
			gone, dir, sampled := newUnavailableHandler(2), t.TempDir(), newSampler()
			first := listen(t, gone.host, func(o *bridge.Options) { o.Dir, o.Handler = dir, gone })
			rollouts, trainer := work(t, first, bridgetest.Options{Sample: sampled.sample}),
				work(t, first, bridgetest.Options{Role: "trainer"})
			ids := names("e", 8)
			var waiting sync.WaitGroup
			waiting.Go(func() { runAll(t, rollouts, ids, 2) })
			if err := trainer.Emit(sdk.TrainEvent{Log: &sdk.LogEvent{Message: "kept"}}); err != nil {
				t.Fatal(err)
			}
			gone.tried(t, 2, "Event")
			waiting.Go(func() {
				answer, err := trainer.Boundary(within(t), "b", sdk.StepBoundaryRequest{Step: 1})
				if err != nil || answer.Reason != "after 1 events" {
					t.Errorf("the boundary got %v, %v", answer, err)
				}
			})
			gone.tried(t, 2*len(ids), "RunEpisode")
			h := gone.host
			if restarted {
				closeServer(t, first)
				h = newHost(2)
				listen(t, h, func(o *bridge.Options) { o.Dir, o.Epoch = dir, 2 })
			} else {
				close(gone.back)
			}
			waiting.Wait()
			wantOnce(t, h, sampled, ids)
		})
	}
}

// A boundary's answer must be as reliable as a result.
func TestUnavailable_BoundaryWaits(t *testing.T) {
	gone := newUnavailableHandler(0)
	s := listen(t, gone.host, func(o *bridge.Options) { o.Handler = gone })
	w := work(t, s, bridgetest.Options{Role: "trainer"})
	done := make(chan error, 1)
	go func() { _, err := w.Boundary(within(t), "b", sdk.StepBoundaryRequest{Step: 1}); done <- err }()
	gone.tried(t, 3, "Boundary")
	select {
	case err := <-done:
		t.Fatalf("the worker received %v", err)
	default:
	}
	close(gone.back)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A caller must be able to cancel a call that waits for an unavailable host.
func TestUnavailable_CanBeCancelled(t *testing.T) {
	gone := newUnavailableHandler(1)
	s := listen(t, gone.host, func(o *bridge.Options) { o.Handler = gone })
	w := work(t, s, bridgetest.Options{})
	ctx, cancel := context.WithCancel(within(t))
	done := make(chan error, 1)
	go func() { _, err := w.RunEpisode(ctx, episode("e")); done <- err }()
	gone.tried(t, 1, "RunEpisode")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	eventually(t, "the episode is closed", func() bool { return s.Workers()[0].OpenEpisodes == 0 })
}
