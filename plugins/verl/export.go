package verl

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/sdk"
)

// formatHuggingFace is a directory that transformers loads.
const formatHuggingFace = "hf"

// Export implements sdk.AdapterWithExport, by verl's own merger, which knows how the installed version cuts a model into shards.
func (a *adapter) Export(ctx context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	if req.Format != formatHuggingFace {
		return nil, fmt.Errorf("export as %q: verl writes %q only", req.Format, formatHuggingFace)
	}
	backend, err := shards(req.Checkpoint)
	if err != nil {
		return nil, fmt.Errorf("export checkpoint %s: %w", req.Checkpoint, err)
	}
	installed, problem := a.installed()
	if problem != nil {
		return nil, fmt.Errorf("%s: %s", problem.Summary, problem.Detail)
	}
	out, err := sdk.WriteExport(req, func(dir string) error {
		return merge(ctx, installed.Python, backend, filepath.Join(req.Checkpoint, "actor"), dir)
	})
	if err != nil {
		return nil, fmt.Errorf("export checkpoint %s with verl %s: %w", req.Checkpoint, installed.Version, err)
	}
	out.Notes = []string{"the weights are in bfloat16, as verl's model_merger writes them, whatever they were trained in"}
	return out, nil
}

// shards names the backend that wrote a checkpoint, as the merger calls it.
func shards(checkpoint string) (backend string, err error) {
	actor := filepath.Join(checkpoint, "actor")
	if _, err := os.Stat(actor); err != nil {
		return "", fmt.Errorf("it is none of verl's: %w", err)
	}
	if holds(actor, "model_world_size_*_rank_0.pt") {
		return "fsdp", nil
	}
	for _, name := range []string{"dist_ckpt", "model/dist_ckpt", "model/huggingface"} {
		if _, err := os.Stat(filepath.Join(actor, name)); err == nil {
			return "megatron", nil
		}
	}
	return "", fmt.Errorf("%s holds no model: its save_contents (actor_rollout_ref.actor.checkpoint) leave it out", actor)
}

// holds reports whether a directory has a file of a pattern.
func holds(dir, pattern string) bool {
	found, err := fs.Glob(os.DirFS(dir), pattern)
	return err == nil && len(found) > 0
}

// merge runs verl's merger, on the processor.
func merge(ctx context.Context, python, backend, from, to string) error {
	cmd := exec.CommandContext(ctx, python, "-m", "verl.model_merger", "merge", "--backend", backend, "--local_dir", from, "--target_dir", to)
	cmd.Env = append(os.Environ(), "CUDA_VISIBLE_DEVICES=", "TOKENIZERS_PARALLELISM=false", "PYTHONUNBUFFERED=1")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("verl's model_merger: %w. It said at the end:\n%s", err, lastLines(said.Bytes(), 15))
	}
	if holds(to, "*.safetensors") || holds(to, "*.bin") {
		return nil
	}
	return fmt.Errorf("verl's model_merger has written no weights. It said at the end:\n%s", lastLines(said.Bytes(), 15))
}

func lastLines(text []byte, n int) []byte {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], []byte("\n"))
}

var _ sdk.AdapterWithExport = (*adapter)(nil)
