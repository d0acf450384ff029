package grpo

import "math"

// zeroVariance is the standard deviation below which a group's rewards are considered equal. Rounding errors in equal
// rewards are far below it, and real differences between rewards are far above it.
const zeroVariance = 1e-8

// Outcome is the information that an update has about one sample, other than its tokens.
type Outcome struct {
	Group  string  // samples of the same group answered the same task
	Reward float64 // finite; ignored when Masked
	Masked bool    // no usable reward: outside the baseline, never trained
}

// Advantage is a sample's reward compared with its group.
type Advantage struct {
	Value float64
	Used  bool // false: masked, or the group has no variance
}

// BatchStats describes the rewards of a batch. Masked samples are only counted.
type BatchStats struct {
	RewardMean         float64
	RewardStd          float64 // population standard deviation over all samples, not within groups
	Samples            int     // not masked
	Masked             int
	Groups             int // with at least one unmasked sample
	ZeroVarianceGroups int // all rewards equal, including groups of one
	Used               int // samples that will be trained
}

// Advantages compares each sample with its group: A = (r - mean) / (std + 1e-6), or without the division for
// NormalizeNone. The result is in the same order as the outcomes. Sums are computed in that order, so that equal inputs
// produce bit-identical results.
func Advantages(outcomes []Outcome, h Hyper) ([]Advantage, BatchStats) {
	groups := map[string]*moments{}
	var all moments
	stats := BatchStats{}
	for _, o := range outcomes {
		if o.Masked {
			stats.Masked++
			continue
		}
		if groups[o.Group] == nil {
			groups[o.Group] = &moments{}
		}
		groups[o.Group].add(o.Reward)
		all.add(o.Reward)
	}
	// A second pass over the deviations avoids the cancellation of a sum of squares.
	for _, o := range outcomes {
		if !o.Masked {
			groups[o.Group].addDeviation(o.Reward)
			all.addDeviation(o.Reward)
		}
	}
	stats.Samples, stats.RewardMean, stats.RewardStd = all.count, all.mean(), all.std()
	stats.Groups = len(groups)
	for _, g := range groups {
		if g.std() < zeroVariance {
			stats.ZeroVarianceGroups++
		}
	}
	advantages := make([]Advantage, len(outcomes))
	for i, o := range outcomes {
		if o.Masked {
			continue
		}
		advantages[i] = groups[o.Group].advantage(o.Reward, h)
		if advantages[i].Used {
			stats.Used++
		}
	}
	return advantages, stats
}

// moments accumulates mean and standard deviation of a group's rewards.
type moments struct {
	count   int
	sum     float64
	squares float64 // of deviations from the mean
}

func (m *moments) add(reward float64)          { m.count++; m.sum += reward }
func (m *moments) addDeviation(reward float64) { d := reward - m.mean(); m.squares += d * d }

func (m *moments) mean() float64 { return m.sum / float64(max(1, m.count)) }
func (m *moments) std() float64  { return math.Sqrt(m.squares / float64(max(1, m.count))) }

func (m *moments) advantage(reward float64, h Hyper) Advantage {
	if m.std() < zeroVariance {
		return Advantage{Used: h.KeepZeroVariance}
	}
	value := reward - m.mean()
	if h.Normalize != NormalizeNone {
		value /= m.std() + 1e-6
	}
	return Advantage{Value: value, Used: true}
}
