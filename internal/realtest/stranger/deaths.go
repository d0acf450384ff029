package stranger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk/metric"
)

// SurvivesDeaths kills a run's trainer, plugin, and host in turn. The result must be bit-identical to an undisturbed
// run. The trainer of a bundled adapter continues without its plugin and host.
func (a Adapter) SurvivesDeaths(t *testing.T, start Start, steps int) (dir string, finished realtest.Finished) {
	undisturbed := a.Prepare(t)
	args := []string{fmt.Sprintf("steps=%d", steps), "checkpoints=2"}
	want := start(t, undisturbed, args...).Wait()
	Done(t, want, "completed", steps)

	dir = a.Prepare(t)
	run := start(t, dir, args...)
	run.UntilStep(3)
	for _, pid := range Trainers(t, dir) {
		realtest.Kill(t, pid)
	}
	run.UntilStep(4)
	run.Kill(a.id())
	run.UntilStep(5)
	run.KillHost()
	wantLaunches := 2
	if !a.Bundled {
		wantLaunches = 4
		a.CheckGone(t, dir)
	}
	finished = realtest.Start(t, dir, "resume").Wait()
	Done(t, finished, "completed", steps)
	if n := len(a.Launches(t, dir)); n != wantLaunches {
		t.Errorf("the framework was started %d times after three deaths; want %d", n, wantLaunches)
	}
	checkSame(t, dir, finished, undisturbed, want)
	a.CheckGone(t, dir)
	realtest.Do(t, dir, "show", "--audit")
	return dir, finished
}

// SurvivesRealDeaths runs SurvivesDeaths with the real framework.
func (a Adapter) SurvivesRealDeaths(t *testing.T) {
	realtest.Slow(t)
	dir, finished := a.SurvivesDeaths(t, a.Start, 8)
	a.CheckSteps(t, filepath.Join(dir, finished.Dir), 8)
	for _, fault := range []string{"trainer killed", "plugin killed", "host killed"} {
		a.Record(t, realtest.Result{What: realtest.Survived, Detail: fault})
	}
}

// StopsAndGoesOn stops a run, which must save a checkpoint of the current step, and resumes it with the framework
// fields with which it was started.
func (a Adapter) StopsAndGoesOn(t *testing.T, start Start, steps int) (dir string, finished realtest.Finished) {
	dir = a.Prepare(t)
	run := start(t, dir, fmt.Sprintf("steps=%d", steps), "--", "adam_epsilon=1e-7")
	run.UntilStep(2)
	run.Interrupt()
	stopped := run.Wait()
	if stopped.Outcome != "stopped" || stopped.Step < 2 || stopped.Step >= steps {
		t.Fatalf("outcome %s at step %d of %d; want stopped after the step that was under way\n%s", stopped.Outcome,
			stopped.Step, steps, stopped.Problems)
	}
	a.CheckGone(t, dir)
	finished = realtest.Start(t, dir, "resume").Wait()
	Done(t, finished, "completed", steps)
	return dir, finished
}

// LoRA trains an adapter with few weights in two stages, with a KL penalty relative to the policy in the spec. If it is
// killed in both stages, the run must produce the same adapter: the second stage and a resume within it must retain all
// of it. edit configures LoRA for all linear layers.
func (a Adapter) LoRA(t *testing.T, edit func(t *testing.T, spec string)) {
	realtest.Slow(t)
	prepared := func() string {
		dir := a.Prepare(t)
		spec := filepath.Join(dir, "train.hcl")
		edit(t, spec)
		realtest.Edit(t, spec, "kl        = 0\n", "kl        = 0.05\n")
		realtest.Edit(t, spec, "warmup_steps  = 5\n", "warmup_steps  = 1\n")
		stages(t, spec, `stage "one" {}`, `stage "two" {}`)
		return dir
	}
	undisturbed, args := prepared(), []string{"steps=3", "checkpoints=2"}
	want := a.Start(t, undisturbed, args...).Wait()
	Done(t, want, "completed", 6)

	dir := prepared()
	run := a.Start(t, dir, args...)
	for _, step := range []int{2, 5} {
		run.UntilStep(step)
		for _, pid := range Trainers(t, dir) {
			realtest.Kill(t, pid)
		}
	}
	finished := run.Wait()
	Done(t, finished, "completed", 6)
	checkSame(t, dir, finished, undisturbed, want)
	gap := a.CheckSteps(t, filepath.Join(dir, finished.Dir), 6)
	if kl := realtest.Steps(t, filepath.Join(dir, finished.Dir))[4][metric.KL]; !(kl > 0) {
		t.Errorf("the second stage begins with a divergence of %g: it has forgotten the first one, or refers to it", kl)
	}
	checkLoRA(t, filepath.Join(dir, finished.Checkpoint))
	a.CheckGone(t, dir)
	if a.Bundled {
		a.exports(t, dir)
	}
	t.Logf("largest gap: %g", gap)
}

// exports checks that an export has the adapter merged with the weights of the policy.
func (a Adapter) exports(t *testing.T, dir string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "policy")
	if said := realtest.Do(t, dir, "export", "--out", out); !strings.Contains(said, "the LoRA adapter is merged") {
		t.Errorf("awhost export: %s", said)
	}
	if _, err := os.Stat(filepath.Join(out, "tokenizer.json")); err != nil {
		t.Errorf("the export has no tokenizer: %v", err)
	}
	own, merged := holds(t, filepath.Join(realtest.TinyModel(t), "model.safetensors")),
		holds(t, filepath.Join(out, "model.safetensors"))
	slices.Sort(own)
	slices.Sort(merged)
	if !slices.Equal(own, merged) {
		t.Errorf("the export has the weights %v; the policy has %v", merged, own)
	}
}

