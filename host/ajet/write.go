package ajet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"
)

// writer writes one spec.
type writer struct {
	config  *config
	options Options
	file    *hclwrite.File
	reader  string // task_reader.type
	err     error  // the first error

	environment string // reference; empty: no environment
	datasets    [2]string
	reward      string // expression
	success     string // expression; empty: the workflow's own

	private []string          // private columns of the data
	lost    map[string]string // by key: the reason why its value has no counterpart
	read    map[string]string // by key read by the user's judge or workflow: the arguments that contain it
}

func (w *writer) write() ([]byte, error) {
	if !slices.Contains(Adapters, w.options.Adapter) {
		return nil, fmt.Errorf(
			"unknown adapter %q: use %s",
			w.options.Adapter,
			strings.Join(Adapters, " or "),
		)
	}
	w.file = hclwrite.NewEmptyFile()
	w.comment(
		w.file.Body(),
		"# Written by awhost import ajet from "+oneLine(
			filepath.Base(w.config.name),
		)+". What became of each key: `awhost import ajet --json`,",
		"# and docs/guides/agentjet.md.",
	)
	for _, base := range w.config.missing {
		w.comment(w.file.Body(), "# Its base "+oneLine(base.Value)+" was not found: the values there are missing here.")
	}
	w.writeModel()
	w.text("task_reader.type", &w.reader, "huggingface_dat_repo")
	w.writeSizes()
	w.writeDatasets()
	w.writeReward()
	w.writeAgent()
	w.writeAdapter()
	w.writeTrain()
	if w.err != nil {
		return nil, w.err
	}
	return hclwrite.Format(w.file.Bytes()), nil
}

// The getters below return a value from the file, or AgentJet's default. They keep the first error.

func (w *writer) get(key string, into any) bool {
	ok, err := w.config.decode(key, into)
	if err != nil && w.err == nil {
		w.err = err
	}
	return ok && err == nil
}

func (w *writer) text(key string, into *string, preset string) {
	if !w.get(key, into) {
		*into = preset
	}
}

func (w *writer) fail(key, problem string) {
	if w.err == nil {
		w.err = w.config.fail(key, problem)
	}
}

// lose records why a key's value has no counterpart. The spec is written without this value.
func (w *writer) lose(key, why string) {
	if w.config.given(key) {
		w.lost["ajet."+key] = why
	}
}

// place returns a file's path as written in the spec, and the path at which it exists.
func (w *writer) place(file string) (shown, path string) {
	if filepath.IsAbs(file) {
		return file, file
	}
	dir := w.options.Dir
	if dir == "" {
		dir = filepath.Dir(w.config.name)
	}
	path, _ = find(w.config.name, file)
	from, err := filepath.Abs(dir)
	if err == nil {
		shown, err = filepath.Rel(from, path)
	}
	if err != nil {
		return path, path
	}
	return filepath.ToSlash(shown), path
}

func (w *writer) comment(body *hclwrite.Body, lines ...string) {
	for _, line := range lines {
		body.AppendUnstructuredTokens(hclwrite.Tokens{{Bytes: []byte(line + "\n")}})
	}
}

func (w *writer) block(kind string, labels ...string) *hclwrite.Body {
	w.file.Body().AppendNewline()
	return w.file.Body().AppendNewBlock(kind, labels).Body()
}

func raw(body *hclwrite.Body, name, expression string) {
	body.SetAttributeRaw(name, hclwrite.Tokens{{Bytes: []byte(expression)}})
}

// variable declares a variable for --var. Its type is its default's type; the default may be null.
func (w *writer) variable(name string, preset cty.Value, description string) {
	body := w.block("variable", name)
	raw(body, "type", preset.Type().FriendlyName())
	body.SetAttributeValue("default", preset)
	body.SetAttributeValue("description", cty.StringVal(description))
}

// localContext is the longest context of the embedded policy, in bytes.
const localContext = 1024

// oneLine converts text from the file to a single line for a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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
		body := w.block("variable", "model")
		raw(body, "type", "string")
		body.SetAttributeValue("description", cty.StringVal(about+"; in the configuration, $"+unset.name))
	} else {
		w.variable("model", cty.StringVal(model), about)
	}
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

// fill writes an attribute that is a map of strings.
func fill(body *hclwrite.Body, name string, pairs ...string) {
	values := map[string]cty.Value{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = cty.StringVal(pairs[i+1])
	}
	body.SetAttributeValue(name, cty.ObjectVal(values))
}

// firstRow returns the first row of a JSON Lines file, or nil if the file is empty or missing.
func firstRow(path string) (row map[string]any) {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	_ = json.NewDecoder(io.LimitReader(f, maxRead)).Decode(&row) // the dataset reports an unreadable file
	return row
}

// maxRead limits the bytes read from a user's file.
const maxRead = 4 << 20

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

