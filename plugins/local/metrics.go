package local

import (
	"math"
	"time"

	"github.com/awhost/awhost/plugins/local/grpo"
)

// The metrics of the warm start.
const (
	metricCloningLoss     = "warm_start/loss"
	metricCloningGradNorm = "warm_start/grad_norm"
	metricCloningRate     = "warm_start/learning_rate"
)

// metric is a number that each step reports.
type metric struct {
	name, description string
	value             func(stepNumbers) float64 // NaN: there is nothing to report
}

// ofUpdates is a number that a step without an update does not have.
func ofUpdates(value func(stepNumbers) float64) func(stepNumbers) float64 {
	return func(n stepNumbers) float64 {
		if n.Updates == 0 {
			return math.NaN()
		}
		return value(n)
	}
}

// ofRewards is a number that a step without a reward does not have.
func ofRewards(value func(stepNumbers) float64) func(stepNumbers) float64 {
	return func(n stepNumbers) float64 {
		if n.Groups == 0 {
			return math.NaN()
		}
		return value(n)
	}
}

// stepNumbers is where the metrics of a step come from.
type stepNumbers struct {
	grpo.Metrics
	durations
	dropped int
}

type durations struct{ rollout, update time.Duration }

const metricSuccess = "train/success_rate"

var metrics = []metric{
	{"train/loss", "negative objective per trained token, KL penalty and entropy bonus included", ofUpdates(func(n stepNumbers) float64 { return n.Loss })},
	{"train/learning_rate", "of this step", func(n stepNumbers) float64 { return n.LearningRate }},
	{"train/reward", "mean over the samples with a reward", ofRewards(func(n stepNumbers) float64 { return n.RewardMean })},
	{"train/reward_std", "standard deviation over the same samples", ofRewards(func(n stepNumbers) float64 { return n.RewardStd })},
	{"train/entropy", "nats per trained token, of the distribution at `sampling.temperature`", ofUpdates(func(n stepNumbers) float64 { return n.Entropy })},
	{"train/kl", "k3 estimate per trained token of the divergence from the reference; 0 without `algorithm.kl`", ofUpdates(func(n stepNumbers) float64 { return n.KL })},
	{"train/clip_fraction", "share of the trained tokens whose ratio was clipped", ofUpdates(func(n stepNumbers) float64 { return n.ClipFraction })},
	{"train/grad_norm", "before clipping, mean over the updates", ofUpdates(func(n stepNumbers) float64 { return n.GradNorm })},
	{"train/logprob_gap", "largest difference between a token's logprob at sampling and in training, on the same weights; 0 when both agree", ofUpdates(func(n stepNumbers) float64 { return n.LogprobGap })},
	{"train/tokens", "trained, counted once per pass", func(n stepNumbers) float64 { return float64(n.Tokens) }},
	{"train/tokens_per_second", "trained tokens per second of the update", ofUpdates(func(n stepNumbers) float64 { return float64(n.Tokens) / max(n.update.Seconds(), 1e-9) })},
	{"train/groups", "with at least one sample that has a reward", func(n stepNumbers) float64 { return float64(n.Groups) }},
	{"train/zero_variance_groups", "of these, how many had nothing to compare", func(n stepNumbers) float64 { return float64(n.ZeroVarianceGroups) }},
	{"train/masked", "samples without a reward or without a token of the policy", func(n stepNumbers) float64 { return float64(n.Masked) }},
	{"train/dropped", "samples that left the batch", func(n stepNumbers) float64 { return float64(n.dropped) }},
	{"train/updates", "optimiser updates", func(n stepNumbers) float64 { return float64(n.Updates) }},
	{"train/rollout_seconds", "time of the rollouts", func(n stepNumbers) float64 { return n.rollout.Seconds() }},
	{"train/update_seconds", "time of the update", func(n stepNumbers) float64 { return n.update.Seconds() }},
}

// otherMetrics are those that are not in every step.
var otherMetrics = []metric{
	{name: metricSuccess, description: "share of solved samples; absent when no episode has a verdict"},
	{name: metricCloningLoss, description: "mean negative logprob of the imitated tokens in the last update, nats"},
	{name: metricCloningGradNorm, description: "before clipping, of the last update"},
	{name: metricCloningRate, description: "of the last update"},
}

var metricNames = func() (names []string) {
	for _, m := range metrics {
		names = append(names, m.name)
	}
	for _, m := range otherMetrics {
		names = append(names, m.name)
	}
	return names
}()

func (b *batch) metrics(m grpo.Metrics, took durations) map[string]float64 {
	numbers := stepNumbers{Metrics: m, durations: took, dropped: b.dropped()}
	values := map[string]float64{}
	for _, m := range metrics {
		if value := m.value(numbers); !math.IsNaN(value) || numbers.Updates > 0 { // a NaN of an update is news
			values[m.name] = value
		}
	}
	if rate := b.successRate(); rate >= 0 {
		values[metricSuccess] = rate
	}
	return values
}
