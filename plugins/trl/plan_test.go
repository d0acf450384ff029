package trl

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

const grpo = `
from .base_config import _BaseConfig
@dataclass
class GRPOConfig(_BaseConfig):
    num_generations: int | None = field(default=8)
    beta: float = field(default=0.0)
    epsilon: float = field(default=0.2)
    loss_type: str = field(default="dapo")
    scale_rewards: str = field(default="group")
    use_vllm: bool = field(default=False)
    max_completion_length: int | None = field(default=512)
    reward_weights: list[float] | None = field(default=None)
    chat_template_path: str | None = None
`

const base = `
from transformers import TrainingArguments
@dataclass
class _BaseConfig(TrainingArguments):
    logging_steps: float = 10
`

const arguments = `
class TrainingArguments:
    output_dir: str | None = None
    per_device_train_batch_size: int = 8
    learning_rate: float = 5e-5
    lr_scheduler_type: SchedulerType | str = "linear"
    lr_scheduler_kwargs: dict | str | None = None
    max_steps: int = -1
    seed: int = 42
    report_to: None | str | list[str] = "none"
    bf16: bool | None = None
`

const trainer = "class GRPOTrainer:\n    def __init__(self, model, rollout_func=None): pass\n"

// venv is an environment with a TRL that consists of some files.
type venv struct {
	*testing.T
	dir string
}

func newVenv(t *testing.T) venv {
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("PATH", "") // no Python renders chat templates
	v := venv{t, t.TempDir()}
	v.write("bin/python", "")
	for path, text := range map[string]string{
		"trl/trainer/grpo_config.py": grpo, "trl/trainer/base_config.py": base, "trl/trainer/grpo_trainer.py": trainer,
		"transformers/training_args.py": arguments,
		"peft/tuners/lora/config.py": "class LoraConfig:\n    r: int = 8\n" +
			"    target_modules: Optional[Union[list[str], str]] = None\n",
		"trl-1.16.0.dist-info/METADATA": "", "torch-2.11.0.dist-info/METADATA": "",
		"transformers-5.23.0.dist-info/METADATA": "", "accelerate-1.15.0.dist-info/METADATA": "",
		"peft-0.21.2.dist-info/METADATA": "",
	} {
		v.write(site+path, text)
	}
	return v
}

const site = "lib/python3.11/site-packages/"

func (v venv) write(path, text string) {
	v.Helper()
	path = filepath.Join(v.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		v.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		v.Fatal(err)
	}
}

func (v venv) remove(path string) {
	v.Helper()
	if err := os.RemoveAll(filepath.Join(v.dir, path)); err != nil {
		v.Fatal(err)
	}
}

type object = map[string]any

// usual returns the knobs of a spec.
func usual(changes object) object {
	out := object{"steps": 3, "batch": object{"prompts": 16, "group_size": 8}, "set": []string{"steps", "batch.prompts",
		"batch.group_size"}}
	maps.Copy(out, changes)
	return out
}

// plan plans a stage with knobs, and attributes of the block.
func (v venv) plan(knobs, attributes object, edit ...func(*sdk.PlanRequest)) *sdk.PlanResponse {
	v.Helper()
	block := object{
		"python": filepath.Join(v.dir, "bin/python"), "device": "gpu", "processes": 1, "launch": "process", "patience": "1s",
	}
	maps.Copy(block, attributes)
	text, err := json.Marshal(block)
	if err != nil {
		v.Fatal(err)
	}
	a, err := Plugin().Adapters[0].New(v.Context(), sdk.Setup{Config: text, Dir: v.dir})
	if err != nil {
		v.Fatal(err)
	}
	stage := sdk.StagePlan{Name: "main", Data: sdk.DataSummary{TrainTasks: 100}}
	given, err := json.Marshal(usual(knobs))
	if err == nil {
		err = json.Unmarshal(given, &stage.Knobs)
	}
	if err != nil {
		v.Fatal(err)
	}
	req := sdk.PlanRequest{Policy: json.RawMessage(`{"path": "/m"}`), Stages: []sdk.StagePlan{stage}}
	for _, change := range edit {
		change(&req)
	}
	out, err := a.Plan(v.Context(), req)
	if err != nil {
		v.Fatal(err)
	}
	return out
}

