package tinylm

// forward runs the decoder over the packed batch and computes the targets' logprobs, entropies and probabilities, each
// at its sampling temperature.
func (m *model) forward(t *tape) {
	c := m.cfg
	n, d := len(t.tokens), c.Dim
	stream := resize(&t.stream, n*d)
	for i, id := range t.tokens {
		copy(stream[i*d:(i+1)*d], m.weights[m.layout.embedding+int(id)*d:])
	}
	for l := range t.layers {
		m.forwardAttention(t, &t.layers[l], m.layout.layers[l])
		m.forwardFFN(t, &t.layers[l], m.layout.layers[l])
	}
	m.forwardHead(t)
}

func (m *model) forwardAttention(t *tape, a *layerTape, o layerOffsets) {
	c := m.cfg
	n, d := len(t.tokens), c.Dim
	copy(resize(&a.in, n*d), t.stream)
	rmsNorm(resize(&a.normed, n*d), resize(&a.inverse, n), a.in, m.matrix(o.attnNorm, d), c.NormEps)
	linear(resize(&a.qkv, n*3*d), a.normed, m.matrix(o.qkv, 3*d*d), n, 3*d, d, false)
	resize(&a.mixed, n*d)
	attend := newAttention(c)
	for _, s := range t.segments {
		keys, values := a.keys[s.channels:], a.values[s.channels:]
		for p := range s.length {
			row := a.qkv[(s.start+p)*3*d : (s.start+p+1)*3*d]
			m.rotate(row[:2*d], p, 1) // queries and keys
			scatter(keys, row[d:2*d], p, s.stride)
			scatter(values, row[2*d:], p, s.stride)
			attend.row(a.mixed[(s.start+p)*d:(s.start+p+1)*d], a.probs[s.probsAt(c, p):], row[:d], keys, values, p+1, s.stride)
		}
	}
	linear(t.stream, a.mixed, m.matrix(o.attnOut, d*d), n, d, d, true)
}

// scatter writes one position into rows of channels.
func scatter(channels, values []float32, position, stride int) {
	for i, v := range values {
		channels[i*stride+position] = v
	}
}

func (s segment) probsAt(c Config, position int) int { return s.probs + position*c.Heads*s.stride }

func (m *model) forwardFFN(t *tape, a *layerTape, o layerOffsets) {
	c := m.cfg
	n, d, f := len(t.tokens), c.Dim, c.FFN
	copy(resize(&a.mid, n*d), t.stream)
	rmsNorm(resize(&a.midNormed, n*d), resize(&a.midInverse, n), a.mid, m.matrix(o.ffnNorm, d), c.NormEps)
	linear(resize(&a.gateUp, n*2*f), a.midNormed, m.matrix(o.gateUp, 2*f*d), n, 2*f, d, false)
	swiglu(resize(&a.hiddens, n*f), resize(&a.sigmoid, n*f), a.gateUp, n, f)
	linear(t.stream, a.hiddens, m.matrix(o.down, d*f), n, d, f, true)
}

// forwardHead computes logits only at the positions before trained tokens, because prompts and tool results do not need
// them.
func (m *model) forwardHead(t *tape) {
	c := m.cfg
	n, d, v := len(t.targetIDs), c.Dim, c.Vocab
	resize(&t.final, n*d)
	for i, p := range t.targetPos {
		copy(t.final[i*d:(i+1)*d], t.stream[int(p)*d:])
	}
	rmsNorm(resize(&t.finalNormed, n*d), resize(&t.finalInverse, n), t.final, m.matrix(m.layout.norm, d), c.NormEps)
	linear(resize(&t.probs, n*v), t.finalNormed, m.matrix(m.layout.embedding, v*d), n, v, d, false)
	resize(&t.logprobs, n)
	resize(&t.entropies, n)
	for i, id := range t.targetIDs {
		row := t.probs[i*v : (i+1)*v]
		temper(row, row, t.temperatures[i])
		logit := row[id]
		logPartition, entropy := logSoftmax(row, row)
		t.logprobs[i], t.entropies[i] = logit-logPartition, entropy
	}
}
