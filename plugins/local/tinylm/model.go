package tinylm

import (
	"math"
	"math/rand/v2"
	"strings"
)

// Initial scales. A wide embedding and small residual branches determine how fast the model learns to copy, which makes
// up most of a tool call. With the usual values of 0.02–0.05 and 1.0, some seeds never learn it.
const (
	embeddingStd   = 0.2
	residualOutput = 0.5 // on o_proj and down_proj, whose outputs add to the residual stream
	weightSeed     = 0x9e3779b97f4a7c15
)

// model is a decoder: weights, their layout and the tables for rotary positions. After publication, its weights never
// change.
type model struct {
	cfg      Config
	layout   *layout
	weights  []float32
	cos, sin []float32 // [MaxLen, headDim/2]
}

// newModel draws a model from a seed: matrices from N(0, 1/in), norms set to 1.
func newModel(c Config, seed uint64) *model {
	m := emptyModel(c)
	random := rand.New(rand.NewPCG(seed, weightSeed))
	for _, t := range m.layout.tensors {
		w := m.weights[t.offset : t.offset+t.size()]
		std := initialStd(t)
		for i := range w {
			w[i] = 1
			if t.cols > 0 {
				w[i] = float32(random.NormFloat64() * std)
			}
		}
	}
	return m
}

func initialStd(t tensor) float64 {
	std := 1 / math.Sqrt(float64(t.cols))
	switch {
	case strings.HasSuffix(t.name, "embed_tokens.weight"):
		return embeddingStd
	case strings.HasSuffix(t.name, "o_proj.weight"), strings.HasSuffix(t.name, "down_proj.weight"):
		return std * residualOutput
	}
	return std
}

// emptyModel returns a model with zero weights.
func emptyModel(c Config) *model {
	m := &model{cfg: c, layout: newLayout(c)}
	m.weights = make([]float32, m.layout.size)
	half := c.headDim() / 2
	m.cos, m.sin = make([]float32, c.MaxLen*half), make([]float32, c.MaxLen*half)
	for position := range c.MaxLen {
		for i := range half {
			angle := float64(position) / math.Pow(c.RopeTheta, float64(i)/float64(half))
			m.cos[position*half+i] = float32(math.Cos(angle))
			m.sin[position*half+i] = float32(math.Sin(angle))
		}
	}
	return m
}

// clone copies the weights; tables and layout are shared.
func (m *model) clone() *model {
	c := *m
	c.weights = append([]float32(nil), m.weights...)
	return &c
}

// matrix returns count weights, starting at an offset in the layout.
func (m *model) matrix(offset, count int) []float32 { return m.weights[offset : offset+count] }

// rotate applies rotary position embedding to the heads in x, in place. Each pair (x[i], x[i+half]) is rotated by the
// angle for its frequency at this position. The gradient is rotated back, with direction -1.
func (m *model) rotate(x []float32, position int, direction float32) {
	width := m.cfg.headDim()
	half := width / 2
	cos := m.cos[position*half : (position+1)*half]
	sin := m.sin[position*half : (position+1)*half]
	for head := 0; head < len(x); head += width {
		a, b := x[head:head+half], x[head+half:head+width]
		for i, c := range cos {
			s := sin[i] * direction
			a[i], b[i] = a[i]*c-b[i]*s, b[i]*c+a[i]*s
		}
	}
}
