package trl

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/plantest"
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

const sequence = `
from .training_args import TrainingArguments
class Seq2SeqTrainingArguments(TrainingArguments): pass
`

const trainer = "class GRPOTrainer:\n    def __init__(self, model, rollout_func=None): pass\n"

// newVenv creates an environment with a TRL of a few files.
func newVenv(t *testing.T) plantest.Venv {
	return plantest.New(t, Plugin(), map[string]string{
		"trl/trainer/grpo_config.py": grpo, "trl/trainer/base_config.py": base, "trl/trainer/grpo_trainer.py": trainer,
		"transformers/training_args.py":         arguments,
		"transformers/training_args_seq2seq.py": sequence,
		"peft/tuners/lora/config.py": "class LoraConfig:\n    r: int = 8\n" +
			"    target_modules: Optional[Union[list[str], str]] = None\n",
	}, "trl-1.16.0", "torch-2.11.0", "transformers-5.23.0", "accelerate-1.15.0", "peft-0.21.2")
}

type object = map[string]any

func config(fields object) object { return object{"config": fields} }

func TestPlan_SplitsTheBatch(t *testing.T) {
	v := newVenv(t)
	v.Check(v.Values(v.Plan(nil, config(object{"per_device_train_batch_size": 32}))), object{
		"generation_batch_size": 128.0, "per_device_train_batch_size": 32.0, "gradient_accumulation_steps": 4.0,
		"max_steps": 3.0, "num_generations": 8.0,
	})
	out := v.Plan(nil, object{"processes": 4})
	if want := "Updates: 1 per step, over 128 rows"; !slices.Contains(out.Notes, want) {
		t.Errorf("the notes lack %q: %q", want, out.Notes)
	}
	v.Check(v.Values(out), object{"per_device_train_batch_size": 8.0, "gradient_accumulation_steps": 4.0})
	if argv := out.Commands[0].Argv[1:]; !slices.Equal(argv, []string{"-u", "-m", "awhost_bridge.hf", "4", "awhost_trl"}) {
		t.Errorf("command: %q", argv)
	}
	v.Problem(v.Plan(nil, config(object{"per_device_train_batch_size": 48})), "16 prompts × 8 samples are 128", "config")
	v.Problem(v.Plan(nil, config(object{"per_device_train_batch_size": 0})), "per_device_train_batch_size", "config")
	v.Problem(v.Plan(nil, object{"processes": 3}), "128, and", "config")
	v.Values(v.Plan(object{"concurrency": 16}, object{"processes": 2}))
	v.Problem(v.Plan(object{"concurrency": 15}, object{"processes": 2}), "concurrency = 16")
	v.Problem(v.Plan(object{"batch": object{"prompts": 16, "group_size": 1}}, nil), "two samples")
	v.Problem(v.Plan(object{"batch": object{}}, nil), "prompts")
	v.Check(v.Values(v.Plan(object{"steps": nil, "epochs": 2, "set": []string{"epochs"}}, nil)), object{"max_steps": 13.0})
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
		v.Problem(v.Plan(nil, config(object{test.field: test.value})), test.want, "config", test.field)
	}
	clip := object{"algorithm": object{"clip_low": 0.1}, "set": []string{"algorithm.clip_low"}}
	v.Problem(v.Plan(clip, config(object{"epsilon": 0.2})), "algorithm.clip_low", "config", "epsilon")
	v.Problem(v.Plan(nil, object{"lora": object{"rank": 4}}), "the installed version has no rank", "lora", "rank")
	v.Values(v.Plan(nil, object{"lora": object{"r": 4, "target_modules": []string{"q_proj"}}}))
}

