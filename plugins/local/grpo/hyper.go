package grpo

import (
	"fmt"
	"math"
)

// Normalization selects how a group's advantages are scaled.
type Normalization string

// The two supported scalings.
const (
	NormalizeStd  Normalization = "std"  // GRPO: divide by the standard deviation of the group
	NormalizeNone Normalization = "none" // Dr. GRPO: only subtract the mean
)

// Aggregation selects how the tokens in a batch are averaged into one loss.
type Aggregation string

// The supported averages. TokenWeight returns their weights.
const (
	TokenMean      Aggregation = "token_mean"      // DAPO: every token counts the same
	SequenceMean   Aggregation = "sequence_mean"   // GRPO: every sample counts the same, whatever its length
	ConstantLength Aggregation = "constant_length" // Dr. GRPO: divide by samples × Hyper.ConstantLength
)

// Hyper holds the settings for one GRPO step. DefaultHyper returns the values that the embedded trainer was tuned with.
type Hyper struct {
	LearningRate float64
	ClipLow      float64 // a ratio below 1-ClipLow has no gradient when the advantage is negative
	ClipHigh     float64 // a ratio above 1+ClipHigh has no gradient when the advantage is positive
	KL           float64 // coefficient of the k3 penalty towards the frozen reference; 0 turns it off
	Entropy      float64 // coefficient of the entropy bonus; 0 turns it off

	Normalize        Normalization // empty means NormalizeStd
	KeepZeroVariance bool          // train groups whose rewards are all equal (only KL and entropy act on them)

	Aggregate      Aggregation // empty means TokenMean
	ConstantLength int         // tokens; required by the aggregation of the same name

	MiniBatch int    // samples per optimizer update; 0 means all samples in one update
	Epochs    int    // passes over the samples; 0 means 1
	Seed      uint64 // orders the mini-batches; unused for a single update
}

// DefaultHyper returns plain GRPO with DAPO's asymmetric clip range, one update per step and no KL penalty.
func DefaultHyper() Hyper {
	return Hyper{LearningRate: 1e-3, ClipLow: 0.2, ClipHigh: 0.28, Normalize: NormalizeStd, Aggregate: TokenMean}
}

// Validate returns an error for the first setting that is not valid for a step.
func (h Hyper) Validate() error {
	limits := []struct {
		name  string
		value float64
		max   float64
	}{
		{"learning rate", h.LearningRate, math.MaxFloat64},
		{"lower clip range", h.ClipLow, 1},
		{"upper clip range", h.ClipHigh, math.MaxFloat64},
		{"KL coefficient", h.KL, math.MaxFloat64},
		{"entropy coefficient", h.Entropy, math.MaxFloat64},
		{"constant length", float64(h.ConstantLength), math.MaxFloat64},
		{"mini-batch size", float64(h.MiniBatch), math.MaxFloat64},
		{"number of epochs", float64(h.Epochs), math.MaxFloat64},
	}
	for _, l := range limits {
		if !(l.value >= 0 && l.value <= l.max) { // false for NaN as well
			return fmt.Errorf("check GRPO settings: the %s is %v, it must be a finite number of at least 0%s", l.name, l.value,
				upTo(l.max))
		}
	}
	switch h.Normalize {
	case "", NormalizeStd, NormalizeNone:
	default:
		return fmt.Errorf("check GRPO settings: unknown normalisation %q, use %q or %q", h.Normalize, NormalizeStd,
			NormalizeNone)
	}
	switch h.Aggregate {
	case "", TokenMean, SequenceMean:
	case ConstantLength:
		if h.ConstantLength == 0 {
			return fmt.Errorf("check GRPO settings: the aggregation %q needs a constant length in tokens", h.Aggregate)
		}
	default:
		return fmt.Errorf("check GRPO settings: unknown aggregation %q; use %q, %q, or %q", h.Aggregate, TokenMean,
			SequenceMean, ConstantLength)
	}
	return nil
}

func upTo(limit float64) string {
	if limit == math.MaxFloat64 {
		return ""
	}
	return fmt.Sprintf(" and at most %v", limit)
}

// TokenWeight returns the weight of one sample's tokens in a batch's loss. The loss is the sum over all tokens of
// weight × objective. sampleTokens is the sample's number of trained tokens; batchTokens and batchSamples count the
// batch's trained tokens and samples.
func (h Hyper) TokenWeight(sampleTokens, batchTokens, batchSamples int) float64 {
	switch h.Aggregate {
	case SequenceMean:
		return 1 / float64(max(1, batchSamples)*max(1, sampleTokens))
	case ConstantLength:
		return 1 / float64(max(1, batchSamples)*max(1, h.ConstantLength))
	default:
		return 1 / float64(max(1, batchTokens))
	}
}
