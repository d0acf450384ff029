package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// wrong is a specification with one mistake, and what must be said of it.
type wrong struct {
	name     string
	change   func(*Request)
	summary  string
	says     []string // parts of the detail
	path     []string // of the diagnostic
	since    release  // the first release in which it is one
	until    release  // the first in which it is none
	severity sdk.Severity
	noted    bool // it is valid, and a note names the value that counts
}

func override(pairs ...any) func(*Request) {
	return func(req *Request) { req.Overrides = overrides(pairs...) }
}

func command(key, value string) func(*Request) {
	return func(req *Request) { req.Knobs.Overrides = map[string]string{key: value} }
}

func file(text string) func(*Request) {
	return func(req *Request) { req.Config = []ConfigFile{{Name: "mine.yaml", Text: []byte(text)}} }
}

func both(changes ...func(*Request)) func(*Request) {
	return func(req *Request) {
		for _, change := range changes {
			change(req)
		}
	}
}

var inOverrides, inConfig = []string{"overrides"}, []string{"config"}

var wrongs = []wrong{
	{name: "a key with a typing error", change: override("actor_rollout_ref.rollout.temprature", 0.5), path: inOverrides,
		summary: "Unknown setting of verl", says: []string{"temprature = 0.5 (overrides)", "Did you mean actor_rollout_ref.rollout.temperature?"}},
	{name: "a key in the wrong place", change: command("trainer.train_batch_size", "16"),
		summary: "Unknown setting of verl", says: []string{"(--)", "Did you mean data.train_batch_size?", "Write +trainer.train_batch_size"}},
	{name: "a + that a class refuses", change: override("+actor_rollout_ref.rollout.no_such_field", 1), path: inOverrides,
		summary: "Unknown setting of verl", says: []string{"class without such a field"}},
	{name: "a group as a value", change: command("actor_rollout_ref.rollout.agent", "x"), summary: "A group of settings", says: []string{"actor_rollout_ref.rollout.agent."}},
	{name: "a text for a number", change: override("actor_rollout_ref.rollout.agent.num_workers", "abc"), path: inOverrides,
		summary: "Wrong type", says: []string{`num_workers = "abc" (overrides)`, "a whole number", "its default is 8"}},
	{name: "a fraction for a count", change: override("trainer.critic_warmup", 1.5), path: inOverrides, summary: "Wrong type", says: []string{"1.5", "a whole number"}},
	{name: "a text for a truth value", change: override("actor_rollout_ref.model.use_remove_padding", "yes"), path: inOverrides, summary: "Wrong type", says: []string{"true or false"}},
	{name: "a number for a name", change: command("trainer.project_name", "7"), summary: "Wrong type", says: []string{"a text", "verl_examples"}},
	{name: "a choice that verl does not have", change: override("actor_rollout_ref.actor.loss_agg_mode", "token_mean"), path: inOverrides,
		summary: "No such choice", says: []string{"Did you mean token-mean?"}},
	{name: "an unknown tracker", change: file("trainer: {logger: [console, tensorbord]}"), path: inConfig, summary: "No such choice", says: []string{"mine.yaml:1", "Did you mean tensorboard?"}},
	{name: "a knob and a file", change: file("data:\n  train_batch_size: 16"), noted: true,
		says: []string{"the spec (batch.prompts): data.train_batch_size = 8, and not 16 (mine.yaml:2)"}},
	{name: "a knob and an override", change: override("trainer.total_training_steps", 30), path: inOverrides,
		summary: "Set twice with different values", says: []string{"60 in the spec (steps)", "30 in the adapter's overrides"}},
	{name: "a file and an override", change: both(file("trainer: {nnodes: 1}"), override("trainer.nnodes", 2)), noted: true,
		says: []string{"the adapter's overrides: trainer.nnodes = 2, and not 1 (mine.yaml:1)"}},
	{name: "an override and the command line", change: both(override("trainer.nnodes", 2), command("trainer.nnodes", "1")), noted: true,
		says: []string{"the command line (after --): trainer.nnodes = 1, and not 2 (the adapter's overrides)"}},
	{name: "the last of two files", noted: true, change: func(req *Request) {
		req.Config = []ConfigFile{{Name: "base.yaml", Text: []byte("trainer: {nnodes: 2}")}, {Name: "mine.yaml", Text: []byte("trainer: {nnodes: 1}")}}
	}, says: []string{"mine.yaml:1: trainer.nnodes = 1, and not 2 (base.yaml:1)"}},
	{name: "steps on the command line", change: command("trainer.total_training_steps", "30"), summary: "Set twice with different values",
		path: []string{"steps"}, says: []string{"60 in the spec (steps)", "30 in the command line"}},
	{name: "a mini-batch, counted in both ways", change: both(file("actor_rollout_ref: {actor: {ppo_mini_batch_size: 8}}"), func(req *Request) {
		req.Knobs.MiniBatch.Size = ptr(16)
		req.Knobs.Set = append(req.Knobs.Set, "mini_batch.size")
	}), noted: true, says: []string{"the spec (mini_batch.size): actor_rollout_ref.actor.ppo_mini_batch_size = 4, and not 8 (mine.yaml:1)"}},
	{name: "another reward function", change: file("reward:\n  custom_reward_function:\n    path: theirs.py"), noted: true, since: v071,
		says: []string{`mine.yaml:3: reward.custom_reward_function.path = "theirs.py" is not used: `, `reward "python"`}},
	{name: "a reward function where the loop scores", change: override("reward.custom_reward_function.path", "theirs.py"), path: inOverrides, since: v071,
		summary: "Setting that awhost needs otherwise", says: []string{`"theirs.py"`, "needs it empty"}},
	{name: "another reward function, as of old", change: file("custom_reward_function:\n  path: theirs.py"), noted: true, until: v090,
		says: []string{`custom_reward_function.path = "theirs.py" is not used`}},
	{name: "a reward function that verl ignores", change: override("custom_reward_function.path", "theirs.py"), path: inOverrides, since: v090,
		summary: "Setting that awhost needs otherwise", says: []string{
			"accepts this setting and ignores it, because it reads reward.custom_reward_function.path",
			`reward "python" of the spec`,
		}},
	{name: "a reward setting that verl ignores", change: file("reward_model:\n  num_workers: 16"), path: inConfig,
		since: v090, severity: sdk.SeverityWarning, summary: "Setting that moved", says: []string{
			"num_workers = 16 (config:mine.yaml:2)", "ignores it, because it reads reward.num_workers. The value is used there.",
		}},
	{name: "a reward setting without a successor", path: inConfig, since: v071, severity: sdk.SeverityWarning,
		change: file("reward_model:\n  model:\n    trust_remote_code: true"), summary: "Setting left out", says: []string{
			"trust_remote_code = true (config:mine.yaml:3)", "accepts this setting and ignores it. It is left out.",
		}},
	{name: "such a setting as an override", change: override("reward_model.model.external_lib", "x"), path: inOverrides,
		since: v071, summary: "Setting that is gone", says: []string{"accepts this setting and ignores it. Remove it."}},
	{name: "another reward manager", change: file("reward_model: {reward_manager: bfcl}"), noted: true, until: v090, says: []string{`"bfcl" is not used`}},
	{name: "another agent loop", change: override("actor_rollout_ref.rollout.agent.default_agent_loop", "tool_agent"), path: inOverrides,
		summary: "Setting that awhost needs otherwise", says: []string{`"tool_agent"`, `"awhost"`, "agent loop"}},
	{name: "another agent loop's file", change: file("actor_rollout_ref: {rollout: {agent: {agent_loop_config_path: theirs.yaml}}}"), noted: true,
		says: []string{`"theirs.yaml" is not used: episodes are played by awhost's agent loop`}},
	{name: "other tasks", change: command("data.train_files", "[/data/a.parquet]"), summary: "Setting that awhost needs otherwise", says: []string{`/data/a.parquet`, `/run/train.jsonl`, "dataset \"parquet\""}},
	{name: "another order of the tasks", change: override("data.shuffle", true), path: inOverrides, summary: "Setting that awhost needs otherwise", says: []string{"data.shuffle is true", "needs false", "seeded order"}},
	{name: "synchronous rollouts", change: file("actor_rollout_ref: {rollout: {mode: sync}}"), noted: true, says: []string{`"sync" is not used`}},
	{name: "resuming by itself", change: override("trainer.resume_mode", "auto"), path: inOverrides, summary: "Setting that awhost needs otherwise", says: []string{`"auto"`, `"disable"`, "awhost resume"}},
	{name: "checkpoints elsewhere", change: file("trainer: {default_local_dir: ck}"), noted: true, says: []string{`"ck" is not used: awhost keeps checkpoints in the run's directory`}},
	{name: "another model than the policy", change: file("actor_rollout_ref: {model: {path: theirs}}"), noted: true, says: []string{`"theirs" is not used: the spec names the policy`}},
	{name: "turns of EnvTuning's fork", change: file("actor_rollout_ref: {rollout: {multi_turn: {max_turns: 100}}}"), path: inConfig, severity: sdk.SeverityWarning, summary: "Setting that moved", says: []string{"multi_turn.max_assistant_turns", "mine.yaml:1"}},
	{name: "an interaction in a file", change: file("actor_rollout_ref: {rollout: {multi_turn: {interaction_config_path: x.yaml}}}"), path: inConfig, since: v080,
		severity: sdk.SeverityWarning, summary: "Setting left out", says: []string{"no interactions any more"}},
	{name: "a reward function of a file that verl ignores", change: file("custom_reward_function:\n  path: theirs.py"), noted: true, since: v090,
		says: []string{`custom_reward_function.path = "theirs.py" is not used`}},
	{name: "a key of Megatron", change: override("actor_rollout_ref.actor.megatron.tensor_model_parallel_size", 2), path: inOverrides,
		since: v071, summary: "Setting of another engine", says: []string{"Set model_engine = megatron"}},
	{name: "Megatron in a smoke run", noted: true, since: v071, change: both(
		file("defaults: [ppo_megatron_trainer, _self_]\nactor_rollout_ref: {actor: {megatron: {tensor_model_parallel_size: 2}}}"),
		func(req *Request) { req.Smoke = true }),
		says: []string{"mine.yaml:1: model_engine = \"megatron\" is not used: a smoke run trains with FSDP",
			"mine.yaml:2: actor_rollout_ref.actor.megatron.tensor_model_parallel_size = 2 is not used"}},
	{name: "a loss that averages rows, in a file", noted: true, since: v090,
		change: file("actor_rollout_ref: {actor: {loss_agg_mode: seq-mean-token-mean}}"),
		says:   []string{"trainer.use_v1 = false: actor_rollout_ref.actor.loss_agg_mode = \"seq-mean-token-mean\""}},
	{name: "an interaction", change: override("actor_rollout_ref.rollout.multi_turn.interaction_config_path", "x.yaml"), path: inOverrides, since: v080, summary: "Setting that is gone", says: []string{"no interactions any more"}},
	{name: "the loss aggregation of a fork", change: override("algorithm.loss_agg_mode", "token-mean"), path: inOverrides, summary: "Setting that moved", says: []string{"actor_rollout_ref.actor.loss_agg_mode"}},
	{name: "Ray's CPUs as of 0.5", change: command("ray_init.num_cpus", "8"), summary: "Setting that moved", says: []string{"ray_kwargs.ray_init.num_cpus"}},
	{name: "old workers in a new verl", change: override("trainer.use_legacy_worker_impl", "disable"), path: inOverrides, since: v080, summary: "Setting that is gone", says: []string{"the old workers are gone"}},
	{name: "old workers in a file", change: file("trainer: {use_legacy_worker_impl: auto}"), path: inConfig, since: v080, severity: sdk.SeverityWarning, summary: "Setting left out", says: []string{"mine.yaml:1"}},
	{name: "fewer tasks than a batch", change: func(req *Request) { req.Data.TrainTasks = 5 }, path: []string{"batch", "prompts"},
		summary: "Fewer tasks than a batch", says: []string{"data.train_batch_size = 8 (batch.prompts)", "5 tasks", "0 steps"}},
	{name: "epochs that end before the steps", change: file("trainer: {total_epochs: 1}"), path: inConfig, summary: "Training would end early", says: []string{"total_training_steps = 60 (steps)", "total_epochs = 1 (config:mine.yaml:1)", "after 12"}},
	{name: "workers that cannot share", change: override("actor_rollout_ref.rollout.agent.num_workers", 5), path: inOverrides, until: v090, summary: "Batch that the workers cannot share", says: []string{"32 samples", "num_workers = 5", "Set it to 4"}},
	{name: "GPUs that cannot share", change: override("trainer.n_gpus_per_node", 3), path: inOverrides, summary: "Batch that the GPUs cannot share", says: []string{"32 samples", "3 GPUs"}},
	{name: "servers that do not fit", change: override("actor_rollout_ref.rollout.tensor_model_parallel_size", 3), path: inOverrides, summary: "Rollout servers that do not fit the GPUs", says: []string{"tensor_model_parallel_size = 3 (overrides)", "8 GPUs"}},
	{name: "a mini-batch larger than the batch", change: override("actor_rollout_ref.actor.ppo_mini_batch_size", 16), path: inOverrides, summary: "Mini-batch larger than the batch", says: []string{"= 16 (overrides)", "= 8 (batch.prompts)"}},
	{name: "a mini-batch that does not divide", change: override("actor_rollout_ref.actor.ppo_mini_batch_size", 6), path: inOverrides, since: v080, summary: "Mini-batch that does not divide the batch", says: []string{"= 6", "= 8"}},
	{name: "two micro-batches", change: override("actor_rollout_ref.actor.ppo_micro_batch_size", 8, "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", 1), path: inOverrides, summary: "Two sizes of a micro-batch"},
	{name: "a micro-batch that does not divide", change: override("actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", 3), path: inOverrides, summary: "Micro-batch that does not divide", says: []string{"each of 8 ranks 4 samples"}},
	{name: "a context that is too short", change: override("actor_rollout_ref.rollout.max_model_len", 600), path: inOverrides, summary: "Context shorter than an episode", says: []string{"600", "1024 tokens"}},
	{name: "two lengths of a response", change: both(file("actor_rollout_ref: {rollout: {response_length: 99}}"), func(req *Request) {
		req.Knobs.Limits.ResponseTokens = ptr(512)
		req.Knobs.Set = append(req.Knobs.Set, "limits.response_tokens")
	}), noted: true, says: []string{"limits.response_tokens", "rollout.response_length = 512, and not 99 (mine.yaml:1)"}},
	{name: "greedy training", change: func(req *Request) {
		req.Knobs.Sampling.Temperature = ptr(0.0)
		req.Knobs.Set = append(req.Knobs.Set, "sampling.temperature")
	}, path: []string{"sampling", "temperature"}, summary: "Nothing to learn from", says: []string{"temperature = 0 (sampling.temperature)"}},
	{name: "validation of nothing", change: func(req *Request) {
		req.Data.ValidationTasks = 0
		req.Knobs.Validate.Every = ptr(5)
		req.Knobs.Set = append(req.Knobs.Set, "validate.every")
	}, path: []string{"validate", "every"}, summary: "Nothing to validate on", says: []string{"trainer.test_freq = 5 (validate.every)"}},
	{name: "no model", change: func(req *Request) { req.Needs.Model = "" }, summary: "No model to train", says: []string{"policy = model.…"}},
	{name: "a sweep", change: command("trainer.nnodes", "1,2"), summary: "Unreadable override", says: []string{"sweep"}},
	{name: "a deletion", change: command("~trainer.logger", ""), summary: "Deletion of a setting", says: []string{"trainer.logger=null"}},
	{name: "Hydra's own settings", change: override("hydra.run.dir", "x"), path: inOverrides, summary: "Setting of Hydra"},
	{name: "YAML that is none", change: file("a: [1"), path: inConfig, summary: "Unreadable configuration of verl", says: []string{"mine.yaml"}},
	{name: "a setting twice in a file", change: file("trainer: {nnodes: 1}\ntrainer: {nnodes: 2}"), path: inConfig, summary: "Unreadable configuration of verl", says: []string{"line 2: trainer is there twice"}},
	{name: "a file with another base", change: file("defaults: [their_trainer, _self_]"), path: inConfig, summary: "Configuration with another base", says: []string{"their_trainer"}},
	{name: "a limit of tool results", path: inOverrides, severity: sdk.SeverityWarning, summary: "Limit of tool results",
		change: override("actor_rollout_ref.rollout.multi_turn.max_tool_response_length", 4097),
		says:   []string{"max_tool_response_length = 4097 (", "max_result_tokens = 1025 "}},
	{name: "verl's own limit of tool results", path: inConfig, severity: sdk.SeverityWarning,
		summary: "Limit of tool results",
		change:  file("actor_rollout_ref: {rollout: {multi_turn: {enable: true}}}"),
		says:    []string{"max_tool_response_length = 256 (", "max_result_tokens = 64 "}},
	{name: "a training mode that nobody tried", change: override("trainer.v1.trainer_mode", "separate_async"), path: inOverrides, since: v090, severity: sdk.SeverityWarning, summary: "Untested trainer"},
}

