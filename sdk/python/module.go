package python

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"time"
)

// Module is a module of an adapter's own code that runs to its end in the user's Python, on this machine's CPUs.
type Module struct {
	Interpreter string
	Code        []fs.FS // the module, and awhost's packages that it imports
	Name        string
	Args        []string
	Input       []byte
}

// Run runs the module. Its error ends with the last line of the output.
func (m Module) Run(ctx context.Context) error {
	code, err := os.MkdirTemp("", "awhost-python-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(code)
	if err := Unpack(code, m.Code...); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, m.Interpreter, append([]string{"-m", m.Name}, m.Args...)...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+code, "CUDA_VISIBLE_DEVICES=", "TOKENIZERS_PARALLELISM=false")
	var output bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(m.Input), &output, &output, 5*time.Second
	if err := cmd.Run(); ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		return fmt.Errorf("%w: %s", err, lastLine(output.Bytes()))
	}
	return nil
}
