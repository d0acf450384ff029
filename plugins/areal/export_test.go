package areal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// saved makes what a commit of AReaL's holds.
func saved(t *testing.T) (checkpoint string) {
	t.Helper()
	checkpoint = filepath.Join(t.TempDir(), "step-000002")
	for name, text := range map[string]string{
		"config.json":                      `{"model_type":"qwen2"}`,
		"model-00001-of-00002.safetensors": "first", "model-00002-of-00002.safetensors": "second",
		"model.safetensors.index.json":          `{"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}}`,
		"tokenizer.json":                        "{}",
		"manifest.json":                         `{"format":"awhost"}`,
		"areal/recover_info/step_info.json":     "{}",
		"areal/recover_checkpoint/__0_0.distcp": "optimiser",
	} {
		write(t, filepath.Join(checkpoint, name), strings.NewReader(text))
	}
	return checkpoint
}

func TestExport_LeavesOutWhatOnlyTrainingNeeds(t *testing.T) {
	checkpoint := saved(t)
	req := sdk.ExportRequest{Checkpoint: checkpoint, Format: "hf", Target: filepath.Join(t.TempDir(), "model")}
	out, err := newAdapter(config{}, sdk.Setup{}).Export(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"config.json", "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json", "tokenizer.json"}
	var names []string
	for _, f := range out.Files {
		names = append(names, f.Name)
		from, err := os.ReadFile(filepath.Join(checkpoint, f.Name))
		to, targetErr := os.ReadFile(filepath.Join(req.Target, f.Name))
		if err != nil || targetErr != nil || string(from) != string(to) || f.Bytes != int64(len(from)) {
			t.Errorf("%s: %q became %q, of %d bytes (%v, %v)", f.Name, from, to, f.Bytes, err, targetErr)
		}
	}
	if diff := cmp.Diff(want, names); diff != "" || len(out.Notes) == 0 {
		t.Errorf("files (-want +got):\n%s\nnotes %q", diff, out.Notes)
	}
	if _, err := newAdapter(config{}, sdk.Setup{}).Export(t.Context(), req); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an export over another: %v", err)
	}
}

func TestExport_RefusesWhatIsNoWholeModel(t *testing.T) {
	for name, test := range map[string]struct {
		format, gone, want string
	}{
		"another format":             {"gguf", "", `AReaL writes "hf" only`},
		"a part is gone":             {"hf", "model-00002-of-00002.safetensors", "model-00002-of-00002.safetensors is missing"},
		"no configuration":           {"hf", "config.json", "config.json is missing"},
		"a checkpoint of no AReaL's": {"hf", "areal", "none of AReaL's"},
	} {
		t.Run(name, func(t *testing.T) {
			checkpoint, dir := saved(t), t.TempDir()
			if test.gone != "" {
				if err := os.RemoveAll(filepath.Join(checkpoint, test.gone)); err != nil {
					t.Fatal(err)
				}
			}
			req := sdk.ExportRequest{Checkpoint: checkpoint, Format: test.format, Target: filepath.Join(dir, "model")}
			_, err := newAdapter(config{}, sdk.Setup{}).Export(t.Context(), req)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want one that says %q", err, test.want)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("it has left %v (%v)", left, err)
			}
		})
	}
}

func TestExport_EndsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	req := sdk.ExportRequest{Checkpoint: saved(t), Format: "hf", Target: filepath.Join(dir, "model")}
	if _, err := newAdapter(config{}, sdk.Setup{}).Export(ctx, req); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it has left %v (%v)", left, err)
	}
}
