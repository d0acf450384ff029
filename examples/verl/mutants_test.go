package verl_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// mutants are possible errors of a shim or a sampler. The reward may rise in spite of them, but the bound on
// probabilities must detect them.
var mutants = map[string]string{
	"stale weights": `
def change(module):
    async def set_weights(self, weights, step):
        self.step = int(step or 0)
        print("awhost: the CPU sampler has the weights of step nowhere", flush=True)
    module.CpuServer.set_weights = set_weights
changes = {"awhost_verl.cpu.rollout": change}
`,
	"mask shifted by one": `
def change(module):
    output = module.output
    def shifted(*args, **kwargs):
        out = output(*args, **kwargs)
        out.response_mask = [0] + out.response_mask[:-1]
        return out
    module.output = shifted
changes = {"awhost_verl.output": change}
`,
	"a token lost between turns": `
def change(module):
    output = module.output
    def lossy(*args, **kwargs):
        out = output(*args, **kwargs)
        if 0 in out.response_mask and 1 in out.response_mask:
            lost = out.response_mask.index(0)
            for name in ("response_ids", "response_mask", "response_logprobs"):
                values = getattr(out, name)
                setattr(out, name, values[:lost] + values[lost + 1 :])
        return out
    module.output = lossy
changes = {"awhost_verl.output": change}
`,
}

// mutate changes modules in verl's processes, including ours.
func mutate(t *testing.T, dir, text string) {
	t.Helper()
	env := fmt.Sprintf("  env {\n    PYTHONPATH = %q\n  }\n  checkpoint {", realtest.Mutant(t, text))
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  checkpoint {", env)
}

func TestVerl_FindsPolicyFaults(t *testing.T) {
	realtest.FindsPolicyFaults(t, record, "awhost_verl.cpu.sampler", mutants["mask shifted by one"],
		func(t *testing.T, fault string, change func(dir string)) string {
			if fault == realtest.LoRAOff {
				t.Skip("verl sends merged weights to the sampler")
			}
			dir := realtest.Copy(t, "examples/verl")
			change(dir)
			run := start(t, dir, "--var", "steps=3")
			if fault == realtest.BaseResume {
				run.UntilStep(2)
				realtest.Kill(t, trainer(t, launches(t, dir)[0]))
			}
			finished := run.Wait()
			stranger.Done(t, finished, "completed", 3)
			return filepath.Join(dir, finished.Dir)
		})
}

func TestVerl_MutantsExceedTheBound(t *testing.T) {
	realtest.Slow(t)
	for name, text := range mutants {
		t.Run(name, func(t *testing.T) {
			dir := realtest.Copy(t, "examples/verl")
			mutate(t, dir, text)
			finished := start(t, dir, "--var", "steps=3").Wait()
			if finished.Outcome != "completed" {
				t.Fatalf("outcome %s\n%s", finished.Outcome, finished.Problems)
			}
			worst := 0.0
			for _, values := range realtest.Steps(t, filepath.Join(dir, finished.Dir)) {
				worst = max(worst, values["train/probability_gap"])
			}
			if worst <= 1e-4 {
				t.Errorf("probabilities at sampling and in training differ by at most %g, which no test detects", worst)
			}
			t.Logf("the gap is %g", worst)
		})
	}
}
