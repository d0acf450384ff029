package importer

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"
)

const (
	verlActor   = "actor_rollout_ref.actor."
	verlRollout = "actor_rollout_ref.rollout."
)

// writeVerl writes the spec for a configuration of verl.
func (w *writer) writeVerl() {
	var estimator string
	grpo := w.look("algorithm.adv_estimator", &estimator) && estimator == "grpo"
	w.convert(grpo)
	if slices.ContainsFunc(w.config.bases, func(name string) bool { return strings.Contains(name, "megatron") }) {
		w.override("model_engine", `"megatron"`)
	}
	var penalty bool
	coefficient := 0.001 // verl's default
	if w.look(verlActor+"use_kl_loss", &penalty) && penalty {
		w.look(verlActor+"kl_loss_coef", &coefficient)
	} else {
		coefficient = 0
		w.lose(verlActor+"kl_loss_coef", "use_kl_loss is not true")
	}
	if grpo && w.config.given(verlActor+"use_kl_loss") {
		w.set("train.algorithm.kl", fmt.Sprint(coefficient))
	}
	if key := verlActor + "ppo_mini_batch_size"; w.config.given(key) {
		if size := w.size(key, 1); size > w.size("data.train_batch_size", 1024) {
			w.lose(key, "it exceeds data.train_batch_size: a step is one update")
		} else {
			w.set("train.mini_batch.size", strconv.Itoa(size*w.size(verlRollout+"n", 1)))
		}
	}
	w.writeBetas(verlActor + "optim.betas")
	if !w.has("train.filter_groups.refill") { // verl reads the metric only if it filters
		w.drop("filter_groups")
		w.lose("algorithm.filter_groups.metric", "algorithm.filter_groups.enable is not true")
	}
	w.length("trainer.total_epochs")
	w.verlData()
	w.verlReward()
	w.finish(w.verlAgent())
}

// verlData writes the datasets of verl's Parquet files.
func (w *writer) verlData() {
	prompt := ""
	w.look("data.prompt_key", &prompt)
	for i, key := range []string{"data.train_files", "data.val_files"} {
		files := w.list(key)
		if len(files) > 0 || i == 0 {
			w.data(i, files, "train", func(string) []string {
				pairs := []string{"ground_truth", "reward_model.ground_truth"}
				if prompt != "" && prompt != "prompt" {
					pairs = append(pairs, "prompt", prompt)
				}
				return pairs
			})
		}
	}
}

// list returns the texts of a list, or of a single value.
func (w *writer) list(path string) (out []string) {
	if v, ok := w.config.values[path]; ok && v.node.Kind == yaml.SequenceNode {
		w.look(path, &out)
		return out
	}
	var text string
	if w.look(path, &text) && text != "" {
		out = []string{text}
	}
	return out
}

// labels are the names of the datasets.
var labels = []string{"train", "validation"}

// hubData are repositories whose columns and answers are known.
var hubData = map[string]struct {
	config  string
	columns []string // of the map
	extract string   // of the ground truth
}{
	"openai/gsm8k":       {config: "main", extract: "#### (.*)"},
	"hiyouga/geometry3k": {columns: []string{"prompt", "problem"}},
}

