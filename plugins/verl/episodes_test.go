package verl

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

// leavingHost is one in whose boundary the worker leaves that made the adapter ask for it.
type leavingHost struct {
	boundaryHost
	leave func()
}

func (h leavingHost) StepBoundary(ctx context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	h.leave()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return h.boundaryHost.StepBoundary(ctx, req)
}

func (leavingHost) RunEpisode(ctx context.Context, _ sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	return nil, context.Cause(ctx)
}

func (leavingHost) CancelEpisode(context.Context, string, string) error { return nil }

// The host takes each report of a step once: a second one ends the run.
func TestEpisodes_AWorkerThatLeavesCutsNoReportShort(t *testing.T) {
	dir := folder(t.TempDir())
	r := newStepsRig(t, dir, 0, nil)
	ctx, leave := context.WithCancelCause(t.Context())
	r.host = leavingHost{boundaryHost{said: &r.said}, func() { leave(bridge.ErrGone) }}
	if err := r.add(finished{Step: 1, ID: "a", Use: sdk.ConsumedTrained}); err != nil {
		t.Fatal(err)
	}
	logs(t, dir, 1, false)
	e := &episodes{stage: "s", steps: r.steps, host: r.host, hello: func() {}}
	if _, err := e.RunEpisode(ctx, bridge.Worker{}, sdk.EpisodeRequest{EpisodeID: "b", Split: sdk.SplitTrain, Step: 2}); err == nil {
		t.Error("an episode of a worker that is gone has a result")
	}
	if next, err := r.catchUp(t.Context()); err != nil || next != 2 {
		t.Errorf("the next step is %d, %v", next, err)
	}
	want := []string{"metrics 1 loss 1", "consumed 1 [{a TRAINED}]", "boundary 1 validated=false"}
	if diff := cmp.Diff(want, r.said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// goneHost is killed before it answers a boundary, some times.
type goneHost struct {
	boundaryHost
	silent *int
}

func (h goneHost) StepBoundary(ctx context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	if *h.silent--; *h.silent >= 0 {
		return nil, fmt.Errorf("%w: EOF", sdk.ErrUnavailable)
	}
	return h.boundaryHost.StepBoundary(ctx, req)
}

func (goneHost) RunEpisode(context.Context, sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	return &sdk.EpisodeResult{}, nil
}

// A host that is killed while a worker waits for its answer: an error would end verl before 0.9. The worker is asked to wait, for
// a later life of the adapter or for this one.
func TestEpisodes_AHostThatIsKilledFailsNoEpisode(t *testing.T) {
	dir := folder(t.TempDir())
	r, silent := newStepsRig(t, dir, 0, nil), 1
	r.host = goneHost{boundaryHost{said: &r.said}, &silent}
	logs(t, dir, 1, true)
	e := &episodes{stage: "s", steps: r.steps, host: r.host, hello: func() {}}
	if _, err := e.RunEpisode(t.Context(), bridge.Worker{}, sdk.EpisodeRequest{EpisodeID: "b", Split: sdk.SplitValidation, Step: 2}); err != nil {
		t.Errorf("the episode failed: %v", err)
	}
	want := []string{"metrics 1 loss 1", "consumed 1 []", "checkpoint 1 global_step_1", "boundary 1 validated=false"}
	if diff := cmp.Diff(want, r.said); diff != "" {
		t.Errorf("what the host was told, once (-want +got):\n%s", diff)
	}
	silent = 1000
	logs(t, dir, 2, true)
	ctx, leave := context.WithCancelCause(t.Context())
	leave(bridge.ErrGone) // we go ourselves
	if _, err := e.RunEpisode(ctx, bridge.Worker{}, sdk.EpisodeRequest{EpisodeID: "c", Split: sdk.SplitValidation, Step: 3}); err == nil {
		t.Error("an episode has a result without a host")
	}
}

// In the middle of an update of verl nobody asks for an episode, however long it takes.
func TestEpisodes_AWorkerThatComesBackSaysHello(t *testing.T) {
	r := newStepsRig(t, folder(t.TempDir()), 0, nil)
	ready := make(chan struct{})
	server, err := bridge.Listen(bridge.Options{
		Dir: t.TempDir(), Run: "run.i1", Epoch: 2, Handler: &episodes{steps: r.steps, hello: sync.OnceFunc(func() { close(ready) })},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	worker, err := bridgetest.Start(t.Context(), bridgetest.Options{EndpointFile: server.EndpointFile()})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-ready:
	case <-time.After(20 * time.Second):
		t.Error("the adapter waits for the hello of a worker that is there")
	}
	if err := worker.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
