// Package child runs a program of the user's for what it prints.
//
//	out, err := child.Output(ctx, child.Command{Path: "/usr/bin/sinfo", Args: []string{"-h"}, Env: environ})
//
// The context's deadline ends it together with what it has started.
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

// Command is what to run. It reads nothing and stands in the root directory, so that it finds nothing by accident.
type Command struct {
	Path string
	Args []string
	Env  []string
}

// mostOutput bounds what is kept of either output, in bytes.
const mostOutput = 256 << 10

// Output returns the standard output. The error of a program that fails has the last line that it complained in.
func Output(ctx context.Context, c Command) (string, error) {
	var out, complaint bounded
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env, cmd.Dir = append([]string{}, c.Env...), "/" // none at all is none, not this program's
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

// run runs the program to its end, or to that of the context.
func run(cmd *exec.Cmd) error {
	// Linux ends the child when the thread that started it does.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = killGroup(cmd.Process) // whoever still holds its output is in it
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

// bounded keeps the end of what is written: the last words count.
type bounded struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p)
	if over := b.Len() - mostOutput; over > 0 {
		b.Next(over)
	}
	return len(p), nil
}
