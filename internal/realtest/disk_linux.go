package realtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Full prevents all files of a process from growing beyond the current size of path. It simulates a full disk for that
// process with a kernel limit, without a mount or a separate user. free restores the limit.
func Full(t *testing.T, pid int, path string) (free func()) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	var before unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &before); err != nil {
		t.Fatal(err)
	}
	tight := before
	tight.Cur = uint64(info.Size())
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &tight, nil); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &before, nil); err != nil {
			t.Error(err)
		}
	}
}

// FullHost simulates a full disk for awhost itself, so that its journal cannot grow.
func (r *Run) FullHost(runDir string) { Full(r.t, r.cmd.Process.Pid, filepath.Join(runDir, "journal")) }

// Samples returns the number of finished training episodes in a step.
func (r *Run) Samples(step int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.samples[step]
}

// UntilSamples waits until n training episodes in a step have finished.
func (r *Run) UntilSamples(step, n int) {
	r.t.Helper()
	r.until(fmt.Sprintf("%d samples of step %d", n, step), func() bool { return r.samples[step] >= n })
}

// RunDir returns the directory of the only run in a given directory.
func RunDir(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "journal"))
	if err != nil || len(found) != 1 {
		t.Fatalf("runs in %s: %v, %v", dir, found, err)
	}
	return filepath.Dir(found[0])
}

// CheckWhole checks that every step of a run has trained all planned samples.
func CheckWhole(t *testing.T, dir string, steps, samples int) {
	t.Helper()
	var audit struct {
		Trained  int      `json:"trained"`
		Masked   int      `json:"masked"`
		Filtered int      `json:"filtered"`
		Problems []string `json:"problems"`
		Short    []any    `json:"short"`
	}
	text := Do(t, dir, "--json", "show", "--audit")
	if err := json.Unmarshal([]byte(text), &audit); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if audit.Trained+audit.Filtered != steps*samples || audit.Masked > 0 || len(audit.Problems)+len(audit.Short) > 0 {
		t.Errorf("want %d steps of %d samples, got %s", steps, samples, text)
	}
	for step, rewards := range Rewards(t, dir) {
		if len(rewards) != samples {
			t.Errorf("step %d has %d samples on record, want %d", step, len(rewards), samples)
		}
	}
}
