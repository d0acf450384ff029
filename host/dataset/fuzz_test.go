package dataset_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/awhost/awhost/host/dataset"
)

// Every file either opens, and then every row is a valid and stable task, or is rejected.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{
		`{"id":"a","prompt":"17+25=","ground_truth":"42"}`,
		"\xef\xbb\xbf{\"prompt\":\"a\"}\r\n\r\n{\"question\":\"b\",\"answer\":1e400}",
		`{"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"extra":{"answer":"SECRET","b":[]}}`,
		`{"prompt":"a","extra":{"answer":{}},"answer":"x","ground_truth":"SECRET"}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"add","arguments":{"a":1}}}]}]}`,
		`{"prompt":"a","a.b":1,"a":{"b":2}}`, `{"prompt":"a","list":[{"secret":1}],"list.0.secret":2}`,
		`{"prompt":"a","list":{"0":{"secret":1}}}`, `[1]`, "\xff\xfe", `{"prompt":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "rows.jsonl")
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		config := dataset.Config{
			Type: dataset.TypeJSONL, Path: path, Private: []string{"ground_truth", "extra.answer", "a.b", "list.0.secret"},
		}
		data, err := dataset.Open(config)
		if err != nil {
			if err.Error() == "" || !utf8.ValidString(err.Error()) {
				t.Fatalf("the error is unreadable: %q", err)
			}
			return
		}
		defer data.Close()
		for i := range data.Len() {
			checkTask(t, data, i)
		}
		again, err := dataset.Open(config)
		if err != nil {
			t.Fatalf("it opens only once: %v", err)
		}
		defer again.Close()
		if again.Fingerprint() != data.Fingerprint() {
			t.Fatal("the fingerprint changes from reading to reading")
		}
	})
}

func checkTask(t *testing.T, data *dataset.Dataset, i int) {
	t.Helper()
	task, err := data.Task(i)
	if err != nil {
		t.Fatalf("row %d was read once and cannot be read again: %v", i, err)
	}
	if at, ok := data.Index(task.ID); !ok || at != i {
		t.Fatalf("id %q is at %d, not at %d", task.ID, at, i)
	}
	var public map[string]any
	if err := json.Unmarshal(task.Public, &public); err != nil {
		t.Fatalf("public part %s: %v", task.Public, err)
	}
	_, prompt := public["prompt"]
	if _, messages := public["messages"]; !prompt && !messages {
		t.Fatalf("the task has no question: %s", task.Public)
	}
	for _, private := range []string{"ground_truth", "answer", "a.b", "extra.answer"} {
		if _, ok := public[private]; ok {
			t.Fatalf("%s is public: %s", private, task.Public)
		}
	}
	if list, ok := public["list"].([]any); ok {
		t.Fatalf("a list with a private element is public: %v", list)
	}
	if extra, ok := public["extra"].(map[string]any); ok {
		if _, shown := extra["answer"]; shown {
			t.Fatalf("extra.answer is public: %s", task.Public)
		}
	}
}
