package tinylm

import "math"

// backward adds to gradient the derivative, with respect to every weight, of
//
//	Σ dLogprobs[i]·logprobs[i] + Σ dEntropies[i]·entropies[i]
//
// over the targets of the tape. transposed holds the weights with every matrix transposed, so that the products with
// the matrices are rows of dot products as well.
func (m *model) backward(t *tape, gradient, transposed []float32) {
	c := m.cfg
	n, d := len(t.tokens), c.Dim
	m.backwardHead(t, gradient, transposed)
	for l := len(t.layers) - 1; l >= 0; l-- {
		m.backwardFFN(t, &t.layers[l], m.layout.layers[l], gradient, transposed)
		m.backwardAttention(t, &t.layers[l], m.layout.layers[l], gradient, transposed)
	}
	for i, id := range t.tokens[:n] {
		row := gradient[m.layout.embedding+int(id)*d:]
		kernel.Saxpy(d, 1, t.dStream[i*d:(i+1)*d], 1, row[:d], 1)
	}
}

func (m *model) backwardHead(t *tape, gradient, transposed []float32) {
	c, o := m.cfg, m.layout
	n, d, v := len(t.targetIDs), c.Dim, c.Vocab
	for i, id := range t.targetIDs {
		row := t.probs[i*v : (i+1)*v]
		logitGradient(row, id, t.dLogprobs[i], t.dEntropies[i], t.entropies[i])
		if temperature := t.temperatures[i]; temperature != 1 {
			kernel.Sscal(v, 1/temperature, row, 1)
		}
	}
	addOuter(gradient[o.embedding:o.embedding+v*d], t.probs, t.finalNormed, n, v, d)
	dNormed := resize(&t.dNormed, len(t.tokens)*d)[:n*d]
	linear(dNormed, t.probs, transposed[o.embedding:o.embedding+v*d], n, d, v, false)
	dFinal := resize(&t.scratch, n*d)
	clear(dFinal)
	rmsNormBackward(dFinal, gradient[o.norm:o.norm+d], dNormed, t.final, t.finalInverse, m.matrix(o.norm, d))
	clear(resize(&t.dStream, len(t.tokens)*d))
	for i, p := range t.targetPos {
		copy(t.dStream[int(p)*d:(int(p)+1)*d], dFinal[i*d:])
	}
}

// logitGradient replaces a row of probabilities p with the gradient with respect to the logits at their temperature,
// given the gradients with respect to the target's logprob and the entropy H: d(logprob)/dz_j = [j = target] - p_j and
// dH/dz_j = -p_j·(log p_j + H).
func logitGradient(row []float32, target int32, dLogprob, dEntropy, entropy float32) {
	if dEntropy == 0 {
		kernel.Sscal(len(row), -dLogprob, row, 1)
		row[target] += dLogprob
		return
	}
	for j, p := range row {
		if p > 0 { // p·log p is 0 at 0
			row[j] = -p * (dLogprob + dEntropy*(float32(math.Log(float64(p)))+entropy))
		}
	}
	row[target] += dLogprob
}

func (m *model) backwardFFN(t *tape, a *layerTape, o layerOffsets, gradient, transposed []float32) {
	n, d, f := len(t.tokens), m.cfg.Dim, m.cfg.FFN
	addOuter(gradient[o.down:o.down+d*f], t.dStream, a.hiddens, n, d, f)
	linear(resize(&t.dHidden, n*f), t.dStream, transposed[o.down:o.down+d*f], n, f, d, false)
	swigluBackward(resize(&t.dGateUp, n*2*f), t.dHidden, a.sigmoid, a.gateUp, n, f)
	addOuter(gradient[o.gateUp:o.gateUp+2*f*d], t.dGateUp, a.midNormed, n, 2*f, d)
	dNormed := resize(&t.dNormed, n*d)
	linear(dNormed, t.dGateUp, transposed[o.gateUp:o.gateUp+2*f*d], n, d, 2*f, false)
	rmsNormBackward(t.dStream, gradient[o.ffnNorm:o.ffnNorm+d], dNormed, a.mid, a.midInverse, m.matrix(o.ffnNorm, d))
}

func (m *model) backwardAttention(t *tape, a *layerTape, o layerOffsets, gradient, transposed []float32) {
	c := m.cfg
	n, d := len(t.tokens), c.Dim
	addOuter(gradient[o.attnOut:o.attnOut+d*d], t.dStream, a.mixed, n, d, d)
	dMixed := resize(&t.dNormed, n*d)
	linear(dMixed, t.dStream, transposed[o.attnOut:o.attnOut+d*d], n, d, d, false)
	dQKV := resize(&t.dQKV, n*3*d)
	clear(dQKV)
	attend, scratch := newAttention(c), resize(&t.scratch, n)
	for _, s := range t.segments {
		keys, values := a.keys[s.channels:], a.values[s.channels:]
		dRows := dQKV[s.start*3*d : (s.start+s.length)*3*d]
		for p := range s.length {
			query := a.qkv[(s.start+p)*3*d : (s.start+p)*3*d+d]
			attend.rowBackward(dRows, dMixed[(s.start+p)*d:(s.start+p+1)*d], a.probs[s.probsAt(c, p):], query, keys, values,
				scratch, p, s.stride)
		}
		for p := range s.length {
			m.rotate(dRows[p*3*d:p*3*d+2*d], p, -1)
		}
	}
	addOuter(gradient[o.qkv:o.qkv+3*d*d], dQKV, a.normed, n, 3*d, d)
	dNormed := resize(&t.dNormed, n*d)
	linear(dNormed, dQKV, transposed[o.qkv:o.qkv+3*d*d], n, d, 3*d, false)
	rmsNormBackward(t.dStream, gradient[o.attnNorm:o.attnNorm+d], dNormed, a.in, a.inverse, m.matrix(o.attnNorm, d))
}
