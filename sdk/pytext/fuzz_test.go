package pytext

import (
	"math"
	"testing"
)

func FuzzParseFloat(f *testing.F) {
	for _, seed := range []string{"", "1_0.5e-3", " +inf\n", "-nan", "٣٤", "0x1p-2", "1e999", "\x1c3", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		value, ok := ParseFloat(s)
		if !ok && value != 0 {
			t.Errorf("ParseFloat(%q) returns both an error and %v", s, value)
		}
		padded, paddedOK := ParseFloat("\t" + s + "\u00a0")
		if ok != paddedOK || math.Float64bits(padded) != math.Float64bits(value) {
			t.Errorf("ParseFloat(%q) changes with white space around it", s)
		}
	})
}
