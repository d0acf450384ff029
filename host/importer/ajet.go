package importer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// writeAjet writes the spec for an AgentJet configuration.
func (w *writer) writeAjet() {
	w.writeModel()
	w.text("task_reader.type", &w.reader, "huggingface_dat_repo")
	w.writeSizes()
	w.writeDatasets()
	w.writeReward()
	w.writeAgent()
	w.writeTrain()
}

// localContext is the longest context of the embedded policy, in bytes.
const localContext = 1024

func (w *writer) writeModel() {
	var model string
	if w.options.Adapter == "local" {
		w.comment(
			w.file.Body(),
			"",
			"# The embedded trainer has its own small policy, to try the spec out on a laptop.",
			"# `awhost import ajet --adapter verl` trains the model of the configuration.",
		)
		return
	}
	w.text("model.path", &model, "Qwen/Qwen2.5-7B-Instruct")
	const about = "the model to train: a directory, or a name on the hub"
	if unset := (unsetError{}); errors.As(w.err, &unset) {
		w.err = nil // the model is the first value read, so no other error is lost
		model = ""
	}
	w.wanted("model", model, about)
	raw(w.block("model", "hf", "policy"), "path", "var.model")
}

func (w *writer) writeDatasets() {
	switch w.reader {
	case "huggingface_dat_repo":
		w.huggingFace()
	case "jsonl_dataset_file", "dataset_file":
		w.jsonl()
	case "env_service":
		w.envService()
	case "random_dummy":
		w.dummies()
	default:
		w.fail("task_reader.type", fmt.Sprintf("unsupported reader %q: write a program that generates the tasks, "+
			"dataset "+
			`"command" or "python", and import with jsonl_dataset_file`, w.reader))
	}
}

func (w *writer) huggingFace() {
	var repo string
	w.text("task_reader.huggingface_dat_repo.dataset_path", &repo, "gsm8k")
	if _, found := find(w.config.name, repo); found {
		repo, _ = w.place(repo)
	}
	w.private = []string{columnAnswer, columnTruth}
	w.variable(
		"data",
		cty.StringVal(repo),
		"the dataset: a directory, or a repository on the hub, which awhost init downloads",
	)
	w.variable("config", cty.NullVal(cty.String), "which configuration of a repository, where it has several")
	for i, name := range []string{"training", "validation"} {
		var split string
		w.text("task_reader.huggingface_dat_repo."+name+"_split", &split, name)
		label := strings.TrimSuffix(name, "ing")
		body := w.block("dataset", "huggingface", label)
		raw(body, "repo", "var.data")
		raw(body, "config", "var.config")
		body.SetAttributeValue("split", cty.StringVal(split))
		if w.judge() == "CountdownAnswerAsJudge" { // its rows have only numbers, which the workflow turns into a question
			fill(body, "template", "prompt", "Empty")
		}
		w.limit(body, i)
		w.datasets[i] = "dataset.huggingface." + label
	}
}

// Row columns that the import looks for.
const (
	columnQuery  = "main_query"
	columnAnswer = "answer"
	columnTruth  = "ground_truth"
)

func (w *writer) jsonl() {
	for i, name := range []string{"training", "validation"} {
		var file string
		given := false
		for _, reader := range []string{"jsonl_dataset_file", "dataset_file"} { // the latter in older releases
			given = given || w.get("task_reader."+reader+"."+name+".file_path", &file)
		}
		if !given {
			continue
		}
		label := strings.TrimSuffix(name, "ing")
		body := w.block("dataset", "jsonl", label)
		shown, path := w.place(file)
		body.SetAttributeValue("path", cty.StringVal(shown))
		w.columns(body, firstRow(path))
		w.limit(body, i)
		w.datasets[i] = "dataset.jsonl." + label
	}
	if w.datasets[0] == "" && w.err == nil {
		w.err = fmt.Errorf(
			"%s: ajet.task_reader.jsonl_dataset_file.training.file_path is missing: name the file with the tasks",
			w.config.name,
		)
	}
}