// values returns the fields of a plan without problems.
func (v venv) values(out *sdk.PlanResponse) object {
	v.Helper()
	for _, d := range out.Diagnostics {
		v.Errorf("%s: %s", d.Summary, d.Detail)
	}
	values := object{}
	for _, key := range out.Effective {
		var value any
		if err := json.Unmarshal(key.ValueJSON, &value); err != nil {
			v.Fatal(err)
		}
		values[key.Key] = value
	}
	return values
}

// problem checks that a plan has one problem, and its text and place.
func (v venv) problem(out *sdk.PlanResponse, want string, path ...string) {
	v.Helper()
	if len(out.Diagnostics) != 1 {
		v.Fatalf("problems: %+v; want one with %q", out.Diagnostics, want)
	}
	if d := out.Diagnostics[0]; !strings.Contains(d.Detail, want) || !slices.Equal(d.Path, path) {
		v.Errorf("%v: %q; want %v: %q", d.Path, d.Detail, path, want)
	}
}

func (v venv) check(got object, want object) {
	v.Helper()
	for key, value := range want {
		if !reflect.DeepEqual(got[key], value) {
			v.Errorf("%s is %v; want %v", key, got[key], value)
		}
	}
}

func config(fields object) object { return object{"config": fields} }

func unmet(out *sdk.PlanResponse) (details []string) {
	for _, r := range out.Requirements {
		if !r.Met {
			details = append(details, r.Detail)
		}
	}
	return details
}

func TestPlan_SplitsTheBatch(t *testing.T) {
	v := newVenv(t)
	v.check(v.values(v.plan(nil, config(object{"per_device_train_batch_size": 32}))), object{
		"generation_batch_size": 128.0, "per_device_train_batch_size": 32.0, "gradient_accumulation_steps": 4.0,
		"max_steps": 3.0, "num_generations": 8.0,
	})
	out := v.plan(nil, object{"processes": 4})
	v.check(v.values(out), object{"per_device_train_batch_size": 8.0, "gradient_accumulation_steps": 4.0})
	if argv := out.Commands[0].Argv[1:]; !slices.Equal(argv, []string{"-u", "-m", "awhost_bridge.hf", "4", "awhost_trl"}) {
		t.Errorf("command: %q", argv)
	}
	v.problem(v.plan(nil, config(object{"per_device_train_batch_size": 48})), "16 prompts × 8 samples are 128", "config")
	v.problem(v.plan(nil, config(object{"per_device_train_batch_size": 0})), "per_device_train_batch_size", "config")
	v.problem(v.plan(nil, object{"processes": 3}), "128, and", "config")
	v.values(v.plan(object{"concurrency": 16}, object{"processes": 2}))
	v.problem(v.plan(object{"concurrency": 15}, object{"processes": 2}), "concurrency = 16")
	v.problem(v.plan(object{"batch": object{"prompts": 16, "group_size": 1}}, nil), "two samples")
	v.problem(v.plan(object{"batch": object{}}, nil), "prompts")
	v.check(v.values(v.plan(object{"steps": nil, "epochs": 2, "set": []string{"epochs"}}, nil)), object{"max_steps": 13.0})
}

