package plugin_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
)

const judge = "reward.obedient.judge"

// TestRestart_AfterKill tests one exit from the user's and the caller's view.
func TestRestart_AfterKill(t *testing.T) {
	s := newStage(t, 3)
	i := s.reward("judge", settings{})
	before := obeyed(t, i, "pid")
	if got := s.last(judge); got.Phase != plugin.Ready || got.PID != before {
		t.Errorf("got %+v, want process %d", got, before)
	}

	s.clock.hold()
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.untilPhase(judge, plugin.Restarting, 1)
	if detail := s.last(judge).Detail; detail == "" {
		t.Error("a restart has no reason")
	}
	mentions(t, errors.New(s.last(judge).Detail), "signal killed")
	err := dies(t, i, "pid")
	mentions(t, err, judge, "is being restarted")
	short, cancel := context.WithCancel(t.Context())
	cancel()
	if err := i.Await(short); !errors.Is(err, context.Canceled) {
		t.Errorf("Await ignores its caller's context: %v", err)
	}
	awaited := make(chan error, 1)
	go func() { awaited <- i.Await(t.Context()) }()
	s.clock.release()
	within(t, "Await", func() { err = <-awaited })
	if err != nil {
		t.Fatal(err)
	}
	after := obeyed(t, i, "pid")
	if after == before {
		t.Error("it is the dead process that answers")
	}
	s.untilPhase(judge, plugin.Ready, 2)
	if got := s.last(judge); got.PID != after {
		t.Errorf("got %+v, want process %d", got, after)
	}
	if err := s.StopAll(t.Context(), time.Minute, "the run has finished"); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"starting 0", "ready 0", "restarting 1", "ready 1", "stopped 1"},
		s.history(judge)); diff != "" {
		t.Error(diff)
	}
	if got := s.last(judge); got.Detail != "the run has finished" || got.PID != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestBudget_IsPerRun checks that exits add up, regardless of the time between them, and that the final error
// contains the last output.
func TestBudget_IsPerRun(t *testing.T) {
	s := newStage(t, 2)
	i := s.reward("judge", settings{})
	for n := 1; n <= 2; n++ {
		mentions(t, dies(t, i, "exit 9"), "status 9", "my last words")
		awaits(t, i)
		obeyed(t, i, "pid")
	}
	dies(t, i, "crash lost my marbles")
	err := i.Await(t.Context())
	mentions(t, err, judge, "2 restarts", "max_restarts", "lost my marbles", judge+".log")
	if again := i.Await(t.Context()); again == nil || again.Error() != err.Error() {
		t.Errorf("Await changed its mind: %v", again)
	}
	mentions(t, dies(t, i, "pid"), "lost my marbles")
	s.untilPhase(judge, plugin.Crashed, 1)
	if diff := cmp.Diff(err.Error(), s.last(judge).Detail); diff != "" {
		t.Error(diff)
	}
	if err := s.StopAll(t.Context(), time.Minute, "over"); err != nil {
		t.Errorf("there is nothing left to stop: %v", err)
	}
	want := []string{"starting 0", "ready 0", "restarting 1", "ready 1", "restarting 2", "ready 2", "crashed 2"}
	if diff := cmp.Diff(want, s.history(judge)); diff != "" {
		t.Error(diff)
	}
}

func TestBudget_OfNothing(t *testing.T) {
	s := newStage(t, 0)
	i := s.reward("judge", settings{})
	dies(t, i, "exit 3")
	mentions(t, i.Await(t.Context()), "max_restarts = 0", "status 3")
}

// TestCrashAtEveryRestart checks that each attempt is charged to the budget, and that the delays double.
func TestCrashAtEveryRestart(t *testing.T) {
	s := newStage(t, 9)
	i := s.reward("judge", settings{FailFrom: 2, How: "exit"})
	dies(t, i, "exit 9")
	mentions(t, i.Await(t.Context()), judge, "start 10: no module named torch", "status 42", "9 restarts")
	var want []time.Duration
	for _, millis := range []int{100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000} {
		want = append(want, time.Duration(millis)*time.Millisecond)
	}
	if diff := cmp.Diff(want, s.clock.waited()); diff != "" {
		t.Error(diff)
	}
	if got := len(s.history(judge)); got != 2+9+1 {
		t.Errorf("got %v", s.history(judge))
	}
}

