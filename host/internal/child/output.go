package child

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
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

// Output runs a program until it exits or the context ends, and returns its standard output. If the program fails, the
// error contains the last line of its standard error output.
func Output(ctx context.Context, c Command) (string, error) {
	var out, complaint bounded
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env, cmd.Dir = append([]string{}, c.Env...), "/" // an empty Env means no variables, instead of this program's
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := Run(cmd); err != nil {
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
