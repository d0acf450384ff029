package py

import (
	"fmt"
	"strings"
)

// Bytes is a bytes object. Lists of bytes are compared by content, like strings.
type Bytes string

// appendBytesRepr appends quoted bytes, using ' unless they contain ' but not ".
func appendBytesRepr(out []byte, b Bytes) []byte {
	quote := byte('\'')
	if strings.IndexByte(string(b), '\'') >= 0 && strings.IndexByte(string(b), '"') < 0 {
		quote = '"'
	}
	out = append(out, 'b', quote)
	for i := range len(b) {
		switch c := b[i]; {
		case c == quote || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c < ' ' || c >= 0x7F:
			out = fmt.Appendf(out, `\x%02x`, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, quote)
}

// items returns the bytes as numbers.
func (b Bytes) items() []Value {
	out := make([]Value, len(b))
	for i := range out {
		out[i] = int(b[i])
	}
	return out
}

// holds reports whether `item in b`.
func (b Bytes) holds(item Value) (bool, error) {
	if part, ok := item.(Bytes); ok {
		return strings.Contains(string(b), string(part)), nil
	}
	n, ok := numberOf(item)
	if !ok || n.isFloat {
		return false, TypeError("a bytes-like object is required, not '%s'", TypeName(item))
	}
	if n.big != nil || n.whole < 0 || n.whole > 255 {
		return false, ValueError("byte must be in range(0, 256)")
	}
	return strings.IndexByte(string(b), byte(n.whole)) >= 0, nil
}
