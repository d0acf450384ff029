package verl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
	"github.com/awhost/awhost/sdk/outliving"
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
	if _, err := workerOf(t, e).RunEpisode(t.Context(), sdk.EpisodeRequest{EpisodeID: "b", Split: sdk.SplitValidation, Step: 2}); err != nil {
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
	if _, err := e.RunEpisode(ctx, bridge.Worker{}, sdk.EpisodeRequest{EpisodeID: "c", Split: sdk.SplitValidation, Step: 3}); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("an episode without a host ends with %v", err)
	}
}

// workerOf is a worker of verl's that is served by e.
func workerOf(t *testing.T, e *episodes) *bridgetest.Worker {
	t.Helper()
	server, err := bridge.Listen(bridge.Options{Dir: t.TempDir(), Run: "run.i1", Epoch: 1, Handler: e})
	if err != nil {
		t.Fatal(err)
	}
	worker, err := bridgetest.Start(t.Context(), bridgetest.Options{EndpointFile: server.EndpointFile()})
	t.Cleanup(func() {
		if worker != nil {
			worker.Kill()
		}
		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return worker
}

// scoringHost gives every episode a reward.
type scoringHost struct{ boundaryHost }

func (scoringHost) RunEpisode(_ context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	reward := 1.0
	return &sdk.EpisodeResult{EpisodeID: req.EpisodeID, Outcome: sdk.OutcomeScored, Reward: &reward, Chains: []sdk.ChainResult{{Chain: "c", Train: true}}}, nil
}

// A worker tells the tokens of an episode where the spec wants them, and the host hears of them at the step that
// trains it.
func TestEpisodes_TokensAreToldAtTheirStep(t *testing.T) {
	for name, numbered := range map[string]bool{"verl 0.9": false, "verl before": true} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t.TempDir())
			r := newStepsRig(t, dir, 0, nil)
			r.tokens.Every = 2
			e := &episodes{stage: "s", steps: r.steps, host: scoringHost{}, hello: func() {}}
			if numbered {
				e.groups = newGroups(dir, &r.keeper)
			}
			if err := r.began(t.Context(), false); err != nil {
				t.Fatal(err)
			}
			for step := 1; step <= 2; step++ {
				id := fmt.Sprintf("g%d/0", step)
				req := sdk.EpisodeRequest{
					EpisodeID: id, GroupID: fmt.Sprint("g", step), GroupSize: 1, Split: sdk.SplitTrain, Step: step,
				}
				result, err := e.RunEpisode(t.Context(), bridge.Worker{}, req)
				if err != nil {
					t.Fatal(err)
				}
				if wanted := result.Metrics["awhost/tokens"] == 1; wanted != (step == 2) {
					t.Errorf("step %d: tokens are wanted: %t", step, wanted)
				}
				told := sdk.TrainEvent{Tokens: &sdk.TokensEvent{Rows: []sdk.TokensRow{{EpisodeID: id, IDs: []int32{1}}}}}
				if err := e.Event(t.Context(), bridge.Worker{}, told); err != nil {
					t.Fatal(err)
				}
				logs(t, dir, step, false)
				if _, err := r.catchUp(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			want := []string{
				"boundary 0 validated=false", "metrics 1 loss 1", "consumed 1 [{g1/0 TRAINED}]", "boundary 1 validated=false",
				"metrics 2 loss 2", "tokens 2 of g2/0", "consumed 2 [{g2/0 TRAINED}]", "boundary 2 validated=false",
			}
			if diff := cmp.Diff(want, r.said); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// On a full disk verl waits for its results until they can be kept, whatever file it is, and what it hears then is what is on disk.
func TestEpisodes_AFullDiskFailsNone(t *testing.T) {
	for name, groups := range map[string]bool{"verl 0.9": false, "verl before": true} {
		for _, full := range []func(folder) string{folder.episodes, folder.slots} {
			t.Run(name+" "+filepath.Base(full("")), func(t *testing.T) {
				if !groups && filepath.Base(full("")) == filepath.Base(folder.slots("")) {
					t.Skip("it has no such file")
				}
				dir := folder(t.TempDir())
				r := newStepsRig(t, dir, 0, nil)
				e := &episodes{stage: "s", steps: r.steps, host: scoringHost{}, hello: func() {}}
				if groups {
					e.groups = newGroups(dir, &r.keeper)
				}
				if err := os.Symlink("/dev/full", full(dir)); err != nil {
					t.Fatal(err)
				}
				worker := workerOf(t, e)
				type answer struct {
					result *sdk.EpisodeResult
					err    error
				}
				answers := make(chan answer, 4)
				for sample := range 4 {
					go func() {
						id := fmt.Sprintf("g/%d", sample)
						result, err := worker.RunEpisode(t.Context(), sdk.EpisodeRequest{EpisodeID: id, GroupID: "g", GroupSize: 4, SampleIndex: sample, Split: sdk.SplitTrain, Step: 1})
						answers <- answer{result, err}
					}()
				}
				for r.keeper.Trouble() == nil {
					runtime.Gosched()
				}
				select {
				case a := <-answers:
					t.Fatalf("nothing can be kept, and the worker hears %+v, %v", a.result, a.err)
				default:
				}
				if err := os.Remove(full(dir)); err != nil { // there is space again
					t.Fatal(err)
				}
				for range 4 {
					if a := <-answers; a.err != nil || a.result.Reward == nil {
						t.Errorf("with space again it hears %+v, %v", a.result, a.err)
					}
				}
				kept, err := outliving.Lines[finished](dir.episodes())
				slots := map[int]bool{}
				for _, f := range kept {
					slots[f.Slot] = true
				}
				if err != nil || len(kept) != 4 || len(slots) != 4 || r.keeper.Trouble() != nil {
					t.Errorf("on disk are %v (%v), and %v", kept, err, r.keeper.Trouble())
				}
			})
		}
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
