//go:build linux

package plugin_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
)

// watch controls the health checks of a supervisor in a test.
type watch struct {
	t       *testing.T
	ticks   chan time.Time
	silence chan plugin.Silence
}

// newWatch configures a warning after three checks without a response, an end after six, and after twelve for a
// working process.
func newWatch(t *testing.T, maxRestarts int) (*watch, *stage) {
	t.Helper()
	const check = 100 * time.Millisecond // only a process that does not respond at all may miss it: see the tests
	w := &watch{t: t, ticks: make(chan time.Time), silence: make(chan plugin.Silence, 100)}
	s := newStage(t, maxRestarts, func(c *plugin.Config) {
		c.Silent = func(s plugin.Silence) { w.silence <- s }
		c.Health = plugin.HealthPolicy{
			Check: check, Warn: 6 * check, End: 12 * check, EndBusy: 24 * check,
			Tick: func(time.Duration) <-chan time.Time { return w.ticks },
		}
	})
	return w, s
}

// tick starts n health checks. Each waits for the end of the previous one.
func (w *watch) tick(n int) {
	w.t.Helper()
	for range n {
		select {
		case w.ticks <- time.Time{}:
		case <-time.After(deadline):
			w.t.Fatal("nobody checks")
		}
	}
}

// nextSilence returns the next Silence, or the zero Silence without one.
func (w *watch) nextSilence() plugin.Silence {
	select {
	case s := <-w.silence:
		return s
	default:
		return plugin.Silence{}
	}
}

// waits sends a command that is executed when the call ends, and returns when the call is in progress.
func (s *stage) waits(i *plugin.Instance, command string) (result <-chan error) {
	s.t.Helper()
	out := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	s.t.Cleanup(cancel)
	go func() {
		_, err := order(ctx, i, command)
		out <- err
	}()
	return out
}

// detailOf returns the detail of an instance's first change to a phase.
func (s *stage) detailOf(address string, phase plugin.Phase) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range s.states {
		if state.Block.Address == address && state.Phase == phase {
			return state.Detail
		}
	}
	return ""
}

// until polls a condition.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	within(t, what, func() {
		for !condition() {
			<-tick.C
		}
	})
}

func stopProcess(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) }) // it may have exited
	until(t, "all threads have stopped", func() bool {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		return !slices.ContainsFunc(threads, func(path string) bool {
			stat, _ := os.ReadFile(path)
			return !strings.Contains(string(stat), ") T ")
		})
	})
}

// TestStopped_IsToldAndStartedAgain tests a process that was stopped by a signal.
func TestStopped_IsToldAndStartedAgain(t *testing.T) {
	w, s := newWatch(t, 3)
	i := s.reward("judge", settings{})
	before := obeyed(t, i, "pid")
	stopProcess(t, before)
	// The end of the process wakes it, and a call may be answered before the process exits.
	result := s.waits(i, "ignore")
	until(t, "the call is under way", func() bool { return i.Calling() })
	w.tick(4) // the fourth begins after the third has ended
	got := w.nextSilence()
	if got.Recovered || got.PID != before || got.State != "stopped" || got.Block.Address != judge ||
		len(got.Calls) != 1 {
		t.Errorf("got %+v", got)
	}
	if again := w.nextSilence(); again.PID != 0 {
		t.Errorf("it is said twice: %+v", again)
	}
	w.tick(3)
	var err error
	within(t, "the call", func() { err = <-result })
	mentions(t, err, "is unavailable", judge, "not even to health checks", "stopped", "Score for", judge+".log")
	awaits(t, i)
	if after := obeyed(t, i, "pid"); after == before {
		t.Error("it is the stopped process that answers")
	}
	if again := w.nextSilence(); again.PID != 0 {
		t.Errorf("got %+v", again)
	}
	mentions(t, errors.New(s.detailOf(judge, plugin.Restarting)), "did not respond", "stopped, as by SIGSTOP")
}

func TestStopped_AndContinued(t *testing.T) {
	w, s := newWatch(t, 0)
	i := s.reward("judge", settings{})
	pid := obeyed(t, i, "pid")
	stopProcess(t, pid)
	result := s.waits(i, "pid")
	until(t, "the call is under way", func() bool { return i.Calling() })
	w.tick(4)
	if got := w.nextSilence(); got.Recovered || got.PID != pid {
		t.Fatalf("got %+v", got)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	within(t, "the call", func() {
		if err := <-result; err != nil {
			t.Error(err)
		}
	})
	w.tick(2) // checks continue until one is answered
	if got := w.nextSilence(); !got.Recovered || got.PID != pid {
		t.Errorf("the recovery is not published: %+v", got)
	}
	if got := obeyed(t, i, "pid"); got != pid {
		t.Errorf("it is another process: %d, not %d", got, pid)
	}
}

// TestLongCall_IsNotHung checks that a long call is allowed while health checks are answered.
func TestLongCall_IsNotHung(t *testing.T) {
	w, s := newWatch(t, 0)
	i := s.reward("judge", settings{})
	pid := obeyed(t, i, "pid")
	s.waits(i, "wait")
	until(t, "the call is under way", func() bool { return i.Calling() })
	w.tick(40)
	// on a very busy machine a warning may be published and revoked
	if got := w.nextSilence(); got.PID != 0 && !got.Recovered {
		t.Logf("got %+v", got)
	}
	if got := obeyed(t, i, "pid"); got != pid {
		t.Errorf("it was ended: %d, not %d", got, pid)
	}
}

// TestIdle_IsNotAsked checks that an idle process is not checked.
func TestIdle_IsNotAsked(t *testing.T) {
	w, s := newWatch(t, 0)
	i := s.reward("judge", settings{})
	pid := obeyed(t, i, "pid")
	stopProcess(t, pid)
	w.tick(20)
	if got := w.nextSilence(); got.PID != 0 {
		t.Errorf("got %+v", got)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	obeyed(t, i, "pid")
}

// TestSpinning_HasMoreTime checks the limit for a busy process, such as a library that holds the interpreter's lock.
func TestSpinning_HasMoreTime(t *testing.T) {
	w, s := newWatch(t, 1)
	b := block(sdk.KindReward, "judge", settings{})
	b.Entry.Command = append([]string{"/usr/bin/env", "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1"}, b.Entry.Command...)
	i := s.start(b)
	result := s.waits(i, "spin")
	untilFile(t, filepath.Join(s.dir, judge, "spins"))
	w.tick(8)
	select {
	case err := <-result:
		t.Fatalf("it was ended early: %v", err)
	default:
	}
	w.tick(5)
	var err error
	within(t, "the call", func() { err = <-result })
	mentions(t, err, "spinning")
}