func TestResolve_SaysWhatIsWrong(t *testing.T) {
	each(t, func(t *testing.T, installed *Installed) {
		for _, c := range wrongs {
			if installed.Release.Before(c.since) || c.until != (release{}) && installed.Release.AtLeast(c.until) {
				continue
			}
			t.Run(c.name, func(t *testing.T) { c.try(t, installed) })
		}
	})
}

// pointsTo reports whether a diagnostic stands where it should: with inOverrides, at an entry that is there.
func pointsTo(got, want []string, req Request) bool {
	if !slices.Equal(want, inOverrides) {
		return slices.Equal(got, want)
	}
	if len(got) != 2 || got[0] != want[0] {
		return false
	}
	_, there := req.Overrides[got[1]]
	return there
}

// try holds that the mistake is named, and that nothing else is.
func (c wrong) try(t *testing.T, installed *Installed) {
	severity := c.severity
	if severity == "" {
		severity = sdk.SeverityError
	}
	req := request(installed, c.change)
	out := resolve(t, req)
	if c.noted {
		notes := strings.Join(out.Notes, "\n")
		for _, part := range c.says {
			if !strings.Contains(notes, part) {
				t.Errorf("%q is not in the notes:\n%s", part, notes)
			}
		}
		if problems := errorsOf(out); len(problems) > 0 || !out.OK() {
			t.Errorf("problems: %v", problems)
		}
		return
	}
	found := 0
	for _, d := range out.Diagnostics {
		switch {
		case d.Severity == severity && d.Summary == c.summary:
			found++
			for _, part := range c.says {
				if !strings.Contains(d.Detail, part) {
					t.Errorf("%q is not in: %s", part, d.Detail)
				}
			}
			if !pointsTo(d.Path, c.path, req) {
				t.Errorf("it points to %q, want %q", d.Path, c.path)
			}
		case d.Severity == sdk.SeverityError:
			t.Errorf("besides: %s: %s", d.Summary, d.Detail)
		}
	}
	if found != 1 {
		t.Errorf("%d times %q, want once; said is %v", found, c.summary, out.Diagnostics)
	}
	if out.OK() != (severity != sdk.SeverityError) {
		t.Errorf("OK is %v", out.OK())
	}
}

