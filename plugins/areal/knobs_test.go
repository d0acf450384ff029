package areal

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
)

// everything sets each knob to a value that AReaL's own default is not.
func everything() sdk.Knobs {
	return sdk.Knobs{
		Seed: 7, Steps: pointer(20), Epochs: pointer(2.0), Batch: sdk.BatchKnobs{Prompts: pointer(12), GroupSize: pointer(4)},
		MiniBatch: sdk.MiniBatchKnobs{Size: pointer(24), Epochs: pointer(2)},
		Optimizer: sdk.OptimizerKnobs{
			LearningRate: pointer(3e-4), Schedule: pointer("cosine"), WarmupSteps: pointer(5), WeightDecay: pointer(0.05), MaxGradNorm: pointer(0.5),
			Beta1: pointer(0.8), Beta2: pointer(0.95),
		},
		Algorithm: sdk.AlgorithmKnobs{
			Name: "grpo", ClipLow: pointer(0.15), ClipHigh: pointer(0.3), KL: pointer(0.01), Entropy: pointer(0.1), NormalizeBy: pointer("none"), DropZeroVariance: pointer(true),
		},
		Sampling:     sdk.SamplingKnobs{Temperature: pointer(0.8), TopP: pointer(0.9), TopK: pointer(40), Stop: []string{"\n\n"}},
		Limits:       sdk.LimitKnobs{PromptTokens: pointer(100), ResponseTokens: pointer(200), MessageTokens: pointer(64), Overlong: pointer("mask")},
		FilterGroups: &sdk.FilterGroupsKnobs{Metric: pointer("reward"), Refill: pointer(false), MaxRefills: pointer(3)},
		Validate: sdk.ValidateKnobs{
			Every: pointer(5), BeforeTrain: pointer(true), Samples: pointer(2), BestBy: pointer("reward"), LogGenerations: pointer(3),
			Sampling: &sdk.SamplingKnobs{Temperature: pointer(0.6), TopP: pointer(0.95), TopK: pointer(20), Stop: []string{"END"}},
		},
		Checkpoint:  sdk.CheckpointKnobs{Every: pointer(10), Unit: pointer("steps"), Keep: pointer(2)},
		Env:         map[string]string{"X": "1"},
		Concurrency: 40,
		Overrides:   map[string]string{"rollout.queue_size": "512"},
	}
}

// wanted is what each knob of everything comes to.
var wanted = map[string]map[string]any{
	"seed": {"seed": 7}, "steps": {"total_train_steps": 20}, "epochs": {"total_train_steps": 117},
	"batch.prompts":           {"train_dataset.batch_size": 12, "rollout.consumer_batch_size": 12},
	"batch.group_size":        {"gconfig.n_samples": 4, "actor.reward_norm.group_size": 4},
	"mini_batch.size":         {"actor.ppo_n_minibatches": 2},
	"optimizer.learning_rate": {"actor.optimizer.lr": 3e-4}, "optimizer.schedule": {"actor.optimizer.lr_scheduler_type": "cosine"},
	"optimizer.warmup_steps": {"actor.optimizer.warmup_steps_proportion": 0.25}, "optimizer.weight_decay": {"actor.optimizer.weight_decay": 0.05},
	"optimizer.max_grad_norm": {"actor.optimizer.gradient_clipping": 0.5}, "optimizer.beta1": {"actor.optimizer.beta1": 0.8}, "optimizer.beta2": {"actor.optimizer.beta2": 0.95},
	"algorithm.name": {"actor.reward_norm.mean_level": "group"}, "algorithm.clip_low": {"actor.eps_clip": 0.15}, "algorithm.clip_high": {"actor.eps_clip_higher": 0.3},
	"algorithm.kl": {"actor.kl_ctl": 0.01, "ref.backend": "fsdp:d1"}, "algorithm.normalize_by": {"actor.reward_norm.std_level": nil},
	"sampling.temperature": {"gconfig.temperature": 0.8, "actor.temperature": 0.8}, "sampling.top_p": {"gconfig.top_p": 0.9}, "sampling.top_k": {"gconfig.top_k": 40},
	"sampling.stop": {"gconfig.stop": []any{"\n\n"}}, "limits.message_tokens": {"gconfig.max_new_tokens": 64, "eval_gconfig.max_new_tokens": 64},
	"filter_groups.refill": {"dynamic_bs": true}, "validate.every": {"evaluator.freq_steps": 5}, "validate.samples": {"eval_gconfig.n_samples": 2},
	"validate.sampling.temperature": {"eval_gconfig.temperature": 0.6}, "validate.sampling.top_p": {"eval_gconfig.top_p": 0.95},
	"validate.sampling.top_k": {"eval_gconfig.top_k": 20}, "validate.sampling.stop": {"eval_gconfig.stop": []any{"END"}},
	"checkpoint.every": {"saver.freq_steps": 10, "recover.freq_steps": 10},
	"concurrency":      {"rollout.max_concurrent_rollouts": 10}, "overrides": {"rollout.queue_size": 512},
}

