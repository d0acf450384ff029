package data_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
)

// wheel returns a small wheel.
func wheel(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	files := map[string]string{
		"bfcl_eval/data/BFCL_v4_multi_turn_base.json":                 `{"id": "multi_turn_base_0", "question": [[{"role": "user", "content": "q"}]], "initial_config": {}, "involved_classes": ["MathAPI"]}`,
		"bfcl_eval/data/possible_answer/BFCL_v4_multi_turn_base.json": `{"id": "multi_turn_base_0", "ground_truth": [["add(1, 2)"]]}`,
	}
	for _, name := range []string{"gorilla_file_system", "math_api", "message_api", "posting_api", "ticket_api",
		"trading_bot", "travel_booking", "vehicle_control"} {
		files["bfcl_eval/data/multi_turn_func_doc/"+name+
			".json"] = `{"name": "f", "description": "d", "parameters": {"type": "dict", "properties": {}}}`
	}
	for name, content := range files {
		file, err := w.Create(name)
		if err == nil {
			_, err = file.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A damaged wheel must give an error, or data with entries.
func FuzzOpen(f *testing.F) {
	whole := wheel(f)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("PK\x05\x06" + string(make([]byte, 18))))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "w.whl")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		set, err := data.Open(path, data.Options{Categories: []string{"base"}})
		if err == nil && len(set.Entries) == 0 {
			t.Error("data without entries are opened")
		}
	})
}
