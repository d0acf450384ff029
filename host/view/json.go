package view

import (
	"fmt"
	"io"
	"sync"

	"github.com/awhost/awhost/host/event"
)

// JSON writes one line per event; see docs/reference/json-events.md.
type JSON struct {
	mu   sync.Mutex // held while Handle writes
	out  io.Writer
	line []byte
	err  error

	noProgress bool // phase events are omitted
}

// NewJSON writes the version line and returns the view.
func NewJSON(out io.Writer, version string) *JSON {
	j := &JSON{out: out}
	j.write(struct {
		Type   string `json:"type"`
		Awhost string `json:"awhost"`
		Events string `json:"events"`
	}{"version", version, event.FormatVersion})
	return j
}

// Handle implements event.Handler. After the first write error, it does not write anything more: a partial line would
// make the next one unreadable.
func (j *JSON) Handle(e event.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := e.Payload.(event.Phase); ok && j.noProgress {
		return
	}
	j.write(e)
}

// Close implements View.
func (j *JSON) Close() error {
	if !j.mu.TryLock() {
		return errStuck
	}
	defer j.mu.Unlock()
	err := j.err
	j.err, j.out = nil, io.Discard
	return err
}

func (j *JSON) write(value any) {
	if j.err != nil {
		return
	}
	line, err := event.AppendLine(j.line[:0], value)
	if err == nil {
		_, err = j.out.Write(line)
	}
	if err != nil {
		j.err = fmt.Errorf("write JSON events: %w", err)
	}
	j.line = line
}

var _ View = (*JSON)(nil)
