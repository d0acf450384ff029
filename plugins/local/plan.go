package local

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/sdk"
)

// knobKeys maps each knob of the spec to what it is called in the embedded trainer. A knob that is in neither table
// is refused as unknown.
var knobKeys = map[string]string{
	"seed": "seed", "steps": "steps", "epochs": "steps",
	"batch.prompts": "grpo.prompts", "batch.group_size": "grpo.group_size",
	"mini_batch.size": "grpo.mini_batch", "mini_batch.epochs": "grpo.epochs",
	"optimizer.learning_rate": "adamw.learning_rate", "optimizer.schedule": "adamw.schedule", "optimizer.warmup_steps": "adamw.warmup_steps",
	"optimizer.weight_decay": "adamw.weight_decay", "optimizer.max_grad_norm": "adamw.max_grad_norm",
	"optimizer.beta1": "adamw.beta1", "optimizer.beta2": "adamw.beta2",
	"algorithm.name": "algorithm", "algorithm.clip_low": "grpo.clip_low", "algorithm.clip_high": "grpo.clip_high",
	"algorithm.kl": "grpo.kl", "algorithm.entropy": "grpo.entropy", "algorithm.normalize_by": "grpo.normalize",
	"algorithm.drop_zero_variance": "grpo.drop_zero_variance",
	"sampling.temperature":         "sampling.temperature", "sampling.top_p": "sampling.top_p", "sampling.top_k": "sampling.top_k",
	"limits.prompt_tokens": "host", "limits.response_tokens": "host", "limits.message_tokens": "sampling.max_tokens", "limits.overlong": "host",
	"validate.every": "validate.every", "validate.before_train": "validate.before_train", "validate.samples": "validate.samples",
	"validate.best_by": "host", "validate.log_generations": "host", "validate.sampling": "host",
	"validate.sampling.temperature": "host", "validate.sampling.top_p": "host", "validate.sampling.top_k": "host",
	"checkpoint.every": "host", "checkpoint.unit": "host", "checkpoint.keep": "host",
	"concurrency": "rollout.concurrency",
}

// knobRefusals says why the embedded trainer cannot honour a knob.
var knobRefusals = map[string]string{
	"sampling.stop":             "the embedded policy ends a message with a control token and knows no stop strings",
	"validate.sampling.stop":    "the embedded policy ends a message with a control token and knows no stop strings",
	"filter_groups":             "groups without variance are always left out of the update; they are not replaced by others",
	"filter_groups.metric":      "groups without variance are always left out of the update; they are not replaced by others",
	"filter_groups.refill":      "groups without variance are always left out of the update; they are not replaced by others",
	"filter_groups.max_refills": "groups without variance are always left out of the update; they are not replaced by others",
	"tracking.tensorboard":      "the embedded trainer has no tracker of its own; metrics are in the run directory",
	"tracking.wandb":            "the embedded trainer has no tracker of its own; metrics are in the run directory",
	"tracking.swanlab":          "the embedded trainer has no tracker of its own; metrics are in the run directory",
	"tracking.project":          "the embedded trainer has no tracker of its own; metrics are in the run directory",
	"tracking.experiment":       "the embedded trainer has no tracker of its own; metrics are in the run directory",
	"env":                       "the embedded trainer runs inside its plugin and reads no environment variables",
	"overrides":                 "the embedded trainer has no framework keys to override; use the knobs",
}

// Plan implements sdk.Adapter.
func (a *adapter) Plan(_ context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out := &sdk.PlanResponse{Capabilities: capabilities(a.config.Context)}
	if len(req.Policy) > 0 && string(req.Policy) != "null" {
		out.Diagnostics = append(out.Diagnostics, problem("Policy not supported",
			"The embedded trainer has a policy of its own, chosen by `preset`. Remove `policy`, or use another adapter to train a model of yours.", nil))
	}
	for _, stage := range req.Stages {
		a.planStage(out, stage, req)
	}
	if req.Agent.HasTools {
		out.Notes = append(out.Notes, "tool schemas are not rendered into the prompt: the context of the embedded policy is too small; it learns calls from demonstrations")
	}
	weights := 115520
	if a.config.Preset == "small" {
		weights = 357024
	}
	out.Notes = append(out.Notes, fmt.Sprintf("policy: byte-level transformer, preset %s, %d weights, context %d tokens", a.config.Preset, weights, a.config.Context))
	return out, nil
}

