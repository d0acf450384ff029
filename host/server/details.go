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

// mostDetails limits the size in bytes of a JSON object that a server prints. The object is parsed again after each of
// its lines.
const mostDetails = 64 << 10

// details reads a server's connection details from its command's output: the first JSON object with all the names that
// the block uses. JSON log lines are skipped.
type details struct {
	names []string

	mu      sync.Mutex
	open    []byte          // the lines of an unfinished object
	object  json.RawMessage // nil: not printed yet
	printed bool            // another object was printed
	unfit   string          // the error of an object that has all names
	large   bool            // an object exceeded mostDetails
}

// addLine processes a line of standard output.
func (d *details) addLine(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.object != nil || len(d.names) == 0 {
		return
	}
	if len(d.open) > 0 && d.extend(line) {
		return
	}
	d.open = nil // the pending lines are not an object; this line may start one
	if strings.HasPrefix(strings.TrimSpace(line), "{") && !d.extend(line) {
		d.open = nil
	}
}

// extend adds a line to the pending object and reports whether the line can be part of one.
func (d *details) extend(line string) bool {
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
		value, ok := placeholder.Lookup(object, name)
		if !ok {
			return
		}
		switch value.(type) {
		case nil, map[string]any, []any:
			d.unfit = name + " is not a string, number, or Boolean in it"
			return
		}
	}
	d.object, _ = json.Marshal(object) // it was parsed from JSON
}

// result returns the object, or nil if it is missing.
func (d *details) result() json.RawMessage {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.object
}

// complete reports whether all details that the block uses are known.
func (d *details) complete() bool { return len(d.names) == 0 || d.result() != nil }

// missing describes the details that have not been printed.
func (d *details) missing() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.names) == 0 || d.object != nil {
		return ""
	}
	text := "; its standard output contains no JSON object with " + strings.Join(d.names, ", ")
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