func TestResolve_NothingIsWrongWithAPlainSpec(t *testing.T) {
	each(t, func(t *testing.T, installed *Installed) {
		out := resolve(t, request(installed, nil))
		if problems := errorsOf(out); len(problems) > 0 || !out.OK() {
			t.Errorf("problems: %v", problems)
		}
		if want := (map[bool]Generation{true: V1, false: V0})[installed.Release.AtLeast(v090)]; out.Generation != want {
			t.Errorf("generation %s, want %s", out.Generation, want)
		}
	})
}

func TestResolve_WritesNewKeysSoThatHydraTakesThem(t *testing.T) {
	each(t, func(t *testing.T, installed *Installed) {
		out := resolve(t, request(installed, override(
			"actor_rollout_ref.rollout.engine_kwargs.vllm", map[string]any{"swap_space": 4},
			"actor_rollout_ref.model.override_config.attn_implementation", "eager",
			"ray_kwargs.ray_init.include_dashboard", false,
			"++mine.own", "x",
			"actor_rollout_ref.rollout.max_model_len", nil,
		)))
		want := []string{
			"actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space=4", "actor_rollout_ref.model.override_config.attn_implementation=eager",
			"ray_kwargs.ray_init.include_dashboard=false", "mine.own=x", "actor_rollout_ref.rollout.max_model_len=null",
		}
		for _, want := range want {
			checkFile(t, out, want)
		}
		if problems := errorsOf(out); len(problems) > 0 {
			t.Errorf("problems: %v", problems)
		}
	})
}

