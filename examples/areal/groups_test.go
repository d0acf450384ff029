package areal_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk"
)

// Two of AReaL's own example files with different group sizes.
const (
	groupsOf4  = "math_gsm8k_grpo.yaml"
	groupsOf16 = "math_boba_grpo.yaml"
)

// elsewhere are the keys of AReaL's example files that awhost sets itself, or that need GPUs and a large model.
var elsewhere = []string{
	"experiment_name", "trial_name", "total_train_epochs", "tokenizer_path", "cluster", "scheduler", "valid_dataset",
	"train_dataset", "saver", "recover", "ref", "sglang", "vllm", "rollout.max_head_offpolicyness", "rollout.backend",
	"rollout.scheduling_spec", "actor.path", "actor.backend", "actor.scheduling_spec", "actor.dtype",
	"actor.gradient_checkpointing", "actor.weight_update_mode",
}

// numbers are the group size and the reward settings of a file.
type numbers struct {
	group       int
	scale, bias float64
}

// fromFile removes the numbers from the example's spec, so that they come from one of AReaL's example files, and
// returns them.
func fromFile(t *testing.T, spec, name string, prompts int) numbers {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(os.Getenv("AWHOST_TESTDATA"), "users", "areal", name))
	if err != nil {
		t.Skipf("SKIPPED: set AWHOST_TESTDATA to the folder with reference data: AReaL's example files are in it (%v)", err)
	}
	var tree map[string]map[string]any
	var file map[string]any
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	tree = map[string]map[string]any{}
	for key := range file {
		tree[key], _ = file[key].(map[string]any)
	}
	for _, key := range elsewhere {
		section, last, nested := strings.Cut(key, ".")
		if nested {
			delete(tree[section], last)
		} else {
			delete(file, section)
		}
	}
	tree["gconfig"]["max_new_tokens"], file["train_dataset"] = 60, map[string]any{"batch_size": prompts}
	if text, err = yaml.Marshal(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(spec), "own.yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	const blocks = `^  (batch|optimizer|algorithm "grpo"|limits|validate) \{\n.*?^  \}\n`
	const lines = `^  (sampling|concurrency|validation) .*?\n`
	own := regexp.MustCompile(`(?ms)` + blocks + `|` + lines)
	edited := own.ReplaceAllString(string(written), "")
	if err := os.WriteFile(spec, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	realtest.Edit(t, spec, "  device = \"cpu\"\n", "  device = \"cpu\"\n  config = \"own.yaml\"\n")
	number := func(key string) float64 { return asNumber(tree["actor"][key]) }
	group := int(asNumber(tree["gconfig"]["n_samples"]))
	return numbers{group: group, scale: number("reward_scaling"), bias: number("reward_bias")}
}

func asNumber(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// advantageWitness returns Python code that records the advantages computed by AReaL with the token IDs of their
// rows.
func advantageWitness(path string) string {
	return fmt.Sprintf(`
def advantages(module):
    compute = module.PPOActor._compute_advantages
    def witnessed(self, data):
        out = compute(self, data)
        with open(%q, "a") as f:
            columns = (out[name] for name in ("input_ids", "attention_mask", "loss_mask", "advantages"))
            for ids, seen, mask, advantage in zip(*columns):
                row = {"ids": ids[seen.bool()].tolist(), "advantages": advantage[mask.bool()].tolist()}
                f.write(json.dumps(row) + "\n")
        return out
    module.PPOActor._compute_advantages = witnessed
changes["areal.trainer.ppo.actor"] = advantages
`, path)
}

// linesOf decodes a file of JSON lines.
func linesOf[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// rollout is a trained episode with AReaL's advantages for its tokens.
type rollout struct {
	group  string
	step   int
	reward float64
	got    []float64
}

// rollouts joins the journal's episodes with AReaL's rows, using the recorded token IDs of each chain.
func rollouts(t *testing.T, runDir, given, seen string) []rollout {
	t.Helper()
	byIDs := map[string][]float64{}
	for _, row := range linesOf[struct {
		IDs        []int
		Advantages []float64
	}](t, seen) {
		byIDs[fmt.Sprint(row.IDs)] = row.Advantages
	}
	byChain := map[string][]float64{}
	for _, row := range linesOf[struct {
		Chain string
		IDs   []int
	}](t, given) {
		byChain[row.Chain] = byIDs[fmt.Sprint(row.IDs)]
	}
	run, err := runstore.At(filepath.Dir(runDir), runstore.Options{}).Open(runDir)
	if err != nil {
		t.Fatal(err)
	}
	var out []rollout
	for record, err := range run.Records(journal.Position{}, runstore.TypeEpisode) {
		if err != nil {
			t.Fatal(err)
		}
		e, err := runstore.Decode[runstore.EpisodeRecord](record)
		if err != nil {
			t.Fatal(err)
		}
		if e.Slot.Split != sdk.SplitTrain || e.Reward == nil || len(e.Chains) != 1 {
			continue
		}
		out = append(out, rollout{e.Slot.Group, e.Slot.Step, *e.Reward, byChain[e.Chains[0].Chain]})
	}
	return out
}

// moments returns the mean and the sample standard deviation, as AReaL computes them.
func moments(values []float64) (mean, std float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		std += (v - mean) * (v - mean) / float64(len(values)-1)
	}
	return mean, math.Sqrt(std)
}

// checkAdvantages compares AReaL's advantages with advantages computed over rollouts. Scaled rewards are normalized
// within the group of their prompt, all tokens of a rollout get the same number, and the tokens of a step are
// normalized together.
func checkAdvantages(t *testing.T, all []rollout, file numbers, steps, prompts int) {
	t.Helper()
	const eps, bound = 1e-5, 1e-4
	groups, tokens := map[string][]float64{}, map[int][]float64{}
	for _, r := range all {
		groups[r.group] = append(groups[r.group], (r.reward+file.bias)*file.scale)
	}
	want := make([]float64, len(all))
	for i, r := range all {
		mean, std := moments(groups[r.group])
		want[i] = ((r.reward+file.bias)*file.scale - mean) / (std + eps)
		for range r.got {
			tokens[r.step] = append(tokens[r.step], want[i])
		}
	}
	if len(groups) != steps*prompts || len(all) != steps*prompts*file.group {
		t.Fatalf("%d rollouts in %d groups, want %d × %d × %d", len(all), len(groups), steps, prompts, file.group)
	}
	largest := 0.0
	for i, r := range all {
		mean, std := moments(tokens[r.step])
		if len(r.got) == 0 {
			t.Errorf("AReaL has no advantages of a rollout of group %s", r.group)
		}
		for _, got := range r.got {
			largest = max(largest, math.Abs(got-(want[i]-mean)/(std+eps)))
		}
	}
	t.Logf("%d rollouts in groups of %d: advantages are off by %.2g at most", len(all), file.group, largest)
	if !(largest <= bound) {
		t.Errorf("advantages differ from those over rollouts by up to %g", largest)
	}
}

// trainFromFile trains two steps with the numbers of one of AReaL's example files.
func trainFromFile(t *testing.T, name string, group, prompts int) {
	t.Helper()
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	dir, folder := realtest.Copy(t, "examples/areal"), t.TempDir()
	given, seen := filepath.Join(folder, "rows"), filepath.Join(folder, "advantages")
	spec := filepath.Join(dir, "train.hcl")
	file := fromFile(t, spec, name, prompts)
	if file.group != group {
		t.Fatalf("the file has groups of %d", file.group)
	}
	site := realtest.Mutant(t, realtest.SawPython(given)+rowsWitness+advantageWitness(seen))
	realtest.Edit(t, spec, "  checkpoint {", fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", site))
	finished := start(t, python, dir, "--var", "mode=workflow").Wait()
	if finished.Outcome != "completed" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	checkAdvantages(t, rollouts(t, runDir, given, seen), file, 2, prompts)
	checkGone(t, runDir)
}

func TestAReaL_AFileDecidesTheGroups(t *testing.T) {
	for name, group := range map[string]int{groupsOf4: 4, groupsOf16: 16} {
		t.Run(fmt.Sprint(group), func(t *testing.T) {
			realtest.Slow(t)
			trainFromFile(t, name, group, 4)
		})
	}
}
