// Package golden reads recorded responses from the reference programs, for the tests in the sibling packages.
//
//	for record := range golden.Records(t, "gt_v4_base") { … }
//
// The records are in AWHOST_TESTDATA (reference/bfcl/golden; the README there explains them). Without it, tests are
// skipped with a message.
package golden

import (
	"bufio"
	"compress/gzip"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Dir returns BFCL's directory in the test data.
func Dir(t testing.TB) string {
	t.Helper()
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the directory with reference/bfcl to compare with what the reference programs answered")
	}
	return filepath.Join(root, "reference", "bfcl")
}

// Records reads the records in a file in order. Long strings, which are stored in a separate file, are inserted. A file
// without any records fails the test.
func Records(t testing.TB, name string) iter.Seq[*py.Dict] {
	t.Helper()
	path := filepath.Join(Dir(t), "golden", name+".jsonl.gz")
	texts := longTexts(t, name)
	return func(yield func(*py.Dict) bool) {
		n := 0
		for record := range lines(t, path) {
			n++
			if !yield(resolve(record, texts).(*py.Dict)) {
				return
			}
		}
		if n == 0 {
			t.Fatalf("%s has no record", path)
		}
	}
}

// longTexts returns the strings to which the records in a file refer. There is one file for each kind of record and
// each profile.
func longTexts(t testing.TB, name string) map[string]string {
	kind := strings.Split(name, "_")
	out := map[string]string{}
	path := filepath.Join(Dir(t), "golden", "strings_"+strings.Join(kind[:min(2, len(kind))], "_")+".jsonl.gz")
	if _, err := os.Stat(path); err != nil {
		return out
	}
	for record := range lines(t, path) {
		out[py.Str(record.Or("ref", nil))] = py.Str(record.Or("s", nil))
	}
	return out
}

func lines(t testing.TB, path string) iter.Seq[*py.Dict] {
	return func(yield func(*py.Dict) bool) {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		var in io.Reader = file
		if strings.HasSuffix(path, ".gz") {
			if in, err = gzip.NewReader(file); err != nil {
				t.Fatal(err)
			}
		}
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			v, err := py.ParseJSON(scanner.Bytes())
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if !yield(v.(*py.Dict)) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// resolve replaces {"__ref__": h} with the long string to which it refers.
func resolve(v py.Value, texts map[string]string) py.Value {
	switch v := v.(type) {
	case *py.List:
		for i, item := range v.Items {
			v.Items[i] = resolve(item, texts)
		}
	case *py.Dict:
		if ref, ok := v.Get("__ref__"); ok {
			text, ok := texts[py.Str(ref)]
			if !ok {
				panic(fmt.Sprintf("golden: there is no text %v", ref))
			}
			return text
		}
		for i, key := range v.Keys() {
			v.Set(key, resolve(v.Values()[i], texts))
		}
	}
	return v
}

// Entries returns the entries in a profile's data by ID, from all four categories. data is "data_v4" or "data_v3".
func Entries(t testing.TB, data string) map[string]*py.Dict {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Dir(t), data, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there is no data in %s: %v", data, err)
	}
	out := map[string]*py.Dict{}
	for _, path := range paths {
		for entry := range lines(t, path) {
			out[py.Str(entry.Or("id", nil))] = entry
		}
	}
	return out
}

// Tables returns the long_context constants of a profile: "v4" or "et".
func Tables(t testing.TB, profile string) map[string]py.Value {
	t.Helper()
	file, err := os.Open(filepath.Join(Dir(t), "golden", "tables_"+profile+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	v, err := py.ParseJSON(content)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]py.Value{}
	constants := v.(*py.Dict).Or("long_context", nil).(*py.Dict)
	for i, key := range constants.Keys() {
		out[py.Str(key)] = decode(constants.Values()[i])
	}
	return out
}

// decode converts values that JSON cannot express from the encoding used in the records.
func decode(v py.Value) py.Value {
	switch v := v.(type) {
	case *py.List:
		out := py.NewList()
		for _, item := range v.Items {
			out.Append(decode(item))
		}
		return out
	case *py.Dict:
		out := py.NewDict()
		if pairs, ok := v.Get("__dict__"); ok {
			for _, pair := range pairs.(*py.List).Items {
				out.Set(decode(pair.(*py.List).Items[0]), decode(pair.(*py.List).Items[1]))
			}
			return out
		}
		if v.Has("__ellipsis__") {
			return py.Ellipsis{}
		}
		for i, key := range v.Keys() {
			out.Set(key, decode(v.Values()[i]))
		}
		return out
	}
	return v
}

// Nondeterministic returns the steps in a file that depend on the order of a set, the clock, or the stack, as
// "sequence/step".
func Nondeterministic(t testing.TB, name string) map[string]bool {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(Dir(t), "golden", "nondeterministic.json"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := py.ParseJSON(content)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, item := range v.(*py.List).Items {
		step := item.(*py.Dict)
		if step.Or("file", nil) == name {
			out[fmt.Sprint(step.Or("seq", nil), "/", step.Or("step", nil))] = true
		}
	}
	return out
}

// longText is the maximum number of characters in a string that is not replaced with a reference.
const longText = 1024

// Abridged replaces long strings with {"__ref__": h}, as in the states whose digests were recorded.
func Abridged(v py.Value) py.Value {
	switch v := v.(type) {
	case string:
		if py.Len(v) > longText {
			sum := sha1.Sum([]byte(v))
			return py.NewDict("__ref__", hex.EncodeToString(sum[:10]))
		}
	case *py.List:
		out := py.NewList()
		for _, item := range v.Items {
			out.Append(Abridged(item))
		}
		return out
	case *py.Dict:
		out := py.NewDict()
		for i, key := range v.Keys() {
			out.Set(key, Abridged(v.Values()[i]))
		}
		return out
	}
	return v
}

// Parsed returns the entries in a profile's data with their ground truth, by ID.
func Parsed(t testing.TB, data string) map[string]*entry.Entry {
	t.Helper()
	truths := Entries(t, filepath.Join(data, "possible_answer"))
	out := map[string]*entry.Entry{}
	for id, question := range Entries(t, data) {
		q, err := py.JSON(question)
		if err != nil {
			t.Fatal(err)
		}
		a, err := py.JSON(truths[id])
		if err != nil {
			t.Fatal(err)
		}
		if out[id], err = entry.Parse([]byte(q), []byte(a)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
