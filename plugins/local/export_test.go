package local

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

func (r *rig) export(checkpoint, format, target string) (*sdk.ExportResponse, error) {
	return r.adapter.(sdk.AdapterWithExport).Export(r.t.Context(),
		sdk.ExportRequest{Checkpoint: checkpoint, Format: format, Target: target})
}

// list returns the names of the files in a directory.
func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestExport_WritesAModelAndNothingOfItsTraining(t *testing.T) {
	r := newRig(t, nil)
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	target := filepath.Join(t.TempDir(), "model")
	out, err := r.export(r.checkpoint(1), "hf", target)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"chat_template.jinja", "config.json", "generation_config.json", "model.safetensors", "tokenizer.json",
		"tokenizer_config.json"}
	if diff := cmp.Diff(want, list(t, target)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	var named []string
	for _, f := range out.Files {
		named = append(named, f.Name)
		if info, err := os.Stat(filepath.Join(target, f.Name)); err != nil || info.Size() != f.Bytes {
			t.Errorf("%s: %v, said to have %d bytes", f.Name, err, f.Bytes)
		}
	}
	if diff := cmp.Diff(want, named); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the directory has mode %v, %v", info.Mode(), err)
	}
	if _, err := r.export(r.checkpoint(1), "hf", target); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second export to the same place: %v", err)
	}
}

func TestExport_IsAllOrNothing(t *testing.T) {
	r := newRig(t, nil)
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	cut := copied(t, r.checkpoint(1))
	if err := os.Truncate(filepath.Join(cut, "model.safetensors"), 1000); err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	for name, test := range map[string]struct{ checkpoint, format, target, want string }{
		"a checkpoint that is cut": {cut, "hf", filepath.Join(parent, "model"), "truncated"},
		"an unknown format":        {r.checkpoint(1), "gguf", filepath.Join(parent, "model"), `writes "hf" only`},
		"a parent that is missing": {r.checkpoint(1), "hf", filepath.Join(parent, "a", "b"), "no such file"},
	} {
		if _, err := r.export(test.checkpoint, test.format, test.target); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %q in it", name, err, test.want)
		}
	}
	if left := list(t, parent); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestPolicy_OfAnExport checks that a policy starts with the weights of an exported model, in training and in serving,
// and that nothing else is taken for one.
func TestPolicy_OfAnExport(t *testing.T) {
	r := newRig(t, nil)
	r.train(r.request(knobsOf(2, nil)), sdk.FinishedCompleted)
	parent := t.TempDir()
	model := filepath.Join(parent, "model")
	if _, err := r.export(r.checkpoint(2), "hf", model); err != nil {
		t.Fatal(err)
	}
	block := func(path string) []byte { return []byte(`{"path": "` + path + `"}`) }
	weights := func(dir string) string {
		policy, err := tinylm.LoadModel(dir, tinylm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return policy.Digest()
	}
	next := newRig(t, nil)
	request := next.request(knobsOf(1, nil))
	request.Policy = block(model)
	next.train(request, sdk.FinishedCompleted)
	if got, want := weights(next.checkpoint(0)), weights(model); got != want {
		t.Errorf("the policy starts with the weights %s; want %s", got, want)
	}
	served := newRig(t, nil).load(sdk.LoadRequest{Policy: block(model)})
	if want := "sha256:" + weights(model); served.Digest != want || served.Policy != "local, preset tiny, exported" {
		t.Errorf("served: %+v, want %s", served, want)
	}
	cut := copied(t, model)
	if err := os.Truncate(filepath.Join(cut, "model.safetensors"), 1000); err != nil {
		t.Fatal(err)
	}
	other := newRig(t, map[string]any{"context": 96})
	for name, test := range map[string]struct {
		rig        *rig
		path, says string
	}{
		"another context":        {other, model, "preset and context specify"},
		"a model that is cut":    {next, cut, "truncated"},
		"a directory without it": {next, parent, "`awhost export`"},
		"a name of the hub":      {next, "Qwen/Qwen3-0.6B", "`awhost export`"},
	} {
		plan, err := test.rig.adapter.Plan(t.Context(), sdk.PlanRequest{Policy: block(test.path)})
		if err != nil || len(plan.Diagnostics) != 1 || !strings.Contains(plan.Diagnostics[0].Detail, test.says) {
			t.Errorf("%s: %+v, %v; want one that says %q", name, plan, err, test.says)
		}
		request.LaunchID, request.Policy = name, block(test.path)
		if finished := test.rig.train(request, sdk.FinishedFailed); !strings.Contains(finished.Reason, test.says) {
			t.Errorf("%s: training: %s; want %q", name, finished.Reason, test.says)
		}
	}
}
