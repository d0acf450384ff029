package tinylm

import "fmt"

// SFTMetrics describes one step of behavior cloning.
type SFTMetrics struct {
	Loss         float64 // mean negative logprob of the trained tokens, nats
	LearningRate float64
	GradNorm     float64 // before clipping
	Tokens       int     // trained
}

// SFTStep makes one update toward the rows' trained tokens; the loss is the mean over all of them. A non-finite
// gradient causes a *NonFiniteGradientError and changes nothing.
func (p *Policy) SFTStep(rows []Row, learningRate float64) (SFTMetrics, error) {
	for i, r := range rows {
		if err := p.checkRow(r); err != nil {
			return SFTMetrics{}, fmt.Errorf("clone behaviour: row %d: %w", i, err)
		}
	}
	tokens := trainedTokens(rows)
	if tokens == 0 {
		return SFTMetrics{}, fmt.Errorf("clone behavior: none of the %d rows has a trained token; mark the tokens "+
			"that the policy should imitate", len(rows))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	losses := make([]float64, len(rows))
	norm, err := p.update(rows, learningRate, func(row int, logprobs, _, dLogprobs, _ []float32) {
		for i, l := range logprobs {
			losses[row] -= float64(l)
			dLogprobs[i] = -1 / float32(tokens)
		}
	})
	if err != nil {
		return SFTMetrics{}, fmt.Errorf("clone behaviour: %w", err)
	}
	metrics := SFTMetrics{LearningRate: learningRate, GradNorm: norm, Tokens: tokens}
	for _, l := range losses {
		metrics.Loss += l / float64(tokens)
	}
	return metrics, nil
}

// Logprobs returns, for each row, the logprobs of its tokens under the weights being trained: len(IDs) entries, with 0
// for tokens that are not trained.
func (p *Policy) Logprobs(rows []Row) ([][]float32, error) {
	for i, r := range rows {
		if err := p.checkRow(r); err != nil {
			return nil, fmt.Errorf("compute logprobs: row %d: %w", i, err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.shards.logprobs(p.trained, rows)
	for i, r := range rows {
		all[i] = spread(r, all[i])
	}
	return all, nil
}

// spread returns the values of a row's trained tokens at their positions.
func spread(r Row, trained []float32) []float32 {
	out := make([]float32, len(r.IDs))
	for i, t := range r.Trained {
		if t {
			out[i], trained = trained[0], trained[1:]
		}
	}
	return out
}
