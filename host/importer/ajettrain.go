package importer

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

func (w *writer) writeTrain() {
	var project string
	w.text("project_name", &project, "ajet")
	train := w.block("train", identifier(project))
	raw(train, "agent", "agent.python.workflow")
	raw(train, "dataset", w.datasets[0])
	if w.datasets[1] != "" {
		raw(train, "validation", w.datasets[1])
	}
	raw(train, "adapter", "adapter."+w.options.Adapter+".trainer")
	if w.options.Adapter != "local" {
		raw(train, "policy", "model.hf.policy")
	}
	raw(train, "reward", w.reward)
	if w.success != "" {
		raw(train, "success", w.success)
	}
	raw(train, "steps", "var.steps")
	var epochs float64
	if w.steps() == 0 && w.get("trainer_common.total_epochs", &epochs) {
		raw(train, "epochs", fmt.Sprintf("var.steps == null ? %g : null", epochs))
	}
	w.number(train, "concurrency", "rollout.max_env_worker")
	w.writeBatch(train)
	w.writeOptimizer(train)
	w.writeSampling(train)
	w.writeFrequencies(train)
	w.writeTracking(train, project)
}

func part(body *hclwrite.Body, name string, labels ...string) *hclwrite.Body {
	body.AppendNewline()
	return body.AppendNewBlock(name, labels).Body()
}

func (w *writer) writeBatch(train *hclwrite.Body) {
	var repeats, parts, epochs int64
	w.get("rollout.num_repeat", &repeats)
	batch := part(train, "batch")
	raw(batch, "prompts", "var.prompts")
	batch.SetAttributeValue("group_size", cty.NumberIntVal(repeats))
	hasParts := w.get("trainer_common.mini_batch_num", &parts) && parts > 1
	hasEpochs := w.get("trainer_common.ppo_epochs", &epochs) && epochs > 1
	if !hasParts && !hasEpochs {
		return
	}
	body := part(train, "mini_batch")
	if hasParts {
		raw(body, "size", fmt.Sprintf("max(1, floor(var.prompts * %d / %d))", repeats, parts))
	}
	if hasEpochs {
		body.SetAttributeValue("epochs", cty.NumberIntVal(epochs))
	}
}

func (w *writer) writeOptimizer(train *hclwrite.Body) {
	body := part(train, "optimizer")
	rate := "trainer_common.optim.lr"
	if verls := "actor_rollout_ref.actor.optim.lr"; !w.config.given(rate) && w.config.values[verls].node != nil {
		rate = verls
	}
	w.number(body, "learning_rate", rate)
	var schedule string
	if w.get("trainer_common.optim.lr_scheduler_type", &schedule) {
		if schedule != "constant" && schedule != "cosine" && schedule != "linear" {
			w.lose("trainer_common.optim.lr_scheduler_type",
				"awhost supports constant, linear and cosine: the rate is constant")
		} else {
			body.SetAttributeValue("schedule", cty.StringVal(schedule))
		}
	}
	var warmup int64
	if w.get("trainer_common.optim.lr_warmup_steps", &warmup) && warmup > 0 {
		body.SetAttributeValue("warmup_steps", cty.NumberIntVal(warmup))
	}
	w.number(body, "weight_decay", "trainer_common.optim.weight_decay")
	w.number(body, "max_grad_norm", "trainer_common.optim.grad_clip")
	var betas []float64
	if w.get("trainer_common.optim.betas", &betas) {
		if len(betas) != 2 {
			w.fail("trainer_common.optim.betas", "there are two")
			return
		}
		body.SetAttributeValue("beta1", cty.NumberFloatVal(betas[0]))
		body.SetAttributeValue("beta2", cty.NumberFloatVal(betas[1]))
	}
	var estimator string
	w.text("trainer_common.algorithm.adv_estimator", &estimator, "grpo")
	if estimator != "grpo" {
		w.lose("trainer_common.algorithm.adv_estimator", "awhost supports grpo, which the spec uses")
		w.comment(train, "", "# The configuration requires "+oneLine(estimator)+", which awhost does not support.")
	}
	algorithm := part(train, "algorithm", "grpo")
	var penalised bool
	if w.get("trainer_common.use_kl_loss", &penalised) && penalised {
		w.number(algorithm, "kl", "trainer_common.kl_loss_coef")
	} else {
		algorithm.SetAttributeValue("kl", cty.NumberIntVal(0))
	}
}

// localMessage is the maximum length of the embedded policy's messages, in bytes.
const localMessage = 128

// marginTokens is the number of tokens that AgentJet subtracts from the maximum response length of a turn.
const marginTokens = 16

func (w *writer) writeSampling(train *hclwrite.Body) {
	w.sampling(part(train, "sampling"), "rollout.")
	limits := part(train, "limits")
	if w.options.Adapter == "local" {
		limits.SetAttributeValue("message_tokens", cty.NumberIntVal(localMessage))
		return
	}
	w.number(limits, "prompt_tokens", "data.max_prompt_length")
	w.number(limits, "response_tokens", "data.max_response_length")
	var turn int64
	if w.get("rollout.max_response_length_in_one_turn", &turn) {
		limits.SetAttributeValue("message_tokens", cty.NumberIntVal(max(1, turn-marginTokens)))
	}
}

func (w *writer) sampling(body *hclwrite.Body, prefix string) {
	w.number(body, "temperature", prefix+"temperature")
	w.number(body, "top_p", prefix+"top_p")
	var top int64
	if w.get(prefix+"top_k", &top) {
		body.SetAttributeValue("top_k", cty.NumberIntVal(max(0, top)))
	}
}

func (w *writer) writeFrequencies(train *hclwrite.Body) {
	if w.datasets[1] != "" {
		validate := part(train, "validate")
		w.number(validate, "every", "trainer_common.test_freq")
		var before bool
		if w.get("trainer_common.val_before_train", &before) {
			validate.SetAttributeValue("before_train", cty.BoolVal(before))
		}
		samples := "trainer_common.val_pass_n"
		if !w.config.given(samples) && w.config.given("rollout.val_kwargs.num_repeat") {
			samples = "rollout.val_kwargs.num_repeat"
		}
		w.number(validate, "samples", samples)
		w.sampling(part(validate, "sampling"), "rollout.val_kwargs.")
	}
	w.number(part(train, "checkpoint"), "every", "trainer_common.save_freq")
}

func (w *writer) writeTracking(train *hclwrite.Body, project string) {
	var logger string
	if !w.get("trainer_common.logger", &logger) {
		return
	}
	known := map[string]bool{"swanlab": true, "wandb": true, "mlflow": true, "tensorboard": true}
	if logger == "console" {
		return
	}
	if !known[logger] {
		w.lose("trainer_common.logger", "awhost tracks by swanlab, wandb, mlflow and tensorboard")
		return
	}
	body := part(train, "tracking")
	if logger != "tensorboard" { // it is written anyway, to a fixed place
		body.SetAttributeValue("python", cty.StringVal("python3")) // must have the tracker's package
	}
	body.SetAttributeValue(logger, cty.True)
	body.SetAttributeValue("project", cty.StringVal(project))
	var experiment string
	if w.get("experiment_name", &experiment) && experiment != "read_yaml_name" {
		body.SetAttributeValue("experiment", cty.StringVal(experiment))
	}
}

// identifier converts a string to a valid name.
func identifier(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, text)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "ajet_" + name
	}
	return name
}