func TestResolve_RefusesOldVersions(t *testing.T) {
	for version, c := range map[string]struct {
		severity sdk.Severity
		summary  string
	}{
		"0.5.0": {sdk.SeverityError, "verl is too old"}, "0.4.1.dev": {sdk.SeverityError, "verl is too old"},
		"0.6.1": {sdk.SeverityWarning, "Best effort with this verl"}, "0.7.0": {sdk.SeverityWarning, "Best effort with this verl"},
		"0.10.0.dev": {sdk.SeverityWarning, "Untested verl"}, "1.0": {sdk.SeverityWarning, "Untested verl"}, "0.7.1": {}, "0.9.2": {},
	} {
		dir := t.TempDir()
		write(t, dir, "verl/version/version", version)
		write(t, dir, "verl/trainer/config/_generated_ppo_trainer.yaml", "")
		write(t, dir, "verl/trainer/ppo/v1/trainer_base.py", strings.Join(trainerHooks, "\n"))
		out := resolve(t, request(configured(t, dir, v091), nil))
		var first sdk.Diagnostic
		if len(out.Diagnostics) > 0 {
			first = out.Diagnostics[0]
		}
		if first.Severity != c.severity || first.Summary != c.summary {
			t.Errorf("verl %s: %+v, want %s %q", version, first, c.severity, c.summary)
		}
		if c.summary != "" && !strings.Contains(first.Detail, strings.TrimSpace(version)) {
			t.Errorf("verl %s is not named: %s", version, first.Detail)
		}
	}
}

