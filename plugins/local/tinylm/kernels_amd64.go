package tinylm

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func dots(y, w, x *float32, n, stride, out int, accumulate bool)

//go:noescape
func outer(gradient, dy, x *float32, rows, out, in int)

// multiply does the work of product and reports true if the CPU has AVX, the rows come in groups of four, and x has the
// alignment at which gonum sums in the same order.
func multiply(y, x, w []float32, stride int, accumulate bool) bool {
	out, in := len(y), len(x)
	if !cpu.X86.HasAVX || out%4 != 0 || out == 0 || in == 0 || uintptr(unsafe.Pointer(&x[0]))%16 != 0 {
		return false
	}
	_ = w[(out-1)*stride+in-1]
	dots(&y[0], &w[0], &x[0], in, stride, out, accumulate)
	return true
}

// multiplyOuter does the work of addOuter and reports true if the CPU has AVX and the sizes are multiples of four.
func multiplyOuter(gradient, dy, x []float32, rows, out, in int) bool {
	if !cpu.X86.HasAVX || out%4 != 0 || in%4 != 0 || rows*out*in == 0 {
		return false
	}
	_, _, _ = gradient[out*in-1], dy[rows*out-1], x[rows*in-1]
	outer(&gradient[0], &dy[0], &x[0], rows, out, in)
	return true
}