// number copies a number.
func (w *writer) number(body *hclwrite.Body, name, key string) {
	var n float64
	if w.get(key, &n) {
		body.SetAttributeValue(name, cty.NumberFloatVal(n))
	}
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

// source writes a class's file and name, and returns the file's contents, or "" if the file is missing.
func (w *writer) source(body *hclwrite.Body, file, name string) string {
	shown, path := w.place(file)
	body.SetAttributeValue("file", cty.StringVal(shown))
	body.SetAttributeValue("name", cty.StringVal(name))
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, maxRead)) // plan reports an unreadable file
	return string(text)
}

// reads reports whether Python code reads a column of its task's metadata.
func reads(source, column string) bool {
	name := regexp.QuoteMeta(strings.TrimPrefix(column, "metadata."))
	return regexp.MustCompile(`(\[|\.get\()\s*["']` + name + `["']`).MatchString(source)
}

func texts(list []string) cty.Value {
	var out []cty.Value
	for _, text := range list {
		out = append(out, cty.StringVal(text))
	}
	return cty.ListVal(out)
}

// configured matches the config keys that a judge or a workflow reads.
var configured = regexp.MustCompile(`\bconfig((?:\.[A-Za-z_]\w*)+)`)

// arguments writes the config values that the code reads, if the file or AgentJet's defaults contain them. prefix is
// their path in the arguments.
func (w *writer) arguments(body *hclwrite.Body, source, place, prefix string) {
	tree := map[string]any{}
	for _, match := range configured.FindAllStringSubmatch(source, -1) {
		path := match[1][1:]
		for _, key := range Keys {
			if _, given := w.config.values[key.Path]; key.Path == path && key.Default != "" && !given {
				put(tree, prefix+path, key.Default)
			}
		}
		for _, at := range w.config.order {
			carried, _ := keyOf(at)
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

// escaped matches environment variables in HCL text that are written as in YAML.
var escaped = regexp.MustCompile(`\$\$\{(oc\.env:[^${}]+)\}`)

// expression returns a value as an HCL expression. Environment variables are not resolved, because they may be secrets.
func (w *writer) expression(node *yaml.Node) string {
	var out any
	if err := node.Decode(&out); err != nil {
		return "null"
	}
	text, err := json.Marshal(out)
	if err != nil {
		return "null"
	}
	// JSON is valid HCL except for templates.
	constant := strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(text))
	return escaped.ReplaceAllStringFunc(constant, func(found string) string {
		name, preset, hasPreset, _ := environmentOf(found[3 : len(found)-1])
		if hasPreset {
			return fmt.Sprintf("${env(%q, %q)}", name, preset)
		}
		return fmt.Sprintf("${env(%q)}", name)
	})
}

// put sets a value in nested objects.
func put(tree map[string]any, path, expression string) {
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		tree[first] = expression
		return
	}
	inner, ok := tree[first].(map[string]any)
	if !ok {
		inner = map[string]any{}
		tree[first] = inner
	}
	put(inner, rest, expression)
}

func object(tree map[string]any) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		value, ok := tree[name].(string)
		if !ok {
			value = object(tree[name].(map[string]any))
		}
		fmt.Fprintf(&out, "%q = %s\n", name, value)
	}
	return "{\n" + out.String() + "}"
}

// adapted lists the verl keys that are passed to the adapter as overrides.
var adapted = []string{"lora_rank", "lora_alpha", "target_modules", "exclude_modules"}

// overrides writes the LoRA keys under their verl names.
func (w *writer) overrides(body *hclwrite.Body) {
	tree := map[string]any{}
	for _, name := range adapted {
		for _, path := range []string{"ajet.lora." + name, "actor_rollout_ref.model." + name} {
			if v, ok := w.config.values[path]; ok && v.node.Tag != "!!null" {
				tree["actor_rollout_ref.model."+name] = w.expression(v.node)
			}
		}
	}
	if len(tree) > 0 {
		raw(body, "overrides", object(tree))
	}
}

func (w *writer) writeAdapter() {
	body := w.block("adapter", w.options.Adapter, "trainer")
	if w.options.Adapter == "local" {
		body.SetAttributeValue("context", cty.NumberIntVal(localContext))
		return
	}
	var engine string
	if w.config.given("rollout.name") && w.get("rollout.name", &engine) {
		body.SetAttributeValue("engine", cty.StringVal(engine))
	}
	defer w.overrides(body)
	for _, one := range [][2]string{
		{"nodes", "trainer_common.nnodes"}, {"gpus_per_node", "trainer_common.n_gpus_per_node"},
	} {
		var n int64
		if w.config.given(one[1]) && w.get(one[1], &n) {
			body.SetAttributeValue(one[0], cty.NumberIntVal(n))
		}
	}
}
