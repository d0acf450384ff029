package hf

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// mapped are the knobs that correspond to a field. A knob is refused if the installed version lacks its field.
var mapped = map[string]string{
	"seed": "seed", "batch.group_size": groupSize, "optimizer.learning_rate": "learning_rate",
	"optimizer.schedule": "lr_scheduler_type", "optimizer.warmup_steps": "warmup_steps",
	"optimizer.weight_decay": "weight_decay", "optimizer.max_grad_norm": "max_grad_norm",
	"optimizer.beta1": "adam_beta1", "optimizer.beta2": "adam_beta2", "algorithm.clip_low": "epsilon",
	"algorithm.clip_high": "epsilon_high", "algorithm.kl": "beta", "algorithm.entropy": "entropy_coef",
	"algorithm.normalize_by": "scale_rewards", "sampling.temperature": "temperature", "sampling.top_p": "top_p",
	"sampling.top_k": "top_k", "limits.response_tokens": "max_completion_length",
}

// byAwhost is the key of knobs that the host or this package applies.
const byAwhost = "awhost"

// computed are the other knobs with an effect, with one of the fields that are computed from them.
var computed = map[string]string{"steps": steps, "epochs": steps, "batch.prompts": batch, "algorithm.name": byAwhost,
	"checkpoint.every": saveSteps, "checkpoint.unit": saveSteps}

func init() {
	for knob := range strings.FieldsSeq(`limits.prompt_tokens validate.every validate.before_train validate.samples
		sampling.stop limits.message_tokens limits.overlong validate.best_by validate.sampling.temperature
		validate.sampling.top_p validate.sampling.top_k validate.sampling.stop checkpoint.keep concurrency env`) {
		computed[knob] = byAwhost
	}
}

const oneUpdate = "this adapter makes one update of a step's samples; per_device_train_batch_size in config is the " +
	"number of samples computed at once"

var refused = map[string]string{
	"mini_batch.size": oneUpdate, "mini_batch.epochs": oneUpdate,
	"validate.log_generations": "awhost keeps every episode: awhost show",
}

