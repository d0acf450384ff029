package dataset_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

func write(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, config dataset.Config) *dataset.Dataset {
	t.Helper()
	config.Type = dataset.TypeJSONL
	data, err := dataset.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := data.Close(); err != nil {
			t.Error(err)
		}
	})
	return data
}

func openError(t testing.TB, config dataset.Config) error {
	t.Helper()
	config.Type = dataset.TypeJSONL
	data, err := dataset.Open(config)
	if err == nil {
		_ = data.Close()
		t.Fatal("it opens")
	}
	return err
}

func tasks(t testing.TB, data *dataset.Dataset) []sdk.Task {
	t.Helper()
	var all []sdk.Task
	for i := range data.Len() {
		task, err := data.Task(i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, task)
	}
	return all
}

// The tasks do not depend on the text format in which an editor saves the file.
func TestTextFormsOfOneFile(t *testing.T) {
	plain := `{"id":"a","prompt":"ä=","ground_truth":"1"}` + "\n" + `{"prompt":"b=","ground_truth":"2"}` + "\n"
	want := open(t, dataset.Config{Path: write(t, plain)})
	for name, content := range map[string]string{
		"CRLF":                     strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte order mark":          "\xef\xbb\xbf" + plain,
		"byte order mark and CRLF": "\xef\xbb\xbf" + strings.ReplaceAll(plain, "\n", "\r\n"),
		"no line break at the end": strings.TrimSuffix(plain, "\n"),
		"blank lines":              "\n \t\n" + strings.ReplaceAll(plain, "\n", "\n\r\n\n"),
		"white space and order": ` { "ground_truth" : "1", "prompt" : "\u00e4=" , "id":"a" } ` + "\n" +
			`{"ground_truth": "2", "prompt": "b="}`,
	} {
		t.Run(name, func(t *testing.T) {
			got := open(t, dataset.Config{Path: write(t, content)})
			if diff := cmp.Diff(tasks(t, want), tasks(t, got)); diff != "" {
				t.Errorf("tasks (-want +got):\n%s", diff)
			}
			if got.Fingerprint() != want.Fingerprint() {
				t.Error("another fingerprint")
			}
		})
	}
}

func TestFilesThatAreNoText(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"UTF-16, little endian", "\xff\xfe{\x00}\x00", "the file is UTF-16: save it as UTF-8"},
		{"UTF-16, big endian", "\xfe\xff\x00{\x00}", "the file is UTF-16: save it as UTF-8"},
		{"Latin-1", "{\"prompt\": \"ok\"}\n{\"prompt\": \"gr\xfc\xdfe\"}",
			"rows.jsonl:2: the text is not UTF-8: save the file as UTF-8"},
		{"Parquet", "PAR1\x15\x04\xff\xfe\nPAR1", `the file is in Parquet format: use dataset "parquet"`},
		{"zeros", "\x00\x00\x00", `rows.jsonl:1: invalid JSON: invalid character '\x00'`},
		{"only a byte order mark", "\xef\xbb\xbf", ": no rows: "},
		{"empty", "", ": no rows: "},
		{"deep", strings.Repeat("[", 1_000_000), "exceeded max depth"},
		{"deep object", strings.Repeat(`{"prompt":`, 1_000_000), "exceeded max depth"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := openError(t, dataset.Config{Path: write(t, test.content)}); !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v\nwant %q", err, test.want)
			}
		})
	}
}

