// Package child runs a user's program and returns its output.
//
//	out, err := child.Output(ctx, child.Command{Path: "/usr/bin/sinfo", Args: []string{"-h"}, Env: environ})
//
// At the context's deadline, the program and all processes that it started are killed.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Command is a program to run. It receives no input, and its working directory is the root directory, so that it does
// not find any files by accident.
type Command struct {
	Path string
	Args []string
	Env  []string
}

// mostOutput is the maximum number of bytes kept from each output stream.
const mostOutput = 256 << 10

// Output returns the program's standard output. If the program fails, the error contains the last line of its standard
// error output.
func Output(ctx context.Context, c Command) (string, error) {
	var out, complaint bounded
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env, cmd.Dir = append([]string{}, c.Env...), "/" // an empty Env means no variables, instead of this program's
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := run(cmd); err != nil {
		switch {
		case ctx.Err() != nil:
			return "", fmt.Errorf("%s did not end: %w", c.Path, context.Cause(ctx))
		case lastLine(complaint.String()) != "":
			return "", fmt.Errorf("%w: %s", err, lastLine(complaint.String()))
		}
		return "", err
	}
	return out.String(), nil
}

// run runs the program until it exits or the context is done.
func run(cmd *exec.Cmd) error {
	// Linux kills the child when the thread that started it exits.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = killGroup(cmd.Process) // the processes that still hold its output belong to the group
		if cmd.ProcessState.Success() {
			return nil
		}
	}
	return err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// bounded keeps the end of the output, because the last lines are the important ones.
type bounded struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p)
	if over := b.Len() - mostOutput; over > 0 {
		b.Next(over)
	}
	return len(p), nil
}