// values are the frameworks' names of the values of knobs. Other values are refused.
var values = map[string]map[string]string{
	"optimizer.schedule":     {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"},
	"algorithm.normalize_by": {"std": "group", "none": "none"},
	"algorithm.name":         {"grpo": "grpo"},
	"checkpoint.unit":        {"steps": "steps", "epochs": "epochs"},
}

var owned = []Owned{
	{"write steps or epochs in the train block", []string{"max_steps", "num_train_epochs"}},
	{"write a validate block", []string{"eval_", "do_", "per_device_eval", "num_generations_eval"}},
	{"write a checkpoint block", []string{"save_", "load_best"}},
	{"write device", []string{"use_cpu"}},
	{oneUpdate, []string{"num_iterations", "generation_batch", "steps_per_gen", "gradient_acc", "auto_find"}},
	{"write sampling { top_k = … }", []string{"top_k"}},
	{"each process samples with the whole model", []string{"fsdp", "deepspeed", "parallelism_config"}},
	{"awhost does that", []string{"output_dir", "dataloader_", "logging_", "resume_from", "push_to_hub", "hub_",
		"remove_unused", "disable_tqdm"}},
}

var required = map[string]any{
	"logging_strategy": "steps", "logging_steps": 1, "save_strategy": "steps", "eval_strategy": "no", "disable_tqdm": true,
}

// onCPU are the values that a CPU needs.
var onCPU = map[string]any{"use_cpu": true, "dataloader_pin_memory": false}

// inSmoke are values of a smoke run, which replace the user's.
var inSmoke = map[string]any{"bf16": false, "fp16": false, "tf32": nil, "gradient_checkpointing": false,
	"use_vllm": false, "use_liger_kernel": false, "torch_compile": false, "optim": "adamw_torch"}

// Fields that are computed.
const (
	groupSize = "num_generations"
	batch     = "generation_batch_size" // the trainer takes it, or the fields that it results from: only shown
	micro     = "per_device_train_batch_size"
	steps     = "max_steps"
	saveSteps = "save_steps"
)

// fields are the settings of a stage.
type fields struct {
	framework.Settings
	adapter   *adapter
	knobs     sdk.Knobs
	mappings  []sdk.KnobMapping
	problems  []sdk.Diagnostic
	prompts   int
	step      framework.Step
	processes int
}

// settle returns the fields of a stage, with the problems of the spec.
func (a *adapter) settle(schema *framework.Schema, knobs sdk.Knobs, tasks int, smoke bool) *fields {
	f := &fields{adapter: a, knobs: knobs, processes: a.config.Processes}
	f.Schema = schema
	f.DefaultOrigin = "default"
	f.Default(groupSize, 8)
	f.all(a.Defaults, framework.Default, f.DefaultOrigin)
	f.spec()
	f.user()
	f.all(required, framework.Owned, "required by awhost")
	f.all(a.Required, framework.Owned, "required by awhost")
	if a.config.Device == "cpu" || smoke {
		f.all(a.CPU, framework.Default, "device")
		f.all(onCPU, framework.Owned, "device")
	}
	if smoke {
		f.processes = 1
		for _, values := range []map[string]any{inSmoke, a.CPU, a.Smoke} {
			f.all(values, framework.SmokeRun, "smoke run")
		}
	}
	if f.IsTrue("use_vllm") {
		f.all(map[string]any{"vllm_mode": "colocate"}, framework.Owned, "use_vllm")
	}
	f.size(tasks, smoke)
	return f
}

// all sets the values of fields that the framework has.
func (f *fields) all(values map[string]any, level framework.Level, origin string) {
	for key, value := range values {
		if level != framework.SmokeRun || f.Schema.Has(key) {
			f.Set(&framework.Setting{Key: key, Value: value, Level: level, Origin: origin})
		}
	}
}

// spec reads the knobs.
func (f *fields) spec() {
	for _, knob := range append(slices.Sorted(maps.Keys(mapped)), slices.Sorted(maps.Keys(computed))...) {
		value, isSet := framework.Knob(f.knobs, knob), slices.Contains(f.knobs.Set, knob)
		key := cmp.Or(mapped[knob], computed[knob])
		if isSet || knob == "batch.group_size" {
			m := sdk.KnobMapping{Knob: knob, Key: key, Refused: f.refusal(knob, value)}
			if m.Refused != "" {
				m.Key = ""
			}
			f.mappings = append(f.mappings, m)
		}
		if mapped[knob] == "" || value == nil || value == "" || f.refusal(knob, value) != "" {
			continue
		}
		if names := values[knob]; names != nil {
			value = names[value.(string)]
		}
		level := framework.Default // of the host
		if isSet {
			level = framework.Spec
		}
		f.Set(&framework.Setting{Key: key, Value: value, Level: level, Origin: knob})
	}
	for _, knob := range f.knobs.Set {
		if mapped[knob] == "" && computed[knob] == "" && !framework.EmptyBlocks[knob] && knob != "overrides" {
			reason := cmp.Or(f.adapter.Refused[knob], refused[knob], "the framework has no such setting")
			f.mappings = append(f.mappings, sdk.KnobMapping{Knob: knob, Refused: reason})
		}
	}
}

// refusal returns the reason why a knob's value has no field, or "".
func (f *fields) refusal(knob string, value any) string {
	if reason := f.adapter.Refused[knob]; reason != "" {
		return reason
	}
	text, _ := value.(string)
	if known := values[knob]; known != nil && text != "" && known[text] == "" {
		return fmt.Sprintf("it is %q, and this adapter has %s", text, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	if key := mapped[knob]; key != "" && f.Schema.At(key).Kind == framework.Unknown {
		return f.adapter.Title + " has no such setting: it lacks the field " + key
	}
	return ""
}

// user reads the attribute config, and then the arguments after -- in `apply spec -- key=value`.
func (f *fields) user() {
	given, _ := object(f.adapter.config.Config) // validate has checked it
	for _, key := range slices.Sorted(maps.Keys(given)) {
		f.own(&framework.Setting{Key: key, Value: given[key], Origin: "config", Path: []string{"config", key}})
	}
	for _, key := range slices.Sorted(maps.Keys(f.knobs.Overrides)) {
		value := f.read(key, f.knobs.Overrides[key])
		f.own(&framework.Setting{Key: key, Value: value, Origin: framework.FromCommand})
	}
}

// read returns the value of key=value: parsed as JSON, or text.
func (f *fields) read(key, text string) any {
	if takes := f.Schema.At(key).Takes; takes|framework.Null == framework.Text|framework.Null {
		return text
	}
	for _, name := range []string{"True", "False"} {
		if text == name {
			return name == "True"
		}
	}
	if value, err := framework.FromJSON(json.RawMessage(text)); err == nil {
		return value
	}
	if text == "None" {
		return nil
	}
	return text
}

// own adds a field that the user has set in the framework's words.
func (f *fields) own(s *framework.Setting) {
	problem := f.misfit(s.Key, s.Value)
	for _, o := range slices.Concat(owned, f.adapter.Owned) {
		if slices.ContainsFunc(o.Prefixes, func(p string) bool { return strings.HasPrefix(s.Key+"=", p) }) {
			problem = o.Why
			break
		}
	}
	if spec := f.Find(s.Key, framework.Spec); problem == "" && spec != nil &&
		(s.Origin != framework.FromCommand || s.Key == groupSize) {
		problem = "the spec sets it by " + spec.Origin + ": change it there"
	}
	if problem != "" {
		f.wrong("Wrong field "+s.Key, problem, s.Path...)
		return
	}
	s.Level = framework.Override
	f.Set(s)
}

func (f *fields) misfit(key string, value any) string {
	at := f.Schema.At(key)
	if at.Kind == framework.Unknown {
		out := "the installed version has no " + key
		if near := f.Schema.Nearest(key); near != "" {
			out += ": did you mean " + near + "?"
		}
		return out
	}
	if !at.Accepts(value) {
		return fmt.Sprintf("%s is %s, and the installed version takes %s", key, framework.Shown(value), at.Annotation)
	}
	return ""
}

func (f *fields) wrong(summary, detail string, path ...string) {
	f.problems = append(f.problems, wrong(summary, detail, path...))
}

// size sets the batch and the length of the stage. A trainer counts them in samples, micro-batches, and updates.
func (f *fields) size(tasks int, smoke bool) {
	group, _ := f.Int(groupSize)
	prompts, length := sdk.ValueOr(f.knobs.Batch.Prompts, 0), sdk.ValueOr(f.knobs.Steps, 0)
	if epochs := sdk.ValueOr(f.knobs.Epochs, 0); length == 0 && prompts > 0 && epochs > 0 {
		length = framework.StepsOf(epochs, tasks, prompts)
	}
	if prompts < 1 || group < 2 || length < 1 {
		f.wrong("No batch", "A stage has steps, with at least one prompt and two samples of it. Write steps = 60 and "+
			"batch { prompts = 16, group_size = 8 }.")
		return
	}
	f.prompts, f.step = prompts, framework.Step{Episodes: prompts * group, Parts: 1}
	every := framework.CheckpointSteps(f.knobs.Checkpoint, tasks, prompts)
	const rows = 8 // default number of samples computed at once
	if all := prompts * group; smoke {
		f.all(map[string]any{micro: gcd(all, rows)}, framework.SmokeRun, "smoke run")
	} else {
		f.Default(micro, gcd(max(1, all/f.processes), rows))
	}
	at, _ := f.Int(micro)
	if at *= f.processes; at < 1 || prompts*group%at != 0 {
		f.wrong("The batch cannot be split", fmt.Sprintf("%d prompts × %d samples are %d, and %d of them are to be computed "+
			"at once, on all processes: change %s.", prompts, group, prompts*group, at, micro), "config")
		return
	}
	if open := cmp.Or(f.knobs.Concurrency, prompts*group); open < group*f.processes {
		f.wrong("No room for a group", fmt.Sprintf("concurrency is %d, and each of %d processes may wait for all %d samples "+
			"of a group at once. Write concurrency = %d, or more.", open, f.processes, group, group*f.processes))
		return
	}
	f.all(map[string]any{batch: prompts * group, "gradient_accumulation_steps": prompts * group / at}, framework.Owned,
		"batch.prompts")
	f.all(map[string]any{steps: length}, framework.Owned, "steps")
	f.all(map[string]any{saveSteps: cmp.Or(every, length)}, framework.Owned, "checkpoint.every")
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// trained returns the fields for the trainer.
func (f *fields) trained() map[string]any {
	out := map[string]any{}
	for _, key := range f.Keys() {
		if key != batch {
			value, _ := f.Value(key)
			out[key] = value
		}
	}
	return out
}

// lora reports whether the stage trains a LoRA adapter.
func (f *fields) lora() bool {
	if f.adapter.LoRA {
		fields, _ := object(f.adapter.config.LoRA)
		return fields != nil
	}
	return f.Text("tuner_type") != "full"
}
