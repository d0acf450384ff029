package py

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns json.dumps(v), which escapes all non-ASCII characters.
func JSON(v Value) (string, error) { return dumps(v, true) }

// JSONUnicode returns json.dumps(v, ensure_ascii=False).
func JSONUnicode(v Value) (string, error) { return dumps(v, false) }

// JSONCompact returns json.dumps(v, ensure_ascii=False, separators=(",", ":")).
func JSONCompact(v Value) (string, error) { return write(v, style{comma: ",", colon: ":"}) }

func dumps(v Value, ascii bool) (string, error) {
	return write(v, style{ascii: ascii, comma: ", ", colon: ": "})
}

// encoders holds encoders so that their buffers can be reused.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// maxKeptBuffer bounds the size of a buffer that is kept.
const maxKeptBuffer = 1 << 20

func write(v Value, s style) (string, error) {
	e := encoders.Get().(*encoder)
	e.style, e.out, e.open = s, e.out[:0], e.open[:0]
	err := e.encode(v)
	text := string(e.out)
	if cap(e.out) <= maxKeptBuffer {
		clear(e.open[:cap(e.open)])
		encoders.Put(e)
	}
	if err != nil {
		return "", err
	}
	return text, nil
}

// FreezeWritten freezes a value and stores its JSON, so that it is encoded only once.
func FreezeWritten(v Value) {
	Freeze(v)
	text, err := JSON(v)
	if err != nil {
		return
	}
	switch v := v.(type) {
	case *List:
		v.text = text
	case *Dict:
		v.text = text
	}
}

// style is a JSON format.
type style struct {
	ascii bool
	comma string
	colon string
}

type encoder struct {
	style
	out  []byte
	open []Value // the enclosing containers
}

func (e *encoder) text(s string) { e.out = append(e.out, s...) }

func (e *encoder) encode(v Value) (err error) {
	defer Catch(&err)
	e.value(v)
	return nil
}

func (e *encoder) value(v Value) {
	switch v := v.(type) {
	case nil:
		e.text("null")
	case bool:
		e.text(strconv.FormatBool(v))
	case int:
		e.out = strconv.AppendInt(e.out, int64(v), 10)
	case *big.Int:
		if tooLong(v) {
			panic(ValueError(limitExceeded + "; use sys.set_int_max_str_digits() to increase the limit"))
		}
		e.out = v.Append(e.out, 10)
	case float64:
		e.out = appendJSONFloat(e.out, v)
	case string:
		e.string(v)
	case *List:
		if v.text != "" && e.ascii {
			e.text(v.text)
			return
		}
		e.enter(v)
		e.list(v.Items)
		e.open = e.open[:len(e.open)-1]
	case Tuple:
		e.list(v)
	case *Dict:
		if v.text != "" && e.ascii {
			e.text(v.text)
			return
		}
		e.enter(v)
		e.dict(v)
		e.open = e.open[:len(e.open)-1]
	default:
		panic(TypeError("Object of type %s is not JSON serializable", unqualified(TypeName(v))))
	}
}

// unqualified returns the name of a class without its module.
func unqualified(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// enter enters a container, which must not contain itself.
func (e *encoder) enter(v Value) {
	for _, outer := range e.open {
		if outer == v {
			panic(ValueError("Circular reference detected"))
		}
	}
	e.open = append(e.open, v)
}

func appendJSONFloat(out []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(out, "NaN"...)
	case math.IsInf(f, 1):
		return append(out, "Infinity"...)
	case math.IsInf(f, -1):
		return append(out, "-Infinity"...)
	}
	return appendFloat(out, f)
}

func (e *encoder) list(items []Value) {
	e.text("[")
	for i, item := range items {
		if i > 0 {
			e.text(e.comma)
		}
		e.value(item)
	}
	e.text("]")
}

func (e *encoder) dict(d *Dict) {
	e.text("{")
	for i, key := range d.keys {
		if i > 0 {
			e.text(e.comma)
		}
		switch key := key.(type) {
		case string:
			e.string(key)
		case nil, bool, int, *big.Int, float64:
			e.text(`"`)
			e.value(key)
			e.text(`"`)
		default:
			panic(TypeError("keys must be str, int, float, bool or None, not %s", TypeName(key)))
		}
		e.text(e.colon)
		e.value(d.values[i])
	}
	e.text("}")
}

func (e *encoder) string(s string) {
	e.out = append(e.out, '"')
	for i := 0; i < len(s); {
		plain := i
		for i < len(s) && s[i] >= ' ' && s[i] < 0x7F && s[i] != '\\' && s[i] != '"' {
			i++
		}
		if e.out = append(e.out, s[plain:i]...); i == len(s) {
			break
		}
		r, size := decode(s[i:])
		e.escape(r)
		i += size
	}
	e.out = append(e.out, '"')
}

func (e *encoder) escape(r rune) {
	switch {
	case r == '"' || r == '\\':
		e.out = append(e.out, '\\', byte(r))
	case r == '\n':
		e.text(`\n`)
	case r == '\r':
		e.text(`\r`)
	case r == '\t':
		e.text(`\t`)
	case r == '\b':
		e.text(`\b`)
	case r == '\f':
		e.text(`\f`)
	case r < ' ':
		e.out = fmt.Appendf(e.out, `\u%04x`, r)
	case !e.ascii:
		e.out = appendRune(e.out, r)
	case r < 0x10000:
		e.out = fmt.Appendf(e.out, `\u%04x`, r)
	default:
		high, low := utf16.EncodeRune(r)
		e.out = fmt.Appendf(e.out, `\u%04x\u%04x`, high, low)
	}
}

// ValidText converts a string to valid UTF-8: surrogates, which only Python strings contain, become the replacement
// character.
func ValidText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, string(utf8.RuneError))
}
