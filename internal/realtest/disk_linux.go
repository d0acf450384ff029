package realtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Full lets no file of a process grow beyond the size that one has now: it is the full disk of that process, by the kernel's limit, and
// needs neither a mount nor a user. free takes it back.
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

// FullHost is the full disk of awhost itself: its journal takes no more.
func (r *Run) FullHost(runDir string) { Full(r.t, r.cmd.Process.Pid, filepath.Join(runDir, "journal")) }

// Samples is how many training episodes of a step are over.
func (r *Run) Samples(step int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.samples[step]
}

// UntilSamples waits until so many training episodes of a step are over.
func (r *Run) UntilSamples(step, n int) {
	r.t.Helper()
	r.until(fmt.Sprintf("%d samples of step %d", n, step), func() bool { return r.samples[step] >= n })
}

// RunDir is the directory of the only run in a folder.
func RunDir(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "journal"))
	if err != nil || len(found) != 1 {
		t.Fatalf("runs in %s: %v, %v", dir, found, err)
	}
	return filepath.Dir(found[0])
}

// CheckWhole says whether every step of a run has trained all samples that are planned.
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
