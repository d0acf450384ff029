package arithmetic

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// operandBound limits the operands of Problems: 0 <= a < bound, 1 <= b < bound.
const operandBound = 100

// Problems returns all problems with the given operations that are, or are not, held out. The order depends only on
// the seed.
func Problems(operations []Operation, heldOut bool, seed uint64) []Problem {
	var problems []Problem
	for _, operation := range Operations() {
		if !slices.Contains(operations, operation) {
			continue
		}
		for a := range int64(operandBound) {
			for b := int64(1); b < operandBound; b++ {
				if p := (Problem{Operation: operation, A: a, B: b}); p.HeldOut() == heldOut {
					problems = append(problems, p)
				}
			}
		}
	}
	shuffle(problems, rand.NewPCG(seed, 0))
	return problems
}

// shuffle implements Fisher–Yates with a fixed generator. The shuffle in math/rand may change between Go versions.
func shuffle(problems []Problem, random *rand.PCG) {
	for i := len(problems) - 1; i > 0; i-- {
		j := Below(random, uint64(i)+1)
		problems[i], problems[j] = problems[j], problems[i]
	}
}

// Below returns a uniformly distributed number from 0 to n-1, using Lemire's multiplication with rejection. n must not
// be 0.
func Below(random *rand.PCG, n uint64) uint64 {
	threshold := -n % n // 2^64 mod n
	for {
		high, low := bits.Mul64(random.Uint64(), n)
		if low >= threshold {
			return high
		}
	}
}
