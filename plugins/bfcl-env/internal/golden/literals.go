package golden

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Literals generates literal expressions, both plausible and unusual: arithmetic, bytes, complex numbers, sets, slices,
// comments. A seed always produces the same expressions.
func Literals(seed uint64, n int) []string {
	w := writer{rand.New(rand.NewPCG(seed, 0))}
	out := make([]string, n)
	for i := range out {
		out[i] = w.expression(3)
	}
	return out
}

type writer struct{ *rand.Rand }

func (w writer) one(of ...string) string { return of[w.IntN(len(of))] }

func (w writer) atom() string {
	return w.one("0", "1", "2", "3", "7", "-1", "10", "0x1F", "1_000", "0b11", "1.5", "2.0", ".5", "1e3", "3.", "1j",
		"2.5j", "0j", "True", "False", "None", "...",
		"'a'", "'ab c'", `"x\ty"`, "'''l\nm'''", "r'a\\n'", "b'a'", `b"\x00b'"`, "rb'\\n'", "'a' 'b'", "b'a' b'b'", "()",
		"[]", "{}", "''", "b''", "name", "'(1)'", "u'ü'", "1e400", "99999999999999999999")
}

func (w writer) expression(depth int) string {
	if depth == 0 {
		return w.atom()
	}
	sub := func() string { return w.expression(depth - 1) }
	switch w.IntN(16) {
	case 0, 1, 2:
		return w.atom()
	case 3, 4, 5:
		return sub() + " " + w.one("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>") + " " + sub()
	case 6:
		return w.one("-", "+", "~", "not ") + sub()
	case 7:
		return "(" + sub() + ")"
	case 8:
		return "[" + w.list(sub, w.IntN(4)) + "]"
	case 9:
		return "(" + w.list(sub, 1+w.IntN(3)) + ",)"
	case 10:
		return "{" + w.list(sub, 1+w.IntN(3)) + "}"
	case 11:
		return "{" + w.list(func() string { return sub() + ": " + sub() }, w.IntN(3)) + "}"
	case 12:
		return sub() + "[" + sub() + "]"
	case 13:
		part := func() string { return w.one("", "0", "1", "2", "-1", "None", sub()) }
		return sub() + "[" + part() + ":" + part() + w.one("", ":"+part()) + "]"
	case 14:
		return "(" + sub() + w.one(" # why\n", "\n", " \\\n", "\t") + ")"
	default:
		return fmt.Sprintf("%s %s %s", sub(), w.one("==", "<", "is", "in", "and", "or", "if 1 else"), sub())
	}
}

func (w writer) list(item func() string, n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item()
	}
	return strings.Join(items, ", ")
}
