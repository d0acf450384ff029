package expr_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// A reader accepts 200 levels. shallow is a little more, as a seed for the fuzzers, and deep is far more.
const (
	shallow = 300
	deep    = 200_000
)

// sources returns texts in Python syntax, nested to the given depth.
func sources(deep int) []string {
	return append(golden.Literals(2, 50),
		"", "0", "1.", "-", "\u00a01", "f()", "f(a=1, *[2], **{'b': 3})", "f(g(1), h(x=[2, (3,), {4: 5}]))", "-f(1)",
		"f(a=True, b=None, c=..., d=inf)", "f('a' \"b\" r'c')",
		"f(\n# x\n1)", "\nf()", "#\nf()", "f\n()", "f\\\n()", "f()\n#", "f(1,,)", "1 2", "['x' * 99999] * 99999",
		"[[[0] * 999] * 999] * 999", "9 ** 9 ** 9", "1 << 99 << 99999999", "'%s' % 1", "{*[1], **{}}", "x[1:2, ::3, *a]",
		strings.Repeat("f(", deep), strings.Repeat("{", deep), "f("+strings.Repeat("-", deep)+"1)", "f("+
			strings.Repeat("9", deep)+")", "a"+strings.Repeat(".b", deep)+"()",
		"1"+strings.Repeat(" < 1", deep), "1"+strings.Repeat(" or 0", deep), "x"+strings.Repeat("[1:", deep), "f("+
			strings.Repeat("1,", deep)+")")
}

// Deeply nested or unbounded input must not crash the parser.
func TestDeep(t *testing.T) {
	for _, text := range sources(deep) {
		_, _ = expr.Evaluate(text, func(c *py.Call) (py.Value, error) { return c.Name, nil })
	}
}

// Line ends before and after an expression do not count, as in CPython's eval. Between its tokens they do.
func TestEndsOfLines(t *testing.T) {
	for text, want := range map[string]bool{
		"\nf()": true, "#\nf()": true, "\r\nf()": true, "f()\n#": true, "f()\n\n": true, "f\\\n()": true, "f(\n)": true,
		"f\n()": false, "f()\n1": false, "f()\n#\n1": false, "1\n+2": false,
	} {
		_, err := expr.Evaluate(text, func(c *py.Call) (py.Value, error) { return c.Name, nil })
		if got := err == nil; got != want {
			t.Errorf("%q is evaluated: %v, want %v (%v)", text, got, want, err)
		}
	}
}

// Only calls of names may be executed, and writing a parsed expression twice must give the same text.
func FuzzEvaluate(f *testing.F) {
	for _, text := range sources(shallow) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = expr.Evaluate(text, func(c *py.Call) (py.Value, error) {
			if c.Name == "" {
				t.Error("a call without a name")
			}
			return py.NewList(c.Args...), nil
		})
		n, err := expr.Parse(text)
		if err != nil {
			return
		}
		if again, err := expr.Parse(n.Unparse()); err == nil && again.Unparse() != n.Unparse() {
			t.Errorf("%.200q is written as %.200q, and then as %.200q", text, n.Unparse(), again.Unparse())
		}
	})
}
