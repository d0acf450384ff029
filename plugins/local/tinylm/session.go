package tinylm

// session is one decoding stream: the keys and values of the tokens it has seen, and scratch space. Its owner is the
// only one to use it.
type session struct {
	model  *model  // set while in use
	serial uint64  // of the snapshot whose weights computed keys and values
	ids    []int32 // the tokens in keys and values

	keys, values [][]float32 // per layer [Dim, stride]
	stride       int

	stream, normed, mixed []float32 // [Dim]
	qkv                   []float32 // [3·Dim]
	gateUp                []float32 // [2·FFN]
	hidden, sigmoid       []float32 // [FFN]
	attention             []float32 // [Heads, stride]
	logits, probs         []float32 // [Vocab]
	order                 []int32   // [Vocab] scratch of top-k and top-p
}

func newSession(c Config) *session {
	s := &session{stride: padded(c.MaxLen)}
	for range c.Layers {
		s.keys = append(s.keys, make([]float32, c.Dim*s.stride))
		s.values = append(s.values, make([]float32, c.Dim*s.stride))
	}
	s.stream, s.normed, s.mixed = make([]float32, c.Dim), make([]float32, c.Dim), make([]float32, c.Dim)
	s.qkv = make([]float32, 3*c.Dim)
	s.gateUp = make([]float32, 2*c.FFN)
	s.hidden, s.sigmoid = make([]float32, c.FFN), make([]float32, c.FFN)
	s.attention = make([]float32, c.Heads*s.stride)
	s.logits, s.probs = make([]float32, c.Vocab), make([]float32, c.Vocab)
	s.order = make([]int32, c.Vocab)
	return s
}

// sessionBytes is about what a session takes.
func sessionBytes(c Config) int { return 4 * (2*c.Layers*c.Dim + c.Heads) * padded(c.MaxLen) }

// feed appends one token to the context; logits says whether those of the next token are needed. The kernels and the
// shapes are those of the tape, and so are the results.
func (s *session) feed(id int32, logits bool) {
	m := s.model
	c := m.cfg
	d, f, position := c.Dim, c.FFN, len(s.ids)
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

// truncate forgets all but the first n tokens.
func (s *session) truncate(n int) { s.ids = s.ids[:n] }

// copyPrefix takes over the first n tokens of another session of the same shape.
func (s *session) copyPrefix(from *session, n int) {
	s.serial = from.serial
	s.ids = append(s.ids[:0], from.ids[:n]...)
	for l := range s.keys {
		copyChannels(s.keys[l], from.keys[l], s.stride, n)
		copyChannels(s.values[l], from.values[l], s.stride, n)
	}
}

func copyChannels(dst, src []float32, stride, n int) {
	for at := 0; at < len(dst); at += stride {
		copy(dst[at:at+n], src[at:at+n])
	}
}
