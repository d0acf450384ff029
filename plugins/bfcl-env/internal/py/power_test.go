package py_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Every power within the bound must be computed, and every other one refused.
func TestPowersAtTheBound(t *testing.T) {
	const most = py.MaxPowBits
	huge := new(big.Int).Lsh(big.NewInt(1), most-1)
	for _, c := range []struct {
		base, exponent py.Value
		bits           int // 0: refused
	}{
		{2, most - 1, most},
		{2, most, 0},
		{-2, most - 1, most},
		{-2, most, 0},
		{4, (most - 1) / 2, most - 1},
		{4, most / 2, 0},
		{1 << 20, (most - 1) / 20, 20*((most-1)/20) + 1},
		{1 << 20, (most-1)/20 + 1, 0},
		{3, 661_577, most - 1},
		{3, 661_578, 0}, // would have most + 1 bits
		{huge, 1, most},
		{huge, 2, 0},
		{new(big.Int).Lsh(huge, 1), 0, 1},
		{new(big.Int).Lsh(huge, 1), 1, 0},
		{2, math.MaxInt64, 0},
		{2, huge, 0},
		{1, huge, 1},
	} {
		name := fmt.Sprintf("%.20v ** %.20v", c.base, c.exponent)
		v, err := py.Pow(c.base, c.exponent)
		if c.bits == 0 {
			if err == nil || err.Error() != "OverflowError: the result has more than 1048576 bits" {
				t.Errorf("%s: %v, want an error", name, err)
			}
			continue
		}
		n, ok := py.BigInt(v)
		if err != nil || !ok || n.BitLen() != c.bits {
			t.Errorf("%s: %v, want %d bits", name, err, c.bits)
		}
	}
}
