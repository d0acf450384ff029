package expr_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

func TestEvaluate_Literals(t *testing.T) {
	for source, want := range map[string]string{
		`[1, -2.5, 0x1F, 1_000, 1e3, True, None, ...]`: "[1, -2.5, 31, 1000, 1000.0, True, None, Ellipsis]",
		`{'a': (1,), "b": (2), 3: ()}`:                 "{'a': (1,), 'b': 2, 3: ()}",
		"('a' \"b\"  # and a comment\n 'c')":           "'abc'",
		"\"\\x41\\u00e9\\U0001F600\\101\\q\\\nend\"":   `'Aé😀A\\qend'`,
		`r'a\nb'`:              `'a\\nb'`,
		"'''two\nlines'''":     `'two\nlines'`,
		"[\n 1, # one\n 2,\n]": "[1, 2]",
	} {
		v, err := expr.Evaluate(source, nil)
		if err != nil || py.Repr(v) != want {
			t.Errorf("%s: got %v, %v; want %s", source, v, err, want)
		}
	}
	for source, want := range map[string]string{
		"open('x')":              "NameError: name 'open' is not defined",
		"'a\nb'":                 "line 1, column 1: a text is not closed on its line",
		"{[1]: 2}":               "TypeError: unhashable type: 'list'",
		"1 2":                    "line 1, column 3: invalid syntax",
		"01":                     `line 1, column 1: "01" is `,
		"[1,\n  __import__]":     "NameError: name '__import__' is not defined",
		"[1, 2":                  "line 1, column 6: a value is missing",
		"":                       "line 1, column 1: a value is missing",
		strings.Repeat("[", 300): "line 1, column 201: expressions are nested too deep",
	} {
		if _, err := expr.Evaluate(source, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40s: got %v, want %s", source, err, want)
		}
	}
}

func TestEvaluate_CallsTheFunction(t *testing.T) {
	var call *py.Call
	_, err := expr.Evaluate(`fs.mv('a.txt', destination="b", deep=[1, {"k": -1}])`, func(c *py.Call) (py.Value, error) {
		call = c
		return nil, nil
	})
	if err != nil || call.Name != "fs.mv" || len(call.Args) != 1 || call.Names[1] != "deep" ||
		py.Repr(call.Named[1]) != "[1, {'k': -1}]" {
		t.Errorf("%+v, %v", call, err)
	}
}

func TestAssignments(t *testing.T) {
	const module = "import os\n\nA = [\n  1,\n]\nB: int = 3\ndef f():\n    C = 4\nD = 'x' 'y'  # note\nE == 3\n"
	got, err := expr.Assignments(module)
	if err != nil || len(got) != 2 || got[0].Name != "A" || got[1].Name != "D" || got[1].Value != "xy" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := expr.Assignments("A = os.system('x')"); err == nil || !strings.HasPrefix(err.Error(), "A: ") {
		t.Error(err)
	}
}

// A parsed value must print as a text that parses to the same value.
func FuzzLiterals(f *testing.F) {
	for _, seed := range []string{`[1, 'a', {"k": (1,)}]`, `-1.5e300`, `'\x41' "b"`, `{1: 2, True: ...}`, "r'\\'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		v, err := expr.Evaluate(source, nil)
		if err != nil {
			return
		}
		again, err := expr.Evaluate(py.Repr(v), nil)
		if err != nil || py.Repr(again) != py.Repr(v) {
			t.Errorf("%q: %s, again %v, %v", source, py.Repr(v), again, err)
		}
	})
}
