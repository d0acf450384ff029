//go:build !amd64

package tinylm

func multiply(_, _, _ []float32, _ int, _ bool) bool { return false }

func multiplyOuter(_, _, _ []float32, _, _, _ int) bool { return false }
