package ajet

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// writer writes one spec.
type writer struct {
	config  *config
	options Options
	file    *hclwrite.File
	reader  string // task_reader.type
	err     error  // the first

	environment string // reference; empty: none
	datasets    [2]string
	reward      string // expression
	success     string // expression; empty: what the workflow says
}

func (w *writer) write() ([]byte, error) {
	if !slices.Contains(Adapters, w.options.Adapter) {
		return nil, fmt.Errorf(
			"there is no adapter %q to write a spec for: use %s",
			w.options.Adapter,
			strings.Join(Adapters, " or "),
		)
	}
	w.file = hclwrite.NewEmptyFile()
	w.comment(
		w.file.Body(),
		"# Written by awhost import ajet from "+oneLine(
			path.Base(w.config.name),
		)+". What became of each key: `awhost import ajet --json`,",
		"# and docs/agentjet.md.",
	)
	w.text("task_reader.type", &w.reader, "huggingface_dat_repo")
	w.writeModel()
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

// The getters below take a value of the file, or AgentJet's default. They keep the first error.

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

// variable declares what --var changes. Its type is that of its default, which may be null.
func (w *writer) variable(name string, preset cty.Value, description string) {
	body := w.block("variable", name)
	raw(body, "type", preset.Type().FriendlyName())
	body.SetAttributeValue("default", preset)
	body.SetAttributeValue("description", cty.StringVal(description))
}

// localContext is the longest context of the embedded policy, in bytes.
const localContext = 1024

// oneLine keeps a text of the file inside a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (w *writer) writeModel() {
	var model string
	w.text("model.path", &model, "Qwen/Qwen2.5-7B-Instruct")
	if w.options.Adapter == "local" {
		w.comment(
			w.file.Body(),
			"",
			"# The embedded trainer has a small policy of its own, to try the spec out on a laptop.",
			"# `awhost import ajet --adapter verl` trains "+oneLine(model)+".",
		)
		return
	}
	w.variable("model", cty.StringVal(model), "the model to train: a directory, or a name on the hub")
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
	default:
		w.fail(
			"task_reader.type",
			`there is no dataset for it: make the tasks by a program of yours, dataset "command" or "python", `+
				`and import with jsonl_dataset_file`,
		)
	}
}

func (w *writer) huggingFace() {
	var repo string
	w.text("task_reader.huggingface_dat_repo.dataset_path", &repo, "gsm8k")
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
		w.limit(body, i)
		w.datasets[i] = "dataset.huggingface." + label
	}
}

func (w *writer) jsonl() {
	for i, name := range []string{"training", "validation"} {
		var file string
		if !w.get("task_reader.jsonl_dataset_file."+name+".file_path", &file) {
			continue
		}
		label := strings.TrimSuffix(name, "ing")
		body := w.block("dataset", "jsonl", label)
		body.SetAttributeValue("path", cty.StringVal(file))
		body.SetAttributeValue("map", cty.ObjectVal(map[string]cty.Value{"prompt": cty.StringVal("main_query")}))
		w.comment(
			body,
			"# map = { prompt = \"main_query\", ground_truth = \"metadata.answer\" }  # where the metadata has the answer",
		)
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

// envService writes the environment, and the lists of its tasks.
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

// limit bounds the tasks of a validation.
func (w *writer) limit(body *hclwrite.Body, i int) {
	if i == 1 {
		raw(body, "limit", "var.validation_tasks")
	}
}

// writeSizes declares what whoever tries the spec out on a laptop wants less of.
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

// steps is how many the file wants, or 0 where it counts in epochs.
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

// ownJudges are AgentJet's judges that awhost has, by the names of their classes.
var ownJudges = map[string]func(*writer){
	"MathAnswerAsJudge": func(w *writer) {
		w.block("reward", "math", "judge").SetAttributeValue("mode", cty.StringVal("exact"))
		w.reward = "reward.math.judge.score"
	},
	"CountdownAnswerAsJudge": func(w *writer) {
		w.block("reward", "countdown", "judge").SetAttributeValue("mode", cty.StringVal("reference"))
		w.reward = "reward.countdown.judge.score"
	},
	"EnvServiceJudge": (*writer).envServiceJudge,
}

// envServiceJudge writes the formula of AgentJet's default judge: what the service's evaluation comes to.
func (w *writer) envServiceJudge() {
	if w.environment == "" && !w.config.given("task_judge.judge_protocol") {
		return // it is AgentJet's default, and has nobody to ask: the workflow's own reward is all there is
	}
	if w.environment == "" {
		w.fail("task_judge.judge_protocol", "EnvServiceJudge asks an environment service, and task_reader.type "+
			"chooses none: name a judge of your own, file.py->Class, or AgentJet's MathAnswerAsJudge")
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
		w.fail(
			"task_judge.judge_type",
			"awhost has no such judge: write a reward, as docs/judges.md and docs/python.md show, "+
				"and import with customized_protocol",
		)
		return
	}
	w.text("task_judge.judge_protocol", &judge, "ajet.task_judge.env_service_as_judge->EnvServiceJudge")
	file, name := w.python("task_judge.judge_protocol", judge)
	if own := ownJudges[name]; own != nil && isAgentJets(judge) {
		own(w)
	} else if name != "" {
		body := w.block("reward", "python", "judge")
		body.SetAttributeValue("file", cty.StringVal(file))
		body.SetAttributeValue("name", cty.StringVal(name))
		w.reward = "reward.python.judge.score"
	}
	if w.reward == "" {
		w.reward = "agent.python.workflow.reward"
		return
	}
	if w.success == "" {
		w.success = strings.TrimSuffix(w.reward, ".score") + ".is_success"
	}
	// A workflow that returns a reward itself has none judged.
	w.success = "try(agent.python.workflow.is_success, " + w.success + ")"
	w.reward = "try(agent.python.workflow.reward, " + w.reward + ")"
}

// isAgentJets reports whether a judge is one that comes with AgentJet, and not a class of the same name in a file.
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
				"%s: ajet.rollout.user_workflow is missing: name the workflow, file.py->Class",
				w.config.name,
			)
		}
		return
	}
	file, name := w.python("rollout.user_workflow", workflow)
	body := w.block("agent", "python", "workflow")
	body.SetAttributeValue("file", cty.StringVal(file))
	body.SetAttributeValue("name", cty.StringVal(name))
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

// madness are the names of checks; AgentJet's first, awhost's behind.
var madness = map[string]string{"nonsense": "nonsense", "wrong_toolcall": "wrong_toolcall", "format_type_1": "format"}

func (w *writer) writeChecks(agent *hclwrite.Body) {
	var list []string
	const key = "rollout.compute_madness_checklist"
	if !w.get(key, &list) || len(list) == 0 {
		return
	}
	var find []cty.Value
	for _, name := range list {
		check, ok := madness[name]
		if !ok {
			w.fail(key, fmt.Sprintf("%q: awhost has no such check: take it off the list; see docs/madness.md", name))
			return
		}
		find = append(find, cty.StringVal(check))
	}
	agent.AppendNewline()
	body := agent.AppendNewBlock("checks", []string{"madness"}).Body()
	body.SetAttributeValue("profile", cty.StringVal("ajet-2026-01"))
	body.SetAttributeValue("find", cty.ListVal(find))
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
	for _, one := range [][2]string{
		{"nodes", "trainer_common.nnodes"}, {"gpus_per_node", "trainer_common.n_gpus_per_node"},
	} {
		var n int64
		if w.config.given(one[1]) && w.get(one[1], &n) {
			body.SetAttributeValue(one[0], cty.NumberIntVal(n))
		}
	}
}
