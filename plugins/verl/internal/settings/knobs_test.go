package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/sdktest"
)

func ptr[T any](v T) *T { return &v }

// request is one that resolves without a problem; change makes it another one.
func request(installed *Installed, change func(*Request)) Request {
	req := Request{
		Installed: installed, Stage: "full",
		Knobs: sdk.Knobs{
			Seed: 1, Steps: ptr(60), Batch: sdk.BatchKnobs{Prompts: ptr(8), GroupSize: ptr(4)}, Algorithm: sdk.AlgorithmKnobs{Name: "grpo"},
			Validate: sdk.ValidateKnobs{BeforeTrain: ptr(false), Samples: ptr(1)}, Limits: sdk.LimitKnobs{Overlong: ptr("score")},
			Checkpoint: sdk.CheckpointKnobs{Unit: ptr("steps")}, Concurrency: 64, Set: []string{"steps", "batch.prompts", "batch.group_size"},
		},
		Needs: Needs{
			AgentLoop: "awhost", AgentLoopConfig: "/run/agent.yaml", Model: "/models/base",
			TrainFiles: []string{"/run/train.jsonl"}, ValidationFiles: []string{"/run/validation.jsonl"}, CheckpointDir: "/run/checkpoints", HydraDir: "/run/hydra",
		},
		Data: sdk.DataSummary{TrainTasks: 100, ValidationTasks: 20}, VisibleGPUs: -1,
	}
	if change != nil {
		change(&req)
	}
	return req
}

func resolve(t *testing.T, req Request) *Resolved {
	t.Helper()
	out, err := Resolve(req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// setting writes an override as the adapter's block hands it over.
func overrides(pairs ...any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i].(string)] = framework.EncodedJSON(must(framework.Normal(pairs[i+1])))
	}
	return out
}

func must(v any, err error) any {
	if err != nil {
		panic(err)
	}
	return v
}

func TestKnobs_EveryOneIsInTheTable(t *testing.T) {
	leaves, blocks := sdktest.Knobs()
	inTable := map[string]knob{}
	for _, k := range knobs {
		if _, twice := inTable[k.path]; twice {
			t.Errorf("%s is there twice", k.path)
		}
		inTable[k.path] = k
	}
	for _, path := range leaves {
		k, ok := inTable[path]
		if !ok {
			t.Errorf("knob %s is missing: add it to knobs in knobs.go", path)
			continue
		}
		if said := []bool{len(k.keys) > 0, k.does != "", k.refused != ""}; len(slices.DeleteFunc(said, func(b bool) bool { return !b })) != 1 {
			t.Errorf("knob %s: keys %v, does %q, refused %q; want exactly one of them", path, k.keys, k.does, k.refused)
		}
		delete(inTable, path)
	}
	for _, path := range blocks {
		if _, ok := inTable[path]; ok == framework.EmptyBlocks[path] {
			t.Errorf("block %s, written empty: in the table %v, allowed %v; want one of both", path, ok, !ok)
		}
		delete(inTable, path)
	}
	for path := range inTable {
		t.Errorf("%s is no knob of the SDK", path)
	}
}

// knobCase sets a knob and says what must come of it: arguments, or a refusal.
type knobCase struct {
	path    string
	set     func(*sdk.Knobs)
	want    []string // arguments; "since 0.9.0: …" where older releases lack the key
	refused string   // part of the reason
	until   release  // the first release that does not refuse; zero: all refuse
	key     string   // of the mapping, where it is none of verl's
}

