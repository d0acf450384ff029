package areal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// formatHuggingFace is a directory that transformers loads.
const formatHuggingFace = "hf"

// recoverFolder is that of a checkpoint with AReaL's recover files (awhost_areal.checkpoints.RECOVER).
const recoverFolder = "areal"

// commitManifest is what the host puts beside the files of a checkpoint when it commits it.
const commitManifest = "manifest.json"

// Export implements sdk.AdapterWithExport. The weights of a checkpoint are in the layout of Hugging Face already: what only AReaL
// and the host need is left out.
func (a *adapter) Export(ctx context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	if req.Format != formatHuggingFace {
		return nil, fmt.Errorf("export as %q: AReaL writes %q only", req.Format, formatHuggingFace)
	}
	names, err := modelFiles(req.Checkpoint)
	if err != nil {
		return nil, fmt.Errorf("export checkpoint %s: %w", req.Checkpoint, err)
	}
	out, err := sdk.WriteExport(req, func(dir string) error {
		for _, name := range names {
			if err := copyFile(ctx, filepath.Join(req.Checkpoint, name), filepath.Join(dir, name)); err != nil {
				return fmt.Errorf("export checkpoint %s: %w", req.Checkpoint, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Notes = []string{"the weights are as AReaL saved them; optimiser and recover files stay behind"}
	return out, nil
}

// modelFiles lists the files of a checkpoint that are the model. A checkpoint that is none of AReaL's, or lacks weights, is an error.
func modelFiles(checkpoint string) ([]string, error) {
	if _, err := os.Stat(filepath.Join(checkpoint, recoverFolder)); err != nil {
		return nil, fmt.Errorf("it is none of AReaL's: %w", err)
	}
	entries, err := os.ReadDir(checkpoint)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && entry.Name() != commitManifest {
			names = append(names, entry.Name())
		}
	}
	needed, err := neededFiles(checkpoint)
	if err != nil {
		return nil, err
	}
	for _, name := range needed {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%s is missing: the checkpoint is not whole", name)
		}
	}
	if !slices.ContainsFunc(names, isWeights) {
		return nil, errors.New("it holds no weights (*.safetensors, *.bin)")
	}
	return names, nil
}

func isWeights(name string) bool {
	return strings.HasSuffix(name, ".safetensors") || strings.HasSuffix(name, ".bin")
}

// neededFiles are those without which nobody loads the model: its configuration, and the parts that an index names.
func neededFiles(checkpoint string) ([]string, error) {
	needed := []string{"config.json"}
	for _, name := range []string{"model.safetensors.index.json", "pytorch_model.bin.index.json"} {
		text, err := os.ReadFile(filepath.Join(checkpoint, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var index struct {
			Parts map[string]string `json:"weight_map"` // by tensor
		}
		if err == nil {
			err = json.Unmarshal(text, &index)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		for _, part := range index.Parts {
			needed = append(needed, part)
		}
	}
	slices.Sort(needed)
	return slices.Compact(needed), nil
}

// copyFile copies a file of gigabytes. The end of ctx is looked at between pieces of it.
func copyFile(ctx context.Context, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	const piece = 64 << 20
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := io.CopyN(out, in, piece); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

var _ sdk.AdapterWithExport = (*adapter)(nil)
