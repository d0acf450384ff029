package grpo

import "math"

// maxLogRatio limits exponents, so that a token whose probability has collapsed produces a large number instead of
// infinity.
const maxLogRatio = 20

// Term is the contribution of one token.
type Term struct {
	Objective float64 // to be maximized
	DLogprob  float64 // its derivative by the token's current logprob
	KL        float64 // k3 estimate of KL(policy || reference); 0 without a KL coefficient
	Clipped   bool    // the clip range removed the gradient of the ratio
}

// Term returns the clipped objective of one token,
//
//	min(ρ·A, clip(ρ, 1-ClipLow, 1+ClipHigh)·A) - KL·k3,  ρ = exp(logprob - sampled),  k3 = exp(d) - d - 1,  d = reference - logprob
//
// logprob is the token's logprob under the weights in training, sampled its logprob when it was drawn, and reference
// its logprob under the frozen policy (ignored if h.KL is 0). The entropy bonus is not included, because it depends on
// the entire distribution.
func (h Hyper) Term(logprob, sampled, reference, advantage float64) Term {
	ratio := math.Exp(min(maxLogRatio, logprob-sampled))
	clipped := min(max(ratio, 1-h.ClipLow), 1+h.ClipHigh)
	term := Term{Objective: ratio * advantage, DLogprob: ratio * advantage} // dρ/dlogprob = ρ
	if clipped*advantage < ratio*advantage {
		term = Term{Objective: clipped * advantage, Clipped: true}
	}
	if h.KL > 0 {
		d := min(maxLogRatio, reference-logprob)
		term.KL = math.Exp(d) - d - 1
		term.Objective -= h.KL * term.KL
		term.DLogprob -= h.KL * (1 - math.Exp(d))
	}
	return term
}
