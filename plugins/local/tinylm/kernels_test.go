package tinylm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// randomRow returns n numbers that begin at a multiple of 16 bytes, as the allocator aligns them. Some are zero.
func randomRow(random *rand.Rand, n int) []float32 {
	row := make([]float32, n+4)[:n]
	for i := range row {
		if random.IntN(8) > 0 {
			row[i] = float32(random.NormFloat64())
		}
	}
	return row
}

func checkBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d is %v, and gonum's is %v", what, i, got[i], want[i])
		}
	}
}

// TestKernels_HaveTheBitsOfGonum checks that the vector kernels do not change a checkpoint: recorded digests, and runs
// that began with gonum's kernels, depend on each bit.
func TestKernels_HaveTheBitsOfGonum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for in := 1; in <= 100; in++ {
		for _, out := range []int{1, 4, 8, 12, 64} {
			stride := in + random.IntN(5)
			x, w, y := randomRow(random, in), randomRow(random, out*stride), randomRow(random, out)
			for _, beta := range []float32{0, 1} {
				got, want := slices.Clone(y), slices.Clone(y)
				product(got, x, w, stride, beta == 1)
				kernel.Sgemv(blas.NoTrans, out, in, 1, w, stride, x, 1, beta, want, 1)
				checkBits(t, "product", got, want)
			}
		}
	}
	for _, size := range [][3]int{{1, 4, 4}, {3, 64, 64}, {50, 8, 172}, {64, 60, 36}, {5, 12, 28}, {7, 3, 5}} {
		rows, out, in := size[0], size[1], size[2]
		dy, x, got := randomRow(random, rows*out), randomRow(random, rows*in), randomRow(random, out*in)
		want := slices.Clone(got)
		addOuter(got, dy, x, rows, out, in)
		kernel.Sgemm(blas.Trans, blas.NoTrans, out, in, rows, 1, dy, out, x, in, 1, want, in)
		checkBits(t, "addOuter", got, want)
	}
}
