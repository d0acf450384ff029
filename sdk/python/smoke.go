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

// smoke is the package awhost_smoke, which runs in the Python of a framework.
//
//go:embed awhost_smoke/*.py
var smoke embed.FS

// TinyModel is a model of random weights to make, with the architecture, the tokenizer and the chat template of another: the
// policy of a smoke run.
type TinyModel struct {
	Python string            // the interpreter; it has torch and transformers
	Like   string            // a folder in the layout of Hugging Face, or a name of the hub: its weights are not read
	Dir    string            // to make. One that is there was made completely, and stays
	Env    map[string]string // what the spec adds to the environment: where the hub is, for example
}

// tinyModelTimeout bounds the making: the import of torch and of transformers.
const tinyModelTimeout = 10 * time.Minute

// Make makes the model. What Python said of a failure is in a file beside the folder.
func (m TinyModel) Make(ctx context.Context) error {
	if _, err := os.Stat(m.Dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	code, unfinished := m.Dir+".code", m.Dir+".new"
	if err := errors.Join(os.RemoveAll(unfinished), Unpack(code, smoke)); err != nil {
		return fmt.Errorf("make a tiny model like %s: %w", m.Like, err)
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
		return errors.Join(fmt.Errorf("make a tiny model like %s: %w. %s", m.Like, err, lastLine(out)), os.WriteFile(log, out, 0o600))
	}
	return os.Rename(unfinished, m.Dir)
}

// lastLine is where Python says what went wrong.
func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(WithoutColours(string(out))), "\n")
	return lines[len(lines)-1]
}
