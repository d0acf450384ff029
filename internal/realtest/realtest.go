// Package realtest drives the awhost binary as a user would, for tests with real training frameworks.
//
//	run := realtest.Apply(t, realtest.Copy(t, "examples/verl"), "--var", "device=cpu")
//	run.UntilStep(3)
//	run.Kill("adapter.verl.grpo")
//	finished := run.Wait()
//
// It does not depend on a framework. The tests in examples choose the framework and the faults to simulate.
package realtest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk/metric"
)

// Python returns the interpreter of a framework's environment, as named by a variable. It skips the test with a message
// if the variable is not set.
func Python(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Skipf("SKIPPED: set %s to a Python that has the framework; .ci/frameworks/env makes one", variable)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return path
}

// TinyModel returns the warm-started model from the test data, which solves about 35 % of the calculator's tasks,
// converted so that transformers 4 can also read it.
func TinyModel(t *testing.T) string {
	t.Helper()
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with reference data: the tiny model is in it")
	}
	from, to := filepath.Join(data, "frameworks", "tiny-qwen2"), filepath.Join(t.TempDir(), "tiny-qwen2")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	change(t, filepath.Join(to, "config.json"), func(c map[string]any) {
		c["rope_theta"], c["torch_dtype"] = 1000.0,
			"float32"
	})
	change(t, filepath.Join(to, "tokenizer_config.json"), func(c map[string]any) {
		c["tokenizer_class"], c["additional_special_tokens"] = "PreTrainedTokenizerFast", c["extra_special_tokens"]
		delete(c, "extra_special_tokens")
	})
	return to
}

// Lengthen gives a model a context of that many tokens.
func Lengthen(t *testing.T, model string, tokens int) {
	t.Helper()
	change(t, filepath.Join(model, "config.json"), func(c map[string]any) { c["max_position_embeddings"] = tokens })
}

// AWorldFiles returns AWorld's own grpo_trainer.yaml and gaia_reward_function.py, unchanged. Next to the latter is a
// stand-in for AWorld's logger, the only AWorld module that it imports.
func AWorldFiles(t *testing.T) (config, reward string) {
	t.Helper()
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with users/aworld: AWorld's own files are in it")
	}
	config, dir := filepath.Join(data, "users/aworld/grpo_trainer.yaml"), t.TempDir()
	text, err := os.ReadFile(filepath.Join(data, "users/aworld/gaia_reward_function.py"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gaia_reward_function.py": string(text), "aworld/__init__.py": "", "aworld/logs/__init__.py": "",
		"aworld/logs/util.py": "import logging\nlogger = logging.getLogger('aworld')\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config, filepath.Join(dir, "gaia_reward_function.py")
}

// Edit replaces the first occurrence of a string in a file.
func Edit(t *testing.T, path, piece, by string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), piece) {
		t.Fatalf("%s has no %q", path, piece)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), piece, by, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// change edits a JSON object in a file.
func change(t *testing.T, path string, edit func(map[string]any)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	edit(object)
	if data, err = json.Marshal(object); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, data, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// Mutant creates a directory for PYTHONPATH that changes modules in a framework's processes when they are imported.
// text is Python code that defines `changes`, a mapping from module names to functions that take the module. Use it for
// errors that a test must detect.
func Mutant(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sitecustomize.py"), []byte(text+hook), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hook is Python code that every process imports as sitecustomize.
const hook = `
import importlib.abc, importlib.util, sys

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name not in changes:
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        run = spec.loader.exec_module
        def exec_module(module):
            run(module)
            changes[name](module)
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, Finder())
`

// Slow skips a test that is too slow for every change.
func Slow(t *testing.T) {
	t.Helper()
	testlevel.NeedSlow(t, "faults and long runs with the real framework")
}

// root returns the repository's top-level directory.
func root(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Copy copies an example and its data to a directory in which runs may be written. It returns the example's directory.
func Copy(t *testing.T, example string) string {
	t.Helper()
	top := t.TempDir()
	for _, dir := range []string{example, "data"} {
		if err := copyTree(filepath.Join(root(t), dir), filepath.Join(top, dir)); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(top, example)
}

func isRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// notOfExamples lists directories that tests and users keep in an example's directory.
var notOfExamples = []string{"testdata", "tests", "node_modules"}

// copyTree copies the files of an example. The repository itself counts as an example, without its subdirectories.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, hidden := strings.TrimPrefix(path, from), path != from && strings.HasPrefix(e.Name(), ".")
		switch {
		case e.IsDir() && (hidden || slices.Contains(notOfExamples, e.Name()) || name != "" && isRepository(from)):
			return fs.SkipDir
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case hidden || strings.HasSuffix(name, ".go") || !e.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o600)
	})
}

var binary struct {
	once sync.Once
	path string
	err  error
}

// Binary returns the path of awhost, which is built once. It stays in the user's cache folder, one per checkout, so
// that the next test program links nothing.
func Binary(t *testing.T) string {
	t.Helper()
	checkout := sha256.Sum256([]byte(root(t)))
	binary.once.Do(func() { binary.path, binary.err = build(hex.EncodeToString(checkout[:8])) })
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return binary.path
}

// build builds a checkout's binary, one process at a time. The other processes find an up-to-date binary and do not
// replace it.
func build(checkout string) (path string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "awhost-tests", checkout)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "awhost")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "github.com/awhost/awhost/cmd/awhost")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &buildError{string(out), err}
	}
	return path, nil
}