var knobCases = []knobCase{
	{path: "seed", set: func(k *sdk.Knobs) { k.Seed = 7 }, want: []string{"since 0.6.1: data.seed=7", "since 0.7.0: actor_rollout_ref.actor.data_loader_seed=7", "since 0.9.0: actor_rollout_ref.rollout.seed=7"}},
	{path: "seed", set: func(k *sdk.Knobs) { k.Seed = 1 << 40 }, refused: "0 to 4294967295"},
	{path: "steps", set: func(k *sdk.Knobs) { k.Steps = ptr(30) }, want: []string{"trainer.total_training_steps=30", "trainer.total_epochs=3", "trainer.save_freq=30", "trainer.test_freq=30"}},
	{path: "epochs", set: func(k *sdk.Knobs) { k.Steps, k.Epochs = nil, ptr(2.0) }, want: []string{"trainer.total_training_steps=25", "trainer.total_epochs=3"}},
	{path: "epochs", set: func(k *sdk.Knobs) { k.Steps, k.Epochs = nil, ptr(0.5) }, want: []string{"trainer.total_training_steps=7", "trainer.total_epochs=1"}},
	{path: "batch.prompts", set: func(k *sdk.Knobs) { k.Batch.Prompts = ptr(16) }, want: []string{"data.train_batch_size=16", "actor_rollout_ref.actor.ppo_mini_batch_size=16"}},
	{path: "batch.group_size", set: func(k *sdk.Knobs) { k.Batch.GroupSize = ptr(2) }, want: []string{"actor_rollout_ref.rollout.n=2"}},
	{path: "mini_batch.size", set: func(k *sdk.Knobs) { k.MiniBatch.Size = ptr(16) }, want: []string{"actor_rollout_ref.actor.ppo_mini_batch_size=4"}},
	{path: "mini_batch.size", set: func(k *sdk.Knobs) { k.MiniBatch.Size = ptr(18) }, refused: "18 samples are no multiple of the group size, 4"},
	{path: "mini_batch.epochs", set: func(k *sdk.Knobs) { k.MiniBatch.Epochs = ptr(2) }, want: []string{"actor_rollout_ref.actor.ppo_epochs=2"}},
	{path: "optimizer.learning_rate", set: func(k *sdk.Knobs) { k.Optimizer.LearningRate = ptr(1e-3) }, want: []string{"actor_rollout_ref.actor.optim.lr=0.001"}},
	{path: "optimizer.schedule", set: func(k *sdk.Knobs) { k.Optimizer.Schedule = ptr("cosine") }, want: []string{"actor_rollout_ref.actor.optim.lr_scheduler_type=cosine"}},
	{path: "optimizer.schedule", set: func(k *sdk.Knobs) { k.Optimizer.Schedule = ptr("linear") }, refused: `no schedule "linear": write constant or cosine`},
	{path: "optimizer.warmup_steps", set: func(k *sdk.Knobs) { k.Optimizer.WarmupSteps = ptr(5) }, want: []string{"actor_rollout_ref.actor.optim.lr_warmup_steps=5"}},
	{path: "optimizer.weight_decay", set: func(k *sdk.Knobs) { k.Optimizer.WeightDecay = ptr(0.0) }, want: []string{"actor_rollout_ref.actor.optim.weight_decay=0.0"}},
	{path: "optimizer.max_grad_norm", set: func(k *sdk.Knobs) { k.Optimizer.MaxGradNorm = ptr(0.5) }, want: []string{"actor_rollout_ref.actor.optim.clip_grad=0.5", "actor_rollout_ref.actor.grad_clip=0.5"}},
	{path: "optimizer.beta1", set: func(k *sdk.Knobs) { k.Optimizer.Beta1 = ptr(0.8) }, want: []string{"actor_rollout_ref.actor.optim.betas=[0.8,0.999]"}},
	{path: "optimizer.beta2", set: func(k *sdk.Knobs) { k.Optimizer.Beta2 = ptr(0.95) }, want: []string{"actor_rollout_ref.actor.optim.betas=[0.9,0.95]"}},
	{path: "algorithm.name", set: func(k *sdk.Knobs) { k.Algorithm.Name = "grpo" }, want: []string{"algorithm.adv_estimator=grpo"}},
	{path: "algorithm.name", set: func(k *sdk.Knobs) { k.Algorithm.Name = "rloo" }, refused: "algorithm.adv_estimator in overrides"},
	{path: "algorithm.clip_low", set: func(k *sdk.Knobs) { k.Algorithm.ClipLow = ptr(0.1) }, want: []string{"actor_rollout_ref.actor.clip_ratio_low=0.1"}},
	{path: "algorithm.clip_high", set: func(k *sdk.Knobs) { k.Algorithm.ClipHigh = ptr(0.28) }, want: []string{"actor_rollout_ref.actor.clip_ratio_high=0.28"}},
	{path: "algorithm.kl", set: func(k *sdk.Knobs) { k.Algorithm.KL = ptr(0.01) }, want: []string{
		"actor_rollout_ref.actor.use_kl_loss=true", "actor_rollout_ref.actor.kl_loss_coef=0.01", "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1"}},
	{path: "algorithm.kl", set: func(k *sdk.Knobs) { k.Algorithm.KL = ptr(0.0) }, want: []string{"actor_rollout_ref.actor.use_kl_loss=false"}},
	{path: "algorithm.entropy", set: func(k *sdk.Knobs) { k.Algorithm.Entropy = ptr(0.001) }, want: []string{"actor_rollout_ref.actor.entropy_coeff=0.001"}},
	{path: "algorithm.normalize_by", set: func(k *sdk.Knobs) { k.Algorithm.NormalizeBy = ptr("none") }, want: []string{"algorithm.norm_adv_by_std_in_grpo=false"}},
	{path: "algorithm.normalize_by", set: func(k *sdk.Knobs) { k.Algorithm.NormalizeBy = ptr("std") }, want: []string{"algorithm.norm_adv_by_std_in_grpo=true"}},
	{path: "algorithm.drop_zero_variance", set: func(k *sdk.Knobs) { k.Algorithm.DropZeroVariance = ptr(false) }, key: builtIn},
	{path: "algorithm.drop_zero_variance", set: func(k *sdk.Knobs) { k.Algorithm.DropZeroVariance = ptr(true) }, refused: "filter_groups { refill = true }"},
	{path: "sampling.temperature", set: func(k *sdk.Knobs) { k.Sampling.Temperature = ptr(0.7) }, want: []string{"actor_rollout_ref.rollout.temperature=0.7", "actor_rollout_ref.rollout.val_kwargs.temperature=0.7", "actor_rollout_ref.rollout.val_kwargs.do_sample=true"}},
	{path: "sampling.top_p", set: func(k *sdk.Knobs) { k.Sampling.TopP = ptr(0.9) }, want: []string{"actor_rollout_ref.rollout.top_p=0.9", "actor_rollout_ref.rollout.val_kwargs.top_p=0.9"}},
	{path: "sampling.top_k", set: func(k *sdk.Knobs) { k.Sampling.TopK = ptr(0) }, want: []string{"actor_rollout_ref.rollout.top_k=-1"}},
	{path: "sampling.top_k", set: func(k *sdk.Knobs) { k.Sampling.TopK = ptr(20) }, want: []string{"actor_rollout_ref.rollout.top_k=20", "actor_rollout_ref.rollout.val_kwargs.top_k=20"}},
	{path: "sampling.stop", set: func(k *sdk.Knobs) { k.Sampling.Stop = []string{"END"} }, key: byHost},
	{path: "sampling.stop", set: func(k *sdk.Knobs) {
		k.Sampling.Stop, k.Overrides = []string{"END"}, map[string]string{"actor_rollout_ref.rollout.name": "sglang"}
	}, refused: "without a tokenizer"},
	{path: "limits.prompt_tokens", set: func(k *sdk.Knobs) { k.Limits.PromptTokens = ptr(1024) }, want: []string{"data.max_prompt_length=1024"}},
	{path: "limits.response_tokens", set: func(k *sdk.Knobs) { k.Limits.ResponseTokens = ptr(2048) }, want: []string{"data.max_response_length=2048"}},
	{path: "limits.message_tokens", set: func(k *sdk.Knobs) { k.Limits.MessageTokens = ptr(64) }, key: byHost},
	{path: "limits.overlong", set: func(k *sdk.Knobs) { k.Limits.Overlong = ptr("mask") }, key: byHost},
	{path: "filter_groups", set: func(k *sdk.Knobs) { k.FilterGroups = &sdk.FilterGroupsKnobs{} }, want: []string{"algorithm.filter_groups.enable=true"}, refused: "does not filter groups", until: v090},
	{path: "filter_groups.metric", set: func(k *sdk.Knobs) { k.FilterGroups = &sdk.FilterGroupsKnobs{Metric: ptr("acc")} }, refused: "does not filter groups", until: v090,
		want: []string{"algorithm.filter_groups.metric=acc", "algorithm.filter_groups.enable=true"}},
	{path: "filter_groups.refill", set: func(k *sdk.Knobs) { k.FilterGroups = &sdk.FilterGroupsKnobs{Refill: ptr(true)} }, want: []string{"algorithm.filter_groups.enable=true"}, refused: "does not filter groups", until: v090},
	{path: "filter_groups.max_refills", set: func(k *sdk.Knobs) { k.FilterGroups = &sdk.FilterGroupsKnobs{MaxRefills: ptr(2)} }, refused: "no bound on refilling"},
	{path: "validate.every", set: func(k *sdk.Knobs) { k.Validate.Every = ptr(10) }, want: []string{"trainer.test_freq=10"}},
	{path: "validate.before_train", set: func(k *sdk.Knobs) { k.Validate.BeforeTrain = ptr(true) }, want: []string{"trainer.val_before_train=true"}},
	{path: "validate.samples", set: func(k *sdk.Knobs) { k.Validate.Samples = ptr(3) }, want: []string{"actor_rollout_ref.rollout.val_kwargs.n=3"}},
	{path: "validate.best_by", set: func(k *sdk.Knobs) { k.Validate.BestBy = ptr("reward") }, key: byHost},
	{path: "validate.log_generations", set: func(k *sdk.Knobs) { k.Validate.LogGenerations = ptr(5) }, want: []string{"trainer.log_val_generations=5"}},
	{path: "validate.sampling.temperature", set: func(k *sdk.Knobs) { k.Validate.Sampling = &sdk.SamplingKnobs{Temperature: ptr(0.0)} },
		want: []string{"actor_rollout_ref.rollout.val_kwargs.temperature=0.0", "actor_rollout_ref.rollout.val_kwargs.do_sample=false"}},
	{path: "validate.sampling.top_p", set: func(k *sdk.Knobs) { k.Validate.Sampling = &sdk.SamplingKnobs{TopP: ptr(0.5)} }, want: []string{"actor_rollout_ref.rollout.val_kwargs.top_p=0.5"}},
	{path: "validate.sampling.top_k", set: func(k *sdk.Knobs) { k.Validate.Sampling = &sdk.SamplingKnobs{TopK: ptr(3)} }, want: []string{"actor_rollout_ref.rollout.val_kwargs.top_k=3"}},
	{path: "validate.sampling.stop", set: func(k *sdk.Knobs) { k.Validate.Sampling = &sdk.SamplingKnobs{Stop: []string{"X"}} }, key: byHost},
	{path: "checkpoint.every", set: func(k *sdk.Knobs) { k.Checkpoint.Every = ptr(5) }, want: []string{"trainer.save_freq=5"}},
	{path: "checkpoint.unit", set: func(k *sdk.Knobs) { k.Checkpoint.Every, k.Checkpoint.Unit = ptr(2), ptr("epochs") }, want: []string{"trainer.save_freq=24"}},
	{path: "checkpoint.keep", set: func(k *sdk.Knobs) { k.Checkpoint.Keep = ptr(3) }, want: []string{"trainer.max_actor_ckpt_to_keep=3"}},
	{path: "env", set: func(k *sdk.Knobs) { k.Env = map[string]string{"A": "b"} }, key: "environment of verl's process"},
	{path: "concurrency", set: func(k *sdk.Knobs) { k.Concurrency = 3 }, key: byHost},
	{path: "overrides", set: func(k *sdk.Knobs) { k.Overrides = map[string]string{"trainer.critic_warmup": "2"} }, want: []string{"trainer.critic_warmup=2"}, key: "verl's own keys"},
}

