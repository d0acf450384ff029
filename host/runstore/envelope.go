package runstore

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/internal/jsonscan"
)

// parseEnvelope reads the output of encode without parsing the data, which is parsed by the callers that use it.
// Equivalent output in other forms is parsed as JSON. The data does not share memory with raw.
func parseEnvelope(raw []byte) (envelope, error) {
	var e envelope
	if e.parse(raw) {
		return e, nil
	}
	e = envelope{}
	return e, json.Unmarshal(raw, &e)
}

// parse reports whether raw has the form that encode writes, and sets e to its content.
func (e *envelope) parse(raw []byte) bool {
	kind, rest, ok := quoted(raw, `{"type":`)
	if !ok {
		return false
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"incarnation":`))
	end := bytes.IndexByte(rest, ',')
	if !ok || end < 0 {
		return false
	}
	incarnation, err := strconv.Atoi(string(rest[:end]))
	if err != nil {
		return false
	}
	at, rest, ok := quoted(rest[end:], `,"at":`)
	if !ok {
		return false
	}
	moment, err := time.Parse(time.RFC3339Nano, string(at))
	if err != nil {
		return false
	}
	data, ok := bytes.CutPrefix(rest, []byte(`,"data":`))
	if !ok || jsonscan.ObjectEnd(data) != len(data)-1 || data[len(data)-1] != '}' {
		return false
	}
	e.Type, e.Incarnation, e.At, e.Data = Type(kind), incarnation, moment, bytes.Clone(data[:len(data)-1])
	return true
}

// quoted returns the string without escapes that follows a prefix, and the remaining bytes.
func quoted(raw []byte, prefix string) (text, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(raw, []byte(prefix+`"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return nil, nil, false
	}
	return rest[:end], rest[end+1:], true
}
