package link

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Frames of the stream itself. All others are data.
const (
	typePing = "ping"
	typePong = "pong"
	typeAck  = "ack"
)

// Frame is one line after the handshake.
type Frame struct {
	Type      string          `json:"type"`
	Seq       uint64          `json:"seq,omitempty"` // set by the stream; 0: not a data frame
	Ack       uint64          `json:"ack,omitempty"` // set by the stream
	EpisodeID string          `json:"episode_id,omitempty"`
	CallID    string          `json:"call_id,omitempty"`
	ID        string          `json:"id,omitempty"`
	Body      json.RawMessage `json:"body,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
	Code      string          `json:"code,omitempty"`   // of refused, which is not a data frame
	Detail    string          `json:"detail,omitempty"` //
}

// Parse parses a JSON object. The result does not share memory with line.
func Parse(line []byte, into any) error {
	if text := bytes.TrimLeft(line, " \t\r"); len(text) == 0 || text[0] != '{' {
		return lineErrorf("not a JSON object")
	}
	if !utf8.Valid(line) {
		return lineErrorf("invalid UTF-8")
	}
	if err := json.Unmarshal(line, into); err != nil {
		return lineErrorf("%v", err)
	}
	return nil
}

// Encode encodes a small value outside a stream, such as a hello, as a line.
func Encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(text, '\n'), err
}

// open encodes a frame without the closing brace, so that an acknowledgement can be added when it is sent. Body and
// Error are not checked: they come from encoders, and a check would account for half the cost of a frame.
func (f Frame) open() ([]byte, error) {
	for _, part := range []json.RawMessage{f.Body, f.Error} {
		if bytes.IndexByte(part, '\n') >= 0 {
			return nil, fmt.Errorf("encode a frame %s: its contents have more than one line", f.Type)
		}
	}
	out := make([]byte, 0, 128+len(f.EpisodeID)+len(f.CallID)+len(f.Body)+len(f.Error))
	out = append(out, `{"type":"`...)
	out = append(out, f.Type...) // from our own vocabulary: no escaping needed
	out = append(out, `","seq":`...)
	out = strconv.AppendUint(out, f.Seq, 10)
	for _, member := range []struct{ name, value string }{{"episode_id", f.EpisodeID}, {"call_id", f.CallID},
		{"id", f.ID}} {
		if member.value == "" {
			continue
		}
		text, err := json.Marshal(member.value)
		if err != nil {
			return nil, fmt.Errorf("encode a %s frame: %w", f.Type, err)
		}
		out = append(append(append(out, `,"`...), member.name...), `":`...)
		out = append(out, text...)
	}
	if len(f.Body) > 0 {
		out = append(append(out, `,"body":`...), f.Body...)
	}
	if len(f.Error) > 0 {
		out = append(append(out, `,"error":`...), f.Error...)
	}
	return out, nil
}
