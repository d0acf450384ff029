package py_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// A reader accepts 200 levels. shallow is a little more, as a seed for the fuzzers, and deep is far more.
const (
	shallow = 300
	deep    = 1_000_000
)

// sources returns texts in JSON and in Python syntax, nested to the given depth.
func sources(deep int) []string {
	return []string{
		"", "0", "-0.0", "1e400", "[1, 2.5, null, true, {\"a\": NaN}]", `{"a": 1, "a": 2}`, `"\ud83d\ude00\ud800\u0000"`,
		"\"\xff\"", "[", "{\"a\"", "1.", "-", "\u00a01",
		strings.Repeat("[", deep), strings.Repeat(`{"a":`, deep), strings.Repeat("9", deep), `"` +
			strings.Repeat(`\u00e9`, deep) + `"`,
		"f()", "f(a=1, *[2], **{'b': 3})", "f(g(1), h(x=[2, (3,), {4: 5}]))", "-f(1)", "f(a=True, b=None, c=..., d=inf)",
		"f('a' \"b\" r'c')", "f(\n# x\n1)", "f(1,,)", "1 2",
		strings.Repeat("f(", deep), "f(" + strings.Repeat("-", deep) + "1)", "f(" + strings.Repeat("9", deep) + ")", "a" +
			strings.Repeat(".b", deep) + "()",
	}
}

// Deeply nested or unbounded input must not crash a reader.
func TestDeep(t *testing.T) {
	for _, text := range sources(deep) {
		_, _ = py.ParseJSON([]byte(text))
	}
}

// A value that is parsed from JSON and written must parse to the same value.
func FuzzParseJSON(f *testing.F) {
	for _, text := range sources(shallow) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := py.ParseJSON(text)
		if err != nil {
			return
		}
		written, err := py.JSON(v)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := py.ParseJSON([]byte(written))
		if err != nil {
			t.Fatalf("%s cannot be read: %v", written, err)
		}
		if twice, err := py.JSON(again); err != nil || twice != written {
			t.Errorf("written as %s, then as %s (%v)", written, twice, err)
		}
	})
}
