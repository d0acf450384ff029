package debug

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/awhost/awhost/host/manualpolicy"
)

// Bridge connects a debugger that listens on a Unix socket to a terminal. It passes each line of output to say, and
// reads from the console when the debugger prompts for input. It returns when the debugger closes the connection. When
// the console input ends, Bridge leaves the debugger.
func Bridge(ctx context.Context, socket string, console manualpolicy.Console, say func(line string)) error {
	connection, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
	if err != nil {
		return fmt.Errorf("connect to the debugger at %s: %w", socket, err)
	}
	defer connection.Close()
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	defer stop()
	talk := talk{connection: connection, say: say}
	for {
		prompt, err := talk.readPrompt()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read from the debugger: %w", err)
		}
		line, err := console.ReadLine(prompt, func(string) string { return "" })
		if err != nil {
			line = "continue"
		}
		if _, err := io.WriteString(connection, line+"\n"); err != nil {
			return fmt.Errorf("write to the debugger: %w", err)
		}
	}
}

// talk is a debugger's output.
type talk struct {
	connection io.Reader
	say        func(string)
	rest       string // an incomplete line
}

// prompts lists the strings that a debugger prints before it reads input.
var prompts = []string{"(Pdb) ", "(com) ", ">>> ", "... "}

// readPrompt forwards lines until the debugger asks for input, and returns its prompt.
func (t *talk) readPrompt() (prompt string, err error) {
	buffer := make([]byte, 4096)
	for {
		for {
			line, rest, ok := strings.Cut(t.rest, "\n")
			if !ok {
				break
			}
			t.say(line)
			t.rest = rest
		}
		for _, p := range prompts {
			if strings.HasSuffix(t.rest, p) {
				prompt, t.rest = t.rest, ""
				return prompt, nil
			}
		}
		n, err := t.connection.Read(buffer)
		t.rest += string(buffer[:n])
		if err != nil && n == 0 {
			if t.rest != "" {
				t.say(t.rest)
			}
			return "", err
		}
	}
}