func TestResolve_KeepsLayersInTheirPlace(t *testing.T) {
	installed := syntheticTree(t, v091)
	out := resolve(t, request(installed, func(req *Request) {
		req.Overrides = overrides("trainer.n_gpus_per_node", 2, "actor_rollout_ref.rollout.max_num_seqs", 16)
		req.Layers = []Layer{
			{Origin: "cpu harness", Level: framework.SmokeRun, Values: map[string]any{"trainer.n_gpus_per_node": 1, "actor_rollout_ref.rollout.name": "cpu"}},
			{Origin: "bridge", Level: framework.Owned, Values: map[string]any{"awhost.endpoints": []string{"127.0.0.1:1"}, "actor_rollout_ref.rollout.max_num_seqs": 16}},
			{Origin: "defaults", Level: framework.Default, Values: map[string]any{"actor_rollout_ref.rollout.max_num_seqs": 4, "actor_rollout_ref.rollout.enforce_eager": true}},
		}
	}))
	if problems := errorsOf(out); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	for key, want := range map[string]string{
		"trainer.n_gpus_per_node": "1 cpu harness", "actor_rollout_ref.rollout.name": `"cpu" cpu harness`, "awhost.endpoints": `["127.0.0.1:1"] bridge`,
		"actor_rollout_ref.rollout.max_num_seqs": "16 bridge", "actor_rollout_ref.rollout.enforce_eager": "true defaults",
		"actor_rollout_ref.rollout.tensor_model_parallel_size": "1 awhost",
	} {
		at := slices.IndexFunc(out.Keys, func(e sdk.EffectiveKey) bool { return e.Key == key })
		if at < 0 {
			t.Errorf("%s is not in the plan", key)
		} else if got := fmt.Sprintf("%s %s", out.Keys[at].ValueJSON, out.Keys[at].Origin); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	checkFile(t, out, "awhost.endpoints=['127.0.0.1:1']")
	out = resolve(t, request(installed, func(req *Request) {
		req.Overrides = overrides("trainer.device", "cuda")
		req.Layers = []Layer{{Origin: "bridge", Level: framework.Owned, Values: map[string]any{"trainer.device": "cpu"}}, {Origin: "harness", Level: framework.Default, Values: map[string]any{"trainer.no_such": 1}}}
	}))
	text := strings.Join(errorsOf(out), "\n")
	for _, part := range []string{`trainer.device is "cuda" in the adapter's overrides and "cpu" in bridge`} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %s", part, text)
		}
	}
}

