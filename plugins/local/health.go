package local

import (
	"fmt"
	"math"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
)

// healthCheck detects training that cannot recover.
type healthCheck struct {
	config healthConfig
	counts healthCounts
}

// healthCounts counts the consecutive steps with each warning sign. It is part of a checkpoint, so that a resumed
// stage halts at the same step as an uninterrupted one.
type healthCounts struct {
	Collapsed int `json:"collapsed"` // entropy too low
	Flat      int `json:"flat"`      // no group with variance
}

// solvedShare is the fraction of solved samples above which low entropy and equal rewards indicate success.
const solvedShare = 0.9

// observe returns why training should stop after this step, or "".
func (h *healthCheck) observe(m grpo.Metrics, successRate float64) string {
	if successRate >= solvedShare {
		h.counts = healthCounts{}
		return ""
	}
	if m.Updates == 0 { // nothing was measured: a collapse may go undetected
		h.counts.Flat++
	} else {
		h.counts.Flat = 0
		h.counts.Collapsed++
		if m.Entropy >= h.config.MinEntropy {
			h.counts.Collapsed = 0
		}
	}
	switch {
	case h.counts.Collapsed >= h.config.Patience:
		return fmt.Sprintf("entropy collapse: the policy's entropy stayed below %g nats per token for %d steps while episodes fail; lower optimizer.learning_rate or set algorithm.entropy", h.config.MinEntropy, h.counts.Collapsed)
	case h.counts.Flat >= h.config.Patience:
		return fmt.Sprintf("no group had samples with different rewards for %d steps, so there is nothing to learn from; the mean reward is %.3g: check the reward, raise sampling.temperature or start from a better policy", h.counts.Flat, m.RewardMean)
	}
	return ""
}

// brokenPolicyError reports that an update left a policy with non-finite outputs.
type brokenPolicyError struct{}

// Error implements error.
func (e *brokenPolicyError) Error() string {
	return "the update made the policy's logprobs NaN; its checkpoint is not kept: lower the learning rate (optimizer.learning_rate, or the warm start's) or optimizer.max_grad_norm"
}

// probe checks whether a policy's logprobs are finite. One row is enough: weights that are not finite affect every
// token.
func probe(policy *tinylm.Policy, rows []tinylm.Row) error {
	logprobs, err := policy.Logprobs(rows[:min(1, len(rows))])
	if err != nil {
		return err
	}
	for _, row := range logprobs {
		for _, l := range row {
			if math.IsNaN(float64(l)) || math.IsInf(float64(l), 0) {
				return &brokenPolicyError{}
			}
		}
	}
	return nil
}
