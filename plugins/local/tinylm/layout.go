package tinylm

import "fmt"

// tensor is a named view of the flat vector of all weights. Matrices are stored as [out, in], row by row, as in Hugging
// Face models.
type tensor struct {
	name       string
	rows, cols int // cols is 0 for a vector
	offset     int
}

func (t tensor) size() int { return t.rows * max(1, t.cols) }

func (t tensor) shape() []int {
	if t.cols == 0 {
		return []int{t.rows}
	}
	return []int{t.rows, t.cols}
}

// layerOffsets holds the offsets of the blocks in a layer. The query, key and value matrices are adjacent and act as
// one matrix [3·Dim, Dim]; likewise, gate and up act as [2·FFN, Dim].
type layerOffsets struct {
	attnNorm, qkv, attnOut, ffnNorm, gateUp, down int
}

// layout lists a decoder's tensors in the order of the flat vector. Gradients, optimizer moments and transposed copies
// have the same layout.
type layout struct {
	tensors   []tensor
	matrices  []tensor // as used: with query, key, value and gate, up as one
	size      int
	embedding int // also the output matrix
	norm      int
	layers    []layerOffsets
}

func newLayout(c Config) *layout {
	l := &layout{}
	l.embedding = l.add("model.embed_tokens.weight", c.Vocab, c.Dim)
	for i := range c.Layers {
		l.layers = append(l.layers, l.addLayer(fmt.Sprintf("model.layers.%d.", i), c))
	}
	l.norm = l.add("model.norm.weight", c.Dim, 0)
	l.matrices = append(l.matrices, tensor{rows: c.Vocab, cols: c.Dim, offset: l.embedding})
	for _, o := range l.layers {
		l.matrices = append(l.matrices,
			tensor{rows: 3 * c.Dim, cols: c.Dim, offset: o.qkv},
			tensor{rows: c.Dim, cols: c.Dim, offset: o.attnOut},
			tensor{rows: 2 * c.FFN, cols: c.Dim, offset: o.gateUp},
			tensor{rows: c.Dim, cols: c.FFN, offset: o.down})
	}
	return l
}

func (l *layout) addLayer(prefix string, c Config) layerOffsets {
	var o layerOffsets
	o.attnNorm = l.add(prefix+"input_layernorm.weight", c.Dim, 0)
	o.qkv = l.add(prefix+"self_attn.q_proj.weight", c.Dim, c.Dim)
	l.add(prefix+"self_attn.k_proj.weight", c.Dim, c.Dim)
	l.add(prefix+"self_attn.v_proj.weight", c.Dim, c.Dim)
	o.attnOut = l.add(prefix+"self_attn.o_proj.weight", c.Dim, c.Dim)
	o.ffnNorm = l.add(prefix+"post_attention_layernorm.weight", c.Dim, 0)
	o.gateUp = l.add(prefix+"mlp.gate_proj.weight", c.FFN, c.Dim)
	l.add(prefix+"mlp.up_proj.weight", c.FFN, c.Dim)
	o.down = l.add(prefix+"mlp.down_proj.weight", c.Dim, c.FFN)
	return o
}

func (l *layout) add(name string, rows, cols int) int {
	t := tensor{name: name, rows: rows, cols: cols, offset: l.size}
	l.tensors = append(l.tensors, t)
	l.size += t.size()
	return t.offset
}