func TestResolve_ListsWhatMustBeThere(t *testing.T) {
	installed := syntheticTree(t, v091)
	installed.Python, installed.Sites.Version = "/venv/bin/python", "3.13.1"
	delete(installed.Packages, "vllm")
	out := resolve(t, request(installed, func(req *Request) {
		req.VisibleGPUs = 2
		req.Overrides = overrides("trainer.logger", []any{"console", "wandb"})
	}))
	want := []sdk.Requirement{
		{Kind: "gpu", Detail: "8 GPUs: trainer.nnodes = 1 (default) × trainer.n_gpus_per_node = 8 (default); this machine has 2: lower gpus_per_node, or set device = \"cpu\" for a tiny model"},
		{Kind: "python", Detail: "Python 3.13.1 (verl 0.9.1 wants >=3.10,<3.13)"},
		{Kind: "package", Detail: "verl 0.9.1", Met: true}, {Kind: "package", Detail: "torch 2.11.0", Met: true}, {Kind: "package", Detail: "ray 2.52.0", Met: true},
		{Kind: "package", Detail: "transformers 5.9.0", Met: true}, {Kind: "package", Detail: "hydra-core 1.3.8", Met: true}, {Kind: "package", Detail: "tensordict 0.10.0", Met: true},
		{Kind: "package", Detail: "transferqueue 0.1.11", Met: true},
		{Kind: "package", Detail: "vllm: this run needs it, and it is not next to /venv/bin/python: install it there"},
		{Kind: "package", Detail: "wandb: this run needs it, and it is not next to /venv/bin/python: install it there"},
	}
	if diff := cmp.Diff(want, out.Requirements); diff != "" {
		t.Errorf("requirements (-want +got):\n%s", diff)
	}
	elsewhere := resolve(t, request(installed, func(req *Request) { req.VisibleGPUs, req.Elsewhere = 2, true }))
	if gpus := elsewhere.Requirements[0]; gpus.Met || !strings.HasSuffix(gpus.Detail, "this machine has 2") {
		t.Errorf("for another machine: %+v, want a requirement without a remedy", gpus)
	}
	if out.GPUs != 8 || out.Int("trainer.n_gpus_per_node") != 8 {
		t.Errorf("%d GPUs, %d per node", out.GPUs, out.Int("trainer.n_gpus_per_node"))
	}
}

