package areal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/outliving"
	"github.com/awhost/awhost/sdk/process"
)

// listener is a host that goes on after each step, and keeps what it is told.
type listener struct {
	sdk.Host
	mu     sync.Mutex
	events []sdk.TrainEvent
	asked  []int // boundaries
}

func (l *listener) StepBoundary(_ context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, req.Step)
	return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue}, nil
}

func (l *listener) RunEpisode(_ context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	return scored(req.EpisodeID, float64(req.SampleIndex)), nil
}

func (l *listener) emit(e sdk.TrainEvent) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	return nil
}

// heard are the events in short, in order.
func (l *listener) heard() (out []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		switch {
		case e.Handle != nil:
			out = append(out, "handle")
		case e.Log != nil:
			out = append(out, "log")
		case e.Metrics != nil:
			out = append(out, fmt.Sprint("metrics ", e.Metrics.Step))
		case e.Consumed != nil:
			out = append(out, fmt.Sprint("consumed ", e.Consumed.Step, " of ", e.Consumed.Episodes))
		case e.Finished != nil:
			out = append(out, "finished "+string(e.Finished.Outcome))
		}
	}
	return out
}

// launched is a launch whose AReaL is a process that only waits, and whose driver is a worker of the test.
type launched struct {
	*record
	parent string // folder of the plugin
	dir    folder
}