// columns writes the source columns for a task's fields, based on the first row of the file. row is nil if the file is
// missing.
func (w *writer) columns(body *hclwrite.Body, row map[string]any) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return row[n] != nil })
	}
	if row == nil {
		fill(body, "map", "prompt", columnQuery)
		w.comment(body, `# map = { prompt = "main_query", ground_truth = "metadata.answer" }  # if the metadata has it`)
		return
	}
	var pairs []string
	if has(columnQuery) {
		pairs = append(pairs, "prompt", columnQuery)
	} else if !has("prompt", "question", "messages") {
		fill(body, "template", "prompt", "[not defined]") // as in AgentJet: the workflow creates the question from columns
	}
	if id, _ := row["task_id"].(string); id != "" && !has("id") {
		pairs = append(pairs, "id", "task_id")
	}
	w.private = []string{columnAnswer, columnTruth}
	for _, name := range w.private {
		if metadata, _ := row["metadata"].(map[string]any); metadata[name] != nil && !has(columnAnswer, columnTruth) {
			pairs = append(pairs, columnTruth, "metadata."+name)
			w.private = []string{"metadata." + name}
			break
		}
	}
	if len(pairs) > 0 {
		fill(body, "map", pairs...)
	}
}

// dummies writes AgentJet's 1,000 numbered dummy tasks.
func (w *writer) dummies() {
	for i, label := range []string{"train", "validation"} {
		body := w.block("dataset", "command", label)
		body.SetAttributeValue("command", cty.ListVal([]cty.Value{
			cty.StringVal("python3"), cty.StringVal("-c"), cty.StringVal(`import json; [print(json.dumps(` +
				`{"id": str(i), "prompt": f"[dummy task @ {i}]", "random_number": i})) for i in range(1000)]`),
		}))
		w.limit(body, i)
		w.datasets[i] = "dataset.command." + label
	}
}

// envService writes the environment and its task lists.
func (w *writer) envService() {
	var kind, url string
	w.text("task_reader.env_service.env_type", &kind, "appworld")
	w.text("task_reader.env_service.env_url", &url, "http://127.0.0.1:8080")
	w.variable("service", cty.StringVal(url), "where the environment service is")
	body := w.block("environment", "env_service", "world")
	raw(body, "url", "var.service")
	body.SetAttributeValue("env_type", cty.StringVal(kind))
	w.environment = "environment.env_service.world"
	for i, name := range []string{"training", "validation"} {
		var split string
		w.text("task_reader.env_service."+name+"_split", &split, []string{"train", "dev"}[i])
		label := strings.TrimSuffix(name, "ing")
		body.SetAttributeValue(label+"_split", cty.StringVal(split))
		data := w.block("dataset", "environment", label)
		raw(data, "environment", w.environment)
		data.SetAttributeValue("split", cty.StringVal(label))
		data.SetAttributeValue("pin", cty.True)
		w.limit(data, i)
		w.datasets[i] = "dataset.environment." + label
	}
}

// limit limits the number of tasks in a validation.
func (w *writer) limit(body *hclwrite.Body, i int) {
	if i == 1 {
		raw(body, "limit", "var.validation_tasks")
	}
}

// writeSizes declares variables for the sizes that are reduced for a test on a laptop.
func (w *writer) writeSizes() {
	var prompts, most int64
	w.get("data.train_batch_size", &prompts)
	steps, description := cty.NullVal(cty.Number), "optimiser steps; null: as many as fit in the epochs"
	if n := w.steps(); n > 0 {
		steps, description = cty.NumberIntVal(n), "optimiser steps"
	}
	tasks := cty.NullVal(cty.Number)
	if w.get("trainer_common.val_max_num_task_each_validation", &most) && most > 0 {
		tasks = cty.NumberIntVal(most)
	}
	w.variable("steps", steps, description)
	w.variable("prompts", cty.NumberIntVal(prompts), "tasks of a step")
	w.variable("validation_tasks", tasks, "tasks of a validation, the first ones; null: all")
}

// steps returns the number of steps that the file sets, or 0 if it counts in epochs.
func (w *writer) steps() int64 {
	var steps int64
	if !w.get("trainer_common.total_training_steps", &steps) {
		return 0
	}
	return max(0, steps)
}

var target = regexp.MustCompile(`^\s*(.+?)\s*->\s*([A-Za-z_][A-Za-z0-9_]*)\s*$`)

// python splits "workflow.py->Class" or "package.module->Class" into a file and a name.
func (w *writer) python(key, protocol string) (file, name string) {
	match := target.FindStringSubmatch(protocol)
	if match == nil {
		w.fail(key, "it is not of the form file.py->Class or package.module->Class")
		return "", ""
	}
	file = match[1]
	if !strings.HasSuffix(file, ".py") {
		file = strings.ReplaceAll(file, ".", "/") + ".py"
	}
	return file, match[2]
}

