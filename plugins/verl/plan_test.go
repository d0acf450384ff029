package verl

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/python"
)

// environment makes what looks like a virtual environment with a verl.
func environment(t *testing.T) (interpreter string) {
	t.Helper()
	dir := t.TempDir()
	site := filepath.Join(dir, "lib", "python3.11", "site-packages")
	files := map[string]string{
		filepath.Join(dir, "bin", "python"): "#!/bin/false\n", filepath.Join(dir, "pyvenv.cfg"): "home = /nowhere\nversion = 3.11.7\n",
		filepath.Join(site, "verl", "version", "version"): "0.9.1", filepath.Join(site, "verl", "trainer", "config", "_generated_ppo_trainer.yaml"): "",
	}
	configure(t, "0.9.1")
	for _, name := range []string{"verl", "torch", "ray", "transformers", "hydra_core", "tensordict", "vllm", "transferqueue"} {
		files[filepath.Join(site, name+"-1.0.dist-info", "METADATA")] = "Name: " + name + "\n"
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "bin", "python")
}

// configure stores an answer of the probe, as if the made-up verl had given it: the tested 0.9.1's.
func configure(t *testing.T, version string) {
	t.Helper()
	file, err := os.Open(filepath.Join("internal", "settings", "tested.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	for decoder := json.NewDecoder(text); decoder.More(); { // the last one counts
		if err := decoder.Decode(&answer); err != nil {
			t.Fatal(err)
		}
	}
	answer["files"] = map[string]string{"verl/version/version": fmt.Sprintf("%x", sha256.Sum256([]byte(version)))}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	dir := filepath.Join(cache, "awhost", "configurations")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "verl-made-up.json"), framework.EncodedJSON(answer), 0o600); err != nil {
		t.Fatal(err)
	}
}

// said are the errors and warnings of a plan, requirements that are not met included.
func said(t *testing.T, block map[string]any, policy string, smoke bool) string {
	t.Helper()
	out := planned(t, block, policy, smoke)
	var all []string
	for _, d := range out.Diagnostics {
		all = append(all, fmt.Sprintf("%s: %s: %s", d.Severity, d.Summary, d.Detail))
	}
	for _, r := range out.Requirements {
		if !r.Met {
			all = append(all, "not met: "+r.Kind+": "+r.Detail)
		}
	}
	return strings.Join(all, "\n")
}