func newLaunched(t *testing.T) *launched {
	t.Helper()
	parent := t.TempDir()
	req := sdk.TrainRequest{LaunchID: "stage" + strings.ReplaceAll(parent, "/", "."), Stage: "main", FirstStep: 1}
	s := &launched{parent: parent, record: &record{
		Record: stage.NewRecord(recordFormat, req), Release: "1.0.4", Mode: modeWorkflow, Prompts: 1, GroupSize: 2,
		Local: true,
	}}
	s.dir = folder(newAdapter(config{}, sdk.Setup{Dir: parent}).Folder(req.LaunchID))
	if err := os.MkdirAll(string(s.dir), 0o755); err != nil {
		t.Fatal(err)
	}
	var processes outliving.Processes
	id, err := processes.Start(outliving.Command{
		LaunchID: s.Request.LaunchID, Argv: []string{"/bin/sleep", "600"}, Env: os.Environ(), Dir: string(s.dir), LogFile: s.dir.log(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Process = &id
	t.Cleanup(func() {
		if err := processes.Stop(t.Context(), s.Request.LaunchID, id, 0); err != nil {
			t.Error(err)
		}
	})
	if err := s.write(); err != nil {
		t.Fatal(err)
	}
	return s
}

// write writes the record as an older adapter did, with a process instead of a job.
func (s *launched) write() error { return outliving.Replace(s.dir.record(), s.record) }

// life is one life of the adapter.
type life struct {
	*listener
	adapter *adapter
	leave   context.CancelCauseFunc
	ended   chan error
}

// recovers starts a life that takes the launch up after an event.
func (s *launched) recovers(t *testing.T, after uint64, handle []byte) *life {
	t.Helper()
	c := config{Placement: launch.Placement{
		StartTimeout: "1m", StopTimeout: "1m", AbsenceTimeout: "10m", UnreachableTimeout: "1m",
	}}
	l := &life{listener: &listener{}, adapter: newAdapter(c, sdk.Setup{Dir: s.parent}), ended: make(chan error, 1)}
	var ctx context.Context
	ctx, l.leave = context.WithCancelCause(t.Context())
	go func() {
		l.ended <- l.adapter.Recover(ctx, sdk.RecoverRequest{LaunchID: s.Request.LaunchID, Handle: handle, AfterSeq: after}, l, l.emit)
	}()
	return l
}

// rollout is who samples.
var rollout = bridge.Worker{Role: "rollout"}

var errKilled = errors.New("killed")

func (l *life) dies(t *testing.T) {
	t.Helper()
	l.leave(errKilled)
	if err := <-l.ended; !errors.Is(err, errKilled) {
		t.Errorf("it ended with %v", err)
	}
}

// driver connects as AReaL's driver does.
func (s *launched) driver(t *testing.T, role string) *bridgetest.Worker {
	t.Helper()
	w, err := bridgetest.Start(t.Context(), bridgetest.Options{
		EndpointFile: filepath.Join(s.dir.bridge(), "bridge.json"), Role: role, Framework: "areal", Version: "1.0.4", Patience: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) }) // its context has ended: nobody answers a goodbye
	return w
}

// step is what the driver says of a step, with the boundary behind it.
func (s *launched) step(t *testing.T, w *bridgetest.Worker, number int) {
	t.Helper()
	s.says(t, w, number)
	req := sdk.StepBoundaryRequest{LaunchID: s.Request.LaunchID, Stage: "main", Step: number}
	if _, err := w.Boundary(t.Context(), fmt.Sprint("b", number), req); err != nil {
		t.Fatal(err)
	}
}

func (s *launched) says(t *testing.T, w *bridgetest.Worker, number int) {
	t.Helper()
	events := []sdk.TrainEvent{
		{Seq: uint64(2*number - 1), Metrics: &sdk.MetricsEvent{Step: number}},
		{Seq: uint64(2 * number), Consumed: &sdk.ConsumedEvent{Step: number, Episodes: []sdk.ConsumedEpisode{{EpisodeID: request(number, 0).EpisodeID}}}},
	}
	for _, e := range events {
		if err := w.Emit(e); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *launched) plays(t *testing.T, w *bridgetest.Worker, group int) {
	t.Helper()
	for slot := range 2 {
		req := request(group, slot)
		req.Step = group
		if _, err := w.RunEpisode(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRecover_TheHostHearsAgainWhatItForgot(t *testing.T) {
	s := newLaunched(t)
	first := s.recovers(t, 0, []byte(s.dir))
	driver, worker := s.driver(t, roleTrainer), s.driver(t, "rollout")
	s.plays(t, worker, 1)
	s.step(t, driver, 1)
	s.plays(t, worker, 2)
	first.dies(t)

	// The host has acted on the boundary of step 1, behind two events. Step 2 was played before, and is reported to the second life.
	second := s.recovers(t, 2, nil)
	s.step(t, driver, 2)
	second.dies(t)
	use := func(group int) string {
		return fmt.Sprintf("[{d%d/s0 TRAINED} {d%d/s1 TRAINED}]", group, group)
	}
	step2 := []string{"metrics 2", "consumed 2 of " + use(2)}
	if diff := cmp.Diff(step2, second.heard()); diff != "" {
		t.Errorf("the second life says (-want +got):\n%s", diff)
	}

	// The third learns that the host has forgotten step 2, and hears from the driver, which does not know that it was heard, of it again.
	third := s.recovers(t, 2, nil)
	s.step(t, driver, 2)
	if err := driver.Emit(sdk.TrainEvent{Seq: 5, Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: 2}}); err != nil {
		t.Fatal(err)
	}
	current, err := third.adapter.Current()
	if err != nil {
		t.Fatal(err)
	}
	<-current.Trainer.Finishing()
	third.dies(t)
	if diff := cmp.Diff(step2, third.heard()); diff != "" {
		t.Errorf("the third life says (-want +got):\n%s", diff)
	}

	// AReaL ends while nobody looks. How was said before.
	var processes outliving.Processes
	if err := processes.Stop(t.Context(), s.Request.LaunchID, *s.Process, 0); err != nil {
		t.Fatal(err)
	}
	last := s.recovers(t, 4, nil)
	if err := <-last.ended; err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"finished completed"}, last.heard()); diff != "" {
		t.Errorf("the last life says (-want +got):\n%s", diff)
	}
}

func TestRecover_WithoutATrainer(t *testing.T) {
	a := newAdapter(config{}, sdk.Setup{Dir: t.TempDir()})
	err := a.Recover(t.Context(), sdk.RecoverRequest{LaunchID: "never"}, nil, nil)
	if !errors.Is(err, sdk.ErrNoTrainer) {
		t.Errorf("of a launch that nobody began: %v", err)
	}
	s := newLaunched(t)
	if err := os.WriteFile(s.dir.log(), []byte("RuntimeError: no more memory\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var processes outliving.Processes
	if err := processes.Stop(t.Context(), s.Request.LaunchID, *s.Process, 0); err != nil {
		t.Fatal(err)
	}
	err = <-s.recovers(t, 0, nil).ended
	if !errors.Is(err, sdk.ErrNoTrainer) || !strings.Contains(err.Error(), "no more memory") {
		t.Errorf("of one that is gone: %v", err)
	}
}

// The plugin died between the start of AReaL and the note of it.
// The host may ask for a message as soon as it has called Recover: it has episodes open, and the bridge is not there yet.
func TestRecover_AMessageThatIsAskedForTooEarlyIsAborted(t *testing.T) {
	s := newLaunched(t)
	l := s.recovers(t, 0, nil)
	for opened := false; !opened; {
		_, err := l.adapter.Generate(t.Context(), sdk.GenerateRequest{EpisodeID: "d1/s0", CallID: "c"})
		var refused *sdk.GenerateError
		if !errors.As(err, &refused) || refused.Kind != sdk.GenerateAborted {
			t.Fatalf("Generate: %v", err)
		}
		opened = !strings.Contains(refused.Detail, "AReaL is not running")
	}
	l.dies(t)
}

func TestControl_OfALaunchThatNobodyTrains(t *testing.T) {
	err := newAdapter(config{}, sdk.Setup{}).Control(t.Context(), sdk.ControlRequest{LaunchID: "other", Action: sdk.ControlAbort})
	if !errors.Is(err, sdk.ErrNoTrainer) || !strings.Contains(err.Error(), "launch other is not being trained") {
		t.Errorf("the error is %v", err)
	}
}

func TestRecover_FindsATrainerByItsMark(t *testing.T) {
	s := newLaunched(t)
	id := *s.Process
	s.Process = nil
	if err := s.write(); err != nil {
		t.Fatal(err)
	}
	l := s.recovers(t, 0, nil)
	s.step(t, s.driver(t, roleTrainer), 1)
	for l.adapter.Control(t.Context(), sdk.ControlRequest{LaunchID: s.Request.LaunchID, Action: sdk.ControlAbort, Reason: "enough"}) != nil {
		time.Sleep(time.Millisecond)
	}
	if err := <-l.ended; err != nil {
		t.Fatal(err)
	}
	if process.Alive(id) {
		t.Error("an aborted trainer lives")
	}
	if diff := cmp.Diff([]string{"metrics 1", "consumed 1 of []", "finished failed"}, l.heard()); diff != "" {
		t.Errorf("it says (-want +got):\n%s", diff)
	}
}

func TestRecord_HoldsNoSecretAndRefusesAnotherFormat(t *testing.T) {
	s := newLaunched(t)
	s.Request.Config, s.Request.Knobs.Env = []byte(`{"key":"hush"}`), map[string]string{"WANDB_API_KEY": "hush"}
	s.Record = stage.NewRecord(recordFormat, s.Request)
	if err := s.write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.dir.record())
	if err != nil || strings.Contains(string(text), "hush") {
		t.Errorf("the record is %s, %v", text, err)
	}
	if err := os.WriteFile(s.dir.record(), []byte(`{"format":"awhost.areal/9"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readRecord(s.dir); err == nil || !strings.Contains(err.Error(), "awhost.areal/9") {
		t.Errorf("a record of tomorrow: %v", err)
	}
}

// An episode that its worker cannot use was counted as trained when it was over.
func TestRelay_WhatAWorkerCannotUse(t *testing.T) {
	var halted []stage.Ending
	var emitted []sdk.TrainEvent
	r := relayOf(t, &record{Prompts: 1, GroupSize: 2}, &listener{}, func(e sdk.TrainEvent) { emitted = append(emitted, e) })
	r.Stop = func(e stage.Ending) { halted = append(halted, e) }
	play := func(group, slot int, lost bool) {
		t.Helper()
		req := request(group, slot)
		req.Step = 1
		if _, err := r.RunEpisode(t.Context(), rollout, req); err != nil {
			t.Fatal(err)
		}
		if !lost {
			return
		}
		for _, e := range []sdk.TrainEvent{
			{Log: &sdk.LogEvent{Level: "warn", Message: "episode " + req.EpisodeID + " cannot be used: KeyError: x"}},
			{Consumed: &sdk.ConsumedEvent{Episodes: []sdk.ConsumedEpisode{{EpisodeID: req.EpisodeID, Use: sdk.ConsumedLost}}}},
		} {
			if err := r.Event(t.Context(), rollout, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	play(1, 0, true)
	play(1, 1, false) // its group is trained
	play(2, 0, true)
	play(2, 1, true) // nothing is left of its group
	want := []sdk.ConsumedEpisode{
		{EpisodeID: "d1/s0", Use: sdk.ConsumedLost}, {EpisodeID: "d1/s1", Use: sdk.ConsumedTrained},
		{EpisodeID: "d2/s0", Use: sdk.ConsumedLost}, {EpisodeID: "d2/s1", Use: sdk.ConsumedLost},
	}
	if diff := cmp.Diff(want, used(r.uses, sdk.ConsumedEpisode{EpisodeID: "d1/s0"})); diff != "" {
		t.Errorf("consumed (-want +got):\n%s", diff)
	}
	if len(emitted) != 3 || emitted[0].Log == nil {
		t.Errorf("the host hears %+v; want three warnings", emitted)
	}
	for i := 3; len(halted) == 0 && i < 100; i++ {
		play(i, 1, false) // with a reward: nothing fails in a row
		play(i, 0, true)
	}
	if len(halted) != 1 || halted[0].Outcome != sdk.FinishedHalted ||
		!strings.Contains(halted[0].Reason, "32 episodes of one step cannot be used") ||
		!strings.Contains(halted[0].Reason, "d1/s0 cannot be used: KeyError: x") {
		t.Errorf("it ends with %+v", halted)
	}
	if err := r.Event(t.Context(), rollout, sdk.TrainEvent{Metrics: &sdk.MetricsEvent{}}); err == nil {
		t.Error("a worker reports a step")
	}
}

// In agent mode AReaL gives up a group for one of its samples, while the others go on.
func TestUses_AgentModeGivesUpWholeGroups(t *testing.T) {
	u := newUses(&record{GroupSize: 2, Mode: modeAgent})
	u.add(noteOf(request(1, 0), failed("")))
	filtered := func(slot int) []sdk.ConsumedEpisode {
		return []sdk.ConsumedEpisode{{EpisodeID: request(1, slot).EpisodeID, Use: sdk.ConsumedFiltered}}
	}
	if diff := cmp.Diff(filtered(0), used(u)); diff != "" {
		t.Errorf("the first step (-want +got):\n%s", diff)
	}
	u.add(noteOf(request(1, 1), scored("", 1)))
	if diff := cmp.Diff(filtered(1), used(u)); diff != "" {
		t.Errorf("a sample that came later (-want +got):\n%s", diff)
	}
	if len(u.groups) != 0 || len(u.known) != 0 {
		t.Errorf("it keeps %v, %v", u.groups, u.known)
	}
}