// Each row of the table, alone, against each AReaL: the keys exist, take the value, and have it in the end.
func TestKnobs_EachReachesItsKey(t *testing.T) {
	all := everything()
	for version := range versions {
		source, python, policy := checkout(t, version), environment(t), model(t)
		for _, k := range knobs {
			if k.refused != "" || k.key == byHost || k.path == "env" || k.path == "checkpoint.unit" || k.path == "filter_groups" || k.path == "filter_groups.metric" {
				continue
			}
			t.Run(version+"/"+k.path, func(t *testing.T) {
				keys, listed := wanted[k.path]
				if !listed {
					t.Fatalf("the test does not say what %s comes to: give it a value in everything, and its keys in wanted", k.path)
				}
				got := configuration(t, inputs{
					config: config{Python: python, Source: source, Device: deviceCPU, Scheduler: "local", Nodes: 1, GPUsPerNode: 8, Mode: modeAuto, Placement: launch.Placement{StartTimeout: "1m"}},
					knobs:  alone(t, all, k.path), trainTasks: 700, validationTasks: 10, policy: policy, weights: policy, dir: "DIR", trial: "t",
				})
				for key, want := range keys {
					if value, there := got[key]; !there || !framework.Equal(value, want) {
						t.Errorf("%s makes %s = %v, want %v", k.path, key, value, want)
					}
				}
			})
		}
	}
}

// configuration is what AReaL is given, by key.
func configuration(t *testing.T, in inputs) map[string]any {
	t.Helper()
	r, err := resolve(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.problems {
		t.Errorf("problem: %s", p.Text)
	}
	out := map[string]any{}
	for _, e := range r.entries {
		out[e.Key] = e.Value
	}
	return out
}

// alone sets one knob of many, beside what every spec needs.
func alone(t *testing.T, all sdk.Knobs, path string) sdk.Knobs {
	t.Helper()
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var tree, out map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	out = map[string]any{}
	copyPath(tree, out, strings.Split(path, "."))
	var k sdk.Knobs
	if text, err = json.Marshal(out); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &k); err != nil {
		t.Fatal(err)
	}
	if path != "epochs" {
		k.Steps = pointer(20)
	}
	if path != "batch.prompts" && path != "epochs" || k.Batch.Prompts == nil {
		k.Batch.Prompts = pointer(12)
	}
	if k.Batch.GroupSize == nil {
		k.Batch.GroupSize = pointer(4)
	}
	k.Set = []string{path, "batch.prompts", "batch.group_size"}
	return k
}

func copyPath(from, to map[string]any, path []string) {
	if len(path) == 1 {
		to[path[0]] = from[path[0]]
		return
	}
	inner := map[string]any{}
	to[path[0]] = inner
	copyPath(from[path[0]].(map[string]any), inner, path[1:])
}

// leaves lists the paths of the fields of a struct.
func leaves(prefix string, t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := field.Type
		for inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			out = append(out, leaves(prefix+name+".", inner)...)
			continue
		}
		out = append(out, prefix+name)
	}
	return out
}

func TestKnobs_NoneIsForgotten(t *testing.T) {
	for _, path := range leaves("", reflect.TypeFor[sdk.Knobs]()) {
		if path == "set" {
			continue
		}
		at := slices.IndexFunc(knobs, func(k knob) bool { return k.path == path })
		if at < 0 {
			t.Errorf("knobs in knobs.go lacks %s", path)
			continue
		}
		if k := knobs[at]; (k.key == "") == (k.refused == "") {
			t.Errorf("%s has the key %q and is refused for %q: exactly one is needed", path, k.key, k.refused)
		}
	}
	if m := mapKnob("no.such"); m.Refused == "" {
		t.Error("an unknown knob is mapped")
	}
}