// ownJudges lists AgentJet's judges that have a counterpart in awhost, by class name.
var ownJudges = map[string]func(*writer){
	"MathAnswerAsJudge": func(w *writer) {
		w.block("reward", "math", "judge").SetAttributeValue("mode", cty.StringVal("exact"))
		w.reward = "reward.math.judge.score"
	},
	"CountdownAnswerAsJudge": func(w *writer) {
		w.block("reward", "countdown", "judge").SetAttributeValue("compatibility", cty.StringVal("reference"))
		w.reward = "reward.countdown.judge.score"
	},
	"EnvServiceJudge": (*writer).envServiceJudge,
}

// envServiceJudge writes the formula of AgentJet's default judge, based on the service's evaluation.
func (w *writer) envServiceJudge() {
	if w.environment == "" && !w.config.given("task_judge.judge_protocol") {
		return // AgentJet's default without an environment service: only the workflow's own reward exists
	}
	if w.environment == "" {
		w.fail("task_judge.judge_protocol", "EnvServiceJudge asks an environment service, and task_reader.type "+
			"selects none: name your own judge, file.py->Class, or AgentJet's MathAnswerAsJudge")
		return
	}
	w.block("reward", "environment_state", "judge").SetAttributeValue("number", cty.StringVal("evaluation"))
	const score = "reward.environment_state.judge.score"
	w.reward = score + " >= 1 ? 1 + 0.5 * " + score + " : 0.5 * " + score
	w.success = score + " >= 1"
}

func (w *writer) writeReward() {
	var judge, kind string
	w.text("task_judge.judge_type", &kind, "customized_protocol")
	if kind != "customized_protocol" {
		w.fail("task_judge.judge_type", fmt.Sprintf("unsupported judge %q: write a reward, as described in "+
			"docs/guides/judges.md and "+
			"docs/guides/python.md, and import with customized_protocol", kind))
		return
	}
	w.text("task_judge.judge_protocol", &judge, "ajet.task_judge.env_service_as_judge->EnvServiceJudge")
	file, name := w.python("task_judge.judge_protocol", judge)
	if own := ownJudges[name]; own != nil && isAgentJets(judge) {
		own(w)
	} else if name != "" {
		body := w.block("reward", "python", "judge")
		source := w.source(body, file, name)
		w.arguments(body, source, "reward.python.judge.arguments", "")
		w.reward = "reward.python.judge.score"
	}
	if w.reward == "" {
		w.reward = "agent.python.workflow.reward"
		return
	}
	if w.success == "" {
		w.success = strings.TrimSuffix(w.reward, ".score") + ".is_success"
	}
	// If a workflow returns a reward, the judge's is not used.
	w.success = "try(agent.python.workflow.is_success, " + w.success + ")"
	w.reward = "try(agent.python.workflow.reward, " + w.reward + ")"
}

// isAgentJets reports whether a judge is part of AgentJet, rather than a class with the same name in a file.
func isAgentJets(protocol string) bool {
	for _, prefix := range []string{"ajet.", "astune.", "astuner.", "tutorial."} {
		if strings.HasPrefix(strings.TrimSpace(protocol), prefix) {
			return true
		}
	}
	return false
}

func (w *writer) writeAgent() {
	var workflow string
	if !w.get("rollout.user_workflow", &workflow) {
		if w.err == nil {
			w.err = fmt.Errorf(
				"%s: ajet.rollout.user_workflow is missing: specify the workflow as file.py->Class",
				w.config.name,
			)
		}
		return
	}
	file, name := w.python("rollout.user_workflow", workflow)
	body := w.block("agent", "python", "workflow")
	source := w.source(body, file, name)
	if read := slices.DeleteFunc(w.private, func(column string) bool { return !reads(source, column) }); len(read) > 0 {
		body.SetAttributeValue("private", texts(read))
	}
	if strings.Contains(source, "tuner.config") {
		w.arguments(body, source, "agent.python.workflow.arguments.config", "config.")
	}
	if w.environment != "" {
		raw(body, "environment", w.environment)
	}
	var turns int64
	if w.get("rollout.multi_turn.max_steps", &turns) {
		body.SetAttributeValue("max_turns", cty.NumberIntVal(turns))
	}
	var toolless bool
	if w.get("rollout.force_disable_toolcalls", &toolless) && toolless {
		body.SetAttributeValue("tools", cty.ListValEmpty(cty.String))
	}
	w.writeChecks(body)
}

