package telemetry

import (
	"encoding/binary"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/encoding/protowire"
)

// encoder writes spans in OTLP format one after another, as the spans field of a ScopeSpans: see
// opentelemetry/proto/trace/v1/trace.proto. The SDK's spans take three times the CPU time, mostly for intermediate
// messages. Only one span is open at a time. A span's parent does not have to precede it.
//
//	e.begin(span{trace: id, id: root, name: "invoke_agent solver", kind: kindInternal, from: began, until: ended})
//	e.text(keyAgent, "solver")
//	e.end()
type encoder struct {
	b      []byte
	spans  int
	opened int              // offset of the open span's content
	said   protowire.Number // field number of the attributes of the open span or event
}

// span holds the fields that every span has.
type span struct {
	trace       trace.TraceID
	id          trace.SpanID
	above       trace.SpanID // zero: root span
	name        string
	kind        uint64
	from, until time.Time
}

// The kinds of spans, the status code for errors, and the flags of spans and links: the context was sampled, and
// whether it is remote is known.
const (
	kindInternal   = 1
	kindClient     = 3
	statusError    = 2
	flagsSpan      = 0x101
	flagsElsewhere = 0x301
)

// The field numbers.
const (
	scopeSpans = 2

	spanTrace      = 1
	spanItself     = 2
	spanAbove      = 4
	spanName       = 5
	spanKind       = 6
	spanFrom       = 7
	spanUntil      = 8
	spanAttributes = 9
	spanEvents     = 11
	spanLinks      = 13
	spanStatus     = 15
	spanFlags      = 16

	eventTime       = 1
	eventName       = 2
	eventAttributes = 3

	linkTrace = 1
	linkSpan  = 2
	linkFlags = 6

	statusMessage = 2
	statusCode    = 3

	pairKey   = 1
	pairValue = 2

	valueText    = 1
	valueBool    = 2
	valueInteger = 3
	valueNumber  = 4
	valueArray   = 5
	arrayValues  = 1
)

// begin opens a span.
func (e *encoder) begin(s span) {
	e.spans++
	e.opened = e.nest(scopeSpans)
	e.said = spanAttributes
	e.bytes(spanTrace, s.trace[:])
	e.bytes(spanItself, s.id[:])
	if s.above.IsValid() {
		e.bytes(spanAbove, s.above[:])
	}
	e.string(spanName, cut(s.name, mostName))
	e.varint(spanKind, s.kind)
	e.moment(spanFrom, s.from)
	e.moment(spanUntil, s.until)
	e.flags(spanFlags, flagsSpan)
}

// reset removes all spans.
func (e *encoder) reset() {
	if e.spans = 0; cap(e.b) > mostKept {
		e.b = nil
	}
	e.b = e.b[:0]
}

// mostKept is the maximum number of bytes that an encoder keeps allocated after it is reset.
const mostKept = 1 << 20

// end closes the open span.
func (e *encoder) end() { e.close(e.opened) }

// fail marks the open span with a failure class; an empty class means no failure. The failure's text is not sent
// because it may quote a model.
func (e *encoder) fail(class string) {
	if class == "" {
		return
	}
	e.text(keyError, class)
	at := e.nest(spanStatus)
	e.string(statusMessage, class)
	e.varint(statusCode, statusError)
	e.close(at)
}

// link adds a link from the open span to a span in another trace.
func (e *encoder) link(to trace.TraceID, id trace.SpanID) {
	at := e.nest(spanLinks)
	e.bytes(linkTrace, to[:])
	e.bytes(linkSpan, id[:])
	e.flags(linkFlags, flagsElsewhere)
	e.close(at)
}

// event adds an event to the open span. Until the returned function is called, attributes are added to the event.
func (e *encoder) event(name string, when time.Time) (end func()) {
	at := e.nest(spanEvents)
	e.moment(eventTime, when)
	e.string(eventName, name)
	e.said = eventAttributes
	return func() {
		e.close(at)
		e.said = spanAttributes
	}
}

// text adds a string attribute. Long strings are truncated because some come from models.
func (e *encoder) text(name key, value string) { e.whole(name, bounded(value)) }

