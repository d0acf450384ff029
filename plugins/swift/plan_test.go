package swift

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/awhost/awhost/internal/plantest"
	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

func TestShim(t *testing.T) { realtest.Shim(t, "AWHOST_SWIFT_PYTHON") }

const rlhf = `
from swift.rlhf_trainers import GRPOArgumentsMixin
from .sft_args import SftArguments
@dataclass
class GRPOArguments(GRPOArgumentsMixin):
    num_generations: int = 8
    reward_funcs: List[str] = field(default_factory=list)
    num_iterations: int = 1
    truncation_strategy: Literal['delete', 'left', 'right', 'split', None] = None
@dataclass
class RLHFArguments(GRPOArguments, SftArguments):
    rlhf_type: Literal['dpo', 'grpo'] = 'dpo'
    beta: Optional[float] = None
    temperature: float = 0.9
    max_completion_length: int = 512
`

const mixin = `
@dataclass
class GRPOArgumentsMixin:
    epsilon: float = 0.2
    use_vllm: bool = False
    multi_turn_scheduler: Optional[str] = None
    dynamic_sample: bool = False
    scale_rewards: Optional[Literal['group', 'batch', 'none', 'gdpo']] = None
    top_p: float = 1.0
`

const sft = `
@dataclass
class SftArguments:
    output_dir: Optional[str] = None
    per_device_train_batch_size: int = 1
    lr_scheduler_type: str = 'cosine'
    lr_scheduler_kwargs: Optional[Union[dict, str]] = None
    report_to: List[str] = field(default_factory=lambda: ["tensorboard"])
    seed: int = 42
    model: Optional[str] = None
    model_type: Optional[str] = None
    torch_dtype: Literal['bfloat16', 'float16', 'float32', None] = None
    gradient_checkpointing: bool = True
    template: Optional[str] = None
    template_backend: Literal['swift', 'jinja'] = 'swift'
    tuner_type: str = 'lora'
    enable_thinking: Optional[bool] = None
    target_modules: List[str] = field(default_factory=lambda: ['all-linear'])
    loss_type: Optional[List[str]] = None
    quant_bits: Literal[1, 2, 3, 4, 8, 'float8'] = None
`

// newVenv creates an environment with an ms-swift of a few files.
func newVenv(t *testing.T) plantest.Venv {
	return plantest.New(t, Plugin(), map[string]string{
		"swift/arguments/rlhf_args.py": rlhf, "swift/arguments/sft_args.py": sft, "swift/rlhf_trainers/arguments.py": mixin,
	}, "ms_swift-4.6.0", "msgspec-0.22.0", "torch-2.11.0", "transformers-5.19.0", "peft-0.20.0")
}

type object = map[string]any

func config(fields object) object { return object{"config": fields} }

func TestPlan_RefusesFields(t *testing.T) {
	v := newVenv(t)
	for _, test := range []struct {
		field string
		value any
		want  string
	}{
		{"beata", 0.1, "did you mean beta?"}, {"beta", "high", "takes Optional[float]"},
		{"loss_type", "dapo", "takes Optional[List[str]]"}, {"target_modules", "q_proj", "takes List[str]"},
		{"scale_rewards", "grup", "takes Optional[Literal['group'"}, {"torch_dtype", "bf16", "takes Literal['bfloat16'"},
		{"quant_bits", 5, "takes Literal[1, 2"},
		{"template_backend", "jinja", "assistant messages as str(list)"},
		{"template", "qwen2_5", "no template of ms-swift renders them"},
		{"truncation_strategy", "left", "the sampled tokens"}, {"use_vllm", true, "sampled by this adapter"},
		{"num_iterations", 2, "one update"}, {"generation_batch_size", 64, "one update"},
		{"adapters", []string{"/lora"}, "policy = model.hf.policy"}, {"model", "/other", "policy = model.hf.policy"},
		{"top_k", 5, "sampling { top_k"}, {"use_liger_kernel", true, "another policy"},
		{"check_model", true, "awhost does that"}, {"multi_turn_scheduler", "math_tip_trick", "awhost runs the episodes"},
		{"dynamic_sample", true, "awhost runs the episodes"}, {"deepspeed", "zero3", "samples with the whole model"},
		{"reward_funcs", []string{"accuracy"}, "one reward"}, {"response_length", 64, "limits { response_tokens"},
		{"max_epochs", 7, "steps or epochs"}, {"output_dir", "/tmp", "awhost does that"},
	} {
		v.Problem(v.Plan(nil, config(object{test.field: test.value})), test.want, "config", test.field)
	}
	v.Check(v.Values(v.Plan(nil, config(object{"model_type": "qwen2"}))), object{"model_type": "qwen2"})
}

