package areal

import (
	"math"

	"github.com/awhost/awhost/sdk/metric"
)

// reported is a number of AReaL's by awhost's name.
type reported struct {
	name, areal, description string
}

// metrics are those that every step has. AReaL reports hundreds of others, which are in its own log and trackers.
var metrics = []reported{
	{metric.Loss, "ppo_actor/update/actor_loss/avg", "of the policy, mean over trained tokens"},
	{metric.GradNorm, "ppo_actor/update/grad_norm", "before clipping"},
	{metric.LearningRate, "ppo_actor/update/lr", "of this step"},
	{metric.Entropy, "ppo_actor/update/entropy/avg", "nats per trained token"},
	{metric.ApproxKL, "ppo_actor/update/approx_kl/avg", "between the policy before and after the update"},
	{metric.ClipFraction, "ppo_actor/update/clip_ratio/avg", "share of the trained tokens whose ratio was clipped"},
	{metric.ImportanceWeight, "ppo_actor/update/importance_weight/avg", "mean ratio of the policy after and before the update"},
	{metric.BehaviourWeightMax, "ppo_actor/update/behave_imp_weight/max", "largest ratio of the trainer's probability to the sampler's"},
	{metric.BehaviourWeightMin, "ppo_actor/update/behave_imp_weight/min", "smallest of the same"},
	{metric.FilteredFraction, "ppo_actor/update/rs_filtered_fraction", "share of the trained tokens that were left out, their ratio being too large"},
	{metric.Advantage, "ppo_actor/advantages/avg", "mean over trained tokens"},
	{metric.Tokens, "ppo_actor/update/n_valid_tokens", "trained"},
	{metric.PromptTokens, "ppo_actor/prompt_len/avg", "tokens of a row that are not trained"},
	{metric.RowTokens, "ppo_actor/seq_len/avg", "tokens of a row"},
	{metric.RolloutSeconds, "timeperf/rollout", "time of the rollouts"},
	{metric.UpdateSeconds, "timeperf/train_step", "time of the update"},
	{metric.WeightSyncSeconds, "timeperf/update_weights", "time until the samplers had the new weights"},
	{metric.SaveSeconds, "timeperf/save", "time of the checkpoint's weights"},
}

// logprobGap is not AReaL's own: the largest difference between a token's log-probability at sampling and in training, on the
// weights that it was sampled from. 0 where both agree.
const logprobGap = metric.LogprobGap

// The ends and the mean of that difference, trainer minus sampler, by AReaL's names.
const (
	highestGap = "ppo_actor/update/behave_approx_kl/max"
	lowestGap  = "ppo_actor/update/behave_approx_kl/min"
	meanGap    = "ppo_actor/update/behave_approx_kl/avg"
)

var metricNames = func() (names []string) {
	for _, m := range metrics {
		names = append(names, m.name)
	}
	return append(names, logprobGap, metric.LogprobBias)
}()

// named are AReaL's numbers by awhost's names.
func named(values map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for _, m := range metrics {
		if v, ok := values[m.areal]; ok {
			out[m.name] = v
		}
	}
	highest, known := values[highestGap]
	lowest, both := values[lowestGap]
	if known && both {
		out[logprobGap] = max(math.Abs(highest), math.Abs(lowest))
	}
	if mean, ok := values[meanGap]; ok {
		out[metric.LogprobBias] = -mean
	}
	return out
}