// TestFirstStart_IsNotRepeated checks that the first start is not retried, because a user is waiting.
func TestFirstStart_IsNotRepeated(t *testing.T) {
	s := newStage(t, 3)
	_, err := s.Start(t.Context(), block(sdk.KindReward, "judge", settings{FailFrom: 1, How: "exit"}))
	mentions(t, err, judge, "no module named torch", "status 42")
	if diff := cmp.Diff([]string{"starting 0", "crashed 0"}, s.history(judge)); diff != "" {
		t.Error(diff)
	}
	if _, ok := s.Find(judge); ok {
		t.Error("it can be found")
	}
	broken := block(sdk.KindReward, "broken", settings{})
	broken.Entry.Command = []string{filepath.Join(t.TempDir(), "nothing")}
	_, err = s.Start(t.Context(), broken)
	mentions(t, err, "start plugin reward.obedient.broken", "no such file")
	broken.Entry = nil
	_, err = s.Start(t.Context(), broken)
	mentions(t, err, "its program is unknown")
}

func TestFirstStart_CanBeCancelled(t *testing.T) {
	s := newStage(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	b := block(sdk.KindReward, "judge", settings{FailFrom: 1, How: "hang", Deaf: true})
	failed := make(chan error, 1)
	go func() {
		_, err := s.Start(ctx, b)
		failed <- err
	}()
	untilFile(t, filepath.Join(s.dir, judge, "hangs"))
	cancel()
	var err error
	within(t, "Start", func() { err = <-failed })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]string{"starting 0", "stopped 0"}, s.history(judge)); diff != "" {
		t.Error(diff)
	}
}

func TestConfigurationProblems_AreTyped(t *testing.T) {
	s := newStage(t, 1)
	_, err := s.Start(t.Context(), block(sdk.KindReward, "judge", settings{FailFrom: 1, How: "wrong"}))
	var wrong *sdk.ConfigError
	if !errors.As(err, &wrong) {
		t.Fatalf("want a ConfigError, got %v", err)
	}
	want := []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "No such model", Detail: "take another",
		Path: []string{"model"}}}
	if diff := cmp.Diff(want, wrong.Diagnostics); diff != "" {
		t.Error(diff)
	}
	// A valid first start may be followed by an invalid restart.
	later := s.reward("later", settings{FailFrom: 2, How: "wrong"})
	dies(t, later, "exit 1")
	if err := later.Await(t.Context()); !errors.As(err, &wrong) {
		t.Errorf("want a ConfigError, got %v", err)
	}
}

// TestStopAll_EndsTheLastFirst checks that each process ends after its component has finished.
func TestStopAll_EndsTheLastFirst(t *testing.T) {
	s := newStage(t, 1)
	names := []string{"a", "b", "c"}
	for _, name := range names {
		s.reward(name, settings{OnStop: "note"})
	}
	if err := s.StopAll(t.Context(), time.Minute, "done"); err != nil {
		t.Fatal(err)
	}
	want := []string{"reward.obedient.c stopped 0", "reward.obedient.b stopped 0", "reward.obedient.a stopped 0"}
	if diff := cmp.Diff(want, s.history("")[6:]); diff != "" {
		t.Error(diff)
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(s.dir, "reward.obedient."+name, "stopped")); err != nil {
			t.Errorf("%s was not asked to finish: %v", name, err)
		}
	}
	if err := s.StopAll(t.Context(), time.Minute, "again"); err != nil {
		t.Error(err)
	}
	if _, ok := s.Find("reward.obedient.a"); ok {
		t.Error("a stopped plugin can be found")
	}
	_, err := s.Start(t.Context(), block(sdk.KindReward, "late", settings{}))
	mentions(t, err, "reward.obedient.late", "have been stopped")
}

// TestStopAll_DoesNotWaitForWhatHangs checks a hung component and a process that ignores signals.
func TestStopAll_DoesNotWaitForWhatHangs(t *testing.T) {
	s := newStage(t, 1)
	i := s.reward("judge", settings{OnStop: "hang", Deaf: true})
	pid := obeyed(t, i, "pid")
	var err error
	within(t, "StopAll", func() { err = s.StopAll(t.Context(), 100*time.Millisecond, "over") })
	mentions(t, err, judge)
	if syscall.Kill(pid, 0) == nil {
		t.Error("the process lives on")
	}
	if diff := cmp.Diff([]string{"starting 0", "ready 0", "stopped 0"}, s.history(judge)); diff != "" {
		t.Error(diff)
	}
	if err := i.Await(t.Context()); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("Await: %v", err)
	}
	mentions(t, dies(t, i, "pid"), "is being stopped")
}

