package tinylm

import (
	"fmt"
	"math"
)

// AdamW configures the optimizer. The zero value selects DefaultAdamW.
type AdamW struct {
	Beta1, Beta2 float64
	Epsilon      float64
	WeightDecay  float64 // decoupled; not applied to the norms' weights
	MaxGradNorm  float64 // gradients are scaled down to this global norm
}

// DefaultAdamW returns the settings that the embedded trainer was tuned with.
func DefaultAdamW() AdamW {
	return AdamW{Beta1: 0.9, Beta2: 0.95, Epsilon: 1e-8, WeightDecay: 0.01, MaxGradNorm: 1}
}

// Validate returns an error for the first invalid setting.
func (a AdamW) Validate() error {
	switch {
	case a == AdamW{}:
		return nil
	case !(a.Beta1 >= 0 && a.Beta1 < 1) || !(a.Beta2 >= 0 && a.Beta2 < 1):
		return fmt.Errorf("check optimizer: beta1 %v and beta2 %v must be at least 0 and less than 1", a.Beta1, a.Beta2)
	case !(a.Epsilon > 0) || !(a.WeightDecay >= 0 && a.WeightDecay < 1):
		return fmt.Errorf("check optimizer: epsilon %v must be positive, and weight decay %v must be at least 0 and "+
			"less than 1",
			a.Epsilon, a.WeightDecay)
	case !(a.MaxGradNorm > 0):
		return fmt.Errorf("check optimiser: the largest gradient norm is %v, it must be positive", a.MaxGradNorm)
	}
	return nil
}

// NonFiniteGradientError reports a gradient that contains a NaN or an infinity. No weight was changed.
type NonFiniteGradientError struct {
	Tensor string // the first tensor with such a value
}

// Error names the tensor and the usual causes.
func (e *NonFiniteGradientError) Error() string {
	return fmt.Sprintf("apply gradient: the gradient of %s is not finite; the weights are unchanged, lower the learning rate or check the rewards", e.Tensor)
}

// optimiser is AdamW's state: two moments in the layout of the weights, and the number of updates.
type optimiser struct {
	settings AdamW
	step     int
	m, v     []float32
}

func newOptimiser(settings AdamW, size int) *optimiser {
	if settings == (AdamW{}) {
		settings = DefaultAdamW()
	}
	return &optimiser{settings: settings, m: make([]float32, size), v: make([]float32, size)}
}

// apply makes one update and returns the gradient norm before clipping. A non-finite gradient causes an error and
// changes nothing.
func (o *optimiser) apply(m *model, gradient []float32, learningRate float64) (norm float64, err error) {
	norm, err = gradientNorm(m.layout, gradient)
	if err != nil {
		return norm, err
	}
	s := o.settings
	scale := float32(1)
	if norm > s.MaxGradNorm {
		scale = float32(s.MaxGradNorm / (norm + 1e-6))
	}
	o.step++
	correct1 := float32(1 / (1 - math.Pow(s.Beta1, float64(o.step))))
	correct2 := float32(1 / (1 - math.Pow(s.Beta2, float64(o.step))))
	beta1, beta2, eps, rate := float32(s.Beta1), float32(s.Beta2), float32(s.Epsilon), float32(learningRate)
	for _, t := range m.layout.tensors {
		decay := float32(learningRate * s.WeightDecay)
		if t.cols == 0 {
			decay = 0
		}
		weights := m.matrix(t.offset, t.size())
		first, second := o.m[t.offset:t.offset+t.size()], o.v[t.offset:t.offset+t.size()]
		for i, g := range gradient[t.offset : t.offset+t.size()] {
			g *= scale
			first[i] = beta1*first[i] + (1-beta1)*g
			second[i] = beta2*second[i] + (1-beta2)*g*g
			step := first[i] * correct1 / (float32(math.Sqrt(float64(second[i]*correct2))) + eps)
			weights[i] -= rate*step + decay*weights[i]
		}
	}
	return norm, nil
}

// gradientNorm sums in float64 and in a fixed order, so that the clipping factor is exact and reproducible.
func gradientNorm(l *layout, gradient []float32) (float64, error) {
	var total float64
	for _, t := range l.tensors {
		var square float64
		for _, g := range gradient[t.offset : t.offset+t.size()] {
			square += float64(g) * float64(g)
		}
		if math.IsNaN(square) || math.IsInf(square, 0) {
			return math.NaN(), &NonFiniteGradientError{Tensor: t.name}
		}
		total += square
	}
	return math.Sqrt(total), nil
}
