package verl

import "strings"

// common are awhost's names of what verl measures.
var common = map[string]string{
	"actor/pg_loss":                   "train/loss",
	"actor/grad_norm":                 "train/grad_norm",
	"actor/entropy":                   "train/entropy",
	"actor/kl_loss":                   "train/kl",
	"actor/pg_clipfrac":               "train/clip_fraction",
	"actor/lr":                        "train/learning_rate",
	"critic/score/mean":               "train/reward",
	"training/rollout_probs_diff_max": "train/probability_gap",
	"timing_s/gen":                    "train/rollout_seconds",
	"timing_s/update_actor":           "train/update_seconds",
}

// named gives the numbers awhost's names where it has any, and keeps verl's own beside them.
func named(values map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(values)+len(common))
	for name, value := range values {
		out["verl/"+name] = value
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
