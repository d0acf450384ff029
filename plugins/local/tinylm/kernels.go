package tinylm

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

var kernel gonum.Implementation

// linear computes y = x·Wᵀ for rows x [rows, in] and W [out, in], or adds the product to y if accumulate is set. It
// processes one row at a time, as dot products of length in. This is gonum's fastest form at these sizes, and a row's
// result does not depend on the number of rows.
func linear(y, x, w []float32, rows, out, in int, accumulate bool) {
	for r := range rows {
		product(y[r*out:(r+1)*out], x[r*in:(r+1)*in], w, in, accumulate)
	}
}

// product computes y = W·x, or adds it to y, for rows of W that are stride numbers apart.
func product(y, x, w []float32, stride int, accumulate bool) {
	if multiply(y, x, w, stride, accumulate) {
		return
	}
	var beta float32
	if accumulate {
		beta = 1
	}
	kernel.Sgemv(blas.NoTrans, len(y), len(x), 1, w, stride, x, 1, beta, y, 1)
}

// addOuter adds dyᵀ·x to the gradient of a matrix [out, in], for dy [rows, out] and x [rows, in]. The tiles are so
// small that gonum does not start goroutines, because the shards already use every core.
func addOuter(gradient, dy, x []float32, rows, out, in int) {
	if multiplyOuter(gradient, dy, x, rows, out, in) {
		return
	}
	const tileOut, tileIn = 64, 192
	for o := 0; o < out; o += tileOut {
		for i := 0; i < in; i += tileIn {
			kernel.Sgemm(blas.Trans, blas.NoTrans, min(tileOut, out-o), min(tileIn, in-i), rows,
				1, dy[o:], out, x[i:], in, 1, gradient[o*in+i:], in)
		}
	}
}

// transpose writes src [rows, cols] to dst [cols, rows].
func transpose(dst, src []float32, rows, cols int) {
	for r := range rows {
		for c, v := range src[r*cols : (r+1)*cols] {
			dst[c*rows+r] = v
		}
	}
}

// padded rounds a length up so that rows of the resulting length start at multiples of 16 bytes.
func padded(length int) int { return (length + 3) &^ 3 }

// resize sets the length of *buffer to n. The previous contents are lost if it has to grow.
func resize(buffer *[]float32, n int) []float32 {
	if cap(*buffer) < n {
		*buffer = make([]float32, n)
	}
	*buffer = (*buffer)[:n]
	return *buffer
}

// Range reduction for expRow: exp(x) = 2^(k/64)·exp(r) with |r| <= ln2/128. The high part of ln2/64 has ten bits, so
// that its product with k is exact in float32.
const (
	expSteps   = 64
	expPerUnit = expSteps / math.Ln2
	ln2High    = 710.0 / 65536
	ln2Low     = math.Ln2/expSteps - ln2High
	roundMagic = 3 << 22 // adding and subtracting it rounds a float32 to the nearest integer
)

var expTable = func() (table [expSteps]float32) {
	for i := range table {
		table[i] = float32(math.Exp2(float64(i) / expSteps))
	}
	return table
}()

// expRow writes e = exp((src - shift)·scale) to dst and returns the sums of e and of e·(src - shift)·scale. The
// relative error is about 2e-7 per entry. Exponents are clamped to [-87, 88], the range of float32.
func expRow(dst, src []float32, shift, scale float32) (sum, weighted float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		x := (v - shift) * scale
		if x < -87 {
			x = -87
		}
		if x > 88 {
			x = 88
		}
		steps := x*expPerUnit + roundMagic
		steps -= roundMagic
		k := int32(steps)
		r := x - steps*ln2High - steps*ln2Low
		e := (1 + r + r*r*0.5) * expTable[k&(expSteps-1)] * math.Float32frombits(uint32(k>>6+127)<<23)
		dst[i] = e
		sum += e
		weighted += e * x
	}
	return sum, weighted
}

func maxOf(row []float32) float32 {
	largest := row[0]
	for _, v := range row[1:] {
		if v > largest {
			largest = v
		}
	}
	return largest
}

// softmax replaces a row of scores with probabilities.
func softmax(row []float32) {
	sum, _ := expRow(row, row, maxOf(row), 1)
	kernel.Sscal(len(row), 1/sum, row, 1)
}

// temper writes logits, divided by a temperature, to dst. A temperature of 1 copies them unchanged. At any other
// temperature, the maximum is subtracted first, so that no temperature causes an overflow. The sampler and trainer
// share it so that their logprobs agree.
func temper(dst, logits []float32, temperature float32) {
	if temperature == 1 {
		copy(dst, logits)
		return
	}
	largest := maxOf(logits)
	for i, logit := range logits {
		dst[i] = (logit - largest) / temperature
	}
}

// logSoftmax writes the probabilities for a row of logits to probs and returns the logarithm of the partition function,
// relative to 0, and the entropy in nats.
func logSoftmax(probs, logits []float32) (logPartition, entropy float32) {
	largest := maxOf(logits)
	sum, weighted := expRow(probs, logits, largest, 1)
	logSum := float32(math.Log(float64(sum)))
	kernel.Sscal(len(probs), 1/sum, probs, 1)
	return largest + logSum, logSum - weighted/sum
}
