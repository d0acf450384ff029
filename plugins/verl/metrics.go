package verl

import (
	"strings"

	"github.com/awhost/awhost/sdk/metric"
)

// common are awhost's names of what verl measures.
var common = map[string]string{
	"actor/pg_loss":                   metric.Loss,
	"actor/grad_norm":                 metric.GradNorm,
	"actor/entropy":                   metric.Entropy,
	"actor/kl_loss":                   metric.KL,
	"actor/pg_clipfrac":               metric.ClipFraction,
	"actor/lr":                        metric.LearningRate,
	"critic/score/mean":               metric.Reward,
	"training/rollout_logprobs_mean":  metric.LogprobGapMean, // compared in shim/awhost_verl/trainer.py, as the next ones
	"training/rollout_logprobs_p99":   metric.LogprobGapP99,
	"training/rollout_logprobs_max":   metric.LogprobGap,
	"training/rollout_logprobs_bias":  metric.LogprobBias,
	"training/rollout_probs_diff_max": metric.ProbabilityGap,
	"training/updates_total":          metric.Updates, // UPDATES in shim/awhost_verl/trainer.py
	"timing_s/gen":                    metric.RolloutSeconds,
	"timing_s/update_actor":           metric.UpdateSeconds,
}

// named adds awhost's names to the numbers that have one. Of numbers that are not finite, only these are kept, because
// rules read them.
func named(values map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(values)+len(common))
	for name, value := range values {
		if finite := value-value == 0; finite {
			out["verl/"+name] = value
		}
		if ours, ok := common[name]; ok {
			out[ours] = value
		}
	}
	return out
}

// validated says whether a validation is among the numbers of a step.
func validated(values map[string]float64) bool {
	for name := range values {
		if strings.HasPrefix(name, "val-") {
			return true
		}
	}
	return false
}
