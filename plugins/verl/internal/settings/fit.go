package settings

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// wider are keys that take more than their default says, and that no dataclass describes.
var wider = map[string]framework.Types{
	"data.train_files":    framework.Text | framework.List,
	"data.val_files":      framework.Text | framework.List,
	"data.val_batch_size": framework.Whole | framework.Null,
	"trainer.logger":      framework.Text | framework.List,
	"trainer.v1.colocate_async.num_warmup_batches": framework.Real | framework.Whole, // a fraction of a batch
	"trainer.v1.separate_async.num_warmup_batches": framework.Real | framework.Whole,
	"trainer.v1.sampler.max_off_policy_threshold":  framework.Whole | framework.Null,
	"actor_rollout_ref.model.target_modules":       framework.Text | framework.List,
	"critic.model.target_modules":                  framework.Text | framework.List,
	"algorithm.rollout_correction.rollout_is":      framework.Text | framework.Null | framework.Boolean,
	"trainer.esi_redundant_time":                   framework.Real | framework.Whole,
}

// typeAt returns the types of the values that a key takes.
func (r *resolver) typeAt(key string) framework.Types {
	if t, ok := wider[key]; ok {
		return t
	}
	return r.schema.At(key).Takes
}

// choices are the texts that verl takes where it takes a text. It refuses others when the run begins, or silently does
// something else.
var choices = map[string][]string{
	"actor_rollout_ref.actor.loss_agg_mode":           {"token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm"},
	"actor_rollout_ref.actor.optim.lr_scheduler_type": {"constant", "cosine"},
	"actor_rollout_ref.actor.optim.lr_decay_style":    {"constant", "linear", "cosine", "inverse-square-root", "WSD"},
	"actor_rollout_ref.actor.kl_loss_type":            {"kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3", "full", "k1+", "k2+", "k3+", "kl+", "abs+", "mse+", "low_var_kl+"},
	"algorithm.kl_penalty":                            {"kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3", "full", "k1+", "k2+", "k3+", "kl+", "abs+", "mse+", "low_var_kl+"},
	"algorithm.kl_ctrl.type":                          {"fixed", "adaptive"},
	"data.truncation":                                 {"error", "left", "right", "middle"},
	"trainer.resume_mode":                             {"auto", "disable", "resume_path"},
	"trainer.use_legacy_worker_impl":                  {"auto", "enable", "disable"},
	"trainer.v1.trainer_mode":                         {"sync", "colocate_async", "separate_async"},
	"model_engine":                                    engines,
}

// loggers are verl's trackers.
var loggers = []string{"wandb", "mlflow", "swanlab", "vemlp_wandb", "tensorboard", "console", "clearml", "trackio", "file", "rl_insight"}

// allowed says whether a text is one of those that verl takes, and which those are. Other engines have schedules of their own.
func allowed(key, engine string, v any) (options []string, ok bool) {
	options = choices[key]
	if key == "actor_rollout_ref.actor.optim.lr_scheduler_type" && engine != defaultEngine {
		return nil, true
	}
	given, isText := v.(string)
	if len(options) == 0 || !isText || strings.Contains(given, "${") {
		return nil, true
	}
	return options, slices.Contains(options, given)
}
