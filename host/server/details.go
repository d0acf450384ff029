package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/awhost/awhost/sdk/placeholder"
)

// mostDetails bounds a JSON object that a server prints, in bytes. It is read anew with each of its lines.
const mostDetails = 64 << 10

// details are what a command prints of how its server is reached: the first JSON object among its lines that has all
// names that the block asks for. Lines of a log that are JSON, too, are passed over.
type details struct {
	names []string

	mu      sync.Mutex
	open    []byte          // the lines of an object that has not ended
	object  json.RawMessage // nil: not printed yet
	printed bool            // some other object
	unfit   string          // what is wrong with one that has all names
	large   bool            // one did not end within mostDetails
}

// hear takes a line of standard output.
func (d *details) hear(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.object != nil || len(d.names) == 0 {
		return
	}
	if len(d.open) > 0 && d.goOn(line) {
		return
	}
	d.open = nil // what was open is no object; this line may begin one
	if strings.HasPrefix(strings.TrimSpace(line), "{") && !d.goOn(line) {
		d.open = nil
	}
}

// goOn reads a line as a part of the open object, and reports whether it can be one.
func (d *details) goOn(line string) bool {
	d.open = append(append(d.open, line...), '\n')
	var object map[string]any
	err := placeholder.Decode(d.open, &object)
	switch {
	case err == nil:
		d.take(object)
		d.open = nil
		return true
	case errors.Is(err, io.ErrUnexpectedEOF) && len(d.open) > mostDetails:
		d.large = true
		return false
	}
	return errors.Is(err, io.ErrUnexpectedEOF)
}

func (d *details) take(object map[string]any) {
	d.printed = true
	for _, name := range d.names {
		value, ok := placeholder.At(object, name)
		if !ok {
			return
		}
		switch value.(type) {
		case nil, map[string]any, []any:
			d.unfit = name + " is no text, number or truth value in it"
			return
		}
	}
	d.object, _ = json.Marshal(object) // it was read from JSON
}

// told is the object; nil where it is missing.
func (d *details) told() json.RawMessage {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.object
}

// complete reports whether all is known that the block asks for.
func (d *details) complete() bool { return len(d.names) == 0 || d.told() != nil }

// missing says what has not been printed.
func (d *details) missing() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.names) == 0 || d.object != nil {
		return ""
	}
	text := "; on standard output it printed no JSON object with " + strings.Join(d.names, ", ")
	switch {
	case d.unfit != "":
		text += " to use: " + d.unfit
	case d.large:
		text += fmt.Sprintf(", but one of more than %d bytes", mostDetails)
	case d.printed:
		text += ", but another one"
	}
	return text
}
