package runstore

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// parseEnvelope reads what encode writes, without reading the data, which whoever uses it does. Any other form of the
// same is read as JSON. The data does not share memory with raw.
func parseEnvelope(raw []byte) (envelope, error) {
	var e envelope
	if e.parse(raw) {
		return e, nil
	}
	e = envelope{}
	return e, json.Unmarshal(raw, &e)
}

// parse reports whether raw has the form that encode writes.
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
	if !ok || objectEnd(data) != len(data)-1 || data[len(data)-1] != '}' {
		return false
	}
	e.Type, e.Incarnation, e.At, e.Data = Type(kind), incarnation, moment, bytes.Clone(data[:len(data)-1])
	return true
}

// quoted returns the text without escapes that stands behind a prefix, and what follows it.
func quoted(raw []byte, prefix string) (text, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(raw, []byte(prefix+`"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return nil, nil, false
	}
	return rest[:end], rest[end+1:], true
}

// objectEnd is the length of the object that data begins with, -1 where that has no end.
func objectEnd(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			if i = textEnd(data, i+1); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return -1
}

// textEnd is where the text ends that begins at i: the place of its closing quote, -1 where it has none.
func textEnd(data []byte, i int) int {
	for {
		next := bytes.IndexByte(data[i:], '"')
		if next < 0 {
			return -1
		}
		i += next
		escapes := 0
		for data[i-1-escapes] == '\\' { // a quote stands before them
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
		i++
	}
}
