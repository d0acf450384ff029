package local

import (
	"math"
	"time"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/sdk/metric"
)

// Metrics of the warm start.
const (
	metricCloningLoss     = "warm_start/loss"
	metricCloningGradNorm = "warm_start/grad_norm"
	metricCloningRate     = "warm_start/learning_rate"
)

// stepMetric is a metric that is reported for each step.
type stepMetric struct {
	name, description string
	value             func(stepNumbers) float64 // NaN: not reported
}

// ofUpdates returns a metric that is NaN for steps without an update.
func ofUpdates(value func(stepNumbers) float64) func(stepNumbers) float64 {
	return func(n stepNumbers) float64 {
		if n.Updates == 0 {
			return math.NaN()
		}
		return value(n)
	}
}

// ofRewards returns a metric that is NaN for steps without a reward.
func ofRewards(value func(stepNumbers) float64) func(stepNumbers) float64 {
	return func(n stepNumbers) float64 {
		if n.Groups == 0 {
			return math.NaN()
		}
		return value(n)
	}
}

// stepNumbers is the source of a step's metrics.
type stepNumbers struct {
	grpo.Metrics
	durations
	dropped int
}

type durations struct{ rollout, update time.Duration }

const metricSuccess = metric.SuccessRate

var metrics = []stepMetric{
	{metric.Loss, "negative objective per trained token, KL penalty and entropy bonus included",
		ofUpdates(func(n stepNumbers) float64 { return n.Loss })},
	{metric.LearningRate, "of this step", func(n stepNumbers) float64 { return n.LearningRate }},
	{metric.Reward, "mean over the samples with a reward", ofRewards(func(n stepNumbers) float64 { return n.RewardMean })},
	{metric.RewardStd, "standard deviation over the same samples",
		ofRewards(func(n stepNumbers) float64 { return n.RewardStd })},
	{metric.Entropy, "nats per trained token, of the distribution at `sampling.temperature`",
		ofUpdates(func(n stepNumbers) float64 { return n.Entropy })},
	{metric.KL, "k3 estimate per trained token of the divergence from the reference; 0 without `algorithm.kl`",
		ofUpdates(func(n stepNumbers) float64 { return n.KL })},
	{metric.ClipFraction, "share of the trained tokens whose ratio was clipped",
		ofUpdates(func(n stepNumbers) float64 { return n.ClipFraction })},
	{metric.GradNorm, "before clipping, mean over the updates",
		ofUpdates(func(n stepNumbers) float64 { return n.GradNorm })},
	{metric.LogprobGap, "largest difference between a token's logprob at sampling and in training, on the same weights; 0 when both agree", ofUpdates(func(n stepNumbers) float64 { return n.LogprobGap })},
	{metric.Tokens, "trained, counted once per pass", func(n stepNumbers) float64 { return float64(n.Tokens) }},
	{metric.TokensPerSecond, "trained tokens per second of the update",
		ofUpdates(func(n stepNumbers) float64 { return float64(n.Tokens) / max(n.update.Seconds(), 1e-9) })},
	{metric.Groups, "with at least one sample that has a reward",
		func(n stepNumbers) float64 { return float64(n.Groups) }},
	{metric.ZeroVarianceGroups, "of these, how many had nothing to compare",
		func(n stepNumbers) float64 { return float64(n.ZeroVarianceGroups) }},
	{metric.Masked, "samples without a reward or without a token of the policy",
		func(n stepNumbers) float64 { return float64(n.Masked) }},
	{metric.Dropped, "samples that left the batch", func(n stepNumbers) float64 { return float64(n.dropped) }},
	{metric.Updates, "optimiser updates", func(n stepNumbers) float64 { return float64(n.Updates) }},
	{metric.RolloutSeconds, "time of the rollouts", func(n stepNumbers) float64 { return n.rollout.Seconds() }},
	{metric.UpdateSeconds, "time of the update", func(n stepNumbers) float64 { return n.update.Seconds() }},
}

// otherMetrics lists metrics that not every step reports.
var otherMetrics = []stepMetric{
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
		if value := m.value(numbers); !math.IsNaN(value) || numbers.Updates > 0 { // a NaN of an update is reported
			values[m.name] = value
		}
	}
	if rate := b.successRate(); rate >= 0 {
		values[metricSuccess] = rate
	}
	return values
}
