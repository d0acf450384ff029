package tinylm

import (
	"math"

	"github.com/awhost/awhost/plugins/local/grpo"
)

// rowInTraining is the input of a row's loss.
type rowInTraining struct {
	sampled   []float32 // logprobs of the trained tokens at sampling
	reference []float32 // under the reference; nil without a KL penalty
	advantage float64
	weight    float64 // of each token in the loss
	onPolicy  bool    // sampled by exactly the weights in training
}

// rowTally is one row's contribution to the metrics. Rows are tallied separately and summed in order, so that the sum
// does not depend on scheduling.
type rowTally struct {
	loss, entropy, kl float64
	clipped           int
	gap               float64
	compared          int
}

// updateOnce makes one optimizer update on the samples, or none if they contain no trained tokens.
func (p *Policy) updateOnce(samples []sampleInTraining, h grpo.Hyper, metrics *grpo.Metrics) (grpo.Update, error) {
	rows, details, tokens := p.flatten(samples, h)
	if tokens == 0 {
		return grpo.Update{}, nil
	}
	tallies := make([]rowTally, len(rows))
	norm, err := p.update(rows, h.LearningRate, func(row int, logprobs, entropies, dLogprobs, dEntropies []float32) {
		tallies[row] = details[row].loss(h, logprobs, entropies, dLogprobs, dEntropies)
	})
	if err != nil {
		return grpo.Update{}, err
	}
	update := grpo.Update{Tokens: tokens, GradNorm: norm}
	for _, t := range tallies {
		update.Loss += t.loss
		update.EntropySum += t.entropy
		update.KLSum += t.kl
		update.Clipped += t.clipped
		metrics.LogprobGap = max(metrics.LogprobGap, t.gap)
		metrics.GapTokens += t.compared
	}
	return update, nil
}

// flatten returns the samples' rows and the inputs to their losses.
func (p *Policy) flatten(samples []sampleInTraining, h grpo.Hyper) (rows []Row, details []rowInTraining, tokens int) {
	for _, s := range samples {
		tokens += trainedTokens(s.rows)
	}
	for _, s := range samples {
		weight := h.TokenWeight(trainedTokens(s.rows), tokens, len(samples))
		for i, r := range s.rows {
			d := rowInTraining{
				sampled: r.sampledLogprobs(), advantage: s.advantage, weight: weight,
				onPolicy: !p.changed && r.Version == p.Snapshot().Version,
			}
			if s.reference != nil {
				d.reference = s.reference[i]
			}
			rows, details = append(rows, r), append(details, d)
		}
	}
	return rows, details, tokens
}

// sampledLogprobs returns the logprobs of the trained tokens.
func (r Row) sampledLogprobs() []float32 {
	var out []float32
	for i, trained := range r.Trained {
		if trained {
			out = append(out, r.Logprobs[i])
		}
	}
	return out
}

// loss computes the negative objective of one row, including the entropy bonus, and its derivatives.
func (d rowInTraining) loss(h grpo.Hyper, logprobs, entropies, dLogprobs, dEntropies []float32) rowTally {
	var tally rowTally
	for i, logprob := range logprobs {
		var reference float64
		if d.reference != nil {
			reference = float64(d.reference[i])
		}
		term := h.Term(float64(logprob), float64(d.sampled[i]), reference, d.advantage)
		entropy := float64(entropies[i])
		tally.loss -= d.weight * (term.Objective + h.Entropy*entropy)
		tally.entropy += entropy
		tally.kl += term.KL
		if term.Clipped {
			tally.clipped++
		}
		if d.onPolicy {
			tally.gap = max(tally.gap, math.Abs(float64(logprob-d.sampled[i])))
			tally.compared++
		}
		dLogprobs[i] = float32(-d.weight * term.DLogprob)
		dEntropies[i] = float32(-d.weight * h.Entropy)
	}
	return tally
}
