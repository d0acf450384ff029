package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/awhost/awhost/sdk/placeholder"
)

// mostDetails bounds a JSON object that a server prints, in bytes.
const mostDetails = 1 << 20

// details are what a command prints of how its server is reached: the first JSON object among its lines that has all
// names that the block asks for. Lines of a log that are JSON, too, are passed over.
type details struct {
	names []string

	mu      sync.Mutex
	open    []byte          // the lines of an object that has not ended
	object  json.RawMessage // nil: not printed yet
	printed bool            // some other object
}

// hear takes a line of standard output.
func (d *details) hear(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.object != nil || len(d.names) == 0 {
		return
	}
	if len(d.open) == 0 && !strings.HasPrefix(strings.TrimSpace(line), "{") {
		return
	}
	d.open = append(append(d.open, line...), '\n')
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(d.open))
	decoder.UseNumber()
	err := decoder.Decode(&object)
	switch {
	case err == nil:
		d.take(object)
	case errors.Is(err, io.ErrUnexpectedEOF) && len(d.open) <= mostDetails:
		return // it goes on
	}
	d.open = nil
}

func (d *details) take(object map[string]any) {
	d.printed = true
	for _, name := range d.names {
		if value, ok := placeholder.At(object, name); !ok || value == nil {
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
	if d.printed {
		text += ", but another one"
	}
	return text
}
