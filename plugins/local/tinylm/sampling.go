package tinylm

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Sampling configures how tokens are drawn. The zero value is greedy decoding until the model ends its turn.
type Sampling struct {
	Temperature float64           // 0 picks the most likely token
	TopK        int               // only the k most likely tokens; 0 means all
	TopP        float64           // only the smallest set of tokens with this probability, after temperature and top-k; 0 means all
	LogitBias   map[int32]float64 // added to logits before temperature; -Inf forbids a token
	MaxTokens   int               // 0 means until the context is full
	Stop        []int32           // ids that end the answer and are part of it; nil means Config.EndID
}

func (p Sampling) validate(c Config) error {
	if !(p.Temperature >= 0 && p.Temperature <= math.MaxFloat64) {
		return fmt.Errorf("the temperature is %v, it must be a finite number of at least 0", p.Temperature)
	}
	if !(p.TopP >= 0 && p.TopP <= 1) || p.TopK < 0 || p.MaxTokens < 0 {
		return fmt.Errorf("top-p %v must be between 0 and 1, and top-k %d and max tokens %d must be at least "+
			"0", p.TopP, p.TopK,
			p.MaxTokens)
	}
	for id, bias := range p.LogitBias {
		if !c.hasID(id) || math.IsNaN(bias) || math.IsInf(bias, 1) {
			return fmt.Errorf("the logit bias of token %d is %v; ids end at %d and a bias must be finite or -Inf", id, bias,
				c.Vocab-1)
		}
	}
	if err := c.checkIDs(p.Stop); err != nil {
		return fmt.Errorf("stop ids: %w", err)
	}
	return nil
}

// greedy reports whether sampling is deterministic: the temperature is 0, or too small for float32.
func (p Sampling) greedy() bool { return float32(p.Temperature) == 0 }

// RowTemperature returns the value that Row.Temperatures contains for sampled tokens. It is 1 for greedy sampling,
// because a distribution with all its mass on one token has no gradient.
func (p Sampling) RowTemperature() float32 {
	if p.greedy() {
		return 1
	}
	return float32(p.Temperature)
}

// distribution fills tempered and probs from the session's logits. To obtain the logprob, subtract its result from a
// value in tempered.
func (s *session) distribution(p Sampling) (logPartition float32) {
	temper(s.tempered, s.logits, p.RowTemperature())
	logPartition, _ = logSoftmax(s.probs, s.tempered)
	return logPartition
}

// pick draws the next token. The logprob is taken from the distribution at the temperature, without bias or truncation,
// because the trainer clips the ratio of this distribution. With top-k, top-p or a bias, samples come from a different
// distribution.
func (s *session) pick(p Sampling, random *rand.Rand) (id int32, logprob float32) {
	logPartition := s.distribution(p)
	id = s.draw(p, random)
	return id, s.tempered[id] - logPartition
}

// draw draws an id. probs holds the distribution at the temperature and is overwritten.
func (s *session) draw(p Sampling, random *rand.Rand) int32 {
	if p.greedy() {
		return s.mostLikely(p.LogitBias)
	}
	if len(p.LogitBias) > 0 {
		s.bias(p)
	}
	candidates := s.candidates(p)
	var total float64
	for _, id := range candidates {
		total += float64(s.probs[id])
	}
	left := random.Float64() * total
	for _, id := range candidates {
		if left -= float64(s.probs[id]); left < 0 {
			return id
		}
	}
	return s.mostLikely(p.LogitBias) // rounding left a remainder after the last candidate
}

func (s *session) mostLikely(bias map[int32]float64) int32 {
	best, highest := 0, math.Inf(-1)
	for id, logit := range s.logits {
		if biased := float64(logit) + bias[int32(id)]; biased > highest {
			best, highest = id, biased
		}
	}
	return int32(best)
}

// bias replaces probs with the distribution after applying the bias and temperature.
func (s *session) bias(p Sampling) {
	for id, logit := range s.logits {
		s.probs[id] = float32((float64(logit) + p.LogitBias[int32(id)]) / p.Temperature)
	}
	softmax(s.probs)
	for id, bias := range p.LogitBias {
		if math.IsInf(bias, -1) {
			s.probs[id] = 0
		}
	}
}

// candidates returns the IDs that top-k and top-p keep, most likely first, or all IDs in their original order.
func (s *session) candidates(p Sampling) []int32 {
	for i := range s.order {
		s.order[i] = int32(i)
	}
	cutsK, cutsP := p.TopK > 0 && p.TopK < len(s.order), p.TopP > 0 && p.TopP < 1
	if !cutsK && !cutsP {
		return s.order
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.probs[b], s.probs[a]), cmp.Compare(a, b))
	})
	kept := s.order
	if cutsK {
		kept = kept[:p.TopK]
	}
	if cutsP {
		kept = kept[:s.nucleus(kept, p.TopP)]
	}
	return kept
}

// nucleus returns how many of the sorted IDs are needed to reach the given share of their total probability.
func (s *session) nucleus(sorted []int32, share float64) int {
	var total, sum float64
	for _, id := range sorted {
		total += float64(s.probs[id])
	}
	for i, id := range sorted {
		if sum += float64(s.probs[id]); sum >= share*total {
			return i + 1
		}
	}
	return len(sorted)
}
