package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// All command output passes through this file. Most of it contains text from models, plugins, data and file names. Text
// for people therefore passes through text.Output, which escapes it, and JSON is written with the same characters
// escaped. Only the data that the tests list, with the reason, is written unchanged.

// say prints a line for people.
func (a *app) say(format string, args ...any) {
	_ = a.out.Line(fmt.Sprintf(format, args...)) // errors of a closed output are ignored
}

// tell prints a line for people to standard error.
func (a *app) tell(format string, args ...any) {
	_ = a.err.Line(fmt.Sprintf(format, args...)) // a failure cannot be reported anywhere
}

// complain shows the error that ends a command. Its further lines are indented, so that none of them looks like
// another message.
func (a *app) complain(err error) {
	for i, line := range strings.Split(strings.TrimRight(sdk.DescribeError(err), "\r\n"), "\n") {
		switch {
		case i == 0:
			line = "Error: " + line
		case !strings.HasPrefix(line, "  "):
			line = "  " + line
		}
		_ = a.err.Line(line) // a failure cannot be reported anywhere
	}
}

// page returns a printer for formatted text.
func (a *app) page() *text.Printer {
	terminal := text.Detect(a.out, a.environ)
	if a.plain {
		terminal = text.Terminal{Styles: text.Plain()}
	}
	return text.NewPrinter(a.out, terminal)
}

// show shows a command's result: as text for people, or as one or more JSON lines for programs.
func (a *app) show(r result.Result) error {
	switch list, several := r.(result.List); {
	case a.json && several:
		for _, line := range list.Lines() {
			a.print(line)
		}
		return nil
	case a.json:
		a.print(r)
		return nil
	}
	out := a.page()
	r.Text(out)
	return out.Err()
}

// status returns the status line for a terminal. A command has only one status line.
func (a *app) status() *text.Status {
	if a.line == nil {
		terminal := text.Detect(a.err, a.environ)
		terminal.IsTerminal = terminal.IsTerminal && !a.json
		a.line = text.NewStatus(a.err, terminal)
	}
	return a.line
}

// data returns the unescaped output for programs.
func (a *app) data() io.Writer { return a.out.Data() }

// print writes one JSON line without terminal sequences, because it may contain text from models and plugins.
func (a *app) print(v any) {
	line, err := event.AppendLine(nil, v)
	if err != nil {
		a.tell("Error: encode JSON: %v", err)
		return
	}
	_, _ = a.data().Write(line) // errors of a closed output are ignored
}

// printIndented writes a JSON value on several lines, also without terminal sequences.
func (a *app) printIndented(v any) error {
	line, err := event.AppendLine(nil, v)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, line, "", "  "); err != nil {
		return err
	}
	_, err = a.data().Write(out.Bytes())
	return err
}
