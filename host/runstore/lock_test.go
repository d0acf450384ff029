package runstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// childMode makes the test binary a process that holds its inherited files until its standard input ends.
const childMode = "AWHOST_TEST_HOLD_UNTIL_EOF"

func playChild() {
	if os.Getenv(childMode) == "" {
		return
	}
	fmt.Println("holding")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent is done
	os.Exit(0)
}

func realStore(t *testing.T) *Store {
	return In(t.TempDir(), Options{Version: "0.1.0", Command: "awhost apply train.hcl"})
}

func create(t *testing.T, s *Store) *Writer {
	t.Helper()
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func closeRun(t *testing.T, w *Writer) {
	t.Helper()
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestASecondWriterIsToldWhoTheFirstIs(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	_, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
	var locked *LockedError
	if !errors.As(err, &locked) || !locked.Alive || locked.Owner.PID != os.Getpid() {
		t.Fatalf("a second writer got %v", err)
	}
	for _, want := range []string{"run quickstart-1 is being written by pid", "(awhost apply train.hcl) since",
		"awhost stop quickstart-1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if summary, err := w.Summary(); err != nil || summary.Status != StatusRunning || !summary.OwnerAlive {
		t.Errorf("the run is %+v: %v", summary, err)
	}
	closeRun(t, w)
	w, err = s.Resume(t.Context(), "", ResumeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if w.Incarnation() != 2 {
		t.Errorf("the second writer is incarnation %d", w.Incarnation())
	}
	closeRun(t, w)
}

func TestALocalWriterKeepsTheRunLockedAfterItsHost(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	child, release := holdOpen(t, w.LockFile())
	closeRun(t, w) // the host is gone, its trainer is not

	_, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
	var locked *LockedError
	if !errors.As(err, &locked) {
		t.Fatalf("resuming under a live writer got %v", err)
	}
	forgetOwner(t, w.Dir)
	_, err = s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
	if err == nil || !strings.Contains(err.Error(), "left behind when it ended") {
		t.Errorf("with a dead owner: %v", err)
	}
	release()
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	w, err = s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
	if err != nil {
		t.Fatalf("resuming after the last writer: %v", err)
	}
	closeRun(t, w)
}

// holdOpen starts a process that inherits a file, and returns the function that ends it.
func holdOpen(t *testing.T, file *os.File) (*exec.Cmd, func()) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childMode+"=1")
	child.ExtraFiles = []*os.File{file}
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stdout, make([]byte, len("holding"))); err != nil {
		t.Fatal(err)
	}
	return child, func() { _ = stdin.Close() }
}

// forgetOwner makes the owner a process that has ended: one with this pid and another start time.
func forgetOwner(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, ownerFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var owner Owner
	if err := json.Unmarshal(data, &owner); err != nil {
		t.Fatal(err)
	}
	if owner.Started == "" {
		t.Skip("SKIPPED: this system does not tell when a process began")
	}
	owner.Started = "1"
	if data, err = json.Marshal(owner); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestOfManyResumesOneWins(t *testing.T) {
	s := realStore(t)
	closeRun(t, create(t, s))
	var wait sync.WaitGroup
	results := make(chan *Writer, 8)
	for range cap(results) {
		wait.Go(func() {
			w, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
			var locked *LockedError
			if err != nil && !errors.As(err, &locked) {
				t.Errorf("resuming: %v", err)
			}
			results <- w
		})
	}
	wait.Wait()
	close(results)
	won := 0
	for w := range results {
		if w != nil {
			won++
			closeRun(t, w)
		}
	}
	if won != 1 {
		t.Errorf("%d of the resumes won", won)
	}
}

func TestManyCreationsGetTheirOwnNumbers(t *testing.T) {
	s := realStore(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			w, err := s.Create(t.Context(), quickstart)
			if err != nil {
				t.Errorf("create: %v", err)
				return
			}
			if err := w.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	runs, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[int]bool{}
	for _, run := range runs {
		numbers[run.Number] = true
	}
	if len(numbers) != 8 {
		t.Errorf("8 creations made %d runs", len(numbers))
	}
}

// deniedLock is a lock that this user must not read.
type deniedLock struct{ unlocked }

func (deniedLock) held(path string) (bool, error) {
	return false, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
}

// If another user's lock cannot be read, the run is not reported as interrupted.
func TestALockThatCannotBeReadIsNamedAsThat(t *testing.T) {
	s, w := launched(t)
	closeRun(t, w)
	s.lock = deniedLock{}
	owner := readOwner(s.opts.FS, w.Dir)
	if owner.User == "" {
		t.Error("the user is not recorded")
	}
	_, err := newest(t, s).Summary()
	runs, listErr := s.List()
	if err == nil || listErr != nil || len(runs) != 1 ||
		runs[0].Status != StatusUnreadable || runs[0].Problem != err.Error() {
		t.Fatalf("the summary says %v, the list %+v, %v", err, runs, listErr)
	}
	for _, want := range []string{
		"the lock of run quickstart-1 cannot be read", "/lock: permission denied", owner.String(), "ask " + owner.User,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

// The holder of a run on another machine is named, as far as it is recorded, with the machine on which it can be
// stopped.
func TestAForeignHolderIsNamed(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	for user, want := range map[string]string{
		"alice": "pid 4711 on elsewhere.invalid as alice (awhost apply)", "": "pid 4711 on elsewhere.invalid (awhost apply)",
	} {
		text, err := json.Marshal(Owner{PID: 4711, Host: "elsewhere.invalid", User: user, Command: "awhost apply"})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(w.Dir, ownerFile), text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "on that machine, stop it with:") {
			t.Errorf("resuming says %v, want %q", err, want)
		}
		if got := w.Holder(); !strings.HasPrefix(got, want) {
			t.Errorf("it is held by %q, want %q", got, want)
		}
	}
	closeRun(t, w)
}

// TestCreate_OneOfEqualRuns checks that one of many processes that found no equal run starts it.
func TestCreate_OneOfEqualRuns(t *testing.T) {
	dir := t.TempDir()
	first := create(t, In(dir, Options{})) // a run from before
	closeRun(t, first)
	newest, err := In(dir, Options{}).Newest(quickstart.Name)
	if err != nil || newest != 1 {
		t.Fatalf("the newest run has the number %d, %v; want 1", newest, err)
	}
	equal := quickstart
	equal.Newest = &newest
	started := make([]*Writer, 10)
	var all sync.WaitGroup
	for i := range started {
		all.Go(func() {
			w, err := In(dir, Options{}).Create(t.Context(), equal)
			var locked *LockedError
			if started[i] = w; err != nil && !errors.As(err, &locked) {
				t.Errorf("creation %d: %v", i, err)
			}
		})
	}
	all.Wait()
	started = slices.DeleteFunc(started, func(w *Writer) bool { return w == nil })
	if len(started) != 1 {
		t.Fatalf("%d runs were started; want 1", len(started))
	}
	runs, err := In(dir, Options{}).List()
	if err != nil || len(runs) != 2 {
		t.Errorf("there are %d runs, %v; want 2", len(runs), err)
	}
	other := equal
	other.Identity = "sha256:other"
	w, err := In(dir, Options{}).Create(t.Context(), other)
	if err != nil {
		t.Fatalf("a run with another identity: %v", err)
	}
	closeRun(t, w)
	closeRun(t, started[0])
}
