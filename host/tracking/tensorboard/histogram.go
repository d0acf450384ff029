package tensorboard

import (
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// The fields of HistogramProto.
const (
	histoMin    = 1
	histoMax    = 2
	histoCount  = 3
	histoSum    = 4
	histoSquare = 5
	histoLimit  = 6
	histoBucket = 7
)

// mostBuckets is the maximum number of equal-width buckets in a histogram. TensorBoard shows thirty.
const mostBuckets = 30

// histogram counts values in buckets. limits holds the upper limits of the buckets.
type histogram struct {
	min, max, sum, squares float64
	limits, counts         []float64
}

// histogramOf returns the histogram of the finite values, or nil without finite values.
func histogramOf(values []float64) *histogram {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !isFinite(v) })
	if len(values) == 0 {
		return nil
	}
	h := &histogram{min: slices.Min(values), max: slices.Max(values)}
	for _, v := range values {
		h.sum += v
		h.squares += v * v
	}
	width := (h.max - h.min) / mostBuckets
	if width == 0 || !isFinite(width) { // one distinct value, or a range too large for buckets
		h.limits, h.counts = []float64{math.Nextafter(h.max, math.Inf(1))}, []float64{float64(len(values))}
		return h
	}
	h.limits, h.counts = make([]float64, mostBuckets), make([]float64, mostBuckets)
	for i := range h.limits {
		h.limits[i] = h.min + float64(i+1)*width
	}
	h.limits[mostBuckets-1] = h.max
	for _, v := range values {
		h.counts[min(int((v-h.min)/width), mostBuckets-1)]++
	}
	return h
}

func (h *histogram) encode() []byte {
	var count float64
	for _, n := range h.counts {
		count += n
	}
	b := appendDouble(nil, histoMin, h.min)
	b = appendDouble(b, histoMax, h.max)
	b = appendDouble(b, histoCount, count)
	b = appendDouble(b, histoSum, h.sum)
	b = appendDouble(b, histoSquare, h.squares)
	b = appendBytes(b, histoLimit, packed(h.limits))
	return appendBytes(b, histoBucket, packed(h.counts))
}

func packed(values []float64) []byte {
	var b []byte
	for _, v := range values {
		b = protowire.AppendFixed64(b, math.Float64bits(v))
	}
	return b
}
