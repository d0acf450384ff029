package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

func TestEpisodes_RunOverOneConnection(t *testing.T) {
	h, sampled := newHost(3), newSampler()
	s := listen(t, h, nil)
	w := work(t, s, bridgetest.Options{Framework: "verl", Version: "0.9", Node: "n1", PID: 7, Sample: sampled.sample})
	ids := names("e", 40)
	runAll(t, w, ids, 3)
	wantOnce(t, h, sampled, ids)
	if diff := cmp.Diff([]string{"verl"}, h.joined); diff != "" {
		t.Error(diff)
	}
	if err := w.Close(within(t)); err != nil {
		t.Error(err)
	}
	leftAsOftenAsJoined(t, s, h)
}

// leftAsOftenAsJoined waits until no worker is connected and Left was called for each call of Joined: a worker that
// did not receive the acknowledgement of its bye joins once more.
func leftAsOftenAsJoined(t *testing.T, s *bridge.Server, h *host) {
	t.Helper()
	eventually(t, "the session has ended", func() bool { return len(s.Workers()) == 0 })
	eventually(t, "Left is called", func() bool {
		return h.seen(func(h *host) bool { return len(h.left) > 0 && len(h.left) == len(h.joined) })
	})
	h.seen(func(h *host) bool {
		for _, reason := range h.left {
			if !strings.Contains(reason, "goodbye") {
				t.Errorf("it left with %q", reason)
			}
		}
		return true
	})
}

// silentConn is a connection that receives nothing after silent is set. Its reads wait until the peer closes it.
type silentConn struct {
	net.Conn
	silent *atomic.Bool
}

func (d silentConn) Read(p []byte) (int, error) {
	n, err := d.Conn.Read(p)
	if !d.silent.Load() {
		return n, err
	}
	_, _ = io.Copy(io.Discard, d.Conn)
	d.silent.Store(false)
	return 0, io.EOF
}

func TestBye_ResentAfterLostAcknowledgement(t *testing.T) {
	h, silent := newHost(1), &atomic.Bool{}
	s := listen(t, h, nil)
	w := work(t, s, bridgetest.Options{Sample: newSampler().sample,
		Dial: func(ctx context.Context, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
			return silentConn{conn, silent}, err
		}})
	runAll(t, w, names("e", 1), 1)
	silent.Store(true)
	if err := w.Close(within(t)); err != nil {
		t.Error(err)
	}
	leftAsOftenAsJoined(t, s, h)
	h.seen(func(h *host) bool {
		if len(h.joined) != 2 {
			t.Errorf("it joined %d times, want 2", len(h.joined))
		}
		return true
	})
}

func TestEpisodes_WaitInTheWorkerForCredits(t *testing.T) {
	h, sampled := newHost(2), newSampler()
	s := listen(t, h, func(o *bridge.Options) { o.Credits = 3 })
	w := work(t, s, bridgetest.Options{Sample: func(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse,
		error) {
		if open := s.Workers()[0].OpenEpisodes; open > 3 {
			return nil, fmt.Errorf("%d episodes are open", open)
		}
		return sampled.sample(ctx, req)
	}})
	ids := names("e", 20)
	runAll(t, w, ids, 2)
	wantOnce(t, h, sampled, ids)
}

func TestReports_OrderedBeforeBoundary(t *testing.T) {
	h := newHost(1)
	s := listen(t, h, nil)
	w := work(t, s, bridgetest.Options{Role: "trainer"})
	for step := range 5 {
		if err := w.Emit(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: step,
			Values: map[string]float64{"train/loss": float64(step) / 2}}}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.Boundary(within(t), "b1", sdk.StepBoundaryRequest{Stage: "main", Step: 4})
	if err != nil {
		t.Fatal(err)
	}
	want := &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue, Reason: "after 5 events"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for step, event := range h.events {
		want := &sdk.MetricsEvent{Step: step, Values: map[string]float64{"train/loss": float64(step) / 2}}
		if diff := cmp.Diff(want, event.Metrics); diff != "" {
			t.Error(diff)
		}
	}
}

