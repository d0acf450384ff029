package gaiareward

import "testing"

func TestNormalise(t *testing.T) {
	tests := []struct{ in, keep, drop string }{
		{" Sea\tGull! ", "seagull!", "seagull"},
		{"\x1ca\u00a0b\u200b", "ab\u200b", "ab\u200b"},
		{"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", ""},
		{"“x” – it’s", "“x”–it’s", "“x”–it’s"},
		{"ΟΔΟΣ", "οδος", "οδος"},
		{"ΟΔΟΣ ΟΔΟΣ", "οδοσοδος", "οδοσοδος"},  // spaces are removed before the case is lowered
		{"ΟΔΟΣ.ΟΔΟΣ", "οδοσ.οδος", "οδοσοδος"}, // a full stop is case-ignorable
		{"ΟΔΟΣ!ΟΔΟΣ", "οδος!οδος", "οδοςοδος"}, // punctuation is removed afterwards
		{"Σ", "σ", "σ"},
		{"A\u0301Σ\u0301", "a\u0301ς\u0301", "a\u0301ς\u0301"},
		{"İ", "i\u0307", "i\u0307"},
		{"K ẞ ß ﬁ", "kßßﬁ", "kßßﬁ"},
	}
	for _, test := range tests {
		if got := normalise(test.in, keepPunctuation); got != test.keep {
			t.Errorf("normalise(%q, keep) = %q, want %q", test.in, got, test.keep)
		}
		if got := normalise(test.in, dropPunctuation); got != test.drop {
			t.Errorf("normalise(%q, drop) = %q, want %q", test.in, got, test.drop)
		}
	}
}
