package pythonplugin

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// rowsOf returns the rows of the function rows in some code, with the Python on PATH or another one.
func rowsOf(t *testing.T, python, code string, arguments map[string]json.RawMessage) ([]string, *sdk.Diagnostic) {
	t.Helper()
	needPython(t)
	r, problem := FindRows(RowsConfig{
		File: filepath.Join(write(t, map[string]string{"data.py": code}), "data.py"), Name: "rows", Python: python,
		Arguments: arguments,
	})
	if problem != nil {
		t.Fatal(problem.Detail)
	}
	var out []string
	problem, err := r.Make(t.Context(), slog.New(slog.DiscardHandler), func(row json.RawMessage) error {
		out = append(out, string(row))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, problem
}

func TestRows_OfEachForm(t *testing.T) {
	one, two := `{"a":1}`, `{"a":2}`
	for name, test := range map[string]struct {
		code string
		want []string
	}{
		"list":            {"def rows(): return [{'a': 1}, {'a': 2}]", []string{one, two}},
		"generator":       {"def rows():\n    yield {'a': 1}\n    yield {'a': 2}", []string{one, two}},
		"coroutine":       {"async def rows(): return [{'a': 1}]", []string{one}},
		"async generator": {"async def rows():\n    yield {'a': 1}\n    yield {'a': 2}", []string{one, two}},
		"named tuples": {
			"import collections\nRow = collections.namedtuple('Row', 'a')\ndef rows(): return [Row(1)]",
			[]string{one},
		},
		"none":    {"def rows(): return []", nil},
		"no JSON": {"def rows(): return [{'a': float('nan'), 'b': (1, None)}]", []string{`{"a":null,"b":[1,null]}`}},
		"a date": {
			"import datetime\ndef rows(): return [{'a': datetime.date(2026, 1, 2)}]", []string{`{"a":"2026-01-02"}`},
		},
		"Unicode":  {"def rows(): return [{'ä': '\\u2028'}]", []string{"{\"ä\":\"\u2028\"}"}},
		"settings": {"def rows(n, of=3): return [{'n': n, 'of': of}]", []string{`{"n":7,"of":3}`}},
	} {
		t.Run(name, func(t *testing.T) {
			var arguments map[string]json.RawMessage
			if name == "settings" {
				arguments = map[string]json.RawMessage{"n": json.RawMessage("7")}
			}
			got, problem := rowsOf(t, "", test.code, arguments)
			if diff := cmp.Diff(test.want, got); problem != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", problem, diff)
			}
		})
	}
}

func TestRows_AreTakenInPieces(t *testing.T) {
	got, problem := rowsOf(t, "", "def rows():\n    for i in range(1000): yield {'i': i}", nil)
	if problem != nil || len(got) != 1000 || got[999] != `{"i":999}` {
		t.Errorf("%d rows, %v", len(got), problem)
	}
}

func TestRows_SayWhatIsWrong(t *testing.T) {
	for name, test := range map[string]struct{ code, want string }{
		"nothing":         {"def rows(): pass", "returned None"},
		"a text":          {"def rows(): return 'a'", "returned a str"},
		"several":         {"def rows(): return {'train': [], 'test': []}", "return one of them"},
		"a class":         {"class rows: pass", "name a function that returns rows"},
		"no function":     {"rows = 3", "name a function that returns rows"},
		"another name":    {"def data(): return []", "rows"},
		"a row":           {"def rows(): return [{'a': 1}, 2]", "row 2 of data.py:rows is of type int"},
		"a column":        {"def rows(): return [{'a': {'b': object()}}]", "column a.b, of data.py:rows is of type object"},
		"a name":          {"def rows(): return [{1: 2}]", "has the name 1, of type int"},
		"half a pair":     {"def rows(): return [{'a': '\\ud800'}]", "half of a surrogate pair"},
		"fails in a row":  {"def rows():\n    yield {'a': 1}\n    raise ValueError('lost')", "failed after 1 rows"},
		"fails at once":   {"def rows(): raise ValueError('lost')", "lost"},
		"no such setting": {"def rows(n): return []", "n"},
		"ends Python":     {"import os\ndef rows(): os._exit(3)", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problem := rowsOf(t, "", test.code, nil)
			if problem == nil {
				t.Fatal("there is no problem")
			}
			said := problem.Summary + ": " + problem.Detail
			expect(t, name, said, test.want, "set `python` to use another")
		})
	}
}

