package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testJob is a job of a shell command in a folder of its own.
func testJob(t *testing.T, script string) Job {
	t.Helper()
	dir := t.TempDir()
	return Job{
		LaunchID: fmt.Sprintf("%s-%d-%d", t.Name(), os.Getpid(), time.Now().UnixNano()), Argv: []string{"/bin/sh", "-c", script}, Dir: dir,
		Env: map[string]string{"GREETING": "it's 5"}, LogFile: filepath.Join(dir, "100%.log"), Patience: 5 * time.Second,
	}
}

// launcher is what all of them do.
type launcher interface {
	Start(context.Context, Job) (Handle, error)
	Find(context.Context, Job) (Handle, error)
	Status(context.Context, Handle) (Status, error)
	Stop(context.Context, Handle, time.Duration) error
}

// until waits for a state.
func until(t *testing.T, l launcher, h Handle, want State) Status {
	t.Helper()
	deadline := time.Now().Add(60 * time.Second)
	for {
		s, err := l.Status(t.Context(), h)
		if err != nil {
			t.Fatalf("status: %v", err)
		}
		if s.State == want {
			return s
		}
		if s.State == Ended || time.Now().After(deadline) {
			t.Fatalf("the job is %s (state %d), want state %d; its log:\n%s", s, s.State, want, read(h.LogFile))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// logs reads a job's log, fetched where it has to be.
func logs(t *testing.T, l launcher, h Handle) string {
	t.Helper()
	if f, ok := l.(interface {
		Logs(context.Context, Handle, bool) error
	}); ok {
		if err := f.Logs(t.Context(), h, true); err != nil {
			t.Fatal(err)
		}
	}
	return read(h.LogFile)
}

// eventually waits for something to appear.
func eventually(t *testing.T, what string, holds func() bool, patience time.Duration) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come", what)
		}
	}
}

// testLauncher holds a launcher to what this package promises. other is the same launcher in another life.
func testLauncher(t *testing.T, l, other launcher) {
	t.Run("a job that ends well", func(t *testing.T) {
		j := testJob(t, `echo "$GREETING in $PWD"`)
		h, err := l.Start(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Check(); err != nil {
			t.Error(err)
		}
		if s := until(t, l, h, Ended); !s.Succeeded() {
			t.Errorf("ended with %s, want success; its log:\n%s", s, logs(t, l, h))
		}
		if want, got := "it's 5 in "+j.Dir, logs(t, l, h); !strings.Contains(got, want) {
			t.Errorf("log %q, want %q in it", got, want)
		}
	})
	t.Run("a job that fails", func(t *testing.T) {
		h, err := l.Start(t.Context(), testJob(t, `exit 7`))
		if err != nil {
			t.Fatal(err)
		}
		if s := until(t, l, h, Ended); s.Code == nil || *s.Code != 7 {
			t.Errorf("ended with %s, want exit status 7", s)
		}
	})
	t.Run("an unknown launch has no job", func(t *testing.T) {
		if h, err := l.Find(t.Context(), testJob(t, `:`)); !errors.Is(err, ErrNone) {
			t.Errorf("found %v, %v; want ErrNone", h, err)
		}
	})
	t.Run("another life finds a job and ends it by an interrupt", func(t *testing.T) {
		j := testJob(t, `trap 'echo interrupted; exit 3' INT; echo ready; while :; do sleep 0.1; done`)
		h, err := l.Start(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		until(t, l, h, Running)
		eventually(t, "the trap", func() bool { return strings.Contains(logs(t, l, h), "ready") }, time.Minute)
		found, err := other.Find(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if found.ID != h.ID || found.Kind != h.Kind || h.Process != nil && *found.Process != *h.Process {
			t.Errorf("found %+v, want %+v", found, h)
		}
		if err := other.Stop(t.Context(), found, 10*time.Second); err != nil {
			t.Error(err)
		}
		until(t, l, h, Ended)
		if text := logs(t, l, h); !strings.Contains(text, "interrupted") {
			t.Errorf("the job was not interrupted; its log:\n%s", text)
		}
		if err := l.Stop(t.Context(), h, time.Second); err != nil {
			t.Errorf("a second stop: %v", err)
		}
	})
	t.Run("a job that hears nothing is killed", func(t *testing.T) {
		j := testJob(t, `trap '' INT TERM; echo ready; while :; do sleep 0.1; done`)
		j.Patience = time.Second
		h, err := l.Start(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "the trap", func() bool { return strings.Contains(logs(t, l, h), "ready") }, time.Minute)
		if err := l.Stop(t.Context(), h, time.Second); err != nil {
			t.Error(err)
		}
		if s := until(t, l, h, Ended); s.Succeeded() {
			t.Error("a killed job counts as a success")
		}
	})
}

// testOneOnly holds a launcher of a cluster to one job for each launch.
func testOneOnly(t *testing.T, l, other launcher) {
	j := testJob(t, `echo began >> count; sleep 3`)
	h, err := l.Start(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	again, err := other.Start(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if again != h {
		t.Errorf("the second start gives %+v, want the job of the first, %+v", again, h)
	}
	until(t, l, h, Ended)
	if n := strings.Count(read(filepath.Join(j.Dir, "count")), "began"); n != 1 {
		t.Errorf("%d trainers ran, want 1", n)
	}
}

func TestQuote_KeepsWordsFromTheShell(t *testing.T) {
	words := []string{"plain", "it's", "$HOME `id` \\ \"x\"", "two\nlines", ""}
	out, err := exec.Command("/bin/sh", "-c", "printf '%s|' "+quoteAll(words)).Output()
	if err != nil || string(out) != strings.Join(words, "|")+"|" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestProcess(t *testing.T) { testLauncher(t, NewProcess(), NewProcess()) }

func TestName_IsAnotherForAnotherLaunch(t *testing.T) {
	names := map[string]string{}
	for _, id := range []string{"run.i1", "run/i1", "run i1", "run,i1", strings.Repeat("x", 90), strings.Repeat("x", 91), "é", "è"} {
		name := jobName(id)
		if before, taken := names[name]; taken {
			t.Errorf("%q and %q have the name %s", before, id, name)
		}
		names[name] = id
		if name != jobName(id) || len(name) > maxName || strings.ContainsAny(name, "/ ,%é") || !strings.HasPrefix(name, "awhost-") {
			t.Errorf("%q has the name %q", id, name)
		}
	}
	if got := jobName("run.i1"); got != "awhost-run.i1" {
		t.Errorf("a plain id has the name %s", got)
	}
}

func TestInsist_EndsWithAnotherErrorOrAfterTheBound(t *testing.T) {
	calls := 0
	err := Insist(t.Context(), time.Minute, func(context.Context) error {
		if calls++; calls == 1 {
			return fmt.Errorf("ask: %w", ErrUnreachable)
		}
		return ErrNone
	})
	if !errors.Is(err, ErrNone) || calls != 2 {
		t.Errorf("%v after %d calls, want ErrNone after 2", err, calls)
	}
	err = Insist(t.Context(), 0, func(context.Context) error { return fmt.Errorf("ask: %w", ErrUnreachable) })
	if !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v, want ErrUnreachable when the bound is over", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = Insist(ctx, time.Minute, func(context.Context) error { return ErrUnreachable })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the end of the context", err)
	}
}
