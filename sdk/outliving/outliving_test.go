package outliving_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/outliving"
	"github.com/awhost/awhost/sdk/process"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLines_CutsWhatADeadWriterHasLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	if got, err := outliving.Lines[int](path); err != nil || got != nil {
		t.Fatalf("a file that is not there has %v, %v", got, err)
	}
	for i := range 3 {
		if err := outliving.Append(path, i); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(whole, `{"half": `...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]int{{0, 1, 2}, {0, 1, 2, 7}} {
		got, err := outliving.Lines[int](path)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("lines (-want +got):\n%s%v", diff, err)
		}
		if err := outliving.Append(path, 7); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := outliving.Lines[string](path); err == nil || !strings.Contains(err.Error(), path+", line 1") {
		t.Errorf("lines of another kind: %v", err)
	}
}

// A disk that is full takes a part of a line.
func TestAppend_LeavesNothingWhereItFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	if err := outliving.Append(path, "first"); err != nil {
		t.Fatal(err)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	tight := limit
	tight.Cur = 12 // `"first"` and five bytes; no other test writes meanwhile
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &tight); err != nil {
		t.Fatal(err)
	}
	failed := outliving.Append(path, "second")
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(failed, syscall.EFBIG) || !errors.Is(failed, sdk.ErrUnavailable) || !strings.Contains(failed.Error(), path) {
		t.Errorf("the error is %v", failed)
	}
	if err := outliving.Append(path, "third"); err != nil {
		t.Fatal(err)
	}
	got, err := outliving.Lines[string](path)
	if diff := cmp.Diff([]string{"first", "third"}, got); diff != "" || err != nil {
		t.Errorf("lines (-want +got):\n%s%v", diff, err)
	}
}

// Where not even the torn line could be taken back, the next one does not stick to it.
func TestAppend_StandsByItselfBehindATornLine(t *testing.T) {
	for _, before := range []string{"", "\"first\"\n"} {
		path := filepath.Join(t.TempDir(), "lines")
		if err := os.WriteFile(path, []byte(before+`"sec`), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := outliving.Append(path, "third"); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); string(got) != before+"\"third\"\n" || err != nil {
			t.Errorf("behind %q it holds %q, %v", before, got, err)
		}
	}
}

// Whoever waits for what a full disk cannot hold knows for how long.
func TestKeeper_KnowsItsTrouble(t *testing.T) {
	dir := t.TempDir()
	full, other := filepath.Join(dir, "full"), filepath.Join(dir, "other")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	var k outliving.Keeper
	if err := k.Append(full, 1); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("appended to a full disk: %v", err)
	}
	if err := k.Append(other, 1); err != nil || !errors.Is(k.Trouble(), syscall.ENOSPC) {
		t.Errorf("%v; the trouble with the first file is forgotten: %v", err, k.Trouble())
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	if err := k.Append(full, 1); err != nil || k.Trouble() != nil {
		t.Errorf("with space again: %v, %v", err, k.Trouble())
	}
}

func TestReplace_OnlyTheUserReadsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record")
	for i := range 2 {
		if err := outliving.Replace(path, i); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "1" {
		t.Errorf("it holds %q, %v", text, err)
	}
}

// begun is a process with a child, of a launch of its own.
func begun(t *testing.T, p *outliving.Processes, script string) (launch string, id process.Identity, log string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: processes are found by their mark on Linux only")
	}
	dir := t.TempDir()
	log, launch = filepath.Join(dir, "log"), "outliving-test"+strings.ReplaceAll(dir, "/", ".")
	id, err := p.Start(outliving.Command{LaunchID: launch, Argv: []string{"/bin/sh", "-c", script}, Env: os.Environ(), Dir: dir, LogFile: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(t.Context(), launch, id, 0); err != nil {
			t.Error(err)
		}
	})
	return launch, id, log
}

