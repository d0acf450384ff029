package grpo

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTermDerivative compares the derivative with central differences, away from the two kinks of the clip.
func TestTermDerivative(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	h := Hyper{ClipLow: 0.2, ClipHigh: 0.28, KL: 0.1}
	const step = 1e-5
	worst, compared := 0.0, 0
	for range 20000 {
		logprob, sampled, reference, advantage := -3*r.Float64(), -3*r.Float64(), -3*r.Float64(), r.NormFloat64()
		ratio := math.Exp(logprob - sampled)
		if math.Abs(ratio-0.8) < 1e-3 || math.Abs(ratio-1.28) < 1e-3 {
			continue
		}
		got := h.Term(logprob, sampled, reference, advantage).DLogprob
		above := h.Term(logprob+step, sampled, reference, advantage).Objective
		below := h.Term(logprob-step, sampled, reference, advantage).Objective
		worst = max(worst, math.Abs((above-below)/(2*step)-got)/(1+math.Abs(got)))
		compared++
	}
	t.Logf("%d draws, worst relative error %.1e", compared, worst)
	if worst > 1e-6 {
		t.Errorf("the derivative differs from central differences by %.1e", worst)
	}
}

func TestTermClip(t *testing.T) {
	h := Hyper{ClipLow: 0.2, ClipHigh: 0.28}
	tests := map[string]struct {
		ratio, advantage float64
		objective, slope float64
		clipped          bool
	}{
		"on policy":                     {1, 2, 2, 2, false},
		"good token, already much more": {1.5, 2, 2.56, 0, true},
		"good token, inside the range":  {1.27, 2, 2.54, 2.54, false},
		"good token, made rarer":        {0.5, 2, 1, 1, false},
		"bad token, already much rarer": {0.5, -2, -1.6, 0, true},
		"bad token, made more":          {1.5, -2, -3, -3, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := h.Term(math.Log(test.ratio)-1, -1, 0, test.advantage)
			want := Term{Objective: test.objective, DLogprob: test.slope, Clipped: test.clipped}
			if math.Abs(got.Objective-want.Objective) > 1e-12 || math.Abs(got.DLogprob-want.DLogprob) > 1e-12 ||
				got.Clipped != want.Clipped {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestTermStaysFinite(t *testing.T) {
	h := Hyper{ClipLow: 0.2, ClipHigh: 0.28, KL: 1}
	for _, logprob := range []float64{0, -1e4} {
		for _, sampled := range []float64{0, -1e4} {
			got := h.Term(logprob, sampled, -1, -1)
			if math.IsInf(got.Objective, 0) || math.IsNaN(got.DLogprob) || math.IsInf(got.DLogprob, 0) {
				t.Errorf("logprob %v, sampled %v: %+v", logprob, sampled, got)
			}
		}
	}
}

// TestKLIsUnbiased checks that the mean of k3 over samples of the policy equals the divergence.
func TestKLIsUnbiased(t *testing.T) {
	policy, reference := []float64{0.7, 0.2, 0.1}, []float64{0.5, 0.25, 0.25}
	var exact, estimate float64
	for i, p := range policy {
		exact += p * math.Log(p/reference[i])
		estimate += p * Hyper{KL: 1}.Term(math.Log(p), math.Log(p), math.Log(reference[i]), 0).KL
	}
	if math.Abs(exact-estimate) > 1e-12 {
		t.Errorf("expected k3 is %v, the divergence is %v", estimate, exact)
	}
}
