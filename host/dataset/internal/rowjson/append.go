package rowjson

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Append writes a value as canonical JSON behind out: sorted names, no white space, no escapes that JSON does not need.
// The bytes are those of encoding/json without HTML escapes. It takes what Parse returns, and panics for other types.
func Append(out []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		if v {
			return append(out, "true"...)
		}
		return append(out, "false"...)
	case json.Number:
		return append(out, v...)
	case string:
		return appendString(out, v)
	case []any:
		return appendList(out, v)
	case map[string]any:
		return appendObject(out, v)
	}
	panic(fmt.Sprintf("rowjson: a row holds a %T", value))
}

func appendList(out []byte, list []any) []byte {
	out = append(out, '[')
	for i, value := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = Append(out, value)
	}
	return append(out, ']')
}

func appendObject(out []byte, object map[string]any) []byte {
	var few [16]string
	names := few[:0]
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, name), ':')
		out = Append(out, object[name])
	}
	return append(out, '}')
}

const hexDigits = "0123456789abcdef"

func appendString(out []byte, text string) []byte {
	out = append(out, '"')
	start := 0
	for i := 0; i < len(text); {
		b := text[i]
		if ' ' <= b && b < utf8.RuneSelf && b != '"' && b != '\\' {
			i++
			continue
		}
		if b < utf8.RuneSelf {
			out = append(out, text[start:i]...)
			out = appendEscape(out, b)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(append(out, text[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029': // line ends to JavaScript
			out = append(append(out, text[start:i]...), `\u202`...)
			out = append(out, hexDigits[r&0xf])
			start = i + size
		}
		i += size
	}
	return append(append(out, text[start:]...), '"')
}

func appendEscape(out []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(out, '\\', b)
	case '\b':
		return append(out, '\\', 'b')
	case '\f':
		return append(out, '\\', 'f')
	case '\n':
		return append(out, '\\', 'n')
	case '\r':
		return append(out, '\\', 'r')
	case '\t':
		return append(out, '\\', 't')
	}
	return append(out, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xf])
}
