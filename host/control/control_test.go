package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// limit is the timeout of operations that hang if they are broken.
const limit = 30 * time.Second

type rig struct {
	*control.Server
	socket string
	bus    *event.Bus
	asked  chan string
	waits  []control.Wait // the run's reported waits
}

func newRig(t *testing.T, config control.Config) *rig {
	t.Helper()
	dir, err := os.MkdirTemp("", "aw") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	r := &rig{socket: filepath.Join(dir, "control"), asked: make(chan string, 8)}
	config.Hello = control.Hello{Awhost: "0.1.0", Run: "quickstart-1", Dir: "/runs/quickstart-1", Incarnation: 1, PID: 42}
	config.Stop = func(now bool, source string) { r.asked <- fmt.Sprint(now, " ", source) }
	r.Server = control.NewServer(config)
	if err := r.Open(dir, func() []control.Wait { return r.waits }); err != nil {
		t.Fatal(err)
	}
	r.bus = event.NewBus(event.Config{Now: time.Now}, r.Server)
	r.bus.Identify("quickstart-1", 1)
	t.Cleanup(func() { r.end(t) })
	return r
}

// end does the same as the host at the end of the run.
func (r *rig) end(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), limit)
	defer cancel()
	if err := r.bus.Close(ctx); err != nil {
		t.Error(err)
	}
	r.Close(ctx)
}

