package importer

import (
	"fmt"
	"slices"
)

// marginTokens is the number of tokens that AgentJet subtracts from the maximum response length of a turn.
const marginTokens = 16

// localMessage is the maximum length of the embedded policy's messages, in bytes.
const localMessage = 128

func (w *writer) writeTrain() {
	var project, estimator string
	w.text("project_name", &project, "ajet")
	w.convert(true)
	w.defaults()
	w.set("train.steps", "var.steps")
	var epochs float64
	if w.steps() == 0 && w.get("trainer_common.total_epochs", &epochs) {
		w.set("train.epochs", fmt.Sprintf("var.steps == null ? %g : null", epochs))
	}
	w.writeBatch()
	w.writeBetas("ajet.trainer_common.optim.betas")
	w.writeLimits()
	w.writeTracking(project)
	w.text("trainer_common.algorithm.adv_estimator", &estimator, "grpo")
	if estimator != "grpo" {
		w.lose("trainer_common.algorithm.adv_estimator", "awhost supports grpo, which the spec uses")
		w.comment(w.file.Body(), "", "# The configuration requires "+oneLine(estimator)+", which awhost does not support.")
	}
	if w.datasets[1] == "" {
		w.drop("validate")
	}
	w.agent = "agent.python.workflow"
	w.writeAdapter()
	w.trainBlock(project)
}

// defaults writes AgentJet's defaults of the keys that the file does not set.
func (w *writer) defaults() {
	for _, key := range w.config.system.Keys {
		_, given := w.config.values[key.Path]
		if !given && key.As != "" && key.Default != "" && !w.has(key.To) && !w.needsVerl(key) {
			w.config.values[key.Path] = value{file: w.config.name, node: yamlOf(key.Default)}
			w.one(key.Path, key)
		}
	}
}

func (w *writer) writeBatch() {
	var repeats, parts int64
	var penalised bool
	var coefficient float64
	w.get("rollout.num_repeat", &repeats)
	w.set("train.batch.prompts", "var.prompts")
	if w.get("trainer_common.mini_batch_num", &parts) && parts > 1 {
		w.set("train.mini_batch.size", fmt.Sprintf("max(1, floor(var.prompts * %d / %d))", repeats, parts))
	}
	if w.get("trainer_common.use_kl_loss", &penalised) && penalised {
		w.get("trainer_common.kl_loss_coef", &coefficient)
	}
	w.set("train.algorithm.kl", fmt.Sprint(coefficient))
}

func (w *writer) writeLimits() {
	var turn int64
	switch {
	case w.options.Adapter == "local":
		w.set("train.limits.message_tokens", fmt.Sprint(localMessage))
	case w.get("rollout.max_response_length_in_one_turn", &turn):
		w.set("train.limits.message_tokens", fmt.Sprint(max(1, turn-marginTokens)))
	}
}

func (w *writer) writeTracking(project string) {
	var logger, experiment string
	if !w.get("trainer_common.logger", &logger) || logger == "console" {
		return
	}
	if !slices.Contains([]string{"swanlab", "wandb", "mlflow", "tensorboard"}, logger) {
		w.lose("trainer_common.logger", "awhost tracks by swanlab, wandb, mlflow and tensorboard")
		return
	}
	if logger != "tensorboard" { // it is written anyway, to a fixed place
		w.set("train.tracking.python", `"python3"`) // must have the tracker's package
	}
	w.set("train.tracking."+logger, "true")
	w.set("train.tracking.project", quoted(project))
	if w.get("experiment_name", &experiment) && experiment != "read_yaml_name" {
		w.set("train.tracking.experiment", quoted(experiment))
	}
}
