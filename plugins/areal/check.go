package areal

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// check finds values that fit their keys and would still break the run, or train something else.
func (r *resolved) check() {
	for _, c := range []struct {
		about string // a knob, an attribute of the block, or a key of AReaL's
		look  func() string
	}{
		{"algorithm.name", r.checkAlgorithm}, {"mini_batch.size", r.checkMiniBatch}, {"optimizer.warmup_steps", r.checkWarmup},
		{"max_context", r.checkContext}, {"limits", r.checkTokens}, {"gconfig.temperature", r.checkTemperature},
		{"gconfig.n_samples", r.checkGroupSize},
		{"filter_groups.metric", r.checkFilter}, {"batch.prompts", r.checkBatchShare}, {"actor", r.checkGPUs},
		{"device", r.checkCPU}, {"rollout.agent.export_style", r.checkGroups}, {"actor.attn_impl", r.checkAttention},
	} {
		if text := c.look(); text != "" {
			r.object(c.about, "%s", text)
		}
	}
	for _, key := range r.settings.Keys() {
		allowed := r.installed.Schema.At(key).Choices
		if key == "saver.mode" {
			allowed = []string{"auto", "sync"} // awhost reports a checkpoint when it is complete
		}
		v, _ := r.settings.Value(key)
		text, ok := v.(string)
		if ok && len(allowed) > 0 && !strings.Contains(text, "${") && !slices.Contains(allowed, text) {
			r.object(key, "%s is %q, and AReaL takes %s", key, text, strings.Join(allowed, ", "))
		}
	}
	for key, limits := range ranges {
		v, _ := r.settings.Value(key)
		if f, ok := framework.Float(v); ok && (f < limits[0] || f > limits[1]) {
			r.object(key, "%s is %v, and must be from %v to %v", key, v, limits[0], limits[1])
		}
	}
}

// ranges bound numbers that AReaL would take and fail with later.
var ranges = map[string][2]float64{
	"gconfig.top_p": {1e-9, 1}, "eval_gconfig.top_p": {1e-9, 1}, "gconfig.temperature": {0, 100}, "eval_gconfig.temperature": {0, 100},
	"actor.optimizer.lr": {0, 1}, "actor.optimizer.warmup_steps_proportion": {0, 1}, "actor.eps_clip": {0, 1}, "actor.optimizer.beta1": {0, 1},
	"actor.optimizer.beta2": {0, 1}, "sglang.mem_fraction_static": {0.01, 1}, "vllm.gpu_memory_utilization": {0.01, 1}, "actor.kl_ctl": {0, 1000},
	"gconfig.max_new_tokens": {1, 1 << 30}, "actor.ppo_n_minibatches": {1, 1 << 20},
}

func (r *resolved) checkAlgorithm() string {
	name := r.knobs.Algorithm.Name
	if name == algorithm && slices.Contains(r.knobs.Set, "algorithm.name") && r.writes("critic") {
		return "algorithm \"grpo\" compares rewards within their group, and the configuration has a critic: remove one of them"
	}
	if name != "" && name != algorithm {
		return fmt.Sprintf("algorithm %q: awhost maps %q to AReaL; for AReaL's other losses use algorithm %q and set actor's keys in overrides", name, algorithm, algorithm)
	}
	return ""
}

func (r *resolved) checkGroupSize() string {
	if !r.comparesGroups("actor.reward_norm") {
		return ""
	}
	return detail(framework.GroupOfOne(framework.Number{Value: r.groupSize, Said: "gconfig.n_samples (batch.group_size) is 1"}))
}

func (r *resolved) checkMiniBatch() string {
	size, all := r.knobs.MiniBatch.Size, r.prompts*r.groupSize
	if size == nil {
		return ""
	}
	return detail(framework.MiniBatch(
		framework.Number{Value: *size, Said: fmt.Sprintf("mini_batch.size is %d", *size)},
		framework.Number{Value: all, Said: fmt.Sprintf("batch.prompts × batch.group_size is %d", all)}, "samples", false,
	))
}

// step returns the size of a step. AReaL's mini-batches have about equal numbers of tokens.
func (r *resolved) step() framework.Step {
	parts, _ := r.settings.Int("actor.ppo_n_minibatches")
	return framework.Step{
		Episodes: r.prompts * r.groupSize, Parts: parts, Uneven: true,
		ManyRows: r.mode == modeAgent && r.settings.Text("rollout.agent.export_style") == "individual",
	}
}

func detail(d *sdk.Diagnostic) string {
	if d == nil {
		return ""
	}
	return d.Detail
}

func (r *resolved) checkWarmup() string {
	if n := sdk.ValueOr(r.knobs.Optimizer.WarmupSteps, 0); n > r.stageSteps() {
		return fmt.Sprintf("optimizer.warmup_steps is %d, and the stage has %d steps", n, r.stageSteps())
	}
	return ""
}

// checkContext holds what engines are asked to take against what the policy can.
func (r *resolved) checkContext() string {
	most := readModel(r.policy).Context
	if most == 0 {
		return "" // nobody knows
	}
	if r.config.MaxContext > most {
		return fmt.Sprintf(beyondContext, "max_context", r.config.MaxContext, most)
	}
	for _, key := range []string{"sglang.context_length", "vllm.max_model_len", "gconfig.max_tokens", "eval_gconfig.max_tokens", "rollout.agent.engine_max_tokens"} {
		asked, _ := r.settings.Value(key)
		if n, ok := framework.Float(asked); ok && int(n) > most {
			return fmt.Sprintf(beyondContext, key, asked, most)
		}
	}
	return ""
}

const beyondContext = "%s is %v, and the policy has a context of %d tokens (max_position_embeddings of its config.json)"

