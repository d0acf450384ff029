package python

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"
)

// smoke is the package awhost_smoke, which runs in the framework's Python.
//
//go:embed awhost_smoke/*.py
var smoke embed.FS

// TinyModel describes a model with random weights and the architecture, tokenizer, and chat template of another model.
// It is the policy used in a smoke run.
type TinyModel struct {
	Python string            // the interpreter, which must have torch and transformers
	Like   string            // a folder in the Hugging Face layout or a name of the hub; its weights are not read
	Dir    string            // the target folder; an existing one is complete and is kept
	Env    map[string]string // the spec's environment variables, such as the hub's address
}

// tinyModelTimeout limits the time for creating the model, including importing torch and transformers.
const tinyModelTimeout = 10 * time.Minute

// Make creates the model. On failure, it writes Python's output to a file next to the directory.
func (m TinyModel) Make(ctx context.Context) error {
	if _, err := os.Stat(m.Dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	code, unfinished := m.Dir+".code", m.Dir+".new"
	if err := errors.Join(os.RemoveAll(unfinished), Unpack(code, smoke)); err != nil {
		return fmt.Errorf("create a tiny model like %s: %w", m.Like, err)
	}
	ctx, cancel := context.WithTimeout(ctx, tinyModelTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, m.Python, "-m", "awhost_smoke.tiny_model", m.Like, unfinished)
	cmd.Env = os.Environ()
	for name, value := range m.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, "PYTHONPATH="+code, "TOKENIZERS_PARALLELISM=false", "CUDA_VISIBLE_DEVICES=")
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		log := m.Dir + ".log"
		return errors.Join(fmt.Errorf("create a tiny model like %s: %w. %s", m.Like, err, lastLine(out)),
			os.WriteFile(log, out, 0o600))
	}
	return os.Rename(unfinished, m.Dir)
}

// lastLine returns the line in which Python reports the error.
func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(withoutColours(string(out))), "\n")
	return lines[len(lines)-1]
}
