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
)

func pointer[T any](v T) *T { return &v }

// valid is a spec that can be trained; edits make others of it.
func valid() sdk.Knobs {
	return sdk.Knobs{
		Seed: 1, Steps: pointer(15), Batch: sdk.BatchKnobs{Prompts: pointer(16), GroupSize: pointer(8)}, Concurrency: 64,
		Algorithm: sdk.AlgorithmKnobs{Name: "grpo"},
		Set:       []string{"steps", "batch", "batch.prompts", "batch.group_size", "algorithm", "algorithm.name"},
	}
}

// planned plans a CPU run on an AReaL.
func planned(t *testing.T, version string, attributes map[string]any, edit func(*sdk.Knobs), policy string) *sdk.PlanResponse {
	t.Helper()
	return plan(t, version, attributes, edit, sdk.PlanRequest{Policy: json.RawMessage(policy)})
}

// plan plans one stage. The request has the rest.
func plan(t *testing.T, version string, attributes map[string]any, edit func(*sdk.Knobs), req sdk.PlanRequest) *sdk.PlanResponse {
	t.Helper()
	c := configured(t, version, attributes)
	knobs := valid()
	if edit != nil {
		edit(&knobs)
	}
	req.Stages = []sdk.StagePlan{{Name: "main", Knobs: knobs, Data: sdk.DataSummary{TrainTasks: 700, ValidationTasks: 200}}}
	out, err := newAdapter(c, sdk.Setup{Dir: t.TempDir()}).Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// configured is a block of the spec for CPU runs on an AReaL.
func configured(t *testing.T, version string, attributes map[string]any) config {
	t.Helper()
	block := map[string]any{"python": environment(t), "source": checkout(t, version), "device": "cpu"}
	maps.Copy(block, attributes)
	raw, err := json.Marshal(block)
	if err != nil {
		t.Fatal(err)
	}
	full, err := configSchema.Complete(raw)
	if err != nil {
		t.Fatal(err)
	}
	var c config
	if err := sdk.DecodeConfig(full, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func policyOf(t *testing.T) string { return fmt.Sprintf(`{"path":%q}`, model(t)) }

// objections are all that a plan says against a spec.
func objections(out *sdk.PlanResponse) string {
	var all []string
	for _, d := range out.Diagnostics {
		all = append(all, d.Summary+": "+d.Detail)
	}
	for _, k := range out.Knobs {
		if k.Refused != "" {
			all = append(all, k.Knob+" refused: "+k.Refused)
		}
	}
	for _, r := range out.Requirements {
		if !r.Met {
			all = append(all, r.Kind+" missing: "+r.Detail)
		}
	}
	return strings.Join(all, "\n")
}

// A plan for another machine needs no AReaL here: it is for the newest tested version.
func TestPlan_ForAnotherMachineNeedsNoInstallation(t *testing.T) {
	out := plan(t, "2.0.0", map[string]any{"python": "/shared/venv/bin/python", "source": "/shared/AReaL"}, nil,
		sdk.PlanRequest{Policy: json.RawMessage(policyOf(t)), Elsewhere: true})
	if len(out.Diagnostics) > 0 || len(out.Effective) < 50 ||
		!strings.Contains(objections(out), "AReaL 2.0.0 in the Python of") {
		t.Errorf("the plan has %d values and says:\n%s", len(out.Effective), objections(out))
	}
	out = plan(t, "2.0.0", map[string]any{"python": "/shared/venv/bin/python"}, nil,
		sdk.PlanRequest{Policy: json.RawMessage(policyOf(t))})
	if len(out.Effective) > 0 {
		t.Error("a plan for this machine needs no installation")
	}
}

func TestPlan_AValidSpecHasNoObjections(t *testing.T) {
	for version := range versions {
		t.Run(version, func(t *testing.T) {
			out := planned(t, version, nil, nil, policyOf(t))
			if text := objections(out); text != "" {
				t.Errorf("the plan objects:\n%s", text)
			}
			for key, want := range map[string]string{
				"main/total_train_steps": "15", "main/train_dataset.batch_size": "16", "main/gconfig.n_samples": "8",
				"main/actor.reward_norm.group_size": "8", "main/sglang.context_length": "512", "main/actor.backend": `"fsdp:d1"`,
			} {
				at := slices.IndexFunc(out.Effective, func(e sdk.EffectiveKey) bool { return e.Key == key })
				if at < 0 || string(out.Effective[at].ValueJSON) != want {
					t.Errorf("%s is not %s in %v", key, want, out.Effective)
				}
			}
			if len(out.Commands) != 1 || !slices.Contains(out.Commands[0].Argv, "awhost_areal.train") {
				t.Errorf("the plan has the commands %v", out.Commands)
			}
			if note := strings.Join(out.Notes, "\n"); !strings.Contains(note, "AReaL "+version+", workflow mode: one sample can fail") {
				t.Errorf("the notes do not say which mode was chosen and why:\n%s", note)
			}
			wanted := "in_baseline"
			if version == "2.0.0" {
				wanted = "exact"
			}
			if out.Capabilities.Unscorable != wanted {
				t.Errorf("an episode without a number is %q, want %q", out.Capabilities.Unscorable, wanted)
			}
		})
	}
}

func TestPlan_ShowsTheUpdatesOfAStep(t *testing.T) {
	for parts, want := range map[int]string{
		1: "Updates: 1 per step, over 128 rows", 4: "Updates: 4 per step, each over about 32 rows",
	} {
		overrides := map[string]any{"overrides": map[string]any{"actor.ppo_n_minibatches": parts}}
		if out := planned(t, "1.0.4", overrides, nil, policyOf(t)); !slices.Contains(out.Notes, want) {
			t.Errorf("%d mini-batches: the notes lack %q: %q", parts, want, out.Notes)
		}
	}
}

// Specs that are deliberately wrong: the plan finds each before anything is started.
func TestPlan_FindsWrongSpecs(t *testing.T) {
	tests := map[string]struct {
		attributes map[string]any
		edit       func(*sdk.Knobs)
		policy     string // default: a valid one
		want       string
	}{
		"key misspelt":           {attributes: map[string]any{"overrides": map[string]any{"actor.optimiser.lr": 1e-5}}, want: "AReaL has no key actor.optimiser: did you mean actor.optimizer?"},
		"key deep down misspelt": {attributes: map[string]any{"overrides": map[string]any{"actor": map[string]any{"optimizer": map[string]any{"lrr": 1}}}}, want: "did you mean actor.optimizer.lr?"},
		"key of an example": {attributes: map[string]any{"overrides": map[string]any{"reward_fn_path": "a.b"}},
			want: "reward_fn_path is a key of AReaL's example programs, which awhost does not run: write a reward block"},
		"key of another framework": {attributes: map[string]any{"overrides": map[string]any{"actor_rollout_ref.rollout.n": 8}}, want: "AReaL has no key actor_rollout_ref"},
		"text for a number":        {attributes: map[string]any{"overrides": map[string]any{"actor.optimizer.lr": "fast"}}, want: `actor.optimizer.lr takes float, and not "fast"`},
		"fraction for a count":     {attributes: map[string]any{"overrides": map[string]any{"actor.ppo_n_minibatches": 2.5}}, want: "actor.ppo_n_minibatches takes int, and not 2.5"},
		"number for a truth value": {attributes: map[string]any{"overrides": map[string]any{"actor.use_decoupled_loss": 1}}, want: "actor.use_decoupled_loss takes bool"},
		"value for a section":      {attributes: map[string]any{"overrides": map[string]any{"actor.optimizer": 3}}, want: "actor.optimizer is a group of keys, and 3 is one value"},
		"counted knob and override differ": {
			attributes: map[string]any{"overrides": map[string]any{"train_dataset.batch_size": 4}},
			want:       "train_dataset.batch_size is 16 by batch.prompts and 4 by overrides: awhost counts with",
		},
		"key that awhost needs":    {attributes: map[string]any{"overrides": map[string]any{"train_dataset.shuffle": true}}, want: "train_dataset.shuffle is true by overrides, and awhost needs false"},
		"key below a null section": {attributes: map[string]any{"overrides": map[string]any{"actor.reward_norm": nil}}, want: "actor.reward_norm.mean_level is set by algorithm.name, and actor.reward_norm is null by overrides"},
		"unknown schedule": {edit: func(k *sdk.Knobs) {
			k.Optimizer.Schedule = pointer("cubic")
			k.Set = append(k.Set, "optimizer.schedule")
		}, want: `lr_scheduler_type is "cubic", and AReaL takes linear, cosine, constant`},
		"top_p of 0": {edit: func(k *sdk.Knobs) { k.Sampling.TopP = pointer(0.0); k.Set = append(k.Set, "sampling.top_p") }, want: "gconfig.top_p is 0, and must be from"},
		"temperature of 0": {edit: func(k *sdk.Knobs) {
			k.Sampling.Temperature = pointer(0.0)
			k.Set = append(k.Set, "sampling.temperature")
		}, want: "the samples of a group are equal then"},
		"two temperatures":         {attributes: map[string]any{"overrides": map[string]any{"actor.temperature": 0.5}}, want: "the trainer would compare log-probabilities of two distributions"},
		"no group":                 {edit: func(k *sdk.Knobs) { k.Batch.GroupSize = pointer(1) }, want: "GRPO compares the samples of a group"},
		"neither steps nor epochs": {edit: func(k *sdk.Knobs) { k.Steps = nil }, want: "neither steps nor epochs is set"},
		"another algorithm":        {edit: func(k *sdk.Knobs) { k.Algorithm.Name = "ppo" }, want: `algorithm "ppo"`},
		"mini-batch that is left":  {edit: func(k *sdk.Knobs) { k.MiniBatch.Size = pointer(48); k.Set = append(k.Set, "mini_batch.size") }, want: "mini_batch.size is 48, and batch.prompts × batch.group_size is 128"},
		"warm-up beyond the end": {edit: func(k *sdk.Knobs) {
			k.Optimizer.WarmupSteps = pointer(20)
			k.Set = append(k.Set, "optimizer.warmup_steps")
		}, want: "optimizer.warmup_steps is 20, and the stage has 15 steps"},
		"entropy bonus":       {edit: func(k *sdk.Knobs) { k.Algorithm.Entropy = pointer(0.01); k.Set = append(k.Set, "algorithm.entropy") }, want: "AReaL's loss has no entropy bonus"},
		"passes over a batch": {edit: func(k *sdk.Knobs) { k.MiniBatch.Epochs = pointer(2); k.Set = append(k.Set, "mini_batch.epochs") }, want: "AReaL passes over a batch once"},
		"message beyond the window": {edit: func(k *sdk.Knobs) {
			k.Limits.MessageTokens = pointer(600)
			k.Set = append(k.Set, "limits.message_tokens")
		}, want: "limits.message_tokens is 600, and the context of the policy has 512 tokens"},
		"filter by something else": {edit: func(k *sdk.Knobs) {
			k.FilterGroups = &sdk.FilterGroupsKnobs{Metric: pointer("length")}
			k.Set = append(k.Set, "filter_groups.metric")
		}, want: `filter_groups.metric is "length"`},
		"several on a CPU":             {attributes: map[string]any{"actor": "fsdp:d2"}, want: `with device = "cpu" it is "fsdp:d1"`},
		"too few GPUs":                 {attributes: map[string]any{"device": "gpu", "gpus_per_node": 4, "actor": "fsdp:d4", "rollout": "sglang:d2"}, want: "take 6 GPUs together, and nodes × gpus_per_node are 4"},
		"batch not shared":             {attributes: map[string]any{"device": "gpu", "actor": "fsdp:d3", "rollout": "sglang:d4"}, want: "shares a batch among 3"},
		"unknown engine":               {attributes: map[string]any{"device": "gpu", "actor": "deepspeed:d4"}, want: "its engine must be one of fsdp, megatron, archon"},
		"controller without agents":    {attributes: map[string]any{"mode": "workflow", "overrides": map[string]any{"rollout._version": "v2"}}, want: "that controller of AReaL takes agents only"},
		"proxy with ray":               {attributes: map[string]any{"device": "gpu", "scheduler": "ray", "mode": "agent"}, want: "has no proxy with scheduler = \"ray\""},
		"rows of many prompts":         {attributes: map[string]any{"mode": "agent", "overrides": map[string]any{"rollout.agent.export_style": "individual"}}, want: "samples of different prompts would be compared"},
		"rows that see others":         {attributes: map[string]any{"device": "gpu", "overrides": map[string]any{"actor.attn_impl": "sdpa"}}, want: "does not keep the rows of a micro-batch apart"},
		"no policy":                    {policy: "null", want: `add model "hf" "base"`},
		"policy without a model":       {policy: `{"path":"/nowhere/at/all"}`, want: "the policy /nowhere/at/all does not exist"},
		"policy in a missing folder":   {policy: `{"path":"./none"}`, want: "the policy ./none does not exist"},
		"no such Python":               {attributes: map[string]any{"python": "/nowhere/bin/python"}, want: "set python to the interpreter that has AReaL"},
		"no such checkout":             {attributes: map[string]any{"source": "/nowhere/AReaL"}, want: "name the directory of a checkout of AReaL"},
		"no such configuration":        {attributes: map[string]any{"config": "/nowhere/grpo.yaml"}, want: "grpo.yaml: no such file"},
		"window beyond the policy's":   {attributes: map[string]any{"max_context": 1024}, want: "max_context is 1024, and the policy has a context of 512 tokens"},
		"server beyond the policy":     {attributes: map[string]any{"overrides": map[string]any{"sglang.context_length": 4096}}, want: "sglang.context_length is 4096, and the policy has a context of 512 tokens"},
		"several nodes on one":         {attributes: map[string]any{"device": "gpu", "nodes": 2}, want: `scheduler = "local" starts AReaL's workers on this machine alone`},
		"workers elsewhere":            {attributes: map[string]any{"device": "gpu", "scheduler": "ray", "nodes": 2}, want: "awhost listens on loopback only"},
		"every address":                {attributes: map[string]any{"bridge": map[string]any{"listen": "0.0.0.0:0"}}, want: `set advertise = ["NAME_OF_THIS_MACHINE"]`},
		"override of the command line": {edit: func(k *sdk.Knobs) { k.Overrides = map[string]string{"gconfig.tempreature": "0.7"} }, want: "did you mean gconfig.temperature?"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			policy := test.policy
			if policy == "" {
				policy = policyOf(t)
			}
			if text := objections(planned(t, "1.0.4", test.attributes, test.edit, policy)); !strings.Contains(text, test.want) {
				t.Errorf("the plan says\n%s\nwant %s", text, test.want)
			}
		})
	}
}

// What is wrong stands at the knob or the override that says it.
func TestPlan_PointsToWhatIsWrong(t *testing.T) {
	in := func(overrides map[string]any) map[string]any { return map[string]any{"overrides": overrides} }
	for want, change := range map[string]struct {
		attributes map[string]any
		edit       func(*sdk.Knobs)
	}{
		"overrides.actor.optimizer.lr": {attributes: in(map[string]any{"actor.optimizer.lr": "fast"})},
		"overrides.actor":              {attributes: in(map[string]any{"actor": map[string]any{"eps_clip": 2.5}})},
		"mini_batch.size":              {edit: func(k *sdk.Knobs) { k.MiniBatch.Size = pointer(7) }},
	} {
		out := planned(t, "1.0.4", change.attributes, change.edit, policyOf(t))
		if len(out.Diagnostics) != 1 || strings.Join(out.Diagnostics[0].Path, ".") != want {
			t.Errorf("the plan says %+v, want one thing at %s", out.Diagnostics, want)
		}
	}
}

func TestPlan_KeepsWhatTheUsersFileSays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	text := "actor:\n  mb_spec: {max_tokens_per_mb: 4096}\n  optimizer:\n    lr: 2.0e-5\nsglang:\n  mem_fraction_static: 0.7\nrollout:\n  dump_to_file: true\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := planned(t, "2.0.0", map[string]any{"config": file}, nil, policyOf(t))
	if text := objections(out); text != "" {
		t.Fatalf("the plan objects:\n%s", text)
	}
	for key, want := range map[string]string{
		"main/actor.mb_spec.max_tokens_per_mb": "4096 config:mine.yaml:2",
		"main/actor.optimizer.lr":              "0.00002 config:mine.yaml:4",
		"main/sglang.mem_fraction_static":      "0.7 config:mine.yaml:6",
		"main/rollout.dump_to_file":            "true config:mine.yaml:8",
	} {
		at := slices.IndexFunc(out.Effective, func(e sdk.EffectiveKey) bool { return e.Key == key })
		if e := out.Effective[max(at, 0)]; at < 0 || fmt.Sprintf("%s %s", e.ValueJSON, e.Origin) != want {
			t.Errorf("%s is not %s of the file: %v", key, want, e)
		}
	}
	if !strings.Contains(string(out.Files[0].Content), "max_tokens_per_mb: 4096") {
		t.Errorf("AReaL's file does not have the user's value:\n%s", out.Files[0].Content)
	}
}

func TestPlan_ChoosesAgentModeWhereTheControllerTakesAgentsOnly(t *testing.T) {
	out := planned(t, "2.0.0", map[string]any{"overrides": map[string]any{"rollout._version": "v2", "actor._version": "v2"}}, nil, policyOf(t))
	if note := strings.Join(out.Notes, "\n"); !strings.Contains(note, "agent mode: rollout._version is \"v2\"") || out.Capabilities.Unscorable != "group_lost" {
		t.Errorf("notes %q, capabilities %+v", note, out.Capabilities)
	}
}

func TestPlan_HoldsNoSecret(t *testing.T) {
	out := planned(t, "1.0.4", map[string]any{"mode": "agent"}, nil, policyOf(t))
	for _, f := range out.Files {
		if strings.Contains(string(f.Content), "admin_api_key") {
			t.Errorf("the key of AReaL's proxy is in %s", f.Path)
		}
	}
}

func TestPlan_SaysWhichRowsFollowFromTheChatTemplate(t *testing.T) {
	checkout(t, "1.0.4") // skips here, not in each of its cases, where there is none
	asked := activate(t)
	policy, elsewhere := policyOf(t), map[string]any{"device": "gpu", "scheduler": "ray"}
	for name, c := range map[string]struct {
		attributes map[string]any
		smoke      bool
		want       string
	}{
		"workflow mode":  {want: "the answer."},
		"a smoke run":    {smoke: true, want: "the answer."},
		"agent mode":     {attributes: map[string]any{"mode": "agent"}, want: "were not checked: in agent mode"},
		"other machines": {attributes: elsewhere, want: "the answer. This holds for this machine"},
	} {
		t.Run(name, func(t *testing.T) {
			out := plan(t, "1.0.4", c.attributes, nil, sdk.PlanRequest{Policy: json.RawMessage(policy), Smoke: c.smoke})
			notes := strings.Join(out.Notes, "\n")
			if !strings.Contains(notes, c.want) || !strings.Contains(notes, "\ntool calls: hermes") {
				t.Errorf("want %q and the codec in the notes:\n%s", c.want, notes)
			}
		})
	}
	want := `{"model":` + strings.TrimPrefix(strings.TrimSuffix(policy, "}"), `{"path":`)
	if !strings.HasPrefix(asked(t), want) {
		t.Errorf("asked is %s of %s", asked(t), policy)
	}
}

// activate makes a program that renders nothing the Python of the shell. It returns what says what it was asked.
func activate(t *testing.T) (asked func(t *testing.T) string) {
	t.Helper()
	venv := t.TempDir()
	question, program := filepath.Join(venv, "question"), filepath.Join(venv, "bin", "python")
	const answer = `{"note":"the answer.","codec":"tool calls: hermes"}`
	write(t, program, strings.NewReader("#!/bin/sh\ncat > '"+question+"'; echo '"+answer+"'\n"))
	if err := os.Chmod(program, 0o700); err != nil {
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

func TestPlan_StartsNoPythonOfTheSpec(t *testing.T) {
	activate(t)
	interpreter, mark := environment(t), filepath.Join(t.TempDir(), "started")
	write(t, interpreter, strings.NewReader("#!/bin/sh\ntouch '"+mark+"'\n"))
	planned(t, "1.0.4", map[string]any{"python": interpreter}, nil, policyOf(t))
	if _, err := os.Stat(mark); !os.IsNotExist(err) {
		t.Errorf("the plan has started the Python that the spec names (%v)", err)
	}
}