// A knob replaces both of verl's names for a length in a file.
func TestResolve_ReplacesBothNamesOfALength(t *testing.T) {
	out := resolve(t, request(syntheticTree(t, v091), both(
		file("data:\n  max_prompt_length: 131072\nactor_rollout_ref:\n  rollout:\n    prompt_length: 122980"),
		func(req *Request) {
			req.Knobs.Limits.PromptTokens = ptr(16)
			req.Knobs.Set = append(req.Knobs.Set, "limits.prompt_tokens")
		})))
	for _, key := range []string{"data.max_prompt_length", "actor_rollout_ref.rollout.prompt_length"} {
		if out.Int(key) != 16 {
			t.Errorf("%s is %d, want 16", key, out.Int(key))
		}
	}
	if len(out.Diagnostics) > 0 {
		t.Errorf("said is %+v", out.Diagnostics)
	}
}

func TestResolve_ShowsContradictionsOfAnAttributeOnce(t *testing.T) {
	out := resolve(t, request(syntheticTree(t, v091), both(
		override("trainer.total_training_steps", 30, "data.train_batch_size", 1, "actor_rollout_ref.rollout.n", 16))))
	var paths []string
	for _, d := range out.Diagnostics {
		paths = append(paths, strings.Join(d.Path, "."))
	}
	slices.Sort(paths)
	want := []string{"overrides.actor_rollout_ref.rollout.n", "overrides.data.train_batch_size",
		"overrides.trainer.total_training_steps"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("places of what is said (-want +got):\n%s\n%+v", diff, out.Diagnostics)
	}
}

