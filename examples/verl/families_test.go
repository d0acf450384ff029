package verl_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// TestVerl_TrainsEachModelFamily trains two steps in the tool-call format of each model family, with a scripted policy.
// The rows that verl receives must equal the rows in the journal. verl 0.9.1 requires transformers before 5.11, which
// cannot read gpt-oss and Mistral: these must be refused before the first episode.
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
			if name == "gpt-oss" || name == "mistral" {
				checkRefused(t, dir, finished)
				return
			}
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

// checkRefused checks that a run failed without an episode, because no codec reads the model's calls.
func checkRefused(t *testing.T, dir string, finished realtest.Finished) {
	t.Helper()
	if finished.Outcome != "failed" || finished.Step != 0 {
		t.Errorf("outcome %s at step %d; want a failure at step 0", finished.Outcome, finished.Step)
	}
	for _, part := range []string{"The model's tool calls cannot be read (tool_format): no codec reads the calls",
		"gpt-oss and Mistral need transformers 5.13 or later"} {
		if !strings.Contains(finished.Problems, part) {
			t.Errorf("no %q in: %s", part, finished.Problems)
		}
	}
	if episodes := realtest.Do(t, dir, "show", "--episodes"); episodes != "" {
		t.Errorf("episodes were played: %s", episodes)
	}
}
