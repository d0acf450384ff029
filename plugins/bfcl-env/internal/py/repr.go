package py

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Str returns str(v).
func Str(v Value) string {
	if text, ok := v.(string); ok {
		return text
	}
	return Repr(v)
}

// Repr returns repr(v).
func Repr(v Value) string {
	if text, ok := v.(string); ok {
		return string(appendTextRepr(nil, text))
	}
	p := printer{}
	p.value(v)
	return string(p.out)
}

// printer prints values. open holds the enclosing containers, because a container may contain itself.
type printer struct {
	out  []byte
	open []Value
}

func (p *printer) text(s string) { p.out = append(p.out, s...) }

func (p *printer) value(v Value) {
	switch v := v.(type) {
	case nil:
		p.text("None")
	case bool:
		if v {
			p.text("True")
		} else {
			p.text("False")
		}
	case int:
		p.out = strconv.AppendInt(p.out, int64(v), 10)
	case *big.Int:
		p.out = v.Append(p.out, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			p.text(FloatRepr(v))
		} else {
			p.out = appendFloat(p.out, v)
		}
	case string:
		p.out = appendTextRepr(p.out, v)
	case *List:
		p.container(v, "[...]", func() { p.items("[", v.Items, "]") })
	case Tuple:
		closing := ")"
		if len(v) == 1 {
			closing = ",)"
		}
		p.items("(", v, closing)
	case *Dict:
		p.container(v, "{...}", func() { p.dict(v) })
	case Ellipsis:
		p.text("Ellipsis")
	case Complex:
		p.text(v.text())
	case Bytes:
		p.out = appendBytesRepr(p.out, v)
	case *Set:
		p.set(v)
	case Slice:
		p.items("slice(", []Value{v.Start, v.Stop, v.Step}, ")")
	case Decimal:
		p.text("Decimal('" + string(v) + "')")
	case MPF:
		p.text("mpf('" + string(v) + "')")
	case MPC:
		p.text("mpc(real='" + string(v.Real) + "', imag='" + string(v.Imag) + "')")
	case Object:
		p.text(v.PyRepr())
	default:
		panic(fmt.Sprintf("py: a %T is no Python value", v))
	}
}

// container prints a container, or the value of again if the printer is already inside the container.
func (p *printer) container(v Value, again string, print func()) {
	for _, outer := range p.open {
		if identical(outer, v) {
			p.text(again)
			return
		}
	}
	p.open = append(p.open, v)
	print()
	p.open = p.open[:len(p.open)-1]
}

func (p *printer) items(opening string, items []Value, closing string) {
	p.text(opening)
	for i, item := range items {
		if i > 0 {
			p.text(", ")
		}
		p.value(item)
	}
	p.text(closing)
}

func (p *printer) dict(d *Dict) {
	p.text("{")
	for i, key := range d.keys {
		if i > 0 {
			p.text(", ")
		}
		p.value(key)
		p.text(": ")
		p.value(d.values[i])
	}
	p.text("}")
}

func (p *printer) set(s *Set) {
	if s.d.Len() == 0 {
		p.text("set()")
		return
	}
	p.items("{", s.Items(), "}")
}

// appendTextRepr appends a quoted string, using ' unless the string contains ' but not ".
func appendTextRepr(out []byte, s string) []byte {
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	out = append(out, quote)
	for i := 0; i < len(s); {
		plain := i
		for i < len(s) && s[i] >= ' ' && s[i] < 0x7F && s[i] != '\\' && s[i] != quote {
			i++
		}
		if out = append(out, s[plain:i]...); i == len(s) {
			break
		}
		r, size := decode(s[i:])
		out = appendCharRepr(out, r, quote)
		i += size
	}
	return append(out, quote)
}

func appendCharRepr(out []byte, r rune, quote byte) []byte {
	switch {
	case r == rune(quote) || r == '\\':
		return append(out, '\\', byte(r))
	case r == '\n':
		return append(out, `\n`...)
	case r == '\r':
		return append(out, `\r`...)
	case r == '\t':
		return append(out, `\t`...)
	case r >= 0xD800 && r <= 0xDFFF:
		return fmt.Appendf(out, `\u%04x`, r)
	case printable(r):
		return appendRune(out, r)
	case r < 0x100:
		return fmt.Appendf(out, `\x%02x`, r)
	case r < 0x10000:
		return fmt.Appendf(out, `\u%04x`, r)
	}
	return fmt.Appendf(out, `\U%08x`, r)
}
