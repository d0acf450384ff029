package grpo

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAdvantages(t *testing.T) {
	outcome := func(group string, reward float64) Outcome { return Outcome{Group: group, Reward: reward} }
	masked := Outcome{Group: "a", Reward: math.NaN(), Masked: true}
	tests := map[string]struct {
		hyper    Hyper
		outcomes []Outcome
		want     []Advantage
		stats    BatchStats
	}{
		"divides by the deviation of the group": {
			outcomes: []Outcome{outcome("a", 1), outcome("a", 0), outcome("b", 5), outcome("b", 1)},
			want:     []Advantage{{1, true}, {-1, true}, {1, true}, {-1, true}},
			stats:    BatchStats{RewardMean: 1.75, RewardStd: math.Sqrt(3.6875), Samples: 4, Groups: 2, Used: 4},
		},
		"Dr. GRPO only subtracts the mean": {
			hyper:    Hyper{Normalize: NormalizeNone},
			outcomes: []Outcome{outcome("a", 5), outcome("a", 1)},
			want:     []Advantage{{2, true}, {-2, true}},
			stats:    BatchStats{RewardMean: 3, RewardStd: 2, Samples: 2, Groups: 1, Used: 2},
		},
		"a group of equal rewards is dropped and counted": {
			outcomes: []Outcome{outcome("a", 0.1), outcome("a", 0.1), outcome("a", 0.1), outcome("b", 1), outcome("b", 0)},
			want:     []Advantage{{}, {}, {}, {1, true}, {-1, true}},
			stats:    BatchStats{RewardMean: 0.26, RewardStd: 0.3720215, Samples: 5, Groups: 2, ZeroVarianceGroups: 1, Used: 2},
		},
		"or kept with advantage 0": {
			hyper:    Hyper{KeepZeroVariance: true},
			outcomes: []Outcome{outcome("a", 2), outcome("a", 2)},
			want:     []Advantage{{0, true}, {0, true}},
			stats:    BatchStats{RewardMean: 2, Samples: 2, Groups: 1, ZeroVarianceGroups: 1, Used: 2},
		},
		"a masked sample stays out of the baseline": {
			outcomes: []Outcome{outcome("a", 1), masked, outcome("a", 0)},
			want:     []Advantage{{1, true}, {}, {-1, true}},
			stats:    BatchStats{RewardMean: 0.5, RewardStd: 0.5, Samples: 2, Masked: 1, Groups: 1, Used: 2},
		},
		"a lone survivor has no group to compare with": {
			outcomes: []Outcome{outcome("a", 1), masked},
			want:     []Advantage{{}, {}},
			stats:    BatchStats{RewardMean: 1, Samples: 1, Masked: 1, Groups: 1, ZeroVarianceGroups: 1},
		},
		"nothing at all": {want: []Advantage{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, stats := Advantages(test.outcomes, test.hyper)
			near := cmpopts.EquateApprox(0, 1e-5) // the 1e-6 added to the deviation
			if diff := cmp.Diff(test.want, got, near); diff != "" {
				t.Errorf("advantages (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.stats, stats, near); diff != "" {
				t.Errorf("statistics (-want +got):\n%s", diff)
			}
		})
	}
}