// checkLoRA checks that a checkpoint contains only the LoRA weights.
func checkLoRA(t *testing.T, checkpoint string) {
	t.Helper()
	if all, err := filepath.Glob(filepath.Join(checkpoint, "*.safetensors")); err != nil || len(all) != 1 {
		t.Errorf("the checkpoint has weights %v: %v; want the adapter's weights", all, err)
	}
	names := holds(t, filepath.Join(checkpoint, "adapter_model.safetensors"))
	for _, name := range names {
		if !strings.Contains(name, ".lora_") {
			t.Errorf("the checkpoint has %s, which is not a weight of the adapter", name)
		}
	}
	if len(names) != 2*2*7 {
		t.Errorf("the checkpoint has %d weights; want two for each of the seven matrices in both layers", len(names))
	}
}

// holds lists the tensors in a safetensors file.
func holds(t *testing.T, path string) (names []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 8 { // the length of the header
		t.Fatalf("%s has %d bytes", path, len(data))
	}
	var tensors map[string]json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(data[8:])).Decode(&tensors); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for name := range tensors {
		if name != "__metadata__" {
			names = append(names, name)
		}
	}
	return names
}

// TwoProcesses checks that two processes give the same training result as one. If one of them, their launcher, or the
// plugin is killed, the others must end. After each of these and a stop, the result must be bit-identical to an
// undisturbed run.
func (a Adapter) TwoProcesses(t *testing.T) {
	realtest.Slow(t)
	prepared := func() string {
		dir := a.Prepare(t)
		realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  patience = var.patience\n",
			"  patience = var.patience\n  processes = 2\n")
		return dir
	}
	const steps = 14
	args := []string{"micro_batch=64", fmt.Sprintf("steps=%d", steps), "checkpoints=2"}
	undisturbed := prepared()
	want := a.Start(t, undisturbed, args...).Wait()
	Done(t, want, "completed", steps)
	a.CheckSteps(t, filepath.Join(undisturbed, want.Dir), steps)
	a.checkAlone(t, realtest.Steps(t, filepath.Join(undisturbed, want.Dir)))

	dir := prepared()
	run := a.Start(t, dir, args...)
	for i, kill := range []func(launcher int, others []int){
		func(launcher int, _ []int) { realtest.Kill(t, launcher) }, // the others have separate sessions
		func(_ int, others []int) { realtest.Kill(t, others[0]) },
		func(_ int, others []int) { realtest.Kill(t, others[1]) },
		func(int, []int) { run.Kill(a.id()) },
	} {
		run.UntilStep(2*i + 2)
		before := Trainers(t, dir)
		launchers, others := family(t, before)
		if len(launchers) != 1 || len(others) != 2 {
			t.Fatalf("%v train, started by %v; want two, and one that has started them", others, launchers)
		}
		kill(launchers[0], others)
		run.UntilStep(2*i + 3)
		for _, pid := range Trainers(t, dir) {
			if slices.Contains(before, pid) && !(a.Bundled && i == 3) {
				t.Errorf("process %d from the previous launch is still training", pid)
			}
		}
	}
	run.Interrupt()
	stopped := run.Wait()
	if stopped.Outcome != "stopped" || stopped.Step < 9 || stopped.Step >= steps {
		t.Fatalf("outcome %s at step %d; want stopped after the step that was under way\n%s", stopped.Outcome, stopped.Step,
			stopped.Problems)
	}
	a.CheckGone(t, dir)
	finished := realtest.Start(t, dir, "resume").Wait()
	Done(t, finished, "completed", steps)
	wantLaunches := 6
	if a.Bundled {
		wantLaunches = 5
	}
	if n := len(a.Launches(t, dir)); n != wantLaunches {
		t.Errorf("the framework was started %d times after four deaths and a stop; want %d", n, wantLaunches)
	}
	checkSame(t, dir, finished, undisturbed, want)
	a.CheckGone(t, dir)
}

// checkAlone compares the metrics recorded with one process with those recorded with two. The learning rate in the
// first step is 0, so the second step has the same weights.
func (a Adapter) checkAlone(t *testing.T, both map[int]map[string]float64) {
	t.Helper()
	dir := a.Prepare(t)
	one := a.Start(t, dir, "steps=2").Wait()
	Done(t, one, "completed", 2)
	for step, values := range realtest.Steps(t, filepath.Join(dir, one.Dir)) {
		for _, name := range []string{metric.Reward, metric.Episodes, metric.GradNorm} {
			if step > 0 && fmt.Sprintf("%.3f", values[name]) != fmt.Sprintf("%.3f", both[step][name]) {
				t.Errorf("step %d: %s is %g with one process but %g with "+
					"two", step, name, values[name], both[step][name])
			}
		}
	}
}

// family separates the processes in pids that were started by another process in pids (others) from the rest
// (launchers).
func family(t *testing.T, pids []int) (launchers, others []int) {
	t.Helper()
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		var state string
		var parent int
		// The name before the last parenthesis may contain anything.
		if _, err := fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent); err != nil {
			t.Fatalf("read the parent of process %d: %v", pid, err)
		}
		if slices.Contains(pids, parent) {
			others = append(others, pid)
		} else {
			launchers = append(launchers, pid)
		}
	}
	return launchers, others
}
