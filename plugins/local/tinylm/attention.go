package tinylm

import "gonum.org/v1/gonum/blas"

// attention is causal attention with keys and values stored by channel: [channel, position]. Scores are then a few
// additions of long rows, and outputs a few long dot products, which is two to four times faster than many products of
// vectors that are only as long as a head. The trainer's tape and the decoding session share it.
type attention struct {
	heads, width int     // width of one head
	scale        float32 // 1/sqrt(width)
}

func newAttention(c Config) attention {
	return attention{heads: c.Heads, width: c.headDim(), scale: c.attnScale()}
}

// row computes one position's output for all heads, from its query and the keys and values of all positions up to and
// including it. keys and values have rows of length stride, which is a multiple of 4. probs receives the attention
// weights of head h at probs[h*stride].
func (a attention) row(out, probs, query, keys, values []float32, positions, stride int) {
	for h := range a.heads {
		channel := h * a.width
		p := probs[h*stride : h*stride+positions]
		kernel.Sgemv(blas.Trans, a.width, positions, a.scale, keys[channel*stride:], stride, query[channel:channel+a.width],
			1, 0, p, 1)
		softmax(p)
		product(out[channel:channel+a.width], p, values[channel*stride:], stride, false)
	}
}

// rowBackward adds one position's share to the gradients of all keys and values up to that position, and writes the
// gradient of its query. dqkv is the gradient of the packed rows [position, query|key|value] of the sequence; scratch
// holds positions numbers.
func (a attention) rowBackward(dqkv, dout, probs, query, keys, values, scratch []float32, position, stride int) {
	dim := a.heads * a.width
	positions := position + 1
	ds := scratch[:positions]
	dquery := dqkv[position*3*dim : position*3*dim+dim]
	for h := range a.heads {
		channel := h * a.width
		p := probs[h*stride : h*stride+positions]
		do := dout[channel : channel+a.width]
		q := query[channel : channel+a.width]
		// Softmax: ds = p·(dp - Σ p·dp), with dp = values·do.
		kernel.Sgemv(blas.Trans, a.width, positions, 1, values[channel*stride:], stride, do, 1, 0, ds, 1)
		mean := kernel.Sdot(positions, ds, 1, p, 1)
		for j, weight := range p {
			ds[j] = weight * (ds[j] - mean) * a.scale
		}
		product(dquery[channel:channel+a.width], ds, keys[channel*stride:], stride, false)
		kernel.Sger(positions, a.width, 1, ds, 1, q, 1, dqkv[dim+channel:], 3*dim)
		kernel.Sger(positions, a.width, 1, p, 1, do, 1, dqkv[2*dim+channel:], 3*dim)
	}
}