// TestStopAll_EndOfPatienceIsForAll checks that no process is left after the context has ended.
func TestStopAll_EndOfPatienceIsForAll(t *testing.T) {
	s := newStage(t, 1)
	for _, name := range []string{"a", "b"} {
		s.reward(name, settings{OnStop: "hang", Deaf: true})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	within(t, "StopAll", func() {
		if err := s.StopAll(ctx, time.Hour, "now"); err == nil {
			t.Error("nothing finished, but no error is returned")
		}
	})
}

func TestStopAll_DuringARestart(t *testing.T) {
	t.Run("in the pause", func(t *testing.T) {
		s := newStage(t, 3)
		i := s.reward("judge", settings{})
		s.clock.hold()
		dies(t, i, "exit 1")
		s.untilPhase(judge, plugin.Restarting, 1)
		stopsQuietly(t, s, i)
	})
	t.Run("while the new process hangs", func(t *testing.T) {
		s := newStage(t, 3)
		i := s.reward("judge", settings{FailFrom: 2, How: "hang", Deaf: true})
		dies(t, i, "exit 1")
		untilFile(t, filepath.Join(s.dir, judge, "hangs"))
		stopsQuietly(t, s, i)
	})
}

func stopsQuietly(t *testing.T, s *stage, i *plugin.Instance) {
	t.Helper()
	awaited := make(chan error, 1)
	go func() { awaited <- i.Await(t.Context()) }()
	within(t, "StopAll", func() {
		if err := s.StopAll(t.Context(), time.Minute, "over"); err != nil {
			t.Error(err)
		}
	})
	within(t, "Await", func() {
		if err := <-awaited; !errors.Is(err, sdk.ErrUnavailable) {
			t.Errorf("Await: %v", err)
		}
	})
	if diff := cmp.Diff([]string{"starting 0", "ready 0", "restarting 1", "stopped 1"}, s.history(judge)); diff != "" {
		t.Error(diff)
	}
}

// TestStopAll_WhileAPluginStarts checks that the process of a late Start does not stay.
func TestStopAll_WhileAPluginStarts(t *testing.T) {
	s := newStage(t, 3)
	failed := make(chan error, 1)
	go func() {
		_, err := s.Start(t.Context(), block(sdk.KindReward, "judge", settings{}))
		failed <- err
	}()
	s.untilPhase(judge, plugin.Starting, 1)
	if err := s.StopAll(t.Context(), time.Minute, "over"); err != nil {
		t.Error(err)
	}
	var err error
	within(t, "Start", func() { err = <-failed })
	mentions(t, err, "have been stopped")
}

// TestCalls_WhileDying checks that every call ends, with ErrUnavailable if the process is the cause.
func TestCalls_WhileDying(t *testing.T) {
	const callers, deaths = 8, 3
	s := newStage(t, deaths)
	i := s.reward("judge", settings{})
	over := make(chan struct{})
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				if _, err := order(t.Context(), i, "pid"); err == nil {
					continue
				} else if !errors.Is(err, sdk.ErrUnavailable) {
					t.Errorf("want ErrUnavailable, got %v", err)
					return
				}
				if err := i.Await(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := range deaths {
		s.untilPhase(judge, plugin.Ready, n+1)
		if err := syscall.Kill(s.last(judge).PID, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}
	s.untilPhase(judge, plugin.Ready, deaths+1)
	awaits(t, i)
	obeyed(t, i, "pid")
	close(over)
	within(t, "the callers", group.Wait)
}

// TestUnreachable_IsRestarted checks a running process that does not listen: every call would fail immediately
// forever.
func TestUnreachable_IsRestarted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the test knows how to cut a process off on Linux only")
	}
	s := newStage(t, 1)
	i := s.reward("judge", settings{})
	before := obeyed(t, i, "pid")
	_, _ = order(t.Context(), i, "cut") // its response is cut off, too
	s.untilPhase(judge, plugin.Ready, 2)
	awaits(t, i)
	if obeyed(t, i, "pid") == before {
		t.Error("it was not restarted")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	mentions(t, errors.New(s.states[2].Detail), "could not be reached")
}

// TestBusyComponent_IsLeftAlone checks that ErrUnavailable returned by the component itself ends nothing.
func TestBusyComponent_IsLeftAlone(t *testing.T) {
	s := newStage(t, 1)
	i := s.reward("judge", settings{})
	before := obeyed(t, i, "pid")
	mentions(t, dies(t, i, "busy"), "the database is down")
	if err := i.Await(t.Context()); err != nil {
		t.Error(err)
	}
	if obeyed(t, i, "pid") != before || len(s.history(judge)) != 2 {
		t.Errorf("it was restarted: %v", s.history(judge))
	}
}

// untilFile waits for a file that a plugin writes.
func untilFile(t *testing.T, path string) {
	t.Helper()
	end := time.Now().Add(deadline)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for time.Now().Before(end) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		<-tick.C
	}
	t.Fatalf("%s: not within %s", path, deadline)
}
