package tinylm

// Row is one training row: a conversation that contains exactly the tokens that were sampled or demonstrated.
type Row struct {
	IDs      []int32
	Trained  []bool    // len(IDs): the policy wrote this token and learns from it; false at position 0
	Logprobs []float32 // len(IDs): as returned by Generate, read where Trained; nil for demonstrations
	// Temperatures holds the sampling temperatures: len(IDs) entries, which are read where Trained is set. Training
	// uses the distribution at this temperature for logprobs, entropies and the reference. nil: all are 1.
	Temperatures []float32
	Version      int64 // of the snapshot that sampled the trained tokens
}

// temperature returns the temperature for the token at a position.
func (r Row) temperature(position int) float32 {
	if r.Temperatures == nil {
		return 1
	}
	return r.Temperatures[position]
}

// span returns the number of input positions required: all those before the last trained token.
func (r Row) span() int {
	for i := len(r.IDs) - 1; i > 0; i-- {
		if r.Trained[i] {
			return i
		}
	}
	return 0
}

// layerTape keeps one layer's activations. Widths: D = Dim, F = FFN, n positions.
type layerTape struct {
	in, normed       []float32 // [n, D] residual stream before attention, and normalized
	inverse          []float32 // [n] 1/rms
	qkv              []float32 // [n, 3D] after rotation
	keys, values     []float32 // per sequence [D, padded length]
	probs            []float32 // per sequence and position [Heads, padded length]
	mixed            []float32 // [n, D] attention output before its projection
	mid, midNormed   []float32 // [n, D] residual stream before the feed-forward layer, and normalized
	midInverse       []float32 // [n]
	gateUp           []float32 // [n, 2F]
	sigmoid, hiddens []float32 // [n, F]
}

// segment is one sequence within a packed micro-batch.
type segment struct {
	row      int // index in the batch
	start    int // first position
	length   int
	stride   int // padded length
	channels int // offset of its keys and values
	probs    int // offset of its attention weights
	targets  int // first trained target
	count    int // trained targets
}

// tape runs one packed micro-batch forward and backward. Sequences are adjacent without padding. Logits exist only at
// the positions before trained tokens. It is reused between batches and grows to fit the largest batch.
type tape struct {
	segments     []segment
	tokens       []int32   // [n] inputs
	targetIDs    []int32   // [targets]
	targetPos    []int32   // [targets] the position that predicts the target
	temperatures []float32 // [targets] of the sampling
	layers       []layerTape

	stream                []float32 // [n, D] residual stream after the last layer
	final, finalNormed    []float32 // [targets, D]
	finalInverse          []float32 // [targets]
	probs                 []float32 // [targets, Vocab]
	logprobs, entropies   []float32 // [targets]
	dLogprobs, dEntropies []float32 // [targets] filled by the loss

	dStream, dNormed, dQKV, dGateUp, dHidden, scratch []float32
}

// pack lays out the rows with the given indices.
func (t *tape) pack(c Config, rows []Row, indices []int) {
	t.segments, t.tokens = t.segments[:0], t.tokens[:0]
	t.targetIDs, t.targetPos, t.temperatures = t.targetIDs[:0], t.targetPos[:0], t.temperatures[:0]
	channels, probs := 0, 0
	for _, i := range indices {
		r := rows[i]
		length := r.span()
		s := segment{
			row: i, start: len(t.tokens), length: length, stride: padded(length),
			channels: channels, probs: probs, targets: len(t.targetIDs),
		}
		for p := range length {
			if r.Trained[p+1] {
				t.targetIDs = append(t.targetIDs, r.IDs[p+1])
				t.targetPos = append(t.targetPos, int32(s.start+p))
				t.temperatures = append(t.temperatures, r.temperature(p+1))
			}
		}
		s.count = len(t.targetIDs) - s.targets
		t.tokens = append(t.tokens, r.IDs[:length]...)
		t.segments = append(t.segments, s)
		channels += c.Dim * s.stride
		probs += c.Heads * s.stride * length
	}
	if len(t.layers) != c.Layers {
		t.layers = make([]layerTape, c.Layers)
	}
	for l := range t.layers {
		resize(&t.layers[l].keys, channels)
		resize(&t.layers[l].values, channels)
		resize(&t.layers[l].probs, probs)
	}
}
