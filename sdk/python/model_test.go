package python_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/python"
)

// folder creates a folder with a file.
func folder(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadModel_ReadsTheConfiguration(t *testing.T) {
	for text, want := range map[string]python.Model{
		`{"model_type":"qwen2","max_position_embeddings":512,"tie_word_embeddings":true}`: {Type: "qwen2",
			Context: 512, Tied: true},
		`{"model_type":"qwen2_5_vl","text_config":{"max_position_embeddings":128000},"other":1}`: {Type: "qwen2_5_vl",
			Context: 128000},
		`{}`: {},
	} {
		if got, err := python.ReadModel(folder(t, "config.json", text)); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestReadModel_SaysWhatIsWrongWithAPath(t *testing.T) {
	dir := folder(t, "model.safetensors", "")
	t.Chdir(dir)
	for policy, want := range map[string]string{
		filepath.Join(dir, "none"): "does not exist", "./none": "does not exist", "../none/of/them": "does not " +
			"exist", ".none": "does not exist", "one/two/three": "does not exist",
		dir: "has no config.json", ".": "has no config.json", "model.safetensors": "is a file",
		"~/models/base":               "write the absolute path",
		folder(t, "config.json", "{"): "config.json",
	} {
		if _, err := python.ReadModel(policy); err == nil || errors.Is(err, python.ErrNotHere) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", policy, err, want)
		}
	}
}

func TestReadModel_LeavesNamesOfTheHubToTheHub(t *testing.T) {
	for _, policy := range []string{"Qwen/Qwen2.5-0.5B", "gpt2", "hdfs://cluster/models/base"} {
		if _, err := python.ReadModel(policy); !errors.Is(err, python.ErrNotHere) {
			t.Errorf("%s: %v, want ErrNotHere", policy, err)
		}
	}
}
