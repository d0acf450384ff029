package local

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// formatHuggingFace is a directory that transformers can load.
const formatHuggingFace = "hf"

// exportNotes lists how an exported model differs.
var exportNotes = []string{
	"transformers takes control tokens such as <answer> for one token in every text, also in what a user writes: here only the policy can write them",
	"the chat template renders no tool schemas, as in training; the policy learned its calls from demonstrations",
}

// Export implements sdk.AdapterWithExport.
func (a *adapter) Export(_ context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	if req.Format != formatHuggingFace {
		return nil, fmt.Errorf("export as %q: the embedded trainer writes %q only", req.Format, formatHuggingFace)
	}
	files, err := huggingFaceModel(req.Checkpoint)
	if err != nil {
		return nil, fmt.Errorf("export checkpoint %s: %w", req.Checkpoint, err)
	}
	out, err := sdk.WriteExport(req, func(dir string) error {
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
				return fmt.Errorf("export checkpoint %s: %w", req.Checkpoint, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Notes = exportNotes
	return out, nil
}

// huggingFaceModel returns the files of a model directory: the checkpoint without its training state.
func huggingFaceModel(checkpoint string) (map[string][]byte, error) {
	policy, err := tinylm.Load(checkpoint, tinylm.Options{}) // rejects a truncated or foreign checkpoint
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

var _ sdk.AdapterWithExport = (*adapter)(nil)