func (r *rig) dial(t *testing.T) *control.Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	client, err := control.Dial(ctx, r.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func started() event.RunStarted {
	return event.RunStarted{
		Dir: "d", Mode: event.ModeResume, Step: 2, Plan: event.PlanSummary{TotalSteps: 9},
		Earlier: event.History{Rewards: []event.Point{{Step: 1, Value: 0.25}, {Step: 2, Value: 0.5}},
			Checkpoint: "d/checkpoints/step-000002"},
	}
}

// kinds formats the kinds of events, with the numbers of steps.
func kinds(events []event.Event) string {
	var out []string
	for _, e := range events {
		word := string(e.Payload.Kind())
		if p, ok := e.Payload.(event.StepFinished); ok {
			word = fmt.Sprintf("%s %d", word, p.Step)
		}
		out = append(out, word)
	}
	return strings.Join(out, "\n")
}

func TestANewcomerSeesTheWholeRun(t *testing.T) {
	r := newRig(t, control.Config{})
	seq := uint64(0)
	handle := func(p event.Payload) { // without the bus, which delivers asynchronously
		seq++
		r.Handle(event.Event{Seq: seq, Payload: p})
	}
	for _, p := range []event.Payload{
		started(), event.PluginState{Instance: "a", State: event.PluginStarting},
		event.PluginState{Instance: "a", State: event.PluginReady},
		event.StageStarted{Name: "main"}, event.Phase{Name: event.PhaseRollout, Step: 3, Done: 1},
		event.StepFinished{Step: 3, Reward: event.Known(0.75)},
	} {
		handle(p)
	}
	client := r.dial(t)
	var got []event.Event
	seen := make(chan struct{}, 100)
	var following sync.WaitGroup
	following.Go(func() {
		if err := client.Events(t.Context(), func(e event.Event) { got = append(got, e); seen <- struct{}{} }); err != nil {
			t.Error(err)
		}
	})
	<-seen // it has joined
	handle(event.StepFinished{Step: 4})
	handle(event.RunFinished{Outcome: event.RunCompleted})
	r.end(t)
	following.Wait()
	want := "run_started\nplugin_state\nstage_started\nphase\nstep_finished 3\nstep_finished 4\nrun_finished"
	if diff := cmp.Diff(want, kinds(got)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(started().Earlier, got[0].Payload.(event.RunStarted).Earlier); diff != "" {
		t.Error(diff)
	}
}

func TestStatusSaysHowFarTheRunIs(t *testing.T) {
	r := newRig(t, control.Config{})
	r.Handle(event.Event{Payload: started()})
	r.Handle(event.Event{Payload: event.StepFinished{Step: 5, Reward: event.Known(0.75)}})
	status, err := r.dial(t).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if reward, _ := status.Reward.Get(); status.Step != 5 || status.TotalSteps != 9 || reward != 0.75 || status.PID != 42 {
		t.Errorf("status %+v", status)
	}
}

func TestWaitsAreWhatTheRunSaysWhenItIsAsked(t *testing.T) {
	r := newRig(t, control.Config{})
	r.Handle(event.Event{Payload: event.StageStarted{Name: "main"}})
	r.Handle(event.Event{Payload: event.StepFinished{Step: 5}})
	client := r.dial(t)
	for _, want := range [][]control.Wait{
		{},
		{{
			Who: control.WaiterEpisodes, For: "environment", Address: "environment.a.b", Call: "Step",
			Episodes: 3, Seconds: 61.5, Episode: "e7", Task: "t1",
		}},
	} {
		r.waits = want
		got, err := client.Waits(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		stage := control.Activity{Stage: "main"}
		if diff := cmp.Diff(control.Waits{Type: "waits", Activity: stage, Step: 5, Waits: want}, got); diff != "" {
			t.Errorf("the answer is another (-want +got):\n%s", diff)
		}
	}
}

// The time of a phase counts from its first event, and starts again when the phase does.
func TestWaits_HaveTheProgressOfAPhase(t *testing.T) {
	r := newRig(t, control.Config{})
	client := r.dial(t)
	now := time.Now()
	tell := func(ago time.Duration, p event.Phase) {
		p.Stage, p.Total = "main", 400
		r.Handle(event.Event{Time: now.Add(-ago), Payload: p})
	}
	warm := func(done int, ago time.Duration, ended bool) {
		tell(ago, event.Phase{Name: event.PhaseWarmStart, Done: done, Ended: ended})
	}
	rollout := func(step, done int, ago time.Duration) {
		tell(ago, event.Phase{Name: event.PhaseRollout, Step: step, Done: done})
	}
	for _, c := range []struct {
		tell         func()
		phase        string
		done         int
		secondsLeast float64
	}{
		{func() { warm(0, time.Hour, false); warm(100, 0, false) }, "warm_start", 100, 3600},
		{func() { warm(5, time.Minute, false) }, "warm_start", 5, 60},
		{func() { warm(400, 0, true) }, "", 0, 0},
		{func() { rollout(1, 3, 2*time.Hour); rollout(2, 8, time.Hour); rollout(2, 9, 0) }, "rollout", 9, 3600},
	} {
		c.tell()
		got, err := client.Waits(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Phase != c.phase || got.PhaseDone != c.done || got.PhaseSeconds < c.secondsLeast ||
			(got.PhaseTotal == 400) != (c.phase != "") || (got.PhaseSeconds > 0) != (c.phase != "") {
			t.Errorf("%+v, want %+v", got.Activity, c)
		}
	}
}

func TestStopTellsTheHost(t *testing.T) {
	r := newRig(t, control.Config{})
	client := r.dial(t)
	for _, now := range []bool{false, true} {
		if err := client.Stop(t.Context(), now, "awhost stop"); err != nil {
			t.Fatal(err)
		}
		if got, want := <-r.asked, fmt.Sprint(now, " awhost stop"); got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
	}
}

func TestWhoDoesNotKeepUpIsDroppedAndDelaysNobody(t *testing.T) {
	r := newRig(t, control.Config{Queue: 8, Patience: 200 * time.Millisecond})
	stuck, err := net.Dial("unix", r.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	if _, err := stuck.Write([]byte(`{"request":"events"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	r.awaitAttached(t, 1)
	long := strings.Repeat("x", 64<<10)
	for range 2000 { // far more than the buffers between the two hold
		r.Handle(event.Event{Time: time.Now(), Payload: event.Log{Message: long}})
	}
	r.awaitAttached(t, 0)
	if _, err := r.dial(t).Status(t.Context()); err != nil {
		t.Error(err)
	}
}

func (r *rig) awaitAttached(t *testing.T, n int) {
	t.Helper()
	client := r.dial(t)
	end := time.Now().Add(limit)
	for time.Now().Before(end) {
		status, err := client.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if status.Attached == n {
			return
		}
	}
	t.Fatalf("not %d attached within %s", n, limit)
}

func TestManyAttachAndLeave(t *testing.T) {
	r := newRig(t, control.Config{})
	r.bus.Publish(started())
	var following sync.WaitGroup
	for i := range 10 {
		client := r.dial(t)
		ctx, cancel := context.WithCancel(t.Context())
		following.Go(func() {
			defer cancel()
			last := 0
			err := client.Events(ctx, func(e event.Event) {
				if p, ok := e.Payload.(event.StepFinished); ok {
					if last = p.Step; i%2 == 1 && last == 20 {
						cancel() // every other one leaves
					}
				}
			})
			if i%2 == 0 && (err != nil || last != 50) || i%2 == 1 && !errors.Is(err, context.Canceled) {
				t.Errorf("client %d: step %d, error %v", i, last, err)
			}
		})
	}
	r.awaitAttached(t, 10)
	for step := range 50 {
		r.bus.Publish(event.StepFinished{Step: step + 1})
	}
	r.end(t)
	following.Wait()
}

func TestNonsenseIsAnsweredAndEndsTheConnection(t *testing.T) {
	r := newRig(t, control.Config{})
	for _, nonsense := range []string{"\x00\xff\n", "{}\n", "[1]\n", `{"request":"fly"}` + "\n",
		strings.Repeat("x", 100<<10)} {
		conn, err := net.Dial("unix", r.socket)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(nonsense)) // it may be refused before it is complete
		in := bufio.NewScanner(conn)
		in.Scan() // hello
		var answer struct{ Type, Message string }
		if !in.Scan() || json.Unmarshal(in.Bytes(), &answer) != nil || answer.Type != "error" || answer.Message == "" {
			t.Errorf("%.20q: answered %q, %v", nonsense, in.Text(), in.Err())
		}
		if in.Scan() {
			t.Errorf("%.20q: then %q", nonsense, in.Text())
		}
		_ = conn.Close()
	}
	if _, err := r.dial(t).Status(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestASilentHostIsNamed(t *testing.T) {
	dir, err := os.MkdirTemp("", "aw")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "control")) // it never answers, like a stopped process
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = control.Dial(ctx, listener.Addr().String())
	var silent *control.SilentError
	if !errors.As(err, &silent) {
		t.Errorf("error %v", err)
	}
}

func TestALongRunIsRememberedInBoundedSpace(t *testing.T) {
	r := newRig(t, control.Config{})
	const steps = 50_000
	r.Handle(event.Event{Seq: 1, Payload: started()})
	for step := range steps {
		r.Handle(event.Event{Seq: uint64(2 * step), Payload: event.StepFinished{Step: step + 1, Episodes: 3,
			Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 3}}})
		r.Handle(event.Event{Seq: uint64(2*step + 1), Payload: event.Log{Message: "line"}})
	}
	client := r.dial(t)
	episodes, scored, events := 0, 0, 0
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_ = client.Events(ctx, func(e event.Event) {
		events++
		if p, ok := e.Payload.(event.StepFinished); ok {
			episodes, scored = episodes+p.Episodes, scored+p.Outcomes[sdk.OutcomeScored]
			if p.Step == steps {
				cancel()
			}
		}
	})
	if episodes != 3*steps || scored != 3*steps || events > 4000 {
		t.Errorf("%d episodes, %d scored in %d events", episodes, scored, events)
	}
}

func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"request":"status"}`))
	f.Add([]byte(`{"request":"stop","now":"yes"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r := newRig(t, control.Config{})
		conn, err := net.Dial("unix", r.socket)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = conn.Write(append(line, '\n'))
		if _, err := r.dial(t).Status(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
