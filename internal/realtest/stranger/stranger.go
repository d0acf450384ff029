// Package stranger contains the tests for adapters with a trainer in Python: an adapter must train with the real
// framework, both undisturbed and with killed processes. To the host, an adapter below examples/plugins is third-party
// code: a directory named in required_plugins, built and accepted by `awhost init`.
package stranger

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk/metric"
	"github.com/awhost/awhost/sdk/process"
)

// Adapter describes an adapter under test. The tests of a bundled adapter are in examples/NAME, where testdata.fake may
// be a Python package that creates an interpreter whose framework does not train. The tests of other adapters are in
// examples/plugins/NAME/tests.
type Adapter struct {
	Name         string // folder and type: "trl"
	Title        string // name of the framework in docs/reference/frameworks.md
	Distribution string // Python distribution of the framework; empty: its results are not recorded
	Bundled      bool   // its example is in examples/NAME, and it finds its trainer again after a kill
	Components   string // prefix of reward components in its metrics: "trl/awhost/"; empty: it has none

	Config map[string]any // block attributes for the tiny model, in addition to python and device
}

// Python returns the name of the variable that names the Python with the real framework. Tests of the adapter alone can
// also use a stand-in, with the Python named by AWHOST_SDK_PYTHON.
func (a Adapter) Python() string { return "AWHOST_" + strings.ToUpper(a.Name) + "_PYTHON" }

func (a Adapter) folder() string {
	if a.Bundled {
		return "examples/" + a.Name
	}
	return "examples/plugins/" + a.Name
}

func (a Adapter) id() string { return "adapter." + a.Name + ".grpo" }

