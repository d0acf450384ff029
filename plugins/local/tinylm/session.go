package tinylm

// session is one decoding stream: the keys and values of its tokens, and scratch space. Only its owner may use it.
type session struct {
	model  *model  // set while in use
	serial uint64  // of the snapshot whose weights computed keys and values
	ids    []int32 // the tokens in keys and values

	keys, values [][]float32 // per layer [Dim, stride]
	stride       int         // capacity in positions; grows with the conversation

	stream, normed, mixed []float32 // [Dim]
	qkv                   []float32 // [3·Dim]
	gateUp                []float32 // [2·FFN]
	hidden, sigmoid       []float32 // [FFN]
	attention             []float32 // [Heads, stride]
	logits, probs         []float32 // [Vocab]
	tempered              []float32 // [Vocab] logits at the temperature of the answer
	order                 []int32   // [Vocab] scratch of top-k and top-p
}

// firstPositions is the capacity of a new session: most conversations with small models stay below twice that.
const firstPositions = 64

func newSession(c Config) *session {
	s := &session{keys: make([][]float32, c.Layers), values: make([][]float32, c.Layers)}
	s.reserve(c, min(firstPositions, c.MaxLen))
	s.stream, s.normed, s.mixed = make([]float32, c.Dim), make([]float32, c.Dim), make([]float32, c.Dim)
	s.qkv = make([]float32, 3*c.Dim)
	s.gateUp = make([]float32, 2*c.FFN)
	s.hidden, s.sigmoid = make([]float32, c.FFN), make([]float32, c.FFN)
	s.logits, s.probs, s.tempered = make([]float32, c.Vocab), make([]float32, c.Vocab), make([]float32, c.Vocab)
	s.order = make([]int32, c.Vocab)
	return s
}

// reserve makes room for the given number of positions, and at least doubles the capacity.
func (s *session) reserve(c Config, positions int) {
	if positions <= s.stride {
		return
	}
	stride := min(padded(max(positions, 2*s.stride)), padded(c.MaxLen))
	for l := range s.keys {
		s.keys[l] = widen(s.keys[l], s.stride, stride, c.Dim)
		s.values[l] = widen(s.values[l], s.stride, stride, c.Dim)
	}
	s.attention = make([]float32, c.Heads*stride)
	s.stride = stride
}

// widen copies rows of one length into longer ones.
func widen(rows []float32, from, to, count int) []float32 {
	wide := make([]float32, count*to)
	for i := 0; i < len(rows); i += max(1, from) {
		copy(wide[i/from*to:], rows[i:i+from])
	}
	return wide
}

// bytes estimates the session's memory use.
func (s *session) bytes() int {
	return 4 * (len(s.attention) + 2*len(s.keys)*len(s.keys[0]))
}

// feed appends one token to the context. logits specifies whether the next token's logits are needed. Kernels and
// shapes match the tape's, so that the results are equal.
func (s *session) feed(id int32, logits bool) {
	m := s.model
	c := m.cfg
	d, f, position := c.Dim, c.FFN, len(s.ids)
	s.reserve(c, position+1)
	copy(s.stream, m.matrix(m.layout.embedding+int(id)*d, d))
	attend := newAttention(c)
	var inverse [1]float32
	for l, o := range m.layout.layers {
		rmsNorm(s.normed, inverse[:], s.stream, m.matrix(o.attnNorm, d), c.NormEps)
		linear(s.qkv, s.normed, m.matrix(o.qkv, 3*d*d), 1, 3*d, d, false)
		m.rotate(s.qkv[:2*d], position, 1)
		scatter(s.keys[l], s.qkv[d:2*d], position, s.stride)
		scatter(s.values[l], s.qkv[2*d:], position, s.stride)
		attend.row(s.mixed, s.attention, s.qkv[:d], s.keys[l], s.values[l], position+1, s.stride)
		linear(s.stream, s.mixed, m.matrix(o.attnOut, d*d), 1, d, d, true)
		rmsNorm(s.normed, inverse[:], s.stream, m.matrix(o.ffnNorm, d), c.NormEps)
		linear(s.gateUp, s.normed, m.matrix(o.gateUp, 2*f*d), 1, 2*f, d, false)
		swiglu(s.hidden, s.sigmoid, s.gateUp, 1, f)
		linear(s.stream, s.hidden, m.matrix(o.down, d*f), 1, d, f, true)
	}
	s.ids = append(s.ids, id)
	if logits {
		rmsNorm(s.normed, inverse[:], s.stream, m.matrix(m.layout.norm, d), c.NormEps)
		linear(s.logits, s.normed, m.matrix(m.layout.embedding, c.Vocab*d), 1, c.Vocab, d, false)
	}
}

// truncate drops all but the first n tokens.
func (s *session) truncate(n int) { s.ids = s.ids[:n] }

// copyPrefix copies the first n tokens of another session of the same model.
func (s *session) copyPrefix(c Config, from *session, n int) {
	s.truncate(0)
	s.reserve(c, n)
	s.ids = append(s.ids, from.ids[:n]...)
	for l := range s.keys {
		for channel := range c.Dim {
			copy(s.keys[l][channel*s.stride:channel*s.stride+n], from.keys[l][channel*from.stride:])
			copy(s.values[l][channel*s.stride:channel*s.stride+n], from.values[l][channel*from.stride:])
		}
	}
}