func (a *adapter) planStage(out *sdk.PlanResponse, stage sdk.StagePlan, req sdk.PlanRequest) {
	set := slices.Clone(stage.Knobs.Set)
	if len(stage.Knobs.Overrides) > 0 {
		set = append(set, "overrides")
	}
	for _, knob := range set {
		out.Knobs = append(out.Knobs, mapKnob(knob))
		if m := out.Knobs[len(out.Knobs)-1]; m.Refused != "" {
			out.Diagnostics = append(out.Diagnostics, problem("Knob refused by adapter local", fmt.Sprintf("%s (stage %q): %s. Remove it.", knob, stage.Name, m.Refused), nil))
		}
	}
	s, err := newSettings(stage.Knobs, sdk.TrainRequest{TrainTasks: req.Data.TrainTasks, FirstStep: 1})
	if err != nil {
		out.Diagnostics = append(out.Diagnostics, problem("Impossible training settings", fmt.Sprintf("stage %q: %v", stage.Name, err), nil))
		return
	}
	out.Effective = append(out.Effective, effective(stage.Name, stage.Knobs, s)...)
}

func mapKnob(knob string) sdk.KnobMapping {
	if why, refused := knobRefusals[knob]; refused {
		return sdk.KnobMapping{Knob: knob, Refused: why}
	}
	if key, known := knobKeys[knob]; known {
		return sdk.KnobMapping{Knob: knob, Key: key}
	}
	return sdk.KnobMapping{Knob: knob, Refused: "the embedded trainer does not know this knob"}
}

func problem(summary, detail string, path []string) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}
}

// effective lists the values that the stage will train with.
func effective(stage string, knobs sdk.Knobs, s settings) []sdk.EffectiveKey {
	values := []struct {
		key, knob string
		value     any
	}{
		{"steps", "steps", s.steps}, {"grpo.prompts", "batch.prompts", s.prompts}, {"grpo.group_size", "batch.group_size", s.groupSize},
		{"grpo.mini_batch", "mini_batch.size", s.hyper.MiniBatch}, {"grpo.epochs", "mini_batch.epochs", s.hyper.Epochs},
		{"adamw.learning_rate", "optimizer.learning_rate", s.schedule.Peak}, {"adamw.schedule", "optimizer.schedule", s.schedule.Shape},
		{"adamw.warmup_steps", "optimizer.warmup_steps", s.schedule.WarmupSteps}, {"adamw.weight_decay", "optimizer.weight_decay", s.adamw.WeightDecay},
		{"adamw.max_grad_norm", "optimizer.max_grad_norm", s.adamw.MaxGradNorm},
		{"adamw.beta1", "optimizer.beta1", s.adamw.Beta1}, {"adamw.beta2", "optimizer.beta2", s.adamw.Beta2},
		{"grpo.clip_low", "algorithm.clip_low", s.hyper.ClipLow}, {"grpo.clip_high", "algorithm.clip_high", s.hyper.ClipHigh},
		{"grpo.kl", "algorithm.kl", s.hyper.KL}, {"grpo.entropy", "algorithm.entropy", s.hyper.Entropy},
		{"grpo.normalize", "algorithm.normalize_by", orDefault(string(s.hyper.Normalize), string(grpo.NormalizeStd))},
		{"grpo.drop_zero_variance", "algorithm.drop_zero_variance", !s.hyper.KeepZeroVariance},
		{"validate.every", "validate.every", s.validateEvery}, {"validate.samples", "validate.samples", s.validateSamples},
	}
	var out []sdk.EffectiveKey
	for _, v := range values {
		text, err := json.Marshal(v.value)
		if err != nil {
			continue // numbers and strings always have a JSON form
		}
		origin := "default"
		if slices.Contains(knobs.Set, v.knob) {
			origin = v.knob
		}
		out = append(out, sdk.EffectiveKey{Key: stage + "/" + v.key, ValueJSON: text, Origin: origin})
	}
	return out
}

func orDefault(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
