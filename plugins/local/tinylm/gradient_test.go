package tinylm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// smallConfig returns a shape that is big enough for every kind of tail in the kernels and small enough for finite
// differences.
func smallConfig() Config {
	return Config{Vocab: 12, Dim: 16, Layers: 2, Heads: 2, FFN: 24, MaxLen: 32, RopeTheta: 100, NormEps: 1e-5, EndID: 1}
}

// randomRows returns rows of these lengths in tokens, with a random half of the tokens trained.
func randomRows(r *rand.Rand, vocab int, lengths ...int) []Row {
	var rows []Row
	for _, n := range lengths {
		row := Row{IDs: make([]int32, n), Trained: make([]bool, n), Logprobs: make([]float32, n)}
		for i := range row.IDs {
			row.IDs[i] = int32(r.IntN(vocab))
			row.Trained[i] = i > 0 && r.IntN(2) == 0
			row.Logprobs[i] = -3 * r.Float32()
		}
		row.Trained[n-1] = true
		rows = append(rows, row)
	}
	return rows
}

// TestGradients compares the backward pass with central differences along a random direction in every tensor: for
// logprobs, entropies and both together, and for tokens sampled at temperatures other than 1.
func TestGradients(t *testing.T) {
	for name, share := range map[string]struct {
		logprob, entropy float64
		temperatures     []float32
	}{
		"logprobs": {1, 0, nil}, "entropies": {0, 1, nil}, "both": {1, 0.5, nil},
		"at temperatures": {1, 0.5, []float32{0.5, 1, 2, 0.8}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			m := newModel(smallConfig(), 3)
			for i := range m.weights { // away from the symmetric start, including norms
				m.weights[i] += float32(r.NormFloat64()) * 0.1
			}
			rows := randomRows(r, m.cfg.Vocab, 6, 10, 2, 4)
			for i := range rows {
				for k := range rows[i].IDs {
					if share.temperatures != nil {
						rows[i].Temperatures = append(rows[i].Temperatures, share.temperatures[(i+k)%4])
					}
				}
			}
			checkGradient(t, m, rows, randomLoss(r, rows, share.logprob, share.entropy))
		})
	}
}

// linearLoss weighs each trained token's logprob and entropy.
type linearLoss struct{ logprobs, entropies [][]float32 }

func randomLoss(r *rand.Rand, rows []Row, logprob, entropy float64) linearLoss {
	var l linearLoss
	for _, row := range rows {
		var a, b []float32
		for range trainedTokens([]Row{row}) {
			a = append(a, float32(r.NormFloat64()*logprob))
			b = append(b, float32(r.NormFloat64()*entropy))
		}
		l.logprobs, l.entropies = append(l.logprobs, a), append(l.entropies, b)
	}
	return l
}

func (l linearLoss) derivative(row int, _, _, dLogprobs, dEntropies []float32) {
	copy(dLogprobs, l.logprobs[row])
	copy(dEntropies, l.entropies[row])
}

func (l linearLoss) value(m *model, rows []Row) float64 {
	var s shards
	sums := make([]float64, len(rows))
	s.run(m, rows, func(t *tape, _ int, _ bool) {
		for _, g := range t.segments {
			for i := range g.count {
				sums[g.row] += float64(l.logprobs[g.row][i])*float64(t.logprobs[g.targets+i]) +
					float64(l.entropies[g.row][i])*float64(t.entropies[g.targets+i])
			}
		}
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total
}

func checkGradient(t *testing.T, m *model, rows []Row, loss linearLoss) {
	t.Helper()
	var s shards
	compareWithSlope(t, m, s.gradient(m, rows, loss.derivative), func() float64 { return loss.value(m, rows) })
}

// compareWithSlope compares a gradient with central differences of a function along a random direction in every tensor.
func compareWithSlope(t *testing.T, m *model, gradient []float32, value func() float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 5))
	for _, block := range m.layout.tensors {
		weights := m.matrix(block.offset, block.size())
		saved := append([]float32(nil), weights...)
		direction := make([]float64, len(weights))
		var analytic, norm float64
		for i, g := range gradient[block.offset : block.offset+block.size()] {
			direction[i] = r.NormFloat64()
			analytic += direction[i] * float64(g)
			norm += float64(g) * float64(g)
		}
		at := func(step float64) float64 {
			for i := range weights {
				weights[i] = saved[i] + float32(step*direction[i])
			}
			return value()
		}
		const h = 2e-3 // five-point stencil: float32 noise and the fourth-order error are both about 1e-4 here
		numeric := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		copy(weights, saved)
		relative := math.Abs(numeric-analytic) / math.Max(1e-3, math.Sqrt(norm))
		if relative > 3e-3 {
			t.Errorf("%s: numeric %.6f, analytic %.6f, relative error %.1e", block.name, numeric, analytic, relative)
		} else {
			t.Logf("%-45s numeric %+.5f analytic %+.5f relative error %.1e", block.name, numeric, analytic, relative)
		}
	}
}