func TestRows_EndWithWhoTakesThem(t *testing.T) {
	needPython(t)
	r, problem := FindRows(RowsConfig{
		File: filepath.Join(write(t, map[string]string{
			"data.py": "import itertools\ndef rows(): return ({'i': i} for i in itertools.count())",
		}), "data.py"), Name: "rows",
	})
	if problem != nil {
		t.Fatal(problem.Detail)
	}
	full := errors.New("the disk is full")
	problem, err := r.Make(t.Context(), slog.New(slog.DiscardHandler), func(json.RawMessage) error { return full })
	if problem != nil || !errors.Is(err, full) {
		t.Errorf("%v, %v", problem, err)
	}
}

func TestFindRows_LooksForFileAndPython(t *testing.T) {
	dir := write(t, map[string]string{"data.py": ""})
	for name, config := range map[string]RowsConfig{
		"file":   {File: filepath.Join(dir, "none.py"), Name: "rows"},
		"python": {File: filepath.Join(dir, "data.py"), Name: "rows", Python: filepath.Join(dir, "python")},
	} {
		if _, problem := FindRows(config); problem == nil || len(problem.Path) == 0 || problem.Path[0] != name {
			t.Errorf("%s: %+v", name, problem)
		}
	}
}

func TestRows_DependOnTheFileAndThePython(t *testing.T) {
	needPython(t)
	path := filepath.Join(write(t, map[string]string{"data.py": "1"}), "data.py")
	basis := func() map[string]string {
		r, problem := FindRows(RowsConfig{File: path, Name: "rows"})
		if problem != nil {
			t.Fatal(problem.Detail)
		}
		return r.Basis()
	}
	before := basis()
	if err := os.WriteFile(path, []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	after := basis()
	if before["data.py"] == after["data.py"] || before["the Python"] != after["the Python"] || after["the Python"] == "" {
		t.Errorf("before %v, after %v", before, after)
	}
}

// Checks the rows of a real datasets.Dataset and of a streamed one, and the error for several in one.
// AWHOST_VERL_PYTHON has the package.
func TestDatasets_AreRows(t *testing.T) {
	python := os.Getenv("AWHOST_VERL_PYTHON")
	if python == "" {
		t.Skip("SKIPPED, no datasets.Dataset was read: set AWHOST_VERL_PYTHON to a Python that has datasets")
	}
	const of = "import datasets, datetime\nmade = datasets.Dataset.from_dict({'q': ['1+1', '2+2'], 'n': [2, 4], " +
		"'at': [datetime.datetime(2026, 1, 2)] * 2, 'steps': [[{'a': 0.5}], []]})\ndef rows(): return "
	want := []string{
		`{"q":"1+1","n":2,"at":"2026-01-02T00:00:00","steps":[{"a":0.5}]}`,
		`{"q":"2+2","n":4,"at":"2026-01-02T00:00:00","steps":[]}`,
	}
	for _, value := range []string{
		"made", "made.to_iterable_dataset()", "made.map(lambda row: row)", "made.with_format('numpy')",
	} {
		if value == "made.with_format('numpy')" {
			value = "made.select_columns(['q', 'n']).with_format('numpy')"
			want = []string{`{"q":"1+1","n":2}`, `{"q":"2+2","n":4}`}
		}
		got, problem := rowsOf(t, python, of+value, nil)
		if diff := cmp.Diff(want, got); problem != nil || diff != "" {
			t.Errorf("%s: %+v (-want +got):\n%s", value, problem, diff)
		}
	}
	_, problem := rowsOf(t, python, of+"datasets.DatasetDict(train=made, test=made)", nil)
	if problem == nil || !strings.Contains(problem.Summary+problem.Detail, "DatasetDict with 'train', 'test'") {
		t.Errorf("of several: %+v", problem)
	}
}