type buildError struct {
	output string
	err    error
}

// Error implements error.
func (e *buildError) Error() string { return "build awhost: " + e.err.Error() + "\n" + e.output }

// Run is a running awhost command.
type Run struct {
	t   *testing.T
	cmd *exec.Cmd

	mu       sync.Mutex
	changed  chan struct{}
	plugins  map[string]int // address → process ID
	step     int            // the last finished step
	commit   int            // the last committed step
	samples  map[int]int    // finished training episodes by step
	warnings []string
	problems []string
	smoke    *Smoke
	finished *Finished
	ended    bool
	err      error
	stderr   bytes.Buffer
}

// Finished describes how a run ended.
type Finished struct {
	Outcome string `json:"outcome"`
	Exit    string `json:"exit"`
	Reason  string `json:"reason"`
	Error   *struct {
		Summary string `json:"summary"`
		Detail  string `json:"detail"`
	} `json:"error"`
	Step       int      `json:"step"`
	Before     *float64 `json:"success_before"`
	After      *float64 `json:"success_after"`
	Dir        string   `json:"dir"`
	Checkpoint string   `json:"checkpoint"`
	Smoke      *Smoke   `json:"-"` // only for a smoke run
	Warnings   []string `json:"-"`
	Problems   string   `json:"-"` // text of diagnostics and standard error
}

// Smoke is the report of a smoke run.
type Smoke struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"`
	Remarks []string `json:"remarks"`
	Stages  []struct {
		Steps       int `json:"steps"`
		Trained     int `json:"trained"` // episodes
		ScriptCalls int `json:"script_calls"`
		Misread     int `json:"misread"`
	} `json:"stages"`
}

// Apply starts `awhost apply` for the spec in a directory.
func Apply(t *testing.T, dir string, args ...string) *Run {
	t.Helper()
	return Start(t, dir, append([]string{"apply", "train.hcl", "--verbose"}, args...)...)
}

// Start starts an awhost command in a directory. It is killed at the end of the test.
func Start(t *testing.T, dir string, args ...string) *Run {
	t.Helper()
	r := &Run{t: t, plugins: map[string]int{}, samples: map[int]int{}, changed: make(chan struct{})}
	r.cmd = exec.Command(Binary(t), append([]string{"--json"}, args...)...)
	r.cmd.Dir = dir
	r.cmd.Stderr = &r.stderr
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go r.read(out)
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill() // fails if it has already ended
		r.wait(func() bool { return r.ended }, time.Minute)
	})
	return r
}

// line holds the event fields that tests use.
type line struct {
	Type     string `json:"type"`
	Instance string `json:"instance"`
	State    string `json:"state"`
	PID      int    `json:"pid"`
	Step     int    `json:"step"`
	Split    string `json:"split"`
	Summary  string `json:"summary"`

	Diagnostics []struct {
		Summary string `json:"summary"`
		Detail  string `json:"detail"`
	} `json:"diagnostics"`
}

func (r *Run) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err == nil {
			r.take(l, bytes.Clone(lines.Bytes()))
		}
	}
	err := r.cmd.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err, r.ended = err, true
	r.tell()
}

func (r *Run) take(l line, raw []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch l.Type {
	case "plugin_state":
		if l.State == "ready" {
			r.plugins[l.Instance] = l.PID
		}
	case "episode_finished":
		if l.Split == "train" {
			r.samples[l.Step]++
		}
	case "step_finished":
		r.step = l.Step
	case "checkpoint_committed":
		r.commit = l.Step
	case "diagnostics":
		for _, d := range l.Diagnostics {
			r.problems = append(r.problems, d.Summary+": "+d.Detail)
		}
	case "warning":
		r.warnings = append(r.warnings, l.Summary)
	case "smoke_report":
		r.smoke = &Smoke{}
		if err := json.Unmarshal(raw, r.smoke); err != nil {
			r.problems = append(r.problems, "read the report of the smoke run: "+err.Error())
		}
	case "run_finished":
		f := &Finished{}
		if err := json.Unmarshal(raw, f); err == nil {
			r.finished = f
		}
	}
	r.tell()
}

// tell wakes all waiting goroutines. The caller holds mu.
func (r *Run) tell() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// wait waits until the condition holds and returns false if that takes longer than patience.
func (r *Run) wait(holds func() bool, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		r.mu.Lock()
		ok, changed := holds(), r.changed
		r.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-timer.C:
			return false
		}
	}
}

// patience bounds every wait: frameworks take a minute to start, or several minutes on a slow machine.
const patience = 25 * time.Minute