func TestLongLinesAreBounded(t *testing.T) {
	path := write(t, `{"prompt":"a"}`+"\n")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(65 << 20); err != nil { // one long line of zeros, most of them never written
		t.Fatal(err)
	}
	if _, err := file.WriteString("\n" + `{"no":"question"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s:2: the line is longer than 64 MiB: store large contents in separate files and name them "+
		"in the row\n"+
		"%s:3: the row has no question", path, path)
	if err := openError(t, dataset.Config{Path: path}); !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	if data := open(t, dataset.Config{Path: path, Limit: 1}); data.Len() != 1 {
		t.Errorf("with limit 1 there are %d rows", data.Len())
	}
}

func TestLongRowIsRead(t *testing.T) {
	prompt := strings.Repeat("lang ", 1<<20)
	data := open(t, dataset.Config{Path: write(t, `{"prompt":"`+prompt+`"}`)})
	task := tasks(t, data)[0]
	if len(task.Public) < len(prompt) {
		t.Errorf("a prompt of %d bytes comes back as %d", len(prompt), len(task.Public))
	}
}

func TestBadRowsCanBeTakenApart(t *testing.T) {
	path := write(t, "x\n{}\n{\"prompt\":\"fine\"}\n")
	err := openError(t, dataset.Config{Path: path})
	var rows *dataset.RowsError
	if !errors.As(err, &rows) || len(rows.Rows) != 2 || rows.Stopped {
		t.Fatalf("%v, want a RowsError with two rows", err)
	}
	if rows.Rows[1].Line != 2 || rows.Rows[1].Path != path {
		t.Errorf("the second bad row is %s:%d", rows.Rows[1].Path, rows.Rows[1].Line)
	}
	var row *dataset.RowError
	if !errors.As(err, &row) || row.Line != 1 {
		t.Errorf("errors.As finds row %+v, want the first", row)
	}
}

func TestUnknownType(t *testing.T) {
	if _, err := dataset.Open(dataset.Config{Type: "xlsx", Path: write(t, "")}); err == nil ||
		!strings.Contains(err.Error(), `use "command", "csv", "environment", "huggingface", "jsonl", "mix", "parquet", "python", "split"`) {
		t.Errorf("%v, want the known types", err)
	}
	if _, ok := dataset.Schema("xlsx"); ok {
		t.Error("there is a schema for xlsx")
	}
	for _, typ := range dataset.Types() {
		block, ok := dataset.Schema(typ)
		knownTypes(block.Attributes)
		for _, nested := range block.Blocks {
			knownTypes(nested.Block.Attributes)
		}
		if err := block.Check(); !ok || err != nil {
			t.Errorf("schema of %s: %t, %v", typ, ok, err)
		}
	}
}

// knownTypes replaces a type of the host's own blocks that is unknown to the schema package.
func knownTypes(attributes []schema.Attribute) {
	for i, a := range attributes {
		if a.Type == "integer" {
			attributes[i].Type = schema.TypeNumber
		}
	}
}

func TestFilesThatAreNotRegular(t *testing.T) {
	err := openError(t, dataset.Config{Path: os.DevNull})
	if !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}

func TestFindByID(t *testing.T) {
	data := open(t, dataset.Config{Path: write(t, `{"id":"a","prompt":"p"}`+"\n"+`{"id":"b","prompt":"q"}`)})
	if i, ok := data.Index("b"); !ok || i != 1 || data.ID(i) != "b" {
		t.Errorf("b is at %d, %t", i, ok)
	}
	if _, ok := data.Index("c"); ok {
		t.Error("there is a c")
	}
	for _, i := range []int{-1, 2} {
		if _, err := data.Task(i); err == nil {
			t.Errorf("there is a task %d", i)
		}
	}
}

func TestFingerprint(t *testing.T) {
	rows := `{"id":"a","prompt":"p","ground_truth":"1","x":"y"}` + "\n" +
		`{"id":"b","prompt":"q","ground_truth":"2","x":"y"}` + "\n"
	base := dataset.Config{Path: write(t, rows)}
	same := open(t, base).Fingerprint()
	if len(same) != 64 {
		t.Errorf("fingerprint %q, want a SHA-256", same)
	}
	lines := strings.SplitAfter(rows, "\n")
	for name, config := range map[string]dataset.Config{
		"another answer":   {Path: write(t, strings.Replace(rows, `"2"`, `"3"`, 1))},
		"another question": {Path: write(t, strings.Replace(rows, `"q"`, `"r"`, 1))},
		"another id":       {Path: write(t, strings.Replace(rows, `"b"`, `"c"`, 1))},
		"another order":    {Path: write(t, lines[1]+lines[0])},
		"fewer rows":       {Path: base.Path, Limit: 1},
		"another mapping":  {Path: base.Path, Map: map[string]string{"z": "x"}},
		"more is private":  {Path: base.Path, Private: []string{"x"}},
		"another extract":  {Path: base.Path, Extract: map[string]string{"x": "(.)"}},
	} {
		got := open(t, config).Fingerprint()
		if want := name == "another extract"; (got == same) != want { // (.) keeps the whole of "y"
			t.Errorf("%s: the fingerprint is the same: %t, want %t", name, got == same, want)
		}
	}
}

func TestReplacingTheFileDisturbsNobody(t *testing.T) {
	path := write(t, `{"id":"a","prompt":"old"}`)
	data := open(t, dataset.Config{Path: path})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"id":"a","prompt":"new"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := string(tasks(t, data)[0].Public); got != `{"prompt":"old"}` {
		t.Errorf("the task is %s now", got)
	}
}

func TestChangingTheFileInPlaceIsAnError(t *testing.T) {
	for name, content := range map[string]string{"other bytes": `{"id":"a","prompt":"new"}`, "shorter": `{}`} {
		t.Run(name, func(t *testing.T) {
			path := write(t, `{"id":"a","prompt":"old"}`)
			data := open(t, dataset.Config{Path: path})
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			if task, err := data.Task(0); err == nil || !strings.Contains(err.Error(), "the file changed while "+
				"in use") {
				t.Errorf("%+v, %v", task, err)
			}
		})
	}
}

func TestConcurrentReaders(t *testing.T) {
	var content strings.Builder
	for i := range 200 {
		fmt.Fprintf(&content, `{"id":"%d","prompt":"%d+0=","ground_truth":"%d"}`+"\n", i, i, i)
	}
	data := open(t, dataset.Config{Path: write(t, content.String())})
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for i := range data.Len() {
				task, err := data.Task(i)
				if want := fmt.Sprintf(`{"ground_truth":"%d"}`, i); err != nil || string(task.Private) != want {
					t.Errorf("task %d: %s, %v", i, task.Private, err)
				}
			}
		})
	}
	readers.Wait()
}

// The quick start's own files match the expectations of the other packages.
func TestQuickStartData(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"arithmetic.train.jsonl", "arithmetic.test.jsonl"} {
		data := open(t, dataset.Config{Path: filepath.Join("../../data", name)})
		for _, task := range tasks(t, data) {
			var public struct{ Prompt string }
			if err := json.Unmarshal(task.Public, &public); err != nil || public.Prompt == "" || task.Private == nil ||
				seen[task.ID] {
				t.Fatalf("%s: %+v, %v", name, task, err)
			}
			seen[task.ID] = true
		}
	}
	demonstrations := open(t, dataset.Config{Path: "../../data/arithmetic.demos.jsonl"})
	for _, task := range tasks(t, demonstrations) {
		var public struct{ Messages []sdk.Message }
		if err := json.Unmarshal(task.Public, &public); err != nil || len(public.Messages) != 4 ||
			len(public.Messages[1].ToolCalls) != 1 {
			t.Fatalf("%+v, %v", task, err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	var content strings.Builder
	const rows = 100_000
	for i := range rows {
		fmt.Fprintf(&content, `{"id":"row-%d","prompt":"What is %d plus %d? Think step by step.","ground_truth":"%d","source":{"name":"made","level":3}}`+"\n", i, i, i, 2*i)
	}
	config := dataset.Config{Type: dataset.TypeJSONL, Path: write(b, content.String())}
	b.SetBytes(int64(content.Len()))
	b.ReportAllocs()
	for b.Loop() {
		data, err := dataset.Open(config)
		if err != nil {
			b.Fatal(err)
		}
		_ = data.Close()
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
