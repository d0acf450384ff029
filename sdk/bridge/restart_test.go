package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

// stuckHandler is a host that accepts reports and never finishes them.
type stuckHandler struct{ blockedHandler }

func (s stuckHandler) Event(ctx context.Context, _ bridge.Worker, _ sdk.TrainEvent) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestRestart_WorkerRepeatsOpenRequests(t *testing.T) {
	before := stuckHandler{blockedHandler{newHost(0), make(chan string, 4)}}
	dir := t.TempDir()
	first := listen(t, before.host, func(o *bridge.Options) { o.Dir, o.Handler = dir, before })
	sampled := newSampler()
	w := work(t, first, bridgetest.Options{Sample: sampled.sample})

	if err := first.Control(within(t), sdk.ControlPause, "so that the worker has received something"); err != nil {
		t.Fatal(err)
	}
	ids := names("e", 4)
	finished := make(chan struct{})
	go func() { defer close(finished); runAll(t, w, ids, 2) }()
	for range ids {
		<-before.opened
	}
	if err := w.Emit(sdk.TrainEvent{Log: &sdk.LogEvent{Message: "0"}}); err != nil {
		t.Fatal(err)
	}
	var boundary sync.WaitGroup
	boundary.Go(func() {
		response, err := w.Boundary(within(t), "b0", sdk.StepBoundaryRequest{Step: 3})
		if err != nil || response.Reason != "after 1 events" {
			t.Errorf("got %v, %v, want an answer after 1 events", response, err)
		}
	})
	eventually(t, "the first epoch samples a call", func() bool {
		_, err := first.Generate(within(t), sdk.GenerateRequest{EpisodeID: ids[0], CallID: ids[0] + "/c0"})
		return err == nil
	})
	closeServer(t, first)

	h := newHost(2)
	second := listen(t, h, func(o *bridge.Options) { o.Dir, o.Epoch = dir, 2 })
	<-finished
	boundary.Wait()
	if first.Addr() != second.Addr() {
		t.Errorf("the restarted server listens on %s, want the port of %s", second.Addr(), first.Addr())
	}
	if w.Restarts() != 1 {
		t.Errorf("the worker restarted %d times, want once", w.Restarts())
	}
	if got := sampled.calls[ids[0]+"/c0"]; got != 2 {
		t.Errorf("the call that both epochs made was sampled %d times, want once for each", got)
	}
	if diff := cmp.Diff([]int{3}, h.steps); diff != "" {
		t.Error(diff)
	}
}

// A hello_ack with resumed: false may be lost. The worker then sends hello as before, with the count received from
// the previous adapter. The server must not use that count.
func TestRestart_SurvivesALostHelloAck(t *testing.T) {
	for _, bytes := range []int64{1, 40, 120} {
		t.Run(fmt.Sprint(bytes, " bytes of it arrive"), func(t *testing.T) {
			before := blockedHandler{newHost(0), make(chan string, 1)}
			dir := t.TempDir()
			proxy := newCuttingProxy(t, nil)
			t.Cleanup(proxy.close) // after the cleanups of the worker and the servers
			place := func(o *bridge.Options) { o.Dir, o.Advertise = dir, []string{proxy.listener.Addr().String()} }
			first := listen(t, before.host, func(o *bridge.Options) { place(o); o.Handler = before })
			proxy.serve(first.Addr())
			ordered := make(chan sdk.ControlAction, 8)
			w := work(t, first, bridgetest.Options{Sample: newSampler().sample,
				Control: func(r sdk.ControlRequest) { ordered <- r.Action }})
			finished := make(chan struct{})
			go func() { defer close(finished); runAll(t, w, []string{"e"}, 2) }()
			<-before.opened
			for range 3 {
				if err := first.Control(within(t), sdk.ControlCheckpointNow, ""); err != nil {
					t.Fatal(err)
				}
				<-ordered
			}
			proxy.mu.Lock()
			proxy.plan = []connectionCut{{down: bytes}, {down: bytes}, {down: bytes}}
			proxy.mu.Unlock()
			closeServer(t, first)
			h := newHost(2)
			listen(t, h, func(o *bridge.Options) { place(o); o.Epoch = 2 })
			<-finished
			if proxy.made() < 3 {
				t.Errorf("%d connections were cut, want 3", proxy.made())
			}
		})
	}
}