// said waits for a word in a log.
func said(t *testing.T, log, word string) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(2 * time.Minute)
	for {
		select {
		case <-tick.C:
			if text, err := os.ReadFile(log); err == nil && strings.Contains(string(text), word) {
				return
			}
		case <-late:
			t.Fatalf("nobody says %q; a process whose parent ignores SIGINT cannot catch it", word)
		}
	}
}

func TestProcesses_ALaterLifeFindsAndEndsIt(t *testing.T) {
	first, later := &outliving.Processes{}, &outliving.Processes{}
	launch, id, log := begun(t, first, "sleep 600 & echo up; while :; do wait; done") // it does not end with its child
	said(t, log, "up")
	found, err := later.Find(launch)
	if err != nil || found != id {
		t.Fatalf("found %v, %v; want %v", found, err, id)
	}
	if _, over := later.Exit(found); over {
		t.Error("it is over")
	}
	if err := later.Stop(t.Context(), launch, found, 0); err != nil {
		t.Error(err)
	}
	if exit, over := later.Exit(found); !over || exit.Known {
		t.Errorf("it is over: %v, with %v", over, exit)
	}
	if exit, err := first.Await(t.Context(), id); err != nil || exit.Signal != "killed" {
		t.Errorf("its parent says %v, %v", exit, err)
	}
	if _, err := later.Find(launch); !errors.Is(err, outliving.ErrNone) {
		t.Errorf("what is gone is found: %v", err)
	}
}

func TestProcesses_PatienceLetsItEndByItself(t *testing.T) {
	p := &outliving.Processes{}
	launch, id, log := begun(t, p, "trap 'echo asked; exit 3' INT; echo up; while :; do sleep 0.01; done")
	said(t, log, "up")
	if err := p.Stop(t.Context(), launch, id, time.Minute); err != nil {
		t.Fatal(err)
	}
	if exit, over := p.Exit(id); !over || exit.Code != 3 || exit.Signal != "" {
		t.Errorf("over %v: %v", over, exit)
	}
	said(t, log, "asked")
}

// A pid is given to another process sooner or later.
func TestProcesses_APIDAloneIsNobody(t *testing.T) {
	p := &outliving.Processes{}
	_, id, log := begun(t, p, "echo up; sleep 600")
	said(t, log, "up")
	before := id
	before.Started--
	if exit, over := p.Exit(before); !over || exit.Known {
		t.Errorf("the process that had its pid before: over %v, with %v", over, exit)
	}
	launch, id, _ := begun(t, p, "exit 3")
	if exit, err := p.Await(t.Context(), id); err != nil || exit.Code != 3 {
		t.Fatalf("it ended with %v, %v", exit, err)
	}
	after := id
	after.Started++
	if exit, over := p.Exit(after); !over || exit.Known {
		t.Errorf("the process that has its pid now: over %v, with %v", over, exit)
	}
	if err := p.Stop(t.Context(), launch, id, 0); err != nil {
		t.Error(err)
	}
}

func TestProcesses_RemembersTheLastOnly(t *testing.T) {
	p := &outliving.Processes{}
	dir := t.TempDir()
	var children []process.Identity
	for range 65 {
		id, err := p.Start(outliving.Command{LaunchID: "outliving-last", Argv: []string{"/bin/sh", "-c", "exit 3"}, Dir: dir, LogFile: filepath.Join(dir, "log")})
		if err != nil {
			t.Fatal(err)
		}
		children = append(children, id)
	}
	known := 0
	for _, id := range children { // whichever ended first
		if _, err := p.Await(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range children {
		if exit, over := p.Exit(id); !over || exit.Known && exit.Code != 3 {
			t.Errorf("process %d is over %v, with %v", id.PID, over, exit)
		} else if exit.Known {
			known++
		}
	}
	if known != 64 {
		t.Errorf("it knows how %d of 65 ended, want the last 64", known)
	}
}

func TestStart_WithoutAProgram(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	_, err := (&outliving.Processes{}).Start(outliving.Command{LaunchID: "empty", LogFile: log})
	if err == nil || !strings.Contains(err.Error(), "its command is empty") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(log); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its log: %v", err)
	}
}
