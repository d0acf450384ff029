package grpo

import (
	"fmt"
	"math"
)

// Shape is the form of a learning-rate schedule after the warm-up.
type Shape string

// The shapes. The decaying shapes end at 10 % of the peak.
const (
	Constant Shape = "constant"
	Linear   Shape = "linear"
	Cosine   Shape = "cosine"
	Hold     Shape = "hold" // constant, then linear over the last fifth of the steps: best for behavior cloning here
)

const (
	finalShare = 0.1 // share of the peak at the last step, so that the last steps still learn
	holdShare  = 0.8 // share of the steps before Hold decays
)

// Schedule defines the learning rate of each step.
type Schedule struct {
	Peak        float64
	Shape       Shape // empty means Constant
	WarmupSteps int   // the rate rises linearly to Peak over these steps
	TotalSteps  int   // the end of a decaying shape
}

// Validate returns an error for the first invalid setting.
func (s Schedule) Validate() error {
	switch s.Shape {
	case "", Constant:
	case Linear, Cosine, Hold:
		if s.TotalSteps < 1 {
			return fmt.Errorf("check learning-rate schedule: %q needs the total number of steps, it is %d", s.Shape,
				s.TotalSteps)
		}
	default:
		return fmt.Errorf("check learning-rate schedule: unknown shape %q; use %q, %q, %q, or "+
			"%q", s.Shape, Constant, Linear,
			Cosine, Hold)
	}
	if !(s.Peak >= 0 && s.Peak <= math.MaxFloat64) {
		return fmt.Errorf("check learning-rate schedule: the peak is %v, it must be a finite number of at least 0", s.Peak)
	}
	if s.WarmupSteps < 0 {
		return fmt.Errorf("check learning-rate schedule: %d warm-up steps, there must be at least 0", s.WarmupSteps)
	}
	return nil
}

// At returns the learning rate for a step, counting from 1. Later steps have the last step's rate.
func (s Schedule) At(step int) float64 {
	rate := s.Peak * s.decay(min(step, max(1, s.TotalSteps)))
	if step < s.WarmupSteps {
		rate *= float64(step) / float64(s.WarmupSteps)
	}
	return rate
}

// decay returns the fraction of the peak, from almost 1 at the first step to finalShare at the last.
func (s Schedule) decay(step int) float64 {
	progress := float64(step) / float64(max(1, s.TotalSteps))
	switch s.Shape {
	case Linear:
		return finalShare + (1-finalShare)*(1-progress)
	case Cosine:
		return finalShare + (1-finalShare)*(1+math.Cos(math.Pi*progress))/2
	case Hold:
		return finalShare + (1-finalShare)*min(1, (1-progress)/(1-holdShare))
	default:
		return 1
	}
}