func TestGenerate_CarriesTheWorkersErrors(t *testing.T) {
	for name, c := range map[string]struct {
		sample error
		want   *sdk.GenerateError
	}{
		"typed": {&sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "4096 of 4096"},
			&sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "4096 of 4096"}},
		"paused": {&sdk.GenerateError{Kind: sdk.GeneratePaused, Detail: "update"},
			&sdk.GenerateError{Kind: sdk.GeneratePaused, Detail: "update"}},
		"untyped": {errors.New("CUDA error"), &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: "CUDA error"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(1)
			s := listen(t, h, nil)
			w := work(t, s, bridgetest.Options{Sample: func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse,
				error) {
				return nil, c.sample
			}})
			_, err := w.RunEpisode(within(t), episode("e"))
			var failed *bridgetest.Failed
			if !errors.As(err, &failed) || failed.Code != "failed" || failed.Detail != c.want.Error() {
				t.Errorf("got %v, want failed: %v", err, c.want)
			}
		})
	}
}

func TestGenerate_UnknownEpisodeAborted(t *testing.T) {
	s := listen(t, newHost(1), nil)
	_, err := s.Generate(within(t), sdk.GenerateRequest{EpisodeID: "nobody's", CallID: "c"})
	var failure *sdk.GenerateError
	if !errors.As(err, &failure) || failure.Kind != sdk.GenerateAborted || !strings.Contains(failure.Detail, "nobody's") {
		t.Errorf("got %v, want aborted, with the episode", err)
	}
}

// blockedHandler is a host whose episodes wait for their end.
type blockedHandler struct {
	*host
	opened chan string
}

func (b blockedHandler) RunEpisode(ctx context.Context, _ bridge.Worker,
	req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	b.opened <- req.EpisodeID
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestGenerate_CancelledContext(t *testing.T) {
	b := blockedHandler{newHost(0), make(chan string, 1)}
	s := listen(t, b.host, func(o *bridge.Options) { o.Handler = b })
	started, ended := make(chan struct{}), make(chan struct{})
	w := work(t, s, bridgetest.Options{Sample: func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse,
		error) {
		close(started)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}})
	ctx, cancel := context.WithCancel(within(t))
	done := make(chan struct{})
	go func() { defer close(done); _, _ = w.RunEpisode(ctx, episode("e")) }()
	<-b.opened
	calling, hangUp := context.WithCancel(within(t))
	go func() { <-started; hangUp() }()
	if _, err := s.Generate(calling, sdk.GenerateRequest{EpisodeID: "e", CallID: "c"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a canceled context", err)
	}
	select {
	case <-ended:
	case <-within(t).Done():
		t.Error("the call of the worker was not canceled")
	}
	cancel()
	<-done
}

func TestGenerate_CallsWithTheSameIDShareAnAnswer(t *testing.T) {
	b, sampled := blockedHandler{newHost(0), make(chan string, 1)}, newSampler()
	s := listen(t, b.host, func(o *bridge.Options) { o.Handler = b })
	asked, release := make(chan struct{}), make(chan struct{})
	w := work(t, s, bridgetest.Options{Sample: func(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse,
		error) {
		close(asked)
		<-release
		return sampled.sample(ctx, req)
	}})
	ctx, cancel := context.WithCancel(within(t))
	done := make(chan struct{})
	go func() { defer close(done); _, _ = w.RunEpisode(ctx, episode("e")) }()
	<-b.opened
	answers := make(chan error, 3)
	ask := func(ctx context.Context) {
		_, err := s.Generate(ctx, sdk.GenerateRequest{EpisodeID: "e", CallID: "c"})
		answers <- err
	}
	impatient, hangUp := context.WithCancel(within(t))
	go ask(impatient)
	<-asked
	go ask(within(t))
	eventually(t, "two wait for the call", func() bool { return s.Waiting("e", "c") == 2 })
	hangUp() // the call continues for the other one
	if err := <-answers; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a canceled context", err)
	}
	close(release)
	if err := <-answers; err != nil {
		t.Error(err)
	}
	ask(within(t)) // later: the worker repeats the stored answer
	if err := <-answers; err != nil {
		t.Error(err)
	}
	cancel()
	<-done
}

func TestCancel_EndsTheContextOfTheEpisode(t *testing.T) {
	b := blockedHandler{newHost(0), make(chan string, 1)}
	causes := make(chan error, 1)
	s := listen(t, b.host, func(o *bridge.Options) {
		o.Handler = cancelRecorder{b, causes}
	})
	w := work(t, s, bridgetest.Options{})
	ctx, cancel := context.WithCancel(within(t))
	go func() { <-b.opened; cancel() }()
	if _, err := w.RunEpisode(ctx, episode("e")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a canceled episode", err)
	}
	var cancelled *bridge.Cancelled
	if err := <-causes; !errors.As(err, &cancelled) || cancelled.Reason != "context canceled" {
		t.Errorf("the host got %v, want a cancellation by the worker with a reason", err)
	}
	eventually(t, "the episode is closed", func() bool { return s.Workers()[0].OpenEpisodes == 0 })
}

