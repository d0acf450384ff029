package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// formatHuggingFace is a directory that transformers loads.
const formatHuggingFace = "hf"

// exportNotes say what does not carry over.
var exportNotes = []string{
	"transformers takes control tokens such as <answer> for one token in every text, also in what a user writes: here only the policy can write them",
	"the chat template renders no tool schemas, as in training; the policy learned its calls from demonstrations",
}

// Export implements sdk.AdapterWithExport. The files are gathered in a directory beside the target, which is then renamed.
func (a *adapter) Export(_ context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	if req.Format != formatHuggingFace {
		return nil, fmt.Errorf("export as %q: the embedded trainer writes %q only", req.Format, formatHuggingFace)
	}
	if _, err := os.Lstat(req.Target); err == nil {
		return nil, fmt.Errorf("export to %s: %w: choose another name or remove it", req.Target, fs.ErrExist)
	}
	files, err := huggingFaceModel(req.Checkpoint)
	if err != nil {
		return nil, fmt.Errorf("export checkpoint %s: %w", req.Checkpoint, err)
	}
	if err := writeDirectory(req.Target, files); err != nil {
		return nil, fmt.Errorf("export to %s: %w", req.Target, err)
	}
	out := &sdk.ExportResponse{Notes: exportNotes}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out.Files = append(out.Files, sdk.ExportedFile{Name: name, Bytes: int64(len(files[name]))})
	}
	return out, nil
}

// huggingFaceModel are the files of a model directory: the checkpoint without what only training needs.
func huggingFaceModel(checkpoint string) (map[string][]byte, error) {
	policy, err := tinylm.Load(checkpoint, tinylm.Options{}) // a checkpoint that is cut or of another kind is not passed on
	if err != nil {
		return nil, err
	}
	files, err := tokenizer.HuggingFaceFiles()
	if err != nil {
		return nil, err
	}
	model, err := policy.ModelFiles()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, model)
	return files, nil
}

// writeDirectory makes a directory with these files, all or nothing.
func writeDirectory(target string, files map[string][]byte) (err error) {
	parent, name := filepath.Split(filepath.Clean(target))
	if parent == "" {
		parent = "."
	}
	partial, err := os.MkdirTemp(parent, "."+name+".partial-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	if err := os.Chmod(partial, 0o755); err != nil { // MkdirTemp makes it 0700
		return err
	}
	for name, content := range files {
		if err := writeSynced(filepath.Join(partial, name), content); err != nil {
			return err
		}
	}
	if err := syncDirectory(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, target); err != nil {
		return err
	}
	return syncDirectory(parent)
}

func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

var _ sdk.AdapterWithExport = (*adapter)(nil)