// planned plans one stage.
func planned(t *testing.T, block map[string]any, policy string, smoke bool) *sdk.PlanResponse {
	t.Helper()
	full := map[string]any{"python": environment(t)}
	maps.Copy(full, block)
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	steps, prompts, group := 3, 8, 4
	out, err := (&adapter{config: configured(t, string(text))}).Plan(t.Context(), sdk.PlanRequest{
		Policy: json.RawMessage(fmt.Sprintf(`{"path":%q}`, policy)), RunDir: "/run", Smoke: smoke,
		Stages: []sdk.StagePlan{{
			Name: "only", Data: sdk.DataSummary{TrainTasks: 100},
			Knobs: sdk.Knobs{Steps: &steps, Batch: sdk.BatchKnobs{Prompts: &prompts, GroupSize: &group}, Algorithm: sdk.AlgorithmKnobs{Name: "grpo"}, Set: []string{"steps", "batch.prompts", "batch.group_size"}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// model makes a folder that looks like a policy.
func model(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"max_position_embeddings":4096}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPlan_ShowsTheUpdatesOfAStep(t *testing.T) {
	for name, c := range map[string]struct {
		overrides map[string]any
		want      string
	}{
		"V1": {map[string]any{"actor_rollout_ref.actor.ppo_mini_batch_size": 4},
			"Updates: at most 2 per step, each over the rows of about 16 episodes"},
		"V0": {map[string]any{"actor_rollout_ref.actor.ppo_mini_batch_size": 4, "trainer.use_v1": false},
			"Updates: 2 per step, each over 16 rows"},
		"one": {map[string]any{"trainer.use_v1": false}, "Updates: 1 per step, over 32 rows"},
	} {
		block := map[string]any{"overrides": c.overrides}
		if out := planned(t, block, model(t), false); !slices.Contains(out.Notes, c.want) {
			t.Errorf("%s: the notes lack %q: %q", name, c.want, out.Notes)
		}
	}
}

// A plan for another machine needs no verl here: it is for the newest tested version.
func TestPlan_ForAnotherMachineNeedsNoInstallation(t *testing.T) {
	a := &adapter{config: configured(t, `{"python": "/shared/venv/bin/python"}`)}
	steps, size := 3, 8
	req := sdk.PlanRequest{
		Policy: json.RawMessage(`{"path":"Qwen/Qwen3-8B"}`), RunDir: "/run", Elsewhere: true,
		Stages: []sdk.StagePlan{{
			Name: "only", Data: sdk.DataSummary{TrainTasks: 100},
			Knobs: sdk.Knobs{
				Steps: &steps, Batch: sdk.BatchKnobs{Prompts: &size, GroupSize: &size},
				Algorithm: sdk.AlgorithmKnobs{Name: "grpo"}, Set: []string{"steps", "batch.prompts", "batch.group_size", "algorithm.name"},
			},
		}},
	}
	for _, elsewhere := range []bool{true, false} {
		req.Elsewhere = elsewhere
		out, err := a.Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		severity, first := sdk.SeverityError, out.Diagnostics[0]
		if elsewhere {
			severity = sdk.SeverityWarning
		}
		if first.Summary != "No verl" || first.Severity != severity || elsewhere != (len(out.Effective) > 50) ||
			elsewhere != strings.Contains(first.Detail, "The plan is for verl 0.9.1.") {
			t.Errorf("elsewhere %v: %d values, %+v", elsewhere, len(out.Effective), out.Diagnostics)
		}
		for _, d := range out.Diagnostics[1:] {
			t.Errorf("elsewhere %v: %s: %s", elsewhere, d.Summary, d.Detail)
		}
	}
}

func TestPlan_LooksAtThePolicy(t *testing.T) {
	for name, c := range map[string]struct {
		block  map[string]any
		policy string
		smoke  bool
		want   string // empty: nothing of a model
	}{
		"a folder":                   {policy: model(t)},
		"no folder":                  {policy: "/models/none", want: "error: No such model: /models/none does not exist"},
		"a smoke run of a folder":    {policy: model(t), smoke: true},
		"a smoke run of no folder":   {policy: "/models/none", smoke: true, want: "error: No such model: /models/none does not exist"},
		"a folder of other machines": {policy: "/models/none", block: map[string]any{"launch": "ray"}, want: "warning: No such model on this machine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("RAY_ADDRESS", "")
			got := said(t, c.block, c.policy, c.smoke)
			if !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, "No such model") {
				t.Errorf("said is:\n%s\nwant %q", got, c.want)
			}
		})
	}
}

func TestPlan_CountsTheGPUsOfThisMachine(t *testing.T) {
	const more = 100_000 // than any machine has
	for name, c := range map[string]struct {
		block map[string]any
		smoke bool
		want  bool
	}{
		"on this machine":           {block: map[string]any{}, want: true},
		"a smoke run":               {block: map[string]any{}, smoke: true},
		"on the processor":          {block: map[string]any{"device": "cpu"}},
		"on Ray's cluster":          {block: map[string]any{"launch": "ray"}},
		"for devices of other kind": {block: map[string]any{"overrides": map[string]any{"+trainer.device": "npu"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if python.CountGPUs("/dev") == python.UnknownGPUs {
				t.Skip("SKIPPED: this machine has GPUs that are not NVIDIA's")
			}
			t.Setenv("RAY_ADDRESS", "")
			c.block["gpus_per_node"] = more
			got := said(t, c.block, model(t), c.smoke)
			if strings.Contains(got, "not met: gpu: 100000 GPUs") != c.want || c.want && !strings.Contains(got, "lower gpus_per_node") {
				t.Errorf("said is:\n%s\nwant that GPUs are missing: %v", got, c.want)
			}
		})
	}
}

func TestPlan_RefusesSeveralNodesOnOneMachine(t *testing.T) {
	for name, c := range map[string]struct {
		block   map[string]any
		cluster string // RAY_ADDRESS
		smoke   bool
		want    bool
	}{
		"four":                           {block: map[string]any{"nodes": 4}, want: true},
		"four by verl's key":             {block: map[string]any{"overrides": map[string]any{"trainer.nnodes": 4}}, want: true},
		"one":                            {block: map[string]any{"nodes": 1}},
		"four of Ray's":                  {block: map[string]any{"nodes": 4, "launch": "ray"}},
		"four of a Ray that is joined":   {block: map[string]any{"nodes": 4}, cluster: "head:6379"},
		"four of a Ray named in its key": {block: map[string]any{"nodes": 4, "overrides": map[string]any{"+ray_kwargs.ray_init.address": "head:6379"}}},
		"a smoke run":                    {block: map[string]any{"nodes": 4}, smoke: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("RAY_ADDRESS", c.cluster)
			got := said(t, c.block, model(t), c.smoke)
			if strings.Contains(got, "error: Several nodes on one machine: trainer.nnodes is 4") != c.want {
				t.Errorf("said is:\n%s\nwant that nodes are refused: %v", got, c.want)
			}
		})
	}
}

func TestPlan_ShowsWhatTheBlockAndVerlsKeysSayOfASize(t *testing.T) {
	four := map[string]any{"trainer.n_gpus_per_node": 4, "actor_rollout_ref.rollout.name": "sglang"}
	for name, c := range map[string]struct {
		block map[string]any
		want  []string // of contradictions
	}{
		"a key alone":             {block: map[string]any{"overrides": four}},
		"both, the same":          {block: map[string]any{"overrides": four, "gpus_per_node": 4, "engine": "sglang"}},
		"another number of GPUs":  {block: map[string]any{"overrides": four, "gpus_per_node": 2}, want: []string{"trainer.n_gpus_per_node is 2 in gpus_per_node and 4 in the adapter's overrides"}},
		"another number of nodes": {block: map[string]any{"overrides": map[string]any{"trainer.nnodes": 2}, "nodes": 1, "launch": "ray"}, want: []string{"trainer.nnodes is 1 in nodes and 2 in the adapter's overrides"}},
		"another engine":          {block: map[string]any{"overrides": four, "engine": "vllm"}},
		"a job of the default":    {block: map[string]any{"overrides": four, "launch": "slurm"}, want: []string{"Write gpus_per_node = 4 in the adapter's block"}},
		"a job of that size":      {block: map[string]any{"overrides": four, "launch": "slurm", "gpus_per_node": 4}},
		"a job of Ray's":          {block: map[string]any{"overrides": four, "launch": "ray"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("RAY_ADDRESS", "")
			withSlurm(t)
			got := said(t, c.block, model(t), false)
			for _, part := range c.want {
				if !strings.Contains(got, part) {
					t.Errorf("%q is not in:\n%s", part, got)
				}
			}
			if n := strings.Count(got, "Set twice") + strings.Count(got, "Job of another size"); n != len(c.want) {
				t.Errorf("%d contradictions, want %d:\n%s", n, len(c.want), got)
			}
		})
	}
}

// verl takes the reward of a group of one for its advantage; before its V1 trainer such a group has rows for all samples.
func TestCapabilities_OfAGroupOfOne(t *testing.T) {
	for generation, want := range map[settings.Generation]string{settings.V1: "raw", settings.V0: "zero"} {
		if got := capabilities(generation).GroupOfOne; got != want {
			t.Errorf("%s: %q, want %q", generation, got, want)
		}
	}
	if got := described().GroupOfOne; got != "zero" {
		t.Errorf("described: %q; a plan may only promise less", got)
	}
}

// TestPlan_RequiresTheXgrammarOfTheBridge compares the plan's versions of xgrammar with the bridge's.
func TestPlan_RequiresTheXgrammarOfTheBridge(t *testing.T) {
	const path, want = "../../sdk/python/awhost_bridge/constraints.py", `REQUIREMENT: Final = "xgrammar>=0.2.8,<0.3"`
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s does not contain %s (%v)", path, want, err)
	}
}

// TestPlan_DecodingConstraintsNeedTheCPUSamplerAndXgrammar checks the prerequisites of decoding constraints.
func TestPlan_DecodingConstraintsNeedTheCPUSamplerAndXgrammar(t *testing.T) {
	for version, fits := range map[string]bool{"": false, "0.2.7": false, "0.2.8": true, "0.2.9": true, "0.3.0": false} {
		packages := map[string]string{"xgrammar": version}
		installed := framework.Installed{Python: "/venv/bin/python", Packages: packages}
		problems := checkGrammars(&settings.Installed{Described: framework.Described{Installed: installed}})
		if fits != (len(problems) == 0) {
			t.Errorf("xgrammar %q: %v", version, problems)
		}
		if !fits && !strings.Contains(problems[0].Detail, "/venv/bin/python -m pip install 'xgrammar>=0.2.8,<0.3'") {
			t.Errorf("xgrammar %q: no command in %q", version, problems[0].Detail)
		}
	}
	for device, want := range map[string]bool{"cpu": true, "gpu": false} {
		out := (&adapter{config: config{Device: device}}).capabilities(settings.V1)
		if out.SupportsConstraints() != want || !out.SupportsStop() {
			t.Errorf("device %s: it owns %v", device, out.SamplingOwned)
		}
	}
}

func TestPlan_SaysWhichRowsFollowFromTheChatTemplate(t *testing.T) {
	asked := activate(t)
	policy, other := model(t), model(t)
	for name, c := range map[string]struct {
		block map[string]any
		smoke bool
		want  string // what the user's own Python is asked
		after string // the sentence
	}{
		"the model's own": {want: asking(policy, "", "{}")},
		"another one, with arguments": {
			block: map[string]any{"overrides": map[string]any{
				"data.apply_chat_template_kwargs.enable_thinking": false, "actor_rollout_ref.model.custom_chat_template": "{{ 1 }}",
			}},
			want: asking(policy, "{{ 1 }}", `{"enable_thinking":false}`),
		},
		"arguments as one value": {
			block: map[string]any{"overrides": map[string]any{
				"data.apply_chat_template_kwargs": map[string]any{"enable_thinking": true},
			}},
			want: asking(policy, "", `{"enable_thinking":true}`),
		},
		"that of another tokenizer": {
			block: map[string]any{"overrides": map[string]any{"actor_rollout_ref.model.tokenizer_path": other}},
			want:  asking(other, "", "{}"),
		},
		"of a smoke run": {smoke: true, want: asking(policy, "", "{}")},
		"for other machines": {
			block: map[string]any{"launch": "ray"}, want: asking(policy, "", "{}"),
			after: " This holds for this machine; the trainer runs on others.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("RAY_ADDRESS", "")
			notes := strings.Join(planned(t, c.block, policy, c.smoke).Notes, "\n")
			if got := asked(t); got != c.want || !strings.Contains(notes, "the answer."+c.after+"\ntool calls: the codec") {
				t.Errorf("asked is %s, want %s; the notes are\n%s", got, c.want, notes)
			}
		})
	}
}

// activate makes a program that renders nothing the Python of the shell. It returns what says what it was asked.
func activate(t *testing.T) (asked func(t *testing.T) string) {
	t.Helper()
	venv := t.TempDir()
	question := filepath.Join(venv, "question")
	program := fmt.Sprintf("#!/bin/sh\ncat > '%s'; echo '{\"note\":\"the answer.\"}'\n", question)
	if err := os.Mkdir(filepath.Join(venv, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(venv, "bin", "python"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VIRTUAL_ENV", venv)
	return func(t *testing.T) string {
		t.Helper()
		text, err := os.ReadFile(question)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

func asking(model, template, kwargs string) string {
	return fmt.Sprintf(`{"model":%q,"template":%q,"kwargs":%s,"tool_format":"auto","reasoning_format":"auto"}`,
		model, template, kwargs)
}

func TestPlan_StartsNoPythonOfTheSpec(t *testing.T) {
	activate(t)
	interpreter, mark := environment(t), filepath.Join(t.TempDir(), "started")
	if err := os.WriteFile(interpreter, []byte("#!/bin/sh\ntouch '"+mark+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	planned(t, map[string]any{"python": interpreter}, model(t), false)
	if _, err := os.Stat(mark); !os.IsNotExist(err) {
		t.Errorf("the plan has started the Python that the spec names (%v)", err)
	}
}