func TestKnobs_EachBecomesWhatTheTableSays(t *testing.T) {
	for _, k := range knobs {
		if !slices.ContainsFunc(knobCases, func(c knobCase) bool { return c.path == k.path }) {
			t.Errorf("no case sets the knob %s: add one to knobCases", k.path)
		}
	}
	each(t, func(t *testing.T, installed *Installed) {
		for i, c := range knobCases {
			t.Run(fmt.Sprintf("%s %d", c.path, i), func(t *testing.T) { tryKnob(t, installed, c) })
		}
	})
}

func tryKnob(t *testing.T, installed *Installed, c knobCase) {
	t.Helper()
	out := resolve(t, request(installed, func(req *Request) {
		c.set(&req.Knobs)
		if c.path == "epochs" {
			req.Knobs.Set = []string{"epochs"}
			return
		}
		req.Knobs.Set = append(req.Knobs.Set, c.path)
	}))
	at := slices.IndexFunc(out.Knobs, func(m sdk.KnobMapping) bool { return m.Knob == c.path })
	if at < 0 {
		t.Fatalf("nothing is said of the knob: %v", out.Knobs)
	}
	mapping := out.Knobs[at]
	if c.refused != "" && (c.until == release{} || installed.Release.Before(c.until)) {
		if !strings.Contains(mapping.Refused, c.refused) || mapping.Key != "" {
			t.Errorf("mapped to %q, refused with %q; want a refusal with %q", mapping.Key, mapping.Refused, c.refused)
		}
		return
	}
	if mapping.Refused != "" {
		t.Fatalf("refused with %q: if this release has the key, synthetic in synthetic_test.go lacks it; if it has not, "+
			"say since when in knobs.go and in the case", mapping.Refused)
	}
	wanted := c.present(installed.Release)
	for _, want := range wanted {
		checkFile(t, out, want)
	}
	key := c.key
	if key == "" && len(wanted) > 0 {
		key, _, _ = strings.Cut(wanted[0], "=")
	} else if key == "" {
		key = byHost // the seed, before verl had one
	}
	if mapping.Key != key {
		t.Errorf("the plan names %+v, want the key %q", mapping, key)
	}
	if problems := errorsOf(out); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	if len(wanted) > 0 && c.path != "overrides" {
		checkOrigin(t, out, key, c.path)
	}
}