// madness maps AgentJet's check names to awhost's.
var madness = map[string]string{"nonsense": "nonsense", "wrong_toolcall": "wrong_toolcall", "format_type_1": "format"}

func (w *writer) writeChecks(agent *hclwrite.Body) {
	var list []string
	const key = "rollout.compute_madness_checklist"
	if !w.get(key, &list) || len(list) == 0 {
		return
	}
	var find []string
	profile := "ajet-2026-01"
	for _, name := range list {
		check, ok := madness[name]
		switch {
		case name == "non_ascii": // in AgentJet it disables the check of characters
			profile = "awhost"
		case ok:
			find = append(find, check)
		default:
			w.lose(key, fmt.Sprintf("unsupported check %q; the others are in checks: see docs/guides/madness.md", name))
		}
	}
	if len(find) == 0 {
		return
	}
	agent.AppendNewline()
	body := agent.AppendNewBlock("checks", []string{"madness"}).Body()
	body.SetAttributeValue("profile", cty.StringVal(profile))
	body.SetAttributeValue("find", texts(find))
	var ends bool
	then := "count"
	if w.get("rollout.agent_madness_termination", &ends) && ends {
		then = "end"
	}
	body.SetAttributeValue("then", cty.StringVal(then))
	w.number(body, "reward", "rollout.agent_madness_reward")
}

// judge returns the class of the judge in the file, if it is one of AgentJet's.
func (w *writer) judge() string {
	var protocol string
	w.get("task_judge.judge_protocol", &protocol)
	if match := target.FindStringSubmatch(protocol); match != nil && isAgentJets(protocol) {
		return match[2]
	}
	return ""
}

// reads reports whether Python code reads a column of its task's metadata.
func reads(source, column string) bool {
	name := regexp.QuoteMeta(strings.TrimPrefix(column, "metadata."))
	return regexp.MustCompile(`(\[|\.get\()\s*["']` + name + `["']`).MatchString(source)
}

// configured matches the config keys that a judge or a workflow reads.
var configured = regexp.MustCompile(`\bconfig((?:\.[A-Za-z_]\w*)+)`)

// arguments writes the config values that the code reads, if the file or AgentJet's defaults contain them. prefix is
// their path in the arguments.
func (w *writer) arguments(body *hclwrite.Body, source, place, prefix string) {
	tree := map[string]any{}
	for _, match := range configured.FindAllStringSubmatch(source, -1) {
		path := match[1][1:]
		for _, key := range w.config.system.Keys {
			if _, given := w.config.values[key.Path]; key.Path == path && key.Default != "" && !given {
				put(tree, prefix+path, key.Default)
			}
		}
		for _, at := range w.config.order {
			carried, _ := w.config.system.keyOf(at)
			if at == path || strings.HasPrefix(at, path+".") && carried.To == "" {
				put(tree, prefix+at, w.expression(w.config.values[at].node))
				w.read[at] = place
			}
		}
	}
	if len(tree) > 0 {
		raw(body, "arguments", object(tree))
	}
}

// adapted lists the verl keys that are passed to the adapter as overrides.
var adapted = []string{"lora_rank", "lora_alpha", "target_modules", "exclude_modules"}

func (w *writer) writeAdapter() {
	for _, name := range adapted {
		if v, ok := w.config.values["ajet.lora."+name]; ok && v.node.Tag != "!!null" {
			w.override("actor_rollout_ref.model."+name, w.expression(v.node))
		}
	}
	if w.options.Adapter == "local" {
		w.adapter = map[string]any{"context": fmt.Sprint(localContext)}
	}
	w.adapterBlock("")
}

// unused reports whether a key belongs to a reader that the file does not choose.
func (w *writer) unused(key Key) bool {
	rest, isReader := strings.CutPrefix(key.Path, "ajet.task_reader.")
	if isReader && rest != "type" && key.To != "" {
		return !strings.HasPrefix(rest, w.reader+".")
	}
	return false
}

// needsVerl reports whether a key is written only if the adapter is verl.
func (w *writer) needsVerl(key Key) bool {
	if w.options.Adapter != "local" {
		return false
	}
	switch key.To {
	case "variable.model, model.hf.policy",
		"train.limits.prompt_tokens",
		"train.limits.response_tokens",
		"train.limits.message_tokens":
		return true
	}
	return strings.HasPrefix(key.To, "adapter.verl")
}