func (r *resolved) checkTokens() string {
	for name, n := range map[string]int{"limits.message_tokens": sdk.ValueOr(r.knobs.Limits.MessageTokens, 0), "limits.response_tokens": sdk.ValueOr(r.knobs.Limits.ResponseTokens, 0)} {
		if n > r.maxContext {
			return fmt.Sprintf("%s is %d, and the context of the policy has %d tokens", name, n, r.maxContext)
		}
	}
	return ""
}

func (r *resolved) checkTemperature() string {
	sampled, _ := r.settings.Value("gconfig.temperature")
	if framework.Equal(sampled, 0.0) {
		return "gconfig.temperature is 0: the samples of a group are equal then, and so are their rewards; raise sampling.temperature"
	}
	trained, _ := r.settings.Value("actor.temperature")
	if sampled == nil {
		sampled = 1.0
	}
	if trained != nil && !framework.Equal(sampled, trained) {
		return fmt.Sprintf("actor.temperature is %v and gconfig.temperature %v: the trainer would compare log-probabilities of two distributions; set sampling.temperature alone", trained, sampled)
	}
	return ""
}

func (r *resolved) checkFilter() string {
	f := r.knobs.FilterGroups
	if f == nil {
		return ""
	}
	r.filter = "awhost_areal.filters.varied"
	if metric := sdk.ValueOr(f.Metric, "reward"); metric != "reward" {
		return fmt.Sprintf("filter_groups.metric is %q, and AReaL knows the reward of a sample only", metric)
	}
	return ""
}

var dimension = regexp.MustCompile(`([a-z])(\d+)`)

// parallelism is the product of a backend's dimensions: "megatron:d2p2t2" takes 8 GPUs; d alone is how many share a batch.
func parallelism(backend string) (gpus, data int, ok bool) {
	engine, dimensions, found := strings.Cut(backend, ":")
	if !found || engine == "" || strings.ContainsAny(dimensions, "(|") {
		return 0, 0, false
	}
	gpus, data = 1, 1
	for _, m := range dimension.FindAllStringSubmatch(dimensions, -1) {
		n, _ := strconv.Atoi(m[2]) // digits
		if m[1] != "e" {
			gpus *= n
		}
		if m[1] == "d" {
			data = n
		}
	}
	return gpus, data, dimension.ReplaceAllString(dimensions, "") == ""
}

func (r *resolved) checkBatchShare() string {
	if _, data, ok := parallelism(r.settings.Text("actor.backend")); ok && data > 0 && r.prompts%data != 0 {
		return fmt.Sprintf("batch.prompts is %d, and actor = %q shares a batch among %d: make it a multiple", r.prompts, r.settings.Text("actor.backend"), data)
	}
	return ""
}

func (r *resolved) checkGPUs() string {
	need, ok := 0, true
	for key, engines := range map[string][]string{"actor.backend": {"fsdp", "megatron", "archon"}, "rollout.backend": {"sglang", "vllm"}} {
		backend := r.settings.Text(key)
		engine, _, _ := strings.Cut(backend, ":")
		if !slices.Contains(engines, engine) {
			return fmt.Sprintf("%s is %q: its engine must be one of %s, as in \"%s:d4\"", key, backend, strings.Join(engines, ", "), engines[0])
		}
		gpus, _, known := parallelism(backend)
		ok = ok && known
		need += gpus
	}
	have := r.config.Nodes * r.config.GPUsPerNode
	if !ok || r.config.cpu() || r.colocated() || need <= have {
		return ""
	}
	return fmt.Sprintf("actor = %q and rollout = %q take %d GPUs together, and nodes × gpus_per_node are %d", r.settings.Text("actor.backend"), r.settings.Text("rollout.backend"), need, have)
}

func (r *resolved) colocated() bool {
	return r.settings.Text("rollout.scheduling_strategy.type") == "colocation" || r.settings.Text("actor.scheduling_strategy.type") == "colocation"
}

func (r *resolved) checkCPU() string {
	if !r.config.cpu() {
		return ""
	}
	for key, wanted := range map[string]string{"actor.backend": "fsdp:d1", "rollout.backend": "sglang:d1"} {
		if got := r.settings.Text(key); got != wanted {
			return fmt.Sprintf("%s is %q: with device = \"cpu\" it is %q", key, got, wanted)
		}
	}
	return ""
}

// checkGroups keeps AReaL from comparing samples of different prompts: before 2.0 it normalises in fixed strides (#1454).
func (r *resolved) checkGroups() string {
	if r.installed.Release.AtLeast(areal2) {
		return ""
	}
	if r.settings.Text("actor.reward_norm.mean_level") != "group" {
		return ""
	}
	return detail(r.step().RowBaseline("rollout.agent.export_style = \"individual\" gives a row for each call, and AReaL "+
		r.installed.Release.String(), "Use \"concat\", mode = \"workflow\", or AReaL 2.0"))
}

// checkAttention refuses kernels that do not keep the rows of a micro-batch apart. AReaL packs them into one sequence and
// hands over their bounds and no mask, which flash attention alone looks at; for a few models it leaves the mask to
// transformers, which finds the bounds (fsdp_engine.py, _prepare_mb_list).
func (r *resolved) checkAttention() string {
	text := r.settings.Text("actor.attn_impl")
	if r.config.cpu() || text != "sdpa" && text != "eager" {
		return ""
	}
	for _, prefix := range []string{"qwen3_moe", "qwen3_vl", "qwen3_5"} {
		if strings.HasPrefix(modelType(r.policy), prefix) {
			return ""
		}
	}
	return fmt.Sprintf("actor.attn_impl is %q, which does not keep the rows of a micro-batch apart: each would be trained on those before it. Use \"flash_attention_2\"", text)
}