// data writes the dataset for training (0) or validation (1): files, or repositories of the hub. Several become a mix.
// columns returns the map of a file.
func (w *writer) data(i int, sources []string, split string, columns func(string) []string) {
	if len(sources) == 0 {
		sources = []string{""}
	}
	var references []string
	for n, source := range sources {
		label := labels[i]
		if len(sources) > 1 {
			label += "_" + strconv.Itoa(n+1)
		}
		source, limit, _ := strings.Cut(source, "#")
		if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(source, "~/") {
			source = filepath.Join(home, source[2:])
		}
		kind := strings.TrimPrefix(filepath.Ext(source), ".")
		switch kind {
		case "parquet", "jsonl", "csv":
		case "json":
			kind = "jsonl"
		case "":
			kind = "parquet"
			if source != "" {
				kind = "huggingface"
			}
		default:
			kind = "huggingface"
		}
		w.wanted(label+"_data", source, "the tasks: a file or, for a dataset \"huggingface\", a repository on the hub")
		body := w.block("dataset", kind, label)
		known := hubData[source]
		if kind == "huggingface" {
			raw(body, "repo", "var."+label+"_data")
			if known.config != "" {
				body.SetAttributeValue("config", cty.StringVal(known.config))
			}
			body.SetAttributeValue("split", cty.StringVal(split))
			if known.extract != "" {
				fill(body, "extract", "ground_truth", known.extract)
			}
		} else {
			raw(body, "path", "var."+label+"_data")
		}
		pairs := known.columns
		if columns != nil && kind != "huggingface" {
			pairs = columns(source)
		}
		if len(pairs) > 0 {
			fill(body, "map", pairs...)
		} else if known.extract == "" {
			w.comment(body, `# map = { prompt = "question", ground_truth = "answer" }  # the columns, if they have other names`)
		}
		if most, err := strconv.ParseInt(limit, 10, 64); err == nil {
			body.SetAttributeValue("limit", cty.NumberIntVal(most))
		}
		references = append(references, "dataset."+kind+"."+label)
	}
	w.datasets[i] = references[0]
	if len(references) > 1 {
		body := w.block("dataset", "mix", labels[i])
		for _, reference := range references {
			raw(body.AppendNewBlock("part", nil).Body(), "dataset", reference)
		}
		w.datasets[i] = "dataset.mix." + labels[i]
	}
}

// verlReward writes the user's reward function, or the bundled reward for the tasks that verl scores itself.
func (w *writer) verlReward() {
	for _, prefix := range []string{"reward.custom_reward_function.", "custom_reward_function."} {
		var file string
		name := "compute_score" // verl's default
		if w.look(prefix+"path", &file) && file != "" {
			w.look(prefix+"name", &name)
			w.pythonReward("answer", file, name, "")
			return
		}
	}
	w.mathReward("verl scores each row by its data_source")
}

// pythonReward writes a reward of the user's.
func (w *writer) pythonReward(label, file, name, weight string) {
	if path, found := findNear(w.config.name, file); found {
		file = w.relative(path)
	}
	variable := "reward"
	if label != "answer" {
		variable = label
	}
	w.variable(variable, cty.StringVal(file), "the Python file of the reward function")
	body := w.block("reward", "python", label)
	raw(body, "file", "var."+variable)
	body.SetAttributeValue("name", cty.StringVal(name))
	w.addReward("reward.python."+label, weight)
}

// mathReward writes the bundled reward for GSM8K, MATH and Geometry3K.
func (w *writer) mathReward(why string) {
	w.comment(w.file.Body(), "", "# "+why+". The reward math compares answers, as for GSM8K, MATH, and Geometry3K.",
		"# For other tasks, write another reward: docs/guides/judges.md.")
	w.file.Body().AppendNewBlock("reward", []string{"math", "answer"})
	w.addReward("reward.math.answer", "")
}

// addReward adds a reward block's score to the reward, times a weight if there is one. The first block decides about
// success.
func (w *writer) addReward(block, weight string) {
	term := block + ".score"
	if weight != "" {
		term += " * " + weight
	}
	if w.reward == "" {
		w.reward, w.firstReward = term, block
		return
	}
	w.reward, w.success = w.reward+" + "+term, w.firstReward+".is_success"
}

// verlAgent returns the class that verl's agent loop configuration names, if its file is found.
func (w *writer) verlAgent() (agent [2]string) {
	const key = verlRollout + "agent.agent_loop_config_path"
	var path string
	if !w.look(key, &path) || path == "" {
		return agent
	}
	file, found := findNear(w.config.name, path)
	text, err := os.ReadFile(file)
	if err != nil || !found {
		w.lose(key, "no such file next to the configuration: an agent block plays the episodes, see agent.md")
		return agent
	}
	var loops []struct {
		Target string `yaml:"_target_"`
	}
	if err := yaml.Unmarshal(text, &loops); err != nil || len(loops) == 0 || loops[0].Target == "" {
		w.lose(key, base(file)+" has no _target_: an agent block plays the episodes, see agent.md")
		return agent
	}
	return w.pythonAgent(key, loops[0].Target)
}