// checkFile checks that the file for Hydra sets a key, as in "key=value".
func checkFile(t *testing.T, out *Resolved, want string) {
	t.Helper()
	key, text, _ := strings.Cut(want, "=")
	value, errValue := framework.ParseValue(text)
	all, errFile := framework.FileSettings("awhost.yaml", out.File)
	isSet := slices.ContainsFunc(all, func(s *setting) bool { return s.Key == key && framework.Equal(s.Value, value) })
	if err := errors.Join(errValue, errFile); err != nil || !isSet {
		t.Errorf("no %s (%v) in\n%s", want, err, out.File)
	}
}

func TestResolve_CompletesLoggersWhereverTheyAreWritten(t *testing.T) {
	for origin, change := range map[string]func(*Request){
		"config:mine.yaml:1, completed by awhost": file("trainer: {logger: [console, tensorboard]}"),
		"overrides, completed by awhost":          override("trainer.logger", []any{"console", "tensorboard"}),
		"--, completed by awhost":                 command("trainer.logger", "[console,tensorboard]"),
	} {
		out := resolve(t, request(syntheticTree(t, v091), change))
		if problems := errorsOf(out); len(problems) > 0 {
			t.Errorf("%s: %v", origin, problems)
		}
		checkFile(t, out, "trainer.logger=[console,tensorboard,file]")
		if !slices.ContainsFunc(out.Keys, func(k sdk.EffectiveKey) bool { return k.Key == "trainer.logger" && k.Origin == origin }) {
			t.Errorf("no key has the origin %q", origin)
		}
	}
}

// What verl would score with is refused under its new name, so that the old one does not lead there.
func TestResolve_SaysAtOnceWhereARewardFunctionBelongs(t *testing.T) {
	const stage1 = "custom_reward_function: {path: env_tuning/format_reward.py, name: compute_score}\nreward_model: {reward_manager: bfcl}"
	each(t, func(t *testing.T, installed *Installed) {
		out := resolve(t, request(installed, file(stage1)))
		said := strings.Join(append(errorsOf(out), out.Notes...), "\n")
		for _, part := range []string{"env_tuning/format_reward.py", `"bfcl"`, `reward "python" of the spec`} {
			if !strings.Contains(said, part) {
				t.Errorf("%q is not in: %s", part, said)
			}
		}
		if strings.Contains(said, "Write that instead") {
			t.Errorf("a name is recommended that is refused: %s", said)
		}
	})
}
