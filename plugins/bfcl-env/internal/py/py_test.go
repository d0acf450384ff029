package py_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Checks the package comment's examples, and Python's text of values that contain themselves.
func TestPrinting(t *testing.T) {
	list := py.NewList(1)
	list.Append(list)
	dict := py.NewDict("a", 1)
	dict.Set("self", dict)
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for want, v := range map[string]py.Value{
		"{'balance': 210.0, 'cards': [1, True, None]}": py.NewDict("balance", 210.0, "cards", py.NewList(1, true, nil)),
		"[1, [...]]":                             list,
		"{'a': 1, 'self': {...}}":                dict,
		"123456789012345678901234567890":         huge,
		"(1,)":                                   py.Tuple{1},
		"()":                                     py.Tuple{},
		`["it's", 'a "quote"', 'both \' and "']`: py.NewList("it's", `a "quote"`, `both ' and "`),
		`'\x00\x7f\xa0\ud800\n'`:                 "\x00\x7f\u00a0\xed\xa0\x80\n",
		"[1e+16, 1e-05, 0.0001, -0.0, inf, nan]": py.NewList(1e16, 1e-5, 1e-4, math.Copysign(0, -1), math.Inf(1), math.NaN()),
	} {
		if got := py.Repr(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if _, err := py.JSON(list); err == nil || err.Error() != "ValueError: Circular reference detected" {
		t.Errorf("JSON of a list that contains itself: %v", err)
	}
}

func TestEquality(t *testing.T) {
	big53, _ := new(big.Int).SetString("9007199254740993000000", 10)
	inside := py.NewList(math.NaN())
	for _, c := range []struct {
		a, b py.Value
		want bool
	}{
		{1, true, true}, {1, 1.0, true}, {0, false, true}, {0, nil, false}, {"1", 1, false}, {2, true, false},
		{9007199254740993, 9007199254740992.0, false}, {big53, 9007199254740993e6, false}, {math.NaN(), math.NaN(), false},
		{py.NewList(1, 2), py.NewList(1.0, 2), true}, {py.NewList(1), py.Tuple{1}, false}, {inside, inside, false},
		{py.NewList(inside), py.NewList(inside), true},
		{py.NewDict("a", 1, "b", 2), py.NewDict("b", 2, "a", 1), true}, {py.NewDict(1, "x"), py.NewDict(true, "x"), true},
		{py.NewDict("a", 1), py.NewDict("a", 1, "b", 2), false},
	} {
		if got := py.Equal(c.a, c.b); got != c.want {
			t.Errorf("%s == %s: got %v", py.Repr(c.a), py.Repr(c.b), got)
		}
	}
	one, other := py.NewList(), py.NewList()
	one.Append(one)
	other.Append(other)
	if _, err := py.Compare(one, other, 0); err == nil || !strings.HasPrefix(err.Error(), "RecursionError") {
		t.Errorf("comparing lists that contain themselves: %v", err)
	}
}

// A dictionary must keep its order and its first keys, with few entries or many.
func TestDict(t *testing.T) {
	d := py.NewDict(1, "a")
	d.Set(true, "b")
	d.Set(1.0, "c")
	if got := py.Repr(d); got != "{1: 'c'}" {
		t.Error(got)
	}
	many := py.NewDict()
	for i := range 100 {
		many.Set(i, i*i)
	}
	many.Delete(50.0)
	many.Set(50, "again")
	if v, _ := many.Get(99); many.Len() != 100 || v != 99*99 {
		t.Errorf("%d entries, the last %v", many.Len(), v)
	}
	if key, v := many.At(99); key != 50 || v != "again" {
		t.Errorf("the last entry is %v: %v", key, v)
	}
	if _, err := many.Item("x y"); err == nil || err.Error() != "KeyError: 'x y'" {
		t.Error(err)
	}
	if _, err := many.Item(py.NewList()); err == nil || err.Error() != "TypeError: unhashable type: 'list'" {
		t.Error(err)
	}
}

func TestErrorsArePythons(t *testing.T) {
	call := func(f func(a, b py.Value) (py.Value, error), a, b py.Value) error { _, err := f(a, b); return err }
	one := func(f func(v py.Value) (py.Value, error), v py.Value) error { _, err := f(v); return err }
	less := func(a, b py.Value) (py.Value, error) { return py.Less(a, b) }
	float := func(v py.Value) (py.Value, error) { return py.Float(v) }
	huge := new(big.Int).Lsh(big.NewInt(1), 2000)
	for want, err := range map[string]error{
		`TypeError: can only concatenate str (not "int") to str`:              call(py.Add, "a", 1),
		"TypeError: unsupported operand type(s) for +: 'int' and 'str'":       call(py.Add, 1, "a"),
		"TypeError: unsupported operand type(s) for -: 'NoneType' and 'list'": call(py.Sub, nil, py.NewList()),
		"ZeroDivisionError: division by zero":                                 call(py.TrueDiv, 1, 0),
		"ZeroDivisionError: float division by zero":                           call(py.TrueDiv, 1.5, 0),
		"OverflowError: int too large to convert to float":                    call(py.Add, huge, 1.5),
		"TypeError: '<' not supported between instances of 'str' and 'int'":   call(less, "a", 1),
		"ValueError: could not convert string to float: 'abc'":                one(float, "abc"),
		"ValueError: could not convert string to float: '1__0'":               one(float, "1__0"),
		"ValueError: invalid literal for int() with base 10: '1.5'":           one(py.Int, "1.5"),
		"ValueError: cannot convert float NaN to integer":                     one(py.Int, math.NaN()),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for text, want := range map[string]float64{" 1_000.5\n": 1000.5, "-inf": math.Inf(-1), "１２": 12,
		"1e400": math.Inf(1)} {
		if got, err := py.Float(text); err != nil || got != want {
			t.Errorf("float(%q): %v, %v", text, got, err)
		}
	}
}

// Unbounded work must be refused at once.
func TestBounds(t *testing.T) {
	if _, err := py.Pow(10, 100_000_000); err == nil || !strings.Contains(err.Error(), "bits") {
		t.Error(err)
	}
	if _, err := py.LogRatio(2, 10, 1_000_000_000); err == nil || !strings.Contains(err.Error(), "precision") {
		t.Error(err)
	}
	if _, err := py.DecimalSqrt(2, 1_000_000_000); err == nil || !strings.Contains(err.Error(), "precision") {
		t.Error(err)
	}
}
