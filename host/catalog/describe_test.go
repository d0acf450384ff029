package catalog_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDescribe_HangEndsWithWhatItStarted checks that the timeout ends the program and its child processes.
func TestDescribe_HangEndsWithWhatItStarted(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.limit = 3 * time.Second
	pids := filepath.Join(t.TempDir(), "pids")
	p.program("mine", "echo loading 70B weights >&2; sleep 600 & echo $! $$ > "+pids+"; wait")
	mentions(t, p.refused(), "did not respond within 3s", "loading 70B weights")
	noneLives(t, pids)
}

// TestDescribe_ABackgroundChildDoesNotHoldItUp checks that a background child holding the output does not delay the
// result.
func TestDescribe_ABackgroundChildDoesNotHoldItUp(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	pids := filepath.Join(t.TempDir(), "pids")
	p.program("mine", "sleep 600 & echo $! > "+pids+"\n"+servingPlugin())
	p.accepted()
	noneLives(t, pids)
}

func TestDescribe_CancellationIsNotTheProgramsFault(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	started := filepath.Join(t.TempDir(), "started")
	p.program("mine", "echo $$ > "+started+".new; mv "+started+".new "+started+"; sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
			if _, err := os.Stat(started); err == nil {
				return
			}
			<-time.After(5 * time.Millisecond)
		}
	}()
	if err := p.open().Accept(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("want Canceled, got %v", err)
	}
	noneLives(t, started)
	p.noScraps()
}

// TestDescribe_GetsNoSecrets checks that untrusted code, run only for its description, gets no secrets.
func TestDescribe_GetsNoSecrets(t *testing.T) {
	t.Setenv("HF_TOKEN", "hunter2")
	t.Setenv("LC_ALL", "C.UTF-8")
	p := newProject(t, map[string]string{"mine": "mine"})
	seen := filepath.Join(t.TempDir(), "env")
	p.program("mine", "env > "+seen+"\n"+servingPlugin())
	p.accepted()
	text, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "hunter2") {
		t.Error("describe got a secret of the host's environment")
	}
	mentions(t, string(text), "PATH=", "LC_ALL=C.UTF-8")
}

// noneLives waits until the processes whose ids are in a file have ended.
func noneLives(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(30 * time.Second); alive(pid); {
			if time.Now().After(end) {
				t.Fatalf("process %d lives on", pid)
			}
			<-time.After(5 * time.Millisecond)
		}
	}
}

// alive returns false for a zombie that has not been reaped yet.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return !os.IsNotExist(err) || !hasProc()
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func hasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