// UntilStep waits until a step is finished.
func (r *Run) UntilStep(step int) {
	r.t.Helper()
	r.until("step", func() bool { return r.step >= step })
}

// UntilPlugin waits until a plugin runs and returns its process ID.
func (r *Run) UntilPlugin(address string) int {
	r.t.Helper()
	r.until("plugin "+address, func() bool { return r.plugins[address] != 0 })
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.plugins[address]
}

func (r *Run) until(what string, holds func() bool) {
	r.t.Helper()
	if !r.wait(func() bool { return holds() || r.ended }, patience) {
		r.t.Fatalf("no %s within %s", what, patience)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !holds() {
		r.t.Fatalf("awhost ended before the %s: %v\n%s", what, r.err, r.said())
	}
}

// Until waits for a condition outside awhost while the command runs.
func (r *Run) Until(what string, holds func() bool) {
	r.t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !holds() {
		r.mu.Lock()
		ended := r.ended
		r.mu.Unlock()
		if ended {
			r.t.Fatalf("awhost ended before the %s: %v\n%s", what, r.err, r.said())
		}
		select {
		case <-tick.C:
		case <-late:
			r.t.Fatalf("no %s within %s", what, patience)
		}
	}
}

// Kill kills a plugin with SIGKILL.
func (r *Run) Kill(address string) {
	r.t.Helper()
	Kill(r.t, r.UntilPlugin(address))
}

// KillHost kills awhost itself with SIGKILL.
func (r *Run) KillHost() {
	r.t.Helper()
	Kill(r.t, r.cmd.Process.Pid)
	r.wait(func() bool { return r.ended }, time.Minute)
}

// Interrupt sends SIGINT, as Ctrl-C does.
func (r *Run) Interrupt() {
	r.t.Helper()
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		r.t.Fatal(err)
	}
}

// Kill kills a process with SIGKILL.
func Kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatalf("kill %d: %v", pid, err)
	}
}

// Wait waits for the command to end and returns the content of its last event.
func (r *Run) Wait() Finished {
	r.t.Helper()
	return r.WaitFor(patience)
}

// WaitFor waits like Wait with a different time limit.
func (r *Run) WaitFor(patience time.Duration) Finished {
	r.t.Helper()
	if !r.wait(func() bool { return r.ended }, patience) {
		r.t.Fatalf("awhost did not end within %s", patience)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished == nil {
		r.t.Fatalf("awhost ended without saying how: %v\n%s", r.err, r.said())
	}
	out := *r.finished
	out.Smoke, out.Warnings, out.Problems = r.smoke, r.warnings, r.said()
	return out
}

// said returns the problems that awhost reported in events and in standard error. The caller must hold the lock unless
// the run has ended.
func (r *Run) said() string {
	text := strings.Join(r.problems, "\n") + r.stderr.String()
	if r.finished != nil && r.finished.Error != nil {
		text = r.finished.Error.Summary + ": " + r.finished.Error.Detail + "\n" + text
	}
	return text
}

// Do runs an awhost command in a directory. It fails the test if the command fails.
func Do(t *testing.T, dir string, args ...string) (output string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), Binary(t), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("awhost %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Steps returns the metrics of each step of a run from its run directory. If a value was reported twice, the last one
// counts, because a step may be repeated, or a stage may validate at the step where the previous one ended.
func Steps(t *testing.T, runDir string) map[int]map[string]float64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(runDir, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]map[string]float64{}
	for _, raw := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var l struct {
			Step   int                 `json:"step"`
			Values map[string]*float64 `json:"values"`
		}
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if out[l.Step] == nil {
			out[l.Step] = map[string]float64{}
		}
		for name, v := range l.Values {
			if v != nil {
				out[l.Step][name] = *v
			}
		}
	}
	return out
}

// Eventually waits up to a minute for a condition.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	Within(t, time.Minute, what, holds)
}

// Within waits up to limit for a condition.
func Within(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("not within %s: %s", limit, what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Curve returns the fraction of successful training episodes in each step of a run.
func Curve(t *testing.T, runDir string, last int) []float64 {
	t.Helper()
	steps, out := Steps(t, runDir), make([]float64, last)
	for i := range out {
		share, ok := steps[i+1][metric.SuccessRate]
		if !ok {
			t.Fatalf("step %d has no success rate on record", i+1)
		}
		out[i] = math.Round(share*1e4) / 1e4
	}
	return out
}

// Rewards returns the rewards of the counted training samples by step.
func Rewards(t *testing.T, dir string) map[int][]float64 {
	t.Helper()
	out := map[int][]float64{}
	for line := range strings.Lines(Do(t, dir, "show", "--episodes")) {
		var e struct {
			Standing string   `json:"standing"`
			Reward   *float64 `json:"reward"`
			Slot     struct {
				Split string `json:"split"`
				Step  int    `json:"step"`
			} `json:"slot"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Standing == "COUNTED" && e.Slot.Split == "train" && e.Reward != nil {
			out[e.Slot.Step] = append(out[e.Slot.Step], *e.Reward)
		}
	}
	return out
}
