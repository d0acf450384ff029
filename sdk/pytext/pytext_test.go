package pytext

import (
	"hash/crc32"
	"math"
	"testing"
	"unicode/utf8"
)

// This test compares checksums over every code point. The expected ones come from CPython 3.11.7 (Unicode 14.0),
// which printed the same lines.
func TestUnicodeTablesAreThoseOfPython(t *testing.T) {
	tests := []struct {
		what string
		line func(r rune) string
		want uint32
	}{
		{"lower case", func(r rune) string { return Lower(string(r)) + "\n" }, 0x5ba07120},
		{"final sigma", func(r rune) string {
			c := string(r)
			return Lower("a"+c+"Σ") + "\n" + Lower(c+"Σ") + "\n" + Lower("aΣ"+c) + "\n" + Lower("aΣ"+c+"a") + "\n"
		}, 0x65948637},
		{"strip", func(r rune) string { return Strip(string(r)) + "\n" }, 0x2d9afc6b},
		{"word", func(r rune) string {
			if IsWord(r) {
				return "1"
			}
			return "0"
		}, 0xfd94c1a1},
		{"float", func(r rune) string {
			value, ok := ParseFloat(string(r) + "1")
			if !ok {
				return "-\n"
			}
			return string(rune('0'+int(math.Abs(value))/10)) + "\n"
		}, 0xdbeefeb0},
	}
	for _, test := range tests {
		var sum uint32
		for r := rune(0); r <= utf8.MaxRune; r++ {
			if utf8.ValidRune(r) {
				sum = crc32.Update(sum, crc32.IEEETable, []byte(test.line(r)))
			}
		}
		if sum != test.want {
			t.Errorf("%s: checksum %#x, want %#x", test.what, sum, test.want)
		}
	}
}

func TestParseFloat(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		in   string
		want float64
	}{
		{" 1.5\n", 1.5}, {"1.", 1}, {"-.5", -.5}, {"+1e3", 1000}, {"1_000", 1000}, {"1e1_0", 1e10}, {"1_0.0_1", 10.01},
		{"３", 3}, {"٣٤", 34}, {"𝟛", 3}, {"１_०", 10}, {"\u00a03\u3000", 3},
		{"inf", inf}, {"+Infinity", inf}, {"-INF", -inf}, {"1e400", inf}, {"-1e400", -inf}, {"1e-400", 0},
		{"9007199254740993", 9007199254740992}, {"1e99999999999999999999", inf}, {"0e99999999999999999999", 0},
	}
	for _, test := range tests {
		if got, ok := ParseFloat(test.in); !ok || got != test.want {
			t.Errorf("ParseFloat(%q) = %v, %v; want %v", test.in, got, ok, test.want)
		}
	}
	for _, in := range []string{"nan", "+NaN", "-nan"} {
		if got, ok := ParseFloat(in); !ok || !math.IsNaN(got) {
			t.Errorf("ParseFloat(%q) = %v, %v; want NaN", in, got, ok)
		}
	}
}

func TestParseFloatRefuses(t *testing.T) {
	for _, in := range []string{
		"", " ", ".", "+", "e5", "1e", "1e+", "1 0", "+-3", "--3", "++inf", "0x10", "0x1p-2", "1f", "1_", "_1",
		"1__0", "1_.0", "1._0", "1e_5",
		"\x1c3", "3\x1f", "3\x00", "−3", "²", "½", "Ⅷ", "一", "3\u200b", "\ufeff3", "1٫5", "infinit", "in_f", "nan1",
		"\xff", "\U00011f51", "\U0001e4f1",
	} {
		if got, ok := ParseFloat(in); ok {
			t.Errorf("ParseFloat(%q) = %v, want a refusal", in, got)
		}
	}
}
