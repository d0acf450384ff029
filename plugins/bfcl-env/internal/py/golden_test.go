package py_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk/pytext"
)

// vector is a recorded call of a Python function.
type vector struct {
	Op   string            `json:"op"`
	Args []json.RawMessage `json:"args"`
	R    json.RawMessage   `json:"r"`
	Exc  string            `json:"exc"`
	Msg  string            `json:"msg"`
}

// Every recorded vector must give Python's result.
func TestVectors(t *testing.T) {
	dir := os.Getenv("AWHOST_TESTDATA")
	if dir == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the directory with reference/bfcl/golden to compare with what Python computed")
	}
	file, err := os.Open(filepath.Join(dir, "reference", "bfcl", "golden", "pysem.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 16<<20)
	compared, wrong := map[string]int{}, map[string]int{}
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		op, ok := operations[v.Op]
		if !ok {
			t.Fatalf("there is no operation %q", v.Op)
		}
		compared[v.Op]++
		got, err := op(v.Args)
		if !v.is(got, err) {
			if wrong[v.Op]++; wrong[v.Op] <= 5 {
				t.Errorf("%s(%s): got %s, %v; want %s %s %s", v.Op, v.Args, got, err, v.R, v.Exc, v.Msg)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(compared) == 0 {
		t.Error("the file has no vector")
	}
	for _, op := range slices.Sorted(maps.Keys(compared)) {
		t.Logf("%-20s %5d compared, %d differ", op, compared[op], wrong[op])
	}
}

// is reports whether a vector has this result, as JSON.
func (v vector) is(got string, err error) bool {
	if v.Exc != "" {
		var raised *py.Error
		return errors.As(err, &raised) && raised.Type == v.Exc && raised.Text == v.Msg
	}
	return err == nil && string(must(py.ParseJSON([]byte(got)))) == string(must(py.ParseJSON(v.R)))
}

func must(v py.Value, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return py.Repr(v)
}

func quoted(s string) string {
	text, err := py.JSON(s)
	if err != nil {
		panic(err)
	}
	return text
}

func dumped(v py.Value, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return py.JSON(v)
}

func texts(s ...string) string {
	items := make([]string, len(s))
	for i := range s {
		items[i] = quoted(s[i])
	}
	return "[" + strings.Join(items, ",") + "]"
}

// float parses a float in hexadecimal notation.
func float(raw json.RawMessage) float64 {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		var f float64
		if err := json.Unmarshal(raw, &f); err != nil {
			panic(err)
		}
		return f
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		panic(err)
	}
	return f
}

func text(raw json.RawMessage) string {
	v, err := py.ParseJSON(raw)
	if err != nil {
		panic(err)
	}
	return v.(string)
}

func whole(raw json.RawMessage) int {
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		panic(err)
	}
	return n
}

func value(raw json.RawMessage) py.Value {
	v, err := py.ParseJSON(raw)
	if err != nil {
		panic(err)
	}
	return v
}

// literal parses a value as repr writes it.
func literal(raw json.RawMessage) py.Value {
	source := text(raw)
	if !strings.ContainsAny(source, "'\"") { // repr writes names that Python does not define
		source = strings.NewReplacer("inf", "1e999", "nan", "(1e999-1e999)").Replace(source)
	}
	v, err := expr.Evaluate(source, nil)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", raw, err))
	}
	return v
}

func onText(f func(s string) string) func([]json.RawMessage) (string, error) {
	return func(args []json.RawMessage) (string, error) { return f(text(args[0])), nil }
}

func onValues(f func(a, b py.Value) (py.Value, error)) func([]json.RawMessage) (string, error) {
	return func(args []json.RawMessage) (string, error) {
		v, err := f(literal(args[0]), literal(args[1]))
		if err != nil {
			return "", err
		}
		return quoted(py.Repr(v)), nil
	}
}

func items(raw json.RawMessage) []py.Value { return literal(raw).(*py.List).Items }