// whole adds a string attribute whose value is valid UTF-8 and not too long.
func (e *encoder) whole(name key, value string) {
	e.attribute(name, protowire.SizeTag(valueText)+protowire.SizeBytes(len(value)))
	e.string(valueText, value)
}

// texts adds an attribute whose value is a list with one string.
func (e *encoder) texts(name key, value string) {
	value = bounded(value)
	text := protowire.SizeTag(valueText) + protowire.SizeBytes(len(value))
	array := protowire.SizeTag(arrayValues) + protowire.SizeBytes(text)
	e.attribute(name, protowire.SizeTag(valueArray)+protowire.SizeBytes(array))
	e.length(valueArray, array)
	e.length(arrayValues, text)
	e.string(valueText, value)
}

// integer adds an integer attribute.
func (e *encoder) integer(name key, value int64) {
	e.attribute(name, protowire.SizeTag(valueInteger)+protowire.SizeVarint(uint64(value)))
	e.varint(valueInteger, uint64(value))
}

// number adds a floating-point attribute.
func (e *encoder) number(name key, value float64) {
	e.attribute(name, protowire.SizeTag(valueNumber)+protowire.SizeFixed64())
	e.b = protowire.AppendFixed64(protowire.AppendTag(e.b, valueNumber, protowire.Fixed64Type), math.Float64bits(value))
}

// yes adds a boolean attribute.
func (e *encoder) yes(name key, value bool) {
	e.attribute(name, protowire.SizeTag(valueBool)+1)
	e.varint(valueBool, protowire.EncodeBool(value))
}

// attribute starts an attribute whose value has this many bytes.
func (e *encoder) attribute(name key, value int) {
	e.length(e.said, protowire.SizeTag(pairKey)+protowire.SizeBytes(len(name))+
		protowire.SizeTag(pairValue)+protowire.SizeBytes(value))
	e.string(pairKey, string(name))
	e.length(pairValue, value)
}

func (e *encoder) bytes(field protowire.Number, value []byte) {
	e.b = protowire.AppendBytes(protowire.AppendTag(e.b, field, protowire.BytesType), value)
}

// string writes a string that cut has made valid UTF-8. Otherwise a collector would reject the whole request.
func (e *encoder) string(field protowire.Number, value string) {
	e.b = protowire.AppendString(protowire.AppendTag(e.b, field, protowire.BytesType), value)
}

func (e *encoder) varint(field protowire.Number, value uint64) {
	e.b = protowire.AppendVarint(protowire.AppendTag(e.b, field, protowire.VarintType), value)
}

func (e *encoder) moment(field protowire.Number, value time.Time) {
	e.b = protowire.AppendFixed64(protowire.AppendTag(e.b, field, protowire.Fixed64Type), uint64(value.UnixNano()))
}

func (e *encoder) flags(field protowire.Number, value uint32) {
	e.b = protowire.AppendFixed32(protowire.AppendTag(e.b, field, protowire.Fixed32Type), value)
}

// length starts a nested message of known size.
func (e *encoder) length(field protowire.Number, size int) {
	e.b = protowire.AppendVarint(protowire.AppendTag(e.b, field, protowire.BytesType), uint64(size))
}

// lengthRoom is the number of bytes reserved for a nested message's length, which is sufficient for most spans.
const lengthRoom = 2

// nest starts a nested message of unknown size.
func (e *encoder) nest(field protowire.Number) (at int) {
	e.b = append(protowire.AppendTag(e.b, field, protowire.BytesType), make([]byte, lengthRoom)...)
	return len(e.b)
}

// close ends a nested message and writes its length before it.
func (e *encoder) close(at int) {
	size := len(e.b) - at
	needs := protowire.SizeVarint(uint64(size))
	if needs > lengthRoom {
		e.b = append(e.b, make([]byte, needs-lengthRoom)...)
	}
	if needs != lengthRoom {
		copy(e.b[at-lengthRoom+needs:], e.b[at:at+size])
	}
	binary.PutUvarint(e.b[at-lengthRoom:], uint64(size))
	e.b = e.b[:at-lengthRoom+needs+size]
}

// mostName is the maximum number of bytes in a span name. A model may have invented the name of a tool.
const mostName = 256

// cut truncates a string and makes it valid UTF-8.
func cut(text string, most int) string {
	if len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