func TestListen_RejectsEarlierEpoch(t *testing.T) {
	dir := t.TempDir()
	closeServer(t, listen(t, newHost(1), func(o *bridge.Options) { o.Dir, o.Epoch = dir, 5 }))
	_, err := bridge.Listen(bridge.Options{Dir: dir, Run: "full-1", Epoch: 5, Handler: newHost(1)})
	if err == nil || !strings.Contains(err.Error(), "epoch 5") {
		t.Errorf("got %v, want an error about epoch 5", err)
	}
}

func TestGrace_EndsEpisodesOfAbsentWorker(t *testing.T) {
	b := blockedHandler{newHost(0), make(chan string, 1)}
	causes := make(chan error, 1)
	s := listen(t, b.host, func(o *bridge.Options) {
		o.Handler, o.PingInterval, o.Grace = cancelRecorder{b, causes}, 20*time.Millisecond, 80*time.Millisecond
	})
	asked, gone := make(chan struct{}), make(chan struct{})
	w := work(t, s, bridgetest.Options{Framework: "areal",
		Sample: func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			close(asked)
			<-gone // a killed worker no longer answers
			return nil, ctx.Err()
		}})
	go func() { _, _ = w.RunEpisode(within(t), episode("e")) }()
	<-b.opened
	go func() { <-asked; w.Kill() }()
	_, err := s.Generate(within(t), sdk.GenerateRequest{EpisodeID: "e", CallID: "c"})
	close(gone)
	var failure *sdk.GenerateError
	if !errors.As(err, &failure) || failure.Kind != sdk.GenerateAborted {
		t.Errorf("got %v, want aborted", err)
	}
	if err := <-causes; !errors.Is(err, bridge.ErrGone) {
		t.Errorf("the episode ended with %v, want an error about the disconnected worker", err)
	}
	eventually(t, "Left is called", func() bool {
		return b.seen(func(h *host) bool { return len(h.left) == 1 && strings.Contains(h.left[0], "no connection for 80ms") })
	})
	if workers := s.Workers(); len(workers) != 0 {
		t.Errorf("%v are left", workers)
	}
}

func TestEpisode_LastWorkerTakesOver(t *testing.T) {
	b := blockedHandler{newHost(0), make(chan string, 2)}
	causes := make(chan error, 2)
	s := listen(t, b.host, func(o *bridge.Options) { o.Handler = cancelRecorder{b, causes} })
	sampled := newSampler()
	old := work(t, s, bridgetest.Options{})
	failure := make(chan error, 1)
	go func() { _, err := old.RunEpisode(within(t), episode("e")); failure <- err }()
	<-b.opened
	fresh := work(t, s, bridgetest.Options{Sample: sampled.sample})
	ctx, cancel := context.WithCancel(within(t))
	done := make(chan struct{})
	go func() { defer close(done); _, _ = fresh.RunEpisode(ctx, episode("e")) }()
	<-b.opened
	var failed *bridgetest.Failed
	if err := <-failure; !errors.As(err, &failed) || failed.Code != "taken" {
		t.Errorf("the first worker got %v, want an error about the other worker", err)
	}
	if err := <-causes; !errors.Is(err, bridge.ErrTaken) {
		t.Errorf("the first run ended with %v, want an error about the other worker", err)
	}
	if _, err := s.Generate(within(t), sdk.GenerateRequest{EpisodeID: "e", CallID: "c"}); err != nil ||
		sampled.calls["c"] != 1 {
		t.Errorf("got %v, want a sample of the second worker", err)
	}
	cancel()
	<-done
}

// Events that were reported before the restart and not acknowledged must come again; acknowledged ones must not.
func TestRestart_RepeatsOnlyUndeliveredEvents(t *testing.T) {
	dir := t.TempDir()
	early := newHost(0)
	first := listen(t, early, func(o *bridge.Options) { o.Dir = dir })
	w := work(t, first, bridgetest.Options{})
	emit := func(text string) {
		t.Helper()
		if err := w.Emit(sdk.TrainEvent{Log: &sdk.LogEvent{Message: text}}); err != nil {
			t.Fatal(err)
		}
	}
	emit("handed on")
	eventually(t, "the worker has its acknowledgement", func() bool { return w.Unacknowledged() == 0 })
	closeServer(t, first)
	emit("during the outage")
	late := newHost(0)
	listen(t, late, func(o *bridge.Options) { o.Dir, o.Epoch = dir, 2 })
	eventually(t, "the event arrives", func() bool { return late.seen(func(h *host) bool { return len(h.events) == 1 }) })
	if got := []string{early.events[0].Log.Message, late.events[0].Log.Message}; got[0] != "handed on" ||
		got[1] != "during the outage" {
		t.Errorf("got %v", got)
	}
}
