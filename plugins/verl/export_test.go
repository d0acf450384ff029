package verl

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// TestExport has the real merger of the installed verl write a checkpoint of a tiny random model, whose weights the test knows.
func TestExport(t *testing.T) {
	python, data := os.Getenv("AWHOST_VERL_PYTHON"), os.Getenv("AWHOST_TESTDATA")
	if python == "" || data == "" {
		t.Skip("SKIPPED: set AWHOST_VERL_PYTHON to a Python that has verl, and AWHOST_TESTDATA: no checkpoint of verl is exported")
	}
	dir := t.TempDir()
	checkpoint, target := filepath.Join(dir, "step-000002"), filepath.Join(dir, "model")
	script := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), python, append([]string{"testdata/export.py"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	script("make", filepath.Join(data, "frameworks", "tiny-qwen2"), checkpoint)
	a := &adapter{config: configured(t, `{"python":"`+python+`"}`)}
	out, err := a.Export(t.Context(), sdk.ExportRequest{Checkpoint: checkpoint, Format: "hf", Target: target})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range out.Files {
		names[f.Name] = f.Bytes > 0
	}
	if !names["model.safetensors"] || !names["tokenizer_config.json"] || !names["config.json"] || len(out.Notes) == 0 {
		t.Errorf("it says %+v", out)
	}
	if said := script("compare", checkpoint, target); !strings.Contains(said, "EQUAL") {
		t.Errorf("the exported weights are others:\n%s", said)
	}
	if _, err := a.Export(t.Context(), sdk.ExportRequest{Checkpoint: checkpoint, Format: "hf", Target: target}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an export over another: %v", err)
	}

	if err := os.WriteFile(filepath.Join(checkpoint, "actor", "model_world_size_1_rank_0.pt"), []byte("cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = a.Export(t.Context(), sdk.ExportRequest{Checkpoint: checkpoint, Format: "hf", Target: target + "2"})
	if err == nil || !strings.Contains(err.Error(), "model_merger") || !strings.Contains(err.Error(), "Error") {
		t.Errorf("a cut checkpoint: %v", err)
	}
	left, globErr := filepath.Glob(filepath.Join(dir, "*model2*"))
	if globErr != nil || len(left) > 0 {
		t.Errorf("a failed export leaves %v, %v", left, globErr)
	}
}

func TestExport_RefusesWhatIsNoCheckpointOfVerl(t *testing.T) {
	dir := t.TempDir()
	a := &adapter{}
	for name, want := range map[string]string{"empty": "none of verl's", "without": "holds no model"} {
		checkpoint := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(checkpoint, map[string]string{"empty": "", "without": "actor"}[name]), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := a.Export(t.Context(), sdk.ExportRequest{Checkpoint: checkpoint, Format: "hf", Target: filepath.Join(dir, "out")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if _, err := a.Export(t.Context(), sdk.ExportRequest{Checkpoint: dir, Format: "gguf", Target: filepath.Join(dir, "out")}); err == nil || !strings.Contains(err.Error(), `"hf" only`) {
		t.Errorf("another format: %v", err)
	}
}

func TestShards(t *testing.T) {
	for file, want := range map[string]string{
		"model_world_size_8_rank_0.pt": "fsdp", "dist_ckpt/0.distcp": "megatron", "model/huggingface/config.json": "megatron",
	} {
		dir := filepath.Join(t.TempDir(), "run [1]")
		path := filepath.Join(dir, "actor", file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := shards(dir); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %s", file, got, err, want)
		}
	}
}