// cancelRecorder records the cause of an episode's end.
type cancelRecorder struct {
	blockedHandler
	causes chan error
}

func (w cancelRecorder) RunEpisode(
	ctx context.Context, worker bridge.Worker, req sdk.EpisodeRequest,
) (*sdk.EpisodeResult, error) {
	result, err := w.blockedHandler.RunEpisode(ctx, worker, req)
	w.causes <- err
	return result, err
}

func TestControl_ReachesWorkersThatComeLater(t *testing.T) {
	h := newHost(1)
	s := listen(t, h, nil)
	ctx := within(t)
	follow := func() (bridgetest.Options, chan sdk.ControlAction) {
		got := make(chan sdk.ControlAction, 8)
		return bridgetest.Options{Control: func(r sdk.ControlRequest) { got <- r.Action }}, got
	}
	first, early := follow()
	work(t, s, first)
	for _, action := range []sdk.ControlAction{sdk.ControlPause, sdk.ControlCheckpointNow, sdk.ControlDrain} {
		if err := s.Control(ctx, action, "because"); err != nil {
			t.Fatal(err)
		}
		if got := <-early; got != action {
			t.Errorf("got %s, want %s", got, action)
		}
	}
	second, late := follow()
	work(t, s, second)
	for _, want := range []sdk.ControlAction{sdk.ControlPause, sdk.ControlDrain} {
		if got := <-late; got != want {
			t.Errorf("a later worker got %s, want %s", got, want)
		}
	}
	if err := s.Control(ctx, sdk.ControlResume, ""); err != nil {
		t.Fatal(err)
	}
	third, last := follow()
	work(t, s, third)
	if err := s.Control(ctx, sdk.ControlCheckpointNow, ""); err != nil {
		t.Fatal(err)
	}
	if got := <-last; got != sdk.ControlCheckpointNow {
		t.Errorf("after a resume the next worker got %s first, want nothing of before", got)
	}
	if err := s.Control(ctx, "dance", ""); err == nil {
		t.Error("an unknown action was accepted")
	}
}

func TestListen_RejectsInvalidOptions(t *testing.T) {
	good := bridge.Options{Dir: t.TempDir(), Run: "r", Epoch: 1, Handler: newHost(1)}
	for name, c := range map[string]struct {
		change func(*bridge.Options)
		want   string
	}{
		"no run":     {func(o *bridge.Options) { o.Run = "" }, "Options.Run"},
		"no epoch":   {func(o *bridge.Options) { o.Epoch = 0 }, "Options.Epoch"},
		"no handler": {func(o *bridge.Options) { o.Handler = nil }, "Options.Handler"},
		"open":       {func(o *bridge.Options) { o.Address = "0.0.0.0:0"; o.Advertise = []string{"a"} }, "set Options.TLS"},
		"everywhere": {func(o *bridge.Options) { o.Address = ":0"; o.TLS = true }, "Options.Advertise"},
		"no grace":   {func(o *bridge.Options) { o.Grace = time.Second }, "PingInterval"},
		"settings":   {func(o *bridge.Options) { o.Settings = map[string]any{"f": func() {}} }, "Options.Settings"},
	} {
		t.Run(name, func(t *testing.T) {
			o := good
			c.change(&o)
			s, err := bridge.Listen(o)
			if err == nil {
				closeServer(t, s)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %s", err, c.want)
			}
		})
	}
}

func TestEndpointFile_IsPrivateAndAdvertises(t *testing.T) {
	dir := t.TempDir()
	s := listen(t, newHost(1), func(o *bridge.Options) { o.Dir, o.Advertise = dir, []string{"login-1", "10.0.0.1:99"} })
	text, err := os.ReadFile(s.EndpointFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"format":"awhost.bridge/1"`, `"run":"full-1"`, `"epoch":1`, `"login-1:`,
		`"10.0.0.1:99"`, `"token_file":"bridge.token"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	token, err := os.ReadFile(filepath.Join(dir, "bridge.token"))
	if err != nil {
		t.Fatal(err)
	}
	if secret := strings.TrimSpace(string(token)); len(secret) != 64 || strings.Contains(string(text), secret) {
		t.Errorf("the token has %d characters, want 64, and must not be in the endpoint file", len(secret))
	}
	for _, name := range []string{"bridge.json", "bridge.token"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o, want 600", name, mode)
		}
	}
}
