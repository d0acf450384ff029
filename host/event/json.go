package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"
)

// header holds the members that all kinds share in the JSON form.
type header struct {
	Type        Kind   `json:"type"`
	Time        string `json:"time"` // RFC 3339, UTC, with nanoseconds
	Run         string `json:"run"`  // id of the run; empty before it is assigned
	Incarnation int    `json:"incarnation"`
	Seq         uint64 `json:"seq"`
}

// MarshalJSON implements json.Marshaler. The result is one flat object, with the header first. Characters that a
// terminal may interpret, such as control characters and changes in the writing direction, are written as \u escapes.
func (e Event) MarshalJSON() ([]byte, error) {
	head, err := encode(header{
		Type: e.Payload.Kind(), Time: e.Time.UTC().Format(time.RFC3339Nano),
		Run: e.Run, Incarnation: e.Incarnation, Seq: e.Seq,
	})
	if err != nil {
		return nil, fmt.Errorf("encode the header of a %s event: %w", e.Payload.Kind(), err)
	}
	body, err := encode(e.Payload)
	if err != nil {
		return nil, fmt.Errorf("encode a %s event: %w", e.Payload.Kind(), err)
	}
	return escape(join(head, body)), nil
}

// AppendLine appends a JSON value and a line break. Unlike json.Marshal, it does not escape <, > and &.
func AppendLine(line []byte, value any) ([]byte, error) {
	encoded, err := encode(value)
	if err != nil {
		return line, err
	}
	return append(append(line, escape(encoded)...), '\n'), nil
}

func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// join merges two objects into one.
func join(head, body []byte) []byte {
	if string(body) == "{}" {
		return head
	}
	joined := make([]byte, 0, len(head)+len(body))
	joined = append(joined, head[:len(head)-1]...)
	joined = append(joined, ',')
	return append(joined, body[1:]...)
}

// escape writes non-ASCII characters that are invisible or affect adjacent text as \u escapes. They can occur only
// within strings. A JSON decoder reads the same string either way.
func escape(encoded []byte) []byte {
	if isPlain(encoded) {
		return encoded
	}
	out := make([]byte, 0, len(encoded)+32)
	for _, r := range string(encoded) {
		switch {
		case !isHidden(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := surrogates(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

func isPlain(encoded []byte) bool {
	for _, b := range encoded {
		if b >= utf8.RuneSelf || b == 0x7f {
			return false
		}
	}
	return true
}

func isHidden(r rune) bool {
	return r == 0x7f || r >= utf8.RuneSelf && (!unicode.IsGraphic(r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

func surrogates(r rune) (high, low rune) {
	r -= 0x10000
	return 0xd800 + r>>10, 0xdc00 + r&0x3ff
}

var _ json.Marshaler = Event{}