func TestPlan_RefusesFields(t *testing.T) {
	v := newVenv(t)
	for _, test := range []struct {
		field string
		value any
		want  string
	}{
		{"beata", 0.1, "did you mean beta?"}, {"beta", "high", "takes float"}, {"loss_type", 3, "takes str"},
		{"vllm_mode", "server", "has a vLLM"}, {"min_p", 0.1, "sampled by this adapter"},
		{"output_dir", "/tmp", "awhost does that"}, {"max_steps", 7, "steps or epochs"},
		{"reward_weights", []float64{1}, "one reward"},
	} {
		v.problem(v.plan(nil, config(object{test.field: test.value})), test.want, "config", test.field)
	}
	clip := object{"algorithm": object{"clip_low": 0.1}, "set": []string{"algorithm.clip_low"}}
	v.problem(v.plan(clip, config(object{"epsilon": 0.2})), "algorithm.clip_low", "config", "epsilon")
	v.problem(v.plan(nil, object{"lora": object{"rank": 4}}), "the installed version has no rank", "lora", "rank")
	v.values(v.plan(nil, object{"lora": object{"r": 4, "target_modules": []string{"q_proj"}}}))
}

func TestPlan_TheCommandLineReplacesTheSpec(t *testing.T) {
	v := newVenv(t)
	out := v.plan(object{
		"overrides": object{"loss_type": "grpo", "lr_scheduler_kwargs": `{"min_lr_rate": 0.1}`, "epsilon": "0.3"},
		"algorithm": object{"clip_low": 0.1}, "set": []string{"algorithm.clip_low"},
	}, config(object{"beta": 1, "loss_type": "bnpo"}))
	v.check(v.values(out), object{
		"beta": 1.0, "loss_type": "grpo", "lr_scheduler_kwargs": object{"min_lr_rate": 0.1}, "epsilon": 0.3,
	})
	origins := map[string]string{}
	for _, key := range out.Effective {
		origins[key.Key] = key.Origin
	}
	if origins["beta"] != "config" || origins["loss_type"] != "--" || origins["epsilon"] != "--" {
		t.Errorf("origins: %v", origins)
	}
	if want := "--: epsilon = 0.3, and not 0.1 (algorithm.clip_low)"; !slices.Contains(out.Notes, want) {
		t.Errorf("notes: %q; want %q", out.Notes, want)
	}
	v.problem(v.plan(object{"overrides": object{"num_generations": "4"}}, nil), "batch.group_size: change it there")
}

func TestPlan_RefusesKnobs(t *testing.T) {
	v := newVenv(t)
	out := v.plan(object{"mini_batch": object{"epochs": 2}, "algorithm": object{"name": "gspo", "entropy": 0.1},
		"set": []string{"mini_batch.epochs", "algorithm.name", "algorithm.entropy", "filter_groups.refill",
			"algorithm.drop_zero_variance", "seed"}}, nil)
	got := map[string]string{}
	for _, k := range out.Knobs {
		if k.Refused != "" {
			got[k.Knob] = k.Refused
		}
	}
	want := map[string]string{"mini_batch.epochs": "one update", "algorithm.name": `it is "gspo"`,
		"algorithm.entropy": "lacks the field entropy_coef", "filter_groups.refill": "no such setting",
		"algorithm.drop_zero_variance": "TRL keeps such groups"}
	for knob, reason := range want {
		if !strings.Contains(got[knob], reason) {
			t.Errorf("%s is refused because of %q; want %q", knob, got[knob], reason)
		}
	}
	if len(got) != len(want) {
		t.Errorf("refused: %v", got)
	}
}

func TestPlan_Devices(t *testing.T) {
	v, cpu := newVenv(t), object{"device": "cpu"}
	v.check(v.values(v.plan(nil, nil)), object{"report_to": []any{}, "bf16": nil})
	v.check(v.values(v.plan(nil, cpu)), object{"bf16": false, "use_cpu": true})
	user := object{"device": "cpu", "config": object{"bf16": true, "report_to": []string{"wandb"}}}
	v.check(v.values(v.plan(nil, user)), object{"bf16": true, "report_to": []any{"wandb"}})
	user["device"], user["processes"] = "gpu", 2
	out := v.plan(nil, user, func(req *sdk.PlanRequest) { req.Smoke = true })
	v.check(v.values(out), object{"bf16": false, "report_to": []any{}, "use_cpu": true})
	if c := out.Commands[0]; c.Env["CUDA_VISIBLE_DEVICES"] != "" || c.Argv[len(c.Argv)-1] != "awhost_trl" {
		t.Errorf("command of a smoke run: %+v", c)
	}
	out = v.plan(nil, object{"launch": "slurm", "processes": 4})
	if argv := strings.Join(out.Commands[0].Argv, " "); !strings.Contains(argv, "sbatch") || !strings.Contains(argv, "4") {
		t.Errorf("command in Slurm: %s", argv)
	}
}