// Prepare copies the plugin and accepts it. It skips the test if no Python is configured for it.
func (a Adapter) Prepare(t *testing.T) (dir string) {
	t.Helper()
	if os.Getenv("AWHOST_SDK_PYTHON") == "" {
		realtest.Python(t, a.Python())
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // `init` keeps the key of accepted plugins there
	dir = realtest.Copy(t, a.folder())
	if !a.Bundled {
		realtest.Do(t, dir, "init", "train.hcl")
	}
	return dir
}

// A Start applies the example in a directory, with variables NAME=VALUE and, after "--", the framework's fields.
type Start func(t *testing.T, dir string, variables ...string) *realtest.Run

// Start trains the tiny model with the real framework.
func (a Adapter) Start(t *testing.T, dir string, variables ...string) *realtest.Run {
	t.Helper()
	return start(t, dir, append([]string{"python=" + realtest.Python(t, a.Python()), "model=" + realtest.TinyModel(t),
		"prompt_tokens=16"}, variables...))
}

// StandIn starts runs with the interpreter of Fake.
func (a Adapter) StandIn(t *testing.T) Start {
	t.Helper()
	python := a.Fake(t)
	return func(t *testing.T, dir string, variables ...string) *realtest.Run {
		t.Helper()
		return start(t, dir, append([]string{"python=" + python, "model=nowhere", "prompt_tokens=4000"}, variables...))
	}
}

// Fake creates an interpreter whose framework does not train: its samples serve as its weights.
func (a Adapter) Fake(t *testing.T) (python string) {
	t.Helper()
	venv := filepath.Join(t.TempDir(), "venv")
	const code = "import pathlib, sys; from testdata import fake; fake.interpreter(pathlib.Path(sys.argv[1]))"
	cmd := exec.CommandContext(t.Context(), realtest.Python(t, "AWHOST_SDK_PYTHON"), "-c", code, venv)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(venv, "bin", "python")
}

// start waits up to 10 minutes, because the results of runs that are compared must not depend on process speed.
func start(t *testing.T, dir string, variables []string) *realtest.Run {
	t.Helper()
	var fields, args []string
	if i := slices.Index(variables, "--"); i >= 0 {
		variables, fields = variables[:i], variables[i:]
	}
	for _, v := range append([]string{"device=cpu", "prompts=16", "response_tokens=80", "micro_batch=128", "patience=10m"},
		variables...) {
		args = append(args, "--var", v)
	}
	return realtest.Apply(t, dir, append(args, fields...)...)
}

// CheckSteps checks that the steps are recorded, and that the framework computes the probabilities with which the
// tokens were sampled. This detects a misplaced mask or token even if the reward rises. It returns the largest
// difference.
func (a Adapter) CheckSteps(t *testing.T, runDir string, last int) (largest float64) {
	t.Helper()
	steps := realtest.Steps(t, runDir)
	for step := 1; step <= last; step++ {
		values, ok := steps[step]
		if !ok {
			t.Errorf("step %d is not on record", step)
			continue
		}
		largest = max(largest, checkGap(t, step, values))
		names := []string{metric.GradNorm, metric.Reward}
		if a.Components != "" {
			names = append(names, a.Components+"reward.calculator.shape.tool", a.Name+"/completions/mean_length")
		}
		for _, name := range names {
			if !(values[name] > 0) {
				t.Errorf("step %d: %s is %g", step, name, values[name])
			}
		}
	}
	return largest
}

func checkGap(t *testing.T, step int, values map[string]float64) float64 {
	t.Helper()
	gap, ok := values[metric.ProbabilityGap]
	if !ok || !(gap > 0 && gap < 1e-4) {
		t.Errorf("step %d: probabilities at sampling and in training differ by %g (known: %v); want some difference below 1e-4", step, gap, ok)
	}
	return gap
}

// Launches returns the launch directories of a run. Each launch is one start of the framework.
func (a Adapter) Launches(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "plugins", a.id(), "*", a.Name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range found {
		found[i] = filepath.Dir(path)
	}
	return found
}

// TrainerLog returns the framework's output from the first launch of a run.
func (a Adapter) TrainerLog(t *testing.T, dir string) string {
	t.Helper()
	return a.trainerLog(t, a.Launches(t, dir)[0])
}

func (a Adapter) trainerLog(t *testing.T, launch string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(launch, "trainer.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Trainers returns the IDs of the trainer processes in a directory, whose working directories are launch directories.
func Trainers(t *testing.T, dir string) (pids []int) {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range found {
		if cwd, err := os.Readlink(link); err == nil && strings.HasPrefix(cwd, dir+"/.awhost/") {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// CheckGone checks that a run has left no processes behind.
func (a Adapter) CheckGone(t *testing.T, dir string) {
	t.Helper()
	realtest.Eventually(t, "no trainer is left", func() bool { return len(Trainers(t, dir)) == 0 })
	for _, launch := range a.Launches(t, dir) {
		if left, err := process.FindMarked(filepath.Base(launch)); err != nil || len(left) > 0 {
			t.Errorf("launch %s left %v behind: %v", filepath.Base(launch), left, err)
		}
	}
}

// Done checks the outcome and the last step of a run.
func Done(t *testing.T, finished realtest.Finished, outcome string, step int) {
	t.Helper()
	if finished.Outcome != outcome || finished.Step != step {
		t.Fatalf("outcome %s at step %d; want %s at step %d\n%s", finished.Outcome, finished.Step, outcome, step,
			finished.Problems)
	}
}

// Digest returns the digest of a run's last checkpoint.
func Digest(t *testing.T, dir string, finished realtest.Finished) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, finished.Checkpoint, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Digest string `json:"digest"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil || manifest.Digest == "" {
		t.Fatalf("the checkpoint has no digest: %v", err)
	}
	return manifest.Digest
}

// checkSame checks that two runs, each in its own directory, have bit-identical checkpoints.
func checkSame(t *testing.T, dir string, finished realtest.Finished, undisturbed string, want realtest.Finished) {
	t.Helper()
	if got, want := Digest(t, dir, finished), Digest(t, undisturbed, want); got != want {
		t.Errorf("the last checkpoint is %s; without deaths it is %s", got, want)
	}
}

// Record adds a result for docs/reference/frameworks.md if AWHOST_RESULTS is set. An adapter without a distribution
// records only its clean runs.
func (a Adapter) Record(t *testing.T, r realtest.Result) {
	t.Helper()
	switch r.Framework = a.Title; {
	case a.Distribution != "":
		r.Version = realtest.Version(t, realtest.Python(t, a.Python()), a.Distribution)
	case r.What != realtest.Clean:
		return
	}
	realtest.Record(t, r)
}

// Unittest runs Python tests with the Python that has the framework, with the given directories on its path. None may
// be skipped.
func (a Adapter) Unittest(t *testing.T, dir, module string, path ...string) {
	t.Helper()
	for i, p := range path {
		absolute, err := filepath.Abs(p)
		if err != nil {
			t.Fatal(err)
		}
		path[i] = absolute
	}
	cmd := exec.CommandContext(t.Context(), realtest.Python(t, a.Python()), "-m", "unittest", module)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PYTHONPATH="+strings.Join(path, string(os.PathListSeparator)),
		"PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nOK") || strings.Contains(string(out), "skipped") {
		t.Errorf("%v\n%s", err, out)
	}
}