// checkOrigin holds that a plan shows who set a key.
func checkOrigin(t *testing.T, out *Resolved, key, origin string) {
	t.Helper()
	at := slices.IndexFunc(out.Keys, func(e sdk.EffectiveKey) bool { return e.Key == key })
	switch {
	case at < 0:
		t.Errorf("the plan does not show %s, which %s sets", key, origin)
	case out.Keys[at].Origin != origin:
		t.Errorf("the plan says that %s comes from %s, want %s", key, out.Keys[at].Origin, origin)
	}
}

// present leaves out what a release lacks.
func (c knobCase) present(r release) []string {
	var out []string
	for _, argument := range c.want {
		if rest, ok := strings.CutPrefix(argument, "since "); ok {
			version, text, _ := strings.Cut(rest, ": ")
			since, err := framework.ParseRelease(version)
			if err != nil || r.Before(since) {
				continue
			}
			argument = text
		}
		out = append(out, argument)
	}
	return out
}

func errorsOf(out *Resolved) []string {
	var found []string
	for _, d := range out.Diagnostics {
		if d.Severity == sdk.SeverityError {
			found = append(found, d.Summary+": "+d.Detail)
		}
	}
	return found
}

// TestKnobs_AreInEveryVerl is the test that fails when a new verl moves a key: it says which knob, key and version.
func TestKnobs_AreInEveryVerl(t *testing.T) {
	for r, installed := range realTrees(t) {
		if r.Before(v060) {
			continue
		}
		var schemas []*framework.Schema
		for _, engine := range []string{defaultEngine, "megatron"} {
			s, err := installed.schema(engine)
			if err != nil {
				t.Fatal(err)
			}
			schemas = append(schemas, s)
		}
		for _, k := range knobs {
			for _, key := range k.keys {
				has := slices.ContainsFunc(schemas, func(s *framework.Schema) bool { return s.At(key.key).Kind == framework.Known })
				if has != r.AtLeast(key.since) {
					t.Errorf("knob %s: the table says that verl has %s since %s, and in verl %s it is there: %v. Name the new key in knobs.go.",
						k.path, key.key, key.since, installed.Version, has)
				}
			}
		}
	}
}