func TestPlan_TheCommandLine(t *testing.T) {
	v := newVenv(t)
	out := v.Plan(object{
		"overrides": object{"loss_type": `["dr_grpo"]`, "lr_scheduler_kwargs": `{"min_lr_rate": 0.1}`, "quant_bits": "4"},
	}, config(object{"beta": 1, "target_modules": []string{"q_proj"}, "loss_type": []string{"dapo"}}))
	v.Check(v.Values(out), object{
		"beta": 1.0, "loss_type": []any{"dr_grpo"}, "lr_scheduler_kwargs": object{"min_lr_rate": 0.1}, "quant_bits": 4.0,
	})
	v.Problem(v.Plan(object{"overrides": object{"template_backend": "jinja"}}, nil), "assistant messages as str(list)")
}

func TestPlan_SetsTheHooks(t *testing.T) {
	v := newVenv(t)
	out, hooks := v.Plan(nil, nil), object{
		"template": "awhost", "multi_turn_scheduler": "awhost", "reward_funcs": []any{"awhost"},
		"callbacks": []any{"awhost"}, "overlong_filter": true, "use_vllm": false, "dataset_shuffle": false,
	}
	v.Check(v.Values(out), hooks)
	v.Check(v.Values(out), object{"generation_batch_size": 128.0, "per_device_train_batch_size": 8.0,
		"report_to": []any{"none"}, "lora_dropout": 0.0})
	for _, key := range out.Effective {
		if _, ok := hooks[key.Key]; ok && key.Origin != "required by awhost" {
			t.Errorf("%s is set by %s", key.Key, key.Origin)
		}
	}
	if argv := out.Commands[0].Argv[1:]; !slices.Equal(argv, []string{"-u", "-m", "awhost_swift"}) {
		t.Errorf("command: %q", argv)
	}
}

func TestPlan_RefusesKnobs(t *testing.T) {
	v := newVenv(t)
	v.CheckRefused(v.Plan(object{"algorithm": object{"entropy": 0.1, "name": "gspo"}, "set": []string{"algorithm.name",
		"algorithm.entropy", "algorithm.drop_zero_variance"}}, nil), map[string]string{
		"algorithm.name": `it is "gspo"`, "algorithm.entropy": "has no entropy term",
		"algorithm.drop_zero_variance": "ms-swift keeps such groups",
	})
}

func TestPlan_Devices(t *testing.T) {
	v, user := newVenv(t), object{"device": "cpu", "config": object{"torch_dtype": "bfloat16", "quant_bits": 4}}
	v.Check(v.Values(v.Plan(nil, object{"device": "cpu"})), object{
		"torch_dtype": "float32", "attn_impl": "eager", "gradient_checkpointing": false, "use_cpu": true,
	})
	v.Check(v.Values(v.Plan(nil, user)), object{"torch_dtype": "bfloat16", "quant_bits": 4.0})
	smoke := v.Plan(nil, user, func(req *sdk.PlanRequest) { req.Smoke = true })
	v.Check(v.Values(smoke), object{"torch_dtype": "float32", "quant_bits": nil})
}

// TestChatTemplate checks that a plan renders with the trainer's argument of the chat template.
func TestChatTemplate(t *testing.T) {
	for value, want := range map[any]object{nil: nil, false: {"enable_thinking": false}} {
		s := framework.Settings{Schema: &framework.Schema{}}
		s.Set(&framework.Setting{Key: "enable_thinking", Value: value, Level: framework.Override})
		if got := chatTemplate(&s).Kwargs; !maps.Equal(got, want) {
			t.Errorf("enable_thinking = %v: the template's arguments are %v; want %v", value, got, want)
		}
	}
}

func TestPlan_ReportsWhatIsMissing(t *testing.T) {
	v := newVenv(t)
	python := filepath.Join(v.Dir, "bin/python")
	if got := plantest.Unmet(v.Plan(nil, nil)); got != nil {
		t.Errorf("missing: %q", got)
	}
	v.Remove(plantest.Site + "msgspec-0.22.0.dist-info") // pip does not install it
	if got := plantest.Unmet(v.Plan(nil, nil)); !slices.Equal(got, []string{"msgspec for " + python}) {
		t.Errorf("missing: %q", got)
	}
	v.Remove(plantest.Site + "transformers-5.19.0.dist-info")
	v.Write(plantest.Site+"transformers-4.55.0.dist-info/METADATA", "")
	v.Problem(v.Plan(nil, nil), "has transformers 4.55.0. Install it there", "python")
	v.Remove(plantest.Site + "ms_swift-4.6.0.dist-info")
	v.Write(plantest.Site+"ms_swift-4.5.2.dist-info/METADATA", "")
	v.Problem(v.Plan(nil, nil), "has ms-swift 4.5.2. Install it there: "+python+
		" -m pip install 'ms-swift>=4.6.0,<5.0.0'", "python")
	v.Remove("lib")
	v.Problem(v.Plan(nil, nil), "ms-swift", "python")
}
