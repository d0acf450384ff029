package verl_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// TestVerl_TrainsEachModelFamily trains two steps in the tool-call format of each model family, with a scripted policy.
// The rows that verl receives must equal the rows in the journal.
func TestVerl_TrainsEachModelFamily(t *testing.T) {
	realtest.Slow(t)
	dir, given := realtest.Copy(t, "examples/verl"), filepath.Join(t.TempDir(), "rows")
	site := realtest.Mutant(t, realtest.SawPython(given)+realtest.FamilyPython(t)+rowsWitness+
		"changes[\"awhost_verl.loop\"] = act_in_verl\n")
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  checkpoint {",
		fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", site))
	realtest.EditForFamilies(t, dir, "  gpus_per_node = var.gpus\n")
	for _, name := range realtest.Families {
		t.Run(name, func(t *testing.T) {
			model := realtest.FamilyModel(t, realtest.Python(t, "AWHOST_VERL_PYTHON"), name)
			finished := start(t, dir, "--var", "steps=2", "--var", "prompts=2", "--var", "prompt_tokens=4096", "--var",
				"response_tokens=1024", "--var", "model="+model).Wait()
			if finished.Outcome != "completed" || finished.Step != 2 {
				t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
			}
			runDir := filepath.Join(dir, finished.Dir)
			checkTokens(t, runDir, 1, 2)
			told := realtest.Tokens(t, runDir)
			realtest.CheckTokens(t, told, given)
			realtest.CheckTokenSteps(t, dir, told, 1, 2)
			realtest.CheckFamily(t, dir, 2*2*8)
		})
	}
}
