package areal

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// usersFile returns one of AReaL's example files and its content.
func usersFile(t *testing.T, name string) (path string, tree map[string]any) {
	t.Helper()
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with reference data: AReaL's example files are in it")
	}
	path = filepath.Join(data, "users", "areal", name)
	all, err := readFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var flat []framework.Setting
	for _, s := range all {
		flat = append(flat, *s)
	}
	return path, framework.Nested(flat)
}

// sized resolves a stage of three steps on an AReaL 1.0.4. The policy has a window of 40,960 tokens.
func sized(t *testing.T, attributes map[string]any, k sdk.Knobs, smoke bool) *resolved {
	t.Helper()
	policy := policyWith(t, 40960)
	block := map[string]any{"device": "gpu"}
	maps.Copy(block, attributes)
	if k.Steps == nil {
		k.Steps, k.Set = pointer(3), append(k.Set, "steps")
	}
	in := inputs{
		config: configured(t, "1.0.4", block), knobs: k, trainTasks: 700, validationTasks: 4, policy: policy,
		dir: folder(t.TempDir()), trial: "t",
	}
	if smoke {
		in = in.inSmoke(t.TempDir())
	}
	r, err := resolve(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// first is the request of a stage that begins.
var first = sdk.TrainRequest{FirstStep: 1}

func (r *resolved) problemTexts() string {
	var out []string
	for _, p := range r.problems {
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n")
}

// groupOf returns the size of a group as AReaL, its reward normalization, awhost's workers and awhost's record have it.
func groupOf(t *testing.T, r *resolved) map[string]any {
	tree := framework.Nested(r.entries)
	at := func(path ...string) any {
		var v any = tree
		for _, name := range path {
			m, _ := v.(map[string]any)
			v = m[name]
		}
		return v
	}
	return map[string]any{
		"AReaL": at("gconfig", "n_samples"), "reward_norm": at("actor", "reward_norm", "group_size"),
		"workers": launchOf(t, r, first).Settings.Samples, "record": newRecord(first, r).GroupSize,
	}
}

// AReaL's own example files have groups of 4 and 16: AReaL, its workers and awhost take all numbers from the file.
func TestResolve_AReaLsExamplesDecideTheNumbers(t *testing.T) {
	for name, want := range map[string]struct{ prompts, group, message, window int }{
		"math_boba_grpo.yaml":                {32, 16, 8192, 32768},
		"math_gsm8k_dapo_dynamic_bs.yaml":    {256, 4, 4096, 32768},
		"math_gsm8k_grpo.yaml":               {256, 4, 1024, 32768},
		"math_gsm8k_grpo_lora.yaml":          {256, 4, 1024, 32768},
		"math_gsm8k_grpo_megatron.yaml":      {256, 4, 1024, 32768},
		"math_gsm8k_ppo.yaml":                {256, 4, 1024, 32768},
		"multi_turn_math_gsm8k_grpo_mt.yaml": {256, 4, 1024, 32768},
		"openai_agents_config.yaml":          {256, 4, 8192, 8192},
		"tir_tir_math_config.yaml":           {32, 4, 512, 4096},
		"vlm_geometry3k_grpo.yaml":           {32, 4, 512, 32768},
	} {
		t.Run(name, func(t *testing.T) {
			path, tree := usersFile(t, name)
			r := sized(t, map[string]any{"config": path}, sdk.Knobs{}, false)
			if text := r.problemTexts(); text != "" {
				t.Fatalf("the plan objects:\n%s", text)
			}
			launch := launchOf(t, r, first)
			told := launch.Settings
			if r.prompts != want.prompts || launch.Rows != 3*want.prompts || told.MaxContext != want.window {
				t.Errorf("%d prompts, %d rows, a window of %d", r.prompts, launch.Rows, told.MaxContext)
			}
			if !framework.Equal(told.GConfig["max_new_tokens"], want.message) ||
				!framework.Equal(told.EvalGConfig["temperature"], 1.0) {
				t.Errorf("training samples with %v, validation with %v", told.GConfig, told.EvalGConfig)
			}
			checkGroup(t, r, tree, want.group)
			checkGroup(t, sized(t, map[string]any{"config": path}, small, true), tree, *small.Batch.GroupSize)
		})
	}
}

// small are the host's numbers in a smoke run.
var small = sdk.Knobs{
	Batch: sdk.BatchKnobs{GroupSize: pointer(2), Prompts: pointer(2)}, Set: []string{"batch.group_size", "batch.prompts"},
}

// checkGroup compares the size of a group. A file of PPO with a critic, or with statistics of the batch alone, has no
// reward_norm, and gets none.
func checkGroup(t *testing.T, r *resolved, file map[string]any, want int) {
	t.Helper()
	_, normed := file["actor"].(map[string]any)["reward_norm"]
	for who, n := range groupOf(t, r) {
		if who == "reward_norm" && !normed {
			if n != nil {
				t.Errorf("the file has no reward_norm, and AReaL gets one with groups of %v", n)
			}
		} else if !framework.Equal(n, want) {
			t.Errorf("a group has %v samples for %s, want %d", n, who, want)
		}
	}
}

// A file alone decides what the spec omits; the spec decides otherwise, and the plan names each value that it replaces.
func TestResolve_TheSpecReplacesTheFile(t *testing.T) {
	path, _ := usersFile(t, "openai_agents_config.yaml")
	in := inputs{
		config: configured(t, "1.0.4", map[string]any{"config": path, "device": "gpu"}), trainTasks: 700,
		policy: policyWith(t, 40960), dir: folder(t.TempDir()), trial: "t",
	}
	r, err := resolve(in)
	if err != nil || r.problemTexts() != "" {
		t.Fatalf("%v, the plan objects: %s", err, r.problemTexts())
	}
	c := r.config
	got := []int{c.Nodes, c.GPUsPerNode, *c.MaxStaleness, r.steps}
	if want := []int{1, 8, 2, 10 * (700 / 256)}; !slices.Equal(got, want) || c.Scheduler != "local" {
		t.Errorf("nodes, GPUs, staleness, steps are %v, want %v; scheduler %s", got, want, c.Scheduler)
	}
	notes := strings.Join(r.yieldNotes(), "\n")
	for _, want := range []string{
		"openai_agents_config.yaml: replaced by a reward block: reward_fn_path",
		"openai_agents_config.yaml: replaced by the train block's policy: actor.path",
		"replaced by the spec's data: train_dataset.num_workers, train_dataset.path",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}

	in.config = configured(t, "1.0.4", map[string]any{
		"config": path, "device": "gpu", "max_staleness": 0, "gpus_per_node": 16,
		"overrides": map[string]any{"actor.optimizer.lr": 3e-4, "actor.kl_ctl": 0.2},
	})
	in.knobs = sdk.Knobs{Steps: pointer(3), Optimizer: sdk.OptimizerKnobs{LearningRate: pointer(1e-4)},
		Algorithm: sdk.AlgorithmKnobs{KL: pointer(0.1)}, Set: []string{"steps", "optimizer.learning_rate", "algorithm.kl"},
		Overrides: map[string]string{"actor.optimizer.lr": "2e-4"}}
	r, err = resolve(in)
	if err != nil || r.problemTexts() != "" {
		t.Fatalf("%v, the plan objects: %s", err, r.problemTexts())
	}
	if *r.config.MaxStaleness != 0 || r.config.GPUsPerNode != 16 || r.steps != 3 {
		t.Errorf("the spec's values are not used: %+v, %d steps", r.config, r.steps)
	}
	notes = strings.Join(r.yieldNotes(), "\n")
	for _, want := range []string{
		"actor.optimizer.lr = 0.0002 (the command line) replaces 0.0001 (optimizer.learning_rate)",
		"actor.optimizer.lr = 0.0002 (the command line) replaces 0.0003 (overrides)",
		"actor.kl_ctl = 0.2 (overrides) replaces 0.1 (algorithm.kl)",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
}

// The length of a stage may come from any of the user's sources, and a wrong one is named.
func TestResolve_ReadsTheLengthFromTheConfiguration(t *testing.T) {
	for name, test := range map[string]struct {
		overrides map[string]any
		steps     int
		want      string // of a problem
	}{
		"epochs":           {map[string]any{"total_train_epochs": 3, "train_dataset.batch_size": 256}, 6, ""},
		"steps":            {map[string]any{"total_train_epochs": 3, "total_train_steps": 5}, 5, ""},
		"neither":          {nil, 0, "neither steps nor epochs is set"},
		"a text":           {map[string]any{"total_train_epochs": "3"}, 0, `total_train_epochs takes int, and not "3"`},
		"a fraction":       {map[string]any{"total_train_epochs": 2.5}, 0, "total_train_epochs takes int, and not 2.5"},
		"a negative value": {map[string]any{"total_train_steps": -5}, 0, "total_train_steps is -5: it must be a whole"},
		"a reference": {map[string]any{"total_train_steps": "${oc.env:N}", "total_train_epochs": 1}, 0,
			"total_train_steps is ${oc.env:N}, which only AReaL can resolve"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := resolve(inputs{
				config:     configured(t, "1.0.4", map[string]any{"device": "gpu", "overrides": test.overrides}),
				trainTasks: 700, policy: policyWith(t, 40960), dir: folder(t.TempDir()), trial: "t",
			})
			if err != nil {
				t.Fatal(err)
			}
			if text := r.problemTexts(); test.want == "" && text != "" || !strings.Contains(text, test.want) {
				t.Errorf("the plan says\n%s\nwant %q", text, test.want)
			}
			if test.steps > 0 && r.steps != test.steps {
				t.Errorf("the stage has %d steps, want %d", r.steps, test.steps)
			}
		})
	}
}

func TestResolve_GivesATracerItsPlaces(t *testing.T) {
	for _, enabled := range []any{nil, true} {
		overrides := map[string]any{"total_train_steps": 5}
		if enabled != nil {
			overrides["perf_tracer.enabled"] = enabled
		}
		r, err := resolve(inputs{
			config:     configured(t, "1.0.4", map[string]any{"device": "gpu", "overrides": overrides}),
			trainTasks: 700, policy: policyWith(t, 40960), dir: folder(t.TempDir()), trial: "t",
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"experiment_name", "trial_name", "fileroot"} {
			if _, set := r.settings.Value("perf_tracer." + key); set != (enabled != nil) {
				t.Errorf("with perf_tracer.enabled = %v, is perf_tracer.%s set: %t", enabled, key, set)
			}
		}
	}
}

// A file that is not a mapping gets an error without the types of a library.
func TestReadFile_RequiresAMapping(t *testing.T) {
	for text, want := range map[string]string{
		"7": "the top is not a mapping", "- 1": "the top is not a mapping", "a: [1": "correct the YAML",
	} {
		path := filepath.Join(t.TempDir(), "mine.yaml")
		write(t, path, strings.NewReader(text))
		if _, err := readFile(path); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "interface") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// policyWith returns a policy with a context window of that many tokens.
func policyWith(t *testing.T, window int) string {
	t.Helper()
	policy := t.TempDir()
	text := fmt.Sprintf(`{"max_position_embeddings":%d}`, window)
	write(t, filepath.Join(policy, "config.json"), strings.NewReader(text))
	return policy
}

// A number counts wherever it is written, and in a smoke run the host's smaller one.
func TestResolve_OneGroupSizeForAll(t *testing.T) {
	knob := sdk.Knobs{Batch: sdk.BatchKnobs{GroupSize: pointer(6)}, Set: []string{"batch.group_size"}}
	type overrides map[string]any
	for name, test := range map[string]struct {
		overrides overrides
		knobs     sdk.Knobs
		smoke     bool
		want      int
	}{
		"a default":        {want: 8},
		"a knob":           {knobs: knob, want: 6},
		"an override":      {overrides: overrides{"gconfig.n_samples": 4}, want: 4},
		"the command line": {knobs: sdk.Knobs{Overrides: map[string]string{"gconfig.n_samples": "16"}}, want: 16},
		"a reference": {
			overrides: overrides{"gconfig.n_samples": "${actor.max_new_tokens}", "actor.max_new_tokens": 5}, want: 5,
		},
		"a reference to it": {overrides: overrides{"actor.reward_norm.group_size": "${gconfig.n_samples}"}, want: 8},
		"a smoke run":       {overrides: overrides{"gconfig.n_samples": 16}, smoke: true, knobs: small, want: 2},
		"a smoke run of both": {
			overrides: overrides{"gconfig.n_samples": 16, "actor.reward_norm.group_size": 16},
			smoke:     true, knobs: small, want: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := sized(t, map[string]any{"overrides": test.overrides}, test.knobs, test.smoke)
			if text := r.problemTexts(); text != "" {
				t.Fatalf("the plan objects:\n%s", text)
			}
			for who, n := range groupOf(t, r) {
				if !framework.Equal(n, test.want) {
					t.Errorf("a group has %v samples for %s, want %d", n, who, test.want)
				}
			}
		})
	}
}

// Numbers that contradict one another are named, and a smoke run does not hide them unless it replaces a knob.
func TestResolve_NamesContradictions(t *testing.T) {
	type overrides map[string]any
	for want, test := range map[string]struct {
		overrides overrides
		knobs     sdk.Knobs
		max       int  // max_context
		only      bool // outside of smoke runs
	}{
		"actor.reward_norm.group_size is 8, and gconfig.n_samples is 4: remove the first": {
			overrides: overrides{"gconfig.n_samples": 4, "actor.reward_norm.group_size": 8},
		},
		"actor.adv_norm.group_size is 2, and gconfig.n_samples is 4: remove the first": {
			overrides: overrides{"gconfig.n_samples": 4, "actor.adv_norm.mean_level": "group", "actor.adv_norm.group_size": 2},
		},
		"rollout.consumer_batch_size is 32, and train_dataset.batch_size is 64: remove the first": {
			overrides: overrides{"train_dataset.batch_size": 64, "rollout.consumer_batch_size": 32},
		},
		"sglang.context_length is 1024, and max_context is 2048": {
			overrides: overrides{"sglang.context_length": 1024}, max: 2048,
		},
		"the configuration has a critic: remove one of them": {
			overrides: overrides{"critic.path": "x"},
			knobs:     sdk.Knobs{Algorithm: sdk.AlgorithmKnobs{Name: "grpo"}, Set: []string{"algorithm.name"}},
		},
		"gconfig.n_samples is 8 by batch.group_size and 4 by overrides: awhost counts with the spec's value": {
			overrides: overrides{"gconfig.n_samples": 4}, only: true,
			knobs: sdk.Knobs{Batch: sdk.BatchKnobs{GroupSize: pointer(8)}, Set: []string{"batch.group_size"}},
		},
		"total_train_steps is 3 by steps and 7 by the command line: awhost counts with the spec's value": {
			knobs: sdk.Knobs{Overrides: map[string]string{"total_train_steps": "7"}}, only: true,
		},
		"rollout.max_head_offpolicyness is -1: it must be a whole number from 0": {
			overrides: overrides{"rollout.max_head_offpolicyness": -1},
		},
		"rollout.max_head_offpolicyness is ${oc.env:N}, which only AReaL can resolve": {
			overrides: overrides{"rollout.max_head_offpolicyness": "${oc.env:N}"},
		},
		`scheduler.type is "foo": write one of local, ray, slurm`: {
			overrides: overrides{"scheduler.type": "foo"}, only: true,
		},
		"total_train_steps is 3 by steps and 7 by overrides": {overrides: overrides{"total_train_steps": 7}, only: true},
		"gconfig.n_samples is ${oc.env:N}, which only AReaL can resolve": {
			overrides: overrides{"gconfig.n_samples": "${oc.env:N}"}, only: true,
		},
		"gconfig.n_samples is 0: it must be a whole": {overrides: overrides{"gconfig.n_samples": 0}, only: true},
	} {
		attributes := map[string]any{"overrides": test.overrides}
		if test.max > 0 {
			attributes["max_context"] = test.max
		}
		if text := sized(t, attributes, test.knobs, false).problemTexts(); !strings.Contains(text, want) {
			t.Errorf("the plan says\n%s\nwant %s", text, want)
		}
		if test.only {
			continue
		}
		test.knobs.Batch, test.knobs.Set = small.Batch, append(test.knobs.Set, small.Set...)
		if text := sized(t, attributes, test.knobs, true).problemTexts(); !strings.Contains(text, want) {
			t.Errorf("the plan of a smoke run says\n%s\nwant %s", text, want)
		}
	}
}

// The host counts with the numbers of the merged configuration.
func TestPlan_TheHostFindsTheNumbersOfTheConfiguration(t *testing.T) {
	path, _ := usersFile(t, "math_gsm8k_ppo.yaml")
	out := plan(t, "1.0.4", map[string]any{"config": path, "device": "gpu"}, func(k *sdk.Knobs) {
		*k = sdk.Knobs{Steps: pointer(2), Set: []string{"steps"}}
	}, sdk.PlanRequest{Policy: json.RawMessage(policyOf(t))})
	for knob, want := range map[string]string{"batch.prompts": "256", "batch.group_size": "4", "steps": "2"} {
		at := slices.IndexFunc(out.Knobs, func(k sdk.KnobMapping) bool { return k.Knob == knob })
		if at < 0 {
			t.Fatalf("the plan does not map %s", knob)
		}
		if got := values(out)[out.Knobs[at].Key]; got != want {
			t.Errorf("%s is %s for the host, want %s", knob, got, want)
		}
	}
}