// pythonAgent returns the file and the name of an object in a module, if the file is found. Otherwise it writes the
// block as a comment.
func (w *writer) pythonAgent(key, target string) (agent [2]string) {
	file, name := modulePath(target)
	path, found := findNear(w.config.name, file)
	if found {
		if _, err := os.Stat(path); err == nil {
			return [2]string{w.relative(path), name}
		}
	}
	w.lose(key, fmt.Sprintf("%s of %s is not found: write agent \"python\", as a comment in the spec shows", name, file))
	w.comment(w.file.Body(), "", "# The agent of the configuration, whose file was not found:",
		fmt.Sprintf("# agent \"python\" \"solver\" { file = %q, name = %q }", file, name))
	return agent
}

// modulePath splits package.module.Name into package/module.py and Name.
func modulePath(target string) (file, name string) {
	dot := strings.LastIndex(target, ".")
	if dot < 0 {
		return target + ".py", target
	}
	return strings.ReplaceAll(target[:dot], ".", "/") + ".py", target[dot+1:]
}

// writeAreal writes the spec for a configuration of AReaL.
func (w *writer) writeAreal() {
	var level string
	grpo := w.look("actor.reward_norm.mean_level", &level) && level == "group"
	w.convert(grpo)
	prompts, group := w.size("train_dataset.batch_size", 32), w.size("gconfig.n_samples", 8)
	if n := w.size("actor.ppo_n_minibatches", 1); n > 1 {
		w.set("train.mini_batch.size", strconv.Itoa(max(1, prompts*group/n)))
	}
	if n := w.size("rollout.max_concurrent_rollouts", 0); n > 0 {
		w.set("train.concurrency", strconv.Itoa(n*group))
	}
	var every int
	if key := "saver.freq_epochs"; w.look(key, &every) && every > 0 {
		if w.set("train.checkpoint.every", strconv.Itoa(every)) {
			w.set("train.checkpoint.unit", `"epochs"`)
		} else {
			w.lose(key, "freq_steps counts")
		}
	}
	w.length("total_train_epochs")
	for i, key := range []string{"train_dataset.path", "valid_dataset.path"} {
		if sources := w.list(key); len(sources) > 0 || i == 0 {
			w.data(i, sources, []string{"train", "test"}[i], nil)
		}
	}
	w.arealReward()
	var agent [2]string
	var target string
	for _, key := range []string{"agent_builder_path", "workflow"} {
		if w.look(key, &target) {
			agent = w.pythonAgent(key, target)
			break
		}
	}
	w.finish(agent)
}

func (w *writer) arealReward() {
	var target string
	if w.look("reward_fn_path", &target) && !strings.HasPrefix(target, "areal.reward.") {
		file, name := modulePath(target)
		w.pythonReward("answer", file, name, "")
		return
	}
	w.mathReward("AReaL's recipes for mathematics score by math_verify")
}

// writeTRL writes the spec for arguments of `trl grpo`.
func (w *writer) writeTRL() {
	w.transformers()
	var peft bool
	if _, ok := w.adapter["lora"]; ok && (!w.look("use_peft", &peft) || !peft) {
		delete(w.adapter, "lora")
		for path := range w.config.values {
			if strings.HasPrefix(path, "lora_") {
				w.lose(path, "use_peft is not true")
			}
		}
	} else if !ok && peft {
		w.adapter["lora"] = map[string]any{}
	}
	split := [2]string{"train", "test"} // TRL's defaults
	w.look("dataset_train_split", &split[0])
	w.look("dataset_test_split", &split[1])
	validates := w.has("train.validate.every") || w.config.given("eval_strategy")
	for i, name := range split {
		if i == 0 || validates {
			w.data(i, w.list("dataset_name"), name, nil)
		}
	}
	w.lose("dataset_config", "set config in the dataset blocks")
	if !validates {
		w.lose("dataset_test_split", "neither eval_strategy nor eval_steps is set: the trainer does not validate")
	}
	w.listedRewards()
	w.finish([2]string{})
}

