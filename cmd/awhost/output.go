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
)

// What a command prints goes out here. Texts of models, plugins, data and file names are in most of it, so text for
// people passes text.Output, which escapes, and JSON is written with the same characters escaped. Only data, which
// the tests list with the reason, is written as it is.

// say writes a line for people.
func (a *app) say(format string, args ...any) {
	_ = a.out.Line(fmt.Sprintf(format, args...)) // a reader that is gone wants no more
}

// tell writes a line for people to standard error.
func (a *app) tell(format string, args ...any) {
	_ = a.err.Line(fmt.Sprintf(format, args...)) // nobody is left to hear that it failed
}

// complain shows the error that ends a command. Its further lines are indented: none of them can pass for another
// message.
func (a *app) complain(err error) {
	for i, line := range strings.Split(strings.TrimRight(err.Error(), "\r\n"), "\n") {
		switch {
		case i == 0:
			line = "Error: " + line
		case !strings.HasPrefix(line, "  "):
			line = "  " + line
		}
		_ = a.err.Line(line) // nobody is left to hear that it failed
	}
}

// page is for text that is laid out.
func (a *app) page() *text.Printer { return text.NewPrinter(a.out, text.Detect(a.out, a.environ)) }

// show shows what a command has found: to people as its text, to programs as a line of JSON, or as those of a list.
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

// status is the line about what goes on, at a terminal: one for all of a command.
func (a *app) status() *text.Status {
	if a.line == nil {
		terminal := text.Detect(a.err, a.environ)
		terminal.IsTerminal = terminal.IsTerminal && !a.json
		a.line = text.NewStatus(a.err, terminal)
	}
	return a.line
}

// data is where what programs read goes, as it is.
func (a *app) data() io.Writer { return a.out.Data() }

// print writes one JSON line, harmless to a terminal: texts of models and plugins are in some.
func (a *app) print(v any) {
	line, err := event.AppendLine(nil, v)
	if err != nil {
		a.tell("Error: encode JSON: %v", err)
		return
	}
	_, _ = a.data().Write(line) // a reader that is gone wants no more
}

// printIndented writes a JSON value over several lines, as harmless as print does.
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