func drawn(args []json.RawMessage, n int, draw func(r *py.Random) string) (string, error) {
	r, err := py.NewRandom(value(args[0]))
	if err != nil {
		return "", err
	}
	out := make([]string, n)
	for i := range out {
		out[i] = draw(r)
	}
	return "[" + strings.Join(out, ",") + "]", nil
}

var operations = map[string]func(args []json.RawMessage) (string, error){
	"float_repr": func(a []json.RawMessage) (string, error) { return quoted(py.FloatRepr(float(a[0]))), nil },
	"fmt2f":      func(a []json.RawMessage) (string, error) { return quoted(py.Fixed(float(a[0]), 2)), nil },
	"round_float": func(a []json.RawMessage) (string, error) {
		f, err := py.RoundFloat(float(a[0]), whole(a[1]))
		return quoted(py.FloatRepr(f)), err
	},
	"round_int": func(a []json.RawMessage) (string, error) {
		v, err := py.Round(float(a[0]))
		if err != nil {
			return "", err
		}
		return quoted(py.Repr(v)), nil
	},
	"round_intdigits": func(a []json.RawMessage) (string,
		error) {
		return dumped(py.RoundTo(value(a[0]), value(a[1])))
	},
	"str_repr": onText(func(s string) string { return quoted(py.Repr(s)) }),
	"json_dumps": func(a []json.RawMessage) (string, error) {
		s, err := py.JSON(text(a[0]))
		return quoted(s),
			err
	},
	"json_dumps_noascii": func(a []json.RawMessage) (string, error) {
		s,
			err := py.JSONUnicode(text(a[0]))
		return quoted(s), err
	},
	"lower":      onText(func(s string) string { return quoted(pytext.Lower(s)) }),
	"splitlines": onText(func(s string) string { return texts(py.SplitLines(s)...) }),
	"split":      onText(func(s string) string { return texts(py.Split(s)...) }),
	"strip":      onText(func(s string) string { return quoted(pytext.Strip(s)) }),
	"sorted_lines": onText(func(s string) string {
		lines := py.SplitLines(s)
		slices.Sort(lines)
		return quoted(strings.Join(lines, "\n"))
	}),
	"len":     onText(func(s string) string { return strconv.Itoa(py.Len(s)) }),
	"utf8len": onText(func(s string) string { return strconv.Itoa(len(s)) }),
	"str_of":  func(a []json.RawMessage) (string, error) { return quoted(py.Str(literal(a[0]))), nil },
	"json_of": func(a []json.RawMessage) (string, error) { s, err := py.JSON(literal(a[0])); return quoted(s), err },
	"mt_getrandbits32": func(a []json.RawMessage) (string, error) {
		return drawn(a, 8, func(r *py.Random) string { return strconv.FormatUint(uint64(r.Uint32()), 10) })
	},
	"mt_randint": func(a []json.RawMessage) (string, error) {
		return drawn(a, 12, func(r *py.Random) string { return strconv.Itoa(r.Int(whole(a[1]), whole(a[2]))) })
	},
	"mt_uniform": func(a []json.RawMessage) (string, error) {
		return drawn(a, 12, func(r *py.Random) string { return quoted(py.FloatRepr(r.Uniform(float(a[1]), float(a[2])))) })
	},
	"mp_log": func(a []json.RawMessage) (string, error) {
		v, err := py.LogRatio(literal(a[0]), literal(a[1]), whole(a[2]))
		return quoted(py.Repr(py.NewDict("result", v))), err
	},
	"dec_sqrt": func(a []json.RawMessage) (string, error) {
		v, err := py.DecimalSqrt(literal(a[0]), whole(a[1]))
		return quoted(py.Repr(py.NewDict("result", v))), err
	},
	"sum": func(a []json.RawMessage) (string, error) {
		v, err := py.Sum(items(a[0]))
		return quoted(py.Repr(v)), err
	},
	"mean": func(a []json.RawMessage) (string, error) {
		v, err := py.Sum(items(a[0]))
		if err == nil {
			v, err = py.TrueDiv(v, len(items(a[0])))
		}
		return quoted(py.Repr(v)), err
	},
	"truediv": onValues(py.TrueDiv),
	"pow":     onValues(py.Pow),
}