func TestPlan_VLLM(t *testing.T) {
	v, vllm := newVenv(t), config(object{"use_vllm": true})
	constrained := func(req *sdk.PlanRequest) { req.Agent.DecodingConstraints = true }
	out := v.plan(nil, vllm, constrained)
	v.check(v.values(out), object{"vllm_mode": "colocate"})
	if got := unmet(out); !slices.Equal(got, []string{"vllm for " + filepath.Join(v.dir, "bin/python")}) {
		t.Errorf("missing: %q", got)
	}
	if out.Capabilities.SupportsConstraints() {
		t.Error("vLLM applies decoding constraints")
	}
	v.write(site+"vllm-0.27.0.dist-info/METADATA", "")
	if got := unmet(v.plan(nil, vllm)); got != nil {
		t.Errorf("missing: %q", got)
	}
	v.problem(v.plan(nil, nil, constrained), "has no xgrammar. Install it there", "python")
	v.write(site+"xgrammar-0.2.9.dist-info/METADATA", "")
	v.values(v.plan(nil, nil, constrained))
}

func TestPlan_NamesTheHook(t *testing.T) {
	v := newVenv(t)
	hook := func(source, want string) {
		t.Helper()
		v.write(site+"trl/trainer/grpo_trainer.py", source)
		if out := v.plan(nil, nil); !slices.Contains(out.Notes, "TRL gets the episodes through "+want) {
			t.Errorf("notes: %q; want %q", out.Notes, want)
		}
	}
	hook(trainer, "rollout_func")
	var methods strings.Builder
	for _, name := range generation {
		methods.WriteString("    def " + name + "(self): pass\n")
	}
	hook("class GRPOTrainer:\n"+methods.String(), "its generation methods, because it has no rollout_func")
	v.write(site+"trl/trainer/grpo_trainer.py", "class GRPOTrainer:\n    def _tokenize_prompts(self): pass\n")
	v.problem(v.plan(nil, nil), "neither rollout_func nor _generate_single_turn", "python")
}

func TestPlan_ReportsWhatIsMissing(t *testing.T) {
	v := newVenv(t)
	v.problem(v.plan(nil, nil, func(req *sdk.PlanRequest) { req.Policy = nil }), "policy")
	other := v.plan(nil, config(object{"chat_template_path": "/t"}))
	if !slices.ContainsFunc(other.Notes, func(note string) bool { return strings.Contains(note, "chat_template_path") }) {
		t.Errorf("notes: %q", other.Notes)
	}
	v.remove(site + "torch-2.11.0.dist-info")
	if got := unmet(v.plan(nil, nil)); !slices.Equal(got, []string{"torch for " + filepath.Join(v.dir, "bin/python")}) {
		t.Errorf("missing: %q", got)
	}
	v.remove(site + "trl-1.16.0.dist-info")
	v.write(site+"trl-1.9.0.dist-info/METADATA", "")
	v.problem(v.plan(nil, nil), "has trl 1.9.0. Install it there", "python")
	v.remove(site + "trl")
	v.problem(v.plan(nil, nil), "pip install 'trl>=1.10.0,<2.0.0'", "python")
	elsewhere := v.plan(nil, nil, func(req *sdk.PlanRequest) { req.Elsewhere = true })
	if elsewhere.Diagnostics[0].Severity != sdk.SeverityWarning {
		t.Errorf("for another machine: %+v", elsewhere.Diagnostics)
	}
	v.remove("bin")
	v.problem(v.plan(nil, nil), "set python to the interpreter that has TRL", "python")
}