// TestOwnKeys_AreInEveryVerl does the same for what awhost needs besides knobs, and for what its rules look at.
func TestOwnKeys_AreInEveryVerl(t *testing.T) {
	everywhere := []string{
		"actor_rollout_ref.rollout.agent.agent_loop_config_path", "actor_rollout_ref.rollout.agent.default_agent_loop", "actor_rollout_ref.rollout.agent.num_workers",
		"actor_rollout_ref.rollout.mode", "actor_rollout_ref.rollout.name", "actor_rollout_ref.rollout.calculate_log_probs", "actor_rollout_ref.rollout.prompt_length",
		"actor_rollout_ref.rollout.response_length", "actor_rollout_ref.rollout.tensor_model_parallel_size", "actor_rollout_ref.rollout.max_model_len",
		"actor_rollout_ref.rollout.max_num_batched_tokens", "actor_rollout_ref.rollout.enable_chunked_prefill", "actor_rollout_ref.model.path",
		"actor_rollout_ref.model.use_remove_padding", "actor_rollout_ref.actor.ulysses_sequence_parallel_size", "actor_rollout_ref.actor.use_dynamic_bsz",
		"actor_rollout_ref.actor.ppo_max_token_len_per_gpu", "algorithm.use_kl_in_reward", "custom_reward_function.path", "data.train_files", "data.val_files",
		"data.shuffle", "data.return_raw_chat", "data.custom_cls.path", "trainer.default_local_dir", "trainer.resume_mode", "trainer.resume_from_path", "trainer.logger",
		"trainer.val_only", "trainer.nnodes", "trainer.n_gpus_per_node",
	}
	for _, m := range microBatches {
		everywhere = append(everywhere, m.total, m.perGPU, m.packed)
	}
	since := map[string]release{"reward.custom_reward_function.path": v071, "reward.reward_manager.name": v071, "reward.reward_model.enable": v071, "trainer.use_v1": v090, "trainer.v1.trainer_mode": v090}
	for r, installed := range realTrees(t) {
		if r.Before(v060) {
			continue
		}
		schema, err := installed.schema(defaultEngine)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range everywhere {
			if schema.At(key).Kind != framework.Known {
				t.Errorf("awhost needs %s, which verl %s does not have", key, installed.Version)
			}
		}
		for key, first := range since {
			if has := schema.Has(key); has != r.AtLeast(first) {
				t.Errorf("%s is in verl %s: %v; awhost believes that it is there since %s", key, installed.Version, has, first)
			}
		}
	}
}