// writeSwift writes the spec for arguments of `swift rlhf`.
func (w *writer) writeSwift() {
	var kind string
	if w.look("rlhf_type", &kind) && kind != "grpo" && w.err == nil {
		w.err = w.config.fail("rlhf_type", "the adapter trains with grpo only")
	}
	w.transformers()
	for i, key := range []string{"dataset", "val_dataset"} {
		if sources := w.list(key); len(sources) > 0 || i == 0 {
			w.data(i, sources, "train", nil)
		}
	}
	w.listedRewards()
	if strings.HasSuffix(w.attributes["agent.react.solver.system_prompt"], `.txt"`) {
		delete(w.attributes, "agent.react.solver.system_prompt")
		w.lose("system", "it is a file: write its text")
	}
	w.finish([2]string{})
}

// transformers converts the arguments that TRL and ms-swift have in common.
func (w *writer) transformers() {
	w.convert(true)
	processes := w.size("env.NPROC_PER_NODE", w.size("num_processes", 1))
	device, group := w.size("per_device_train_batch_size", 8), w.size("num_generations", 8)
	samples := device * processes * w.size("gradient_accumulation_steps", 1)
	if group > 0 && samples >= group {
		w.set("train.batch.prompts", strconv.Itoa(samples/group))
	} else {
		w.set("train.batch.prompts", "1")
	}
	w.set("train.batch.group_size", strconv.Itoa(group))
	var ratio float64
	if key := "warmup_ratio"; w.look(key, &ratio) {
		if steps := w.size("max_steps", 0); steps > 0 {
			w.set("train.optimizer.warmup_steps", strconv.Itoa(int(ratio*float64(steps)+0.999)))
		} else {
			w.lose(key, "it is a share of max_steps, which is not set: write train.optimizer.warmup_steps")
		}
	}
	epochs := []string{"num_train_epochs"}
	if w.config.given("max_epochs") {
		epochs = append(epochs, "max_epochs")
	}
	w.length(epochs...)
}

// listed are the reward functions that are listed by name, and the blocks that replace them.
var listed = map[string]struct {
	kind       string
	attributes map[string]string
}{
	"accuracy": {kind: "math"}, "math": {kind: "math"}, "accuracy_reward": {kind: "math"},
	"reasoning_accuracy_reward": {kind: "math"},
	"format":                    {"format", map[string]string{"tags": `["think", "answer"]`}},
	"think_format_reward":       {"format", map[string]string{"tags": `["think"]`, "allow_text_outside": "true"}},
}

// listedRewards writes the reward functions that are listed by name, with their weights.
func (w *writer) listedRewards() {
	weights := w.list("reward_weights")
	for i, name := range w.list("reward_funcs") {
		weight, label := "", "reward_"+strconv.Itoa(i+1)
		if i < len(weights) {
			weight = weights[i]
		}
		switch known, ok := listed[name]; {
		case ok:
			body := w.block("reward", known.kind, label)
			for _, attribute := range slices.Sorted(maps.Keys(known.attributes)) {
				raw(body, attribute, known.attributes[attribute])
			}
			w.addReward("reward."+known.kind+"."+label, weight)
		case strings.Contains(name, "."):
			file, function := modulePath(name)
			w.pythonReward(label, file, function, weight)
		default:
			w.comment(w.file.Body(), "", "# The reward "+oneLine(name)+" has no counterpart: write reward \"python\", as in "+
				"docs/guides/python.md.")
		}
	}
	if w.reward == "" {
		w.mathReward("No reward function of the configuration is known")
	}
}