func TestPlan_TheCommandLineReplacesTheSpec(t *testing.T) {
	v := newVenv(t)
	out := v.Plan(object{
		"overrides": object{"loss_type": "grpo", "lr_scheduler_kwargs": `{"min_lr_rate": 0.1}`, "epsilon": "0.3"},
		"algorithm": object{"clip_low": 0.1}, "set": []string{"algorithm.clip_low"},
	}, config(object{"beta": 1, "loss_type": "bnpo"}))
	v.Check(v.Values(out), object{
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
	v.Problem(v.Plan(object{"overrides": object{"num_generations": "4"}}, nil), "batch.group_size: change it there")
}

func TestPlan_RefusesKnobs(t *testing.T) {
	v := newVenv(t)
	out := v.Plan(object{"mini_batch": object{"epochs": 2}, "algorithm": object{"name": "gspo", "entropy": 0.1},
		"set": []string{"mini_batch.epochs", "algorithm.name", "algorithm.entropy", "filter_groups.refill",
			"algorithm.drop_zero_variance", "seed"}}, nil)
	v.CheckRefused(out, map[string]string{"mini_batch.epochs": "one update", "algorithm.name": `it is "gspo"`,
		"algorithm.entropy": "lacks the field entropy_coef", "filter_groups.refill": "no such setting",
		"algorithm.drop_zero_variance": "TRL keeps such groups"})
}

func TestPlan_Devices(t *testing.T) {
	v, cpu := newVenv(t), object{"device": "cpu"}
	v.Check(v.Values(v.Plan(nil, nil)), object{"report_to": []any{}, "bf16": nil})
	v.Check(v.Values(v.Plan(nil, cpu)), object{"bf16": false, "use_cpu": true})
	user := object{"device": "cpu", "config": object{"bf16": true, "report_to": []string{"wandb"}}}
	v.Check(v.Values(v.Plan(nil, user)), object{"bf16": true, "report_to": []any{"wandb"}})
	user["device"], user["processes"] = "gpu", 2
	out := v.Plan(nil, user, func(req *sdk.PlanRequest) { req.Smoke = true })
	v.Check(v.Values(out), object{"bf16": false, "report_to": []any{}, "use_cpu": true})
	if c := out.Commands[0]; c.Env["CUDA_VISIBLE_DEVICES"] != "" || c.Argv[len(c.Argv)-1] != "awhost_trl" {
		t.Errorf("command of a smoke run: %+v", c)
	}
	out = v.Plan(nil, object{"launch": "slurm", "processes": 4})
	if argv := strings.Join(out.Commands[0].Argv, " "); !strings.Contains(argv, "sbatch") || !strings.Contains(argv, "4") {
		t.Errorf("command in Slurm: %s", argv)
	}
}

func TestPlan_VLLM(t *testing.T) {
	v, vllm := newVenv(t), config(object{"use_vllm": true})
	constrained := func(req *sdk.PlanRequest) { req.Agent.DecodingConstraints = true }
	out := v.Plan(nil, vllm, constrained)
	v.Check(v.Values(out), object{"vllm_mode": "colocate"})
	if got := plantest.Unmet(out); !slices.Equal(got, []string{"vllm for " + filepath.Join(v.Dir, "bin/python")}) {
		t.Errorf("missing: %q", got)
	}
	if out.Capabilities.SupportsConstraints() {
		t.Error("vLLM applies decoding constraints")
	}
	v.Write(plantest.Site+"vllm-0.27.0.dist-info/METADATA", "")
	if got := plantest.Unmet(v.Plan(nil, vllm)); got != nil {
		t.Errorf("missing: %q", got)
	}
	v.Problem(v.Plan(nil, nil, constrained), "has no xgrammar. Install it there", "python")
	v.Write(plantest.Site+"xgrammar-0.2.9.dist-info/METADATA", "")
	v.Values(v.Plan(nil, nil, constrained))
}

func TestPlan_NamesTheHook(t *testing.T) {
	v := newVenv(t)
	hook := func(source, want string) {
		t.Helper()
		v.Write(plantest.Site+"trl/trainer/grpo_trainer.py", source)
		v.Read()
		if out := v.Plan(nil, nil); !slices.Contains(out.Notes, "TRL gets the episodes through "+want) {
			t.Errorf("notes: %q; want %q", out.Notes, want)
		}
	}
	hook(trainer, "rollout_func")
	var methods strings.Builder
	for _, name := range generation {
		methods.WriteString("    def " + name + "(self): pass\n")
	}
	hook("class GRPOTrainer:\n"+methods.String(), "its generation methods, because it has no rollout_func")
	v.Write(plantest.Site+"trl/trainer/grpo_trainer.py", "class GRPOTrainer:\n    def _tokenize_prompts(self): pass\n")
	v.Read()
	v.Problem(v.Plan(nil, nil), "neither rollout_func nor _generate_single_turn", "python")
}

func TestPlan_ReportsWhatIsMissing(t *testing.T) {
	v := newVenv(t)
	v.Problem(v.Plan(nil, nil, func(req *sdk.PlanRequest) { req.Policy = nil }), "policy")
	other := v.Plan(nil, config(object{"chat_template_path": "/t"}))
	if !slices.ContainsFunc(other.Notes, func(note string) bool { return strings.Contains(note, "chat_template_path") }) {
		t.Errorf("notes: %q", other.Notes)
	}
	v.Remove(plantest.Site + "torch-2.11.0.dist-info")
	want := []string{"torch for " + filepath.Join(v.Dir, "bin/python")}
	if got := plantest.Unmet(v.Plan(nil, nil)); !slices.Equal(got, want) {
		t.Errorf("missing: %q", got)
	}
	v.Remove(plantest.Site + "trl-1.16.0.dist-info")
	v.Write(plantest.Site+"trl-1.9.0.dist-info/METADATA", "")
	v.Problem(v.Plan(nil, nil), "has trl 1.9.0. Install it there", "python")
	v.Remove(plantest.Site + "trl")
	v.Problem(v.Plan(nil, nil), "pip install 'trl>=1.10.0,<2.0.0'", "python")
	away := func(req *sdk.PlanRequest) { req.Elsewhere = true }
	elsewhere := v.Plan(nil, config(object{"delta": 3, "beata": 1}), away)
	d := elsewhere.Diagnostics
	if len(d) != 2 || d[0].Severity != sdk.SeverityWarning || plantest.Unmet(elsewhere) != nil ||
		!strings.Contains(d[0].Detail, ". The plan is for TRL 1.16.0.") || d[1].Summary != "Wrong field beata" {
		t.Errorf("for another machine: %+v", d)
	}
	v.Remove("bin")
	v.Problem(v.Plan(nil, nil), "set python to the interpreter that has TRL", "python")
}
