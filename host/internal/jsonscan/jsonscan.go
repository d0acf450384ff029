// Package jsonscan reads JSON in the form that encoding/json writes, five times as fast as reading tokens with
// github.com/go-json-experiment/json/jsontext. It is meant for readers that need a small part of much data:
//
//	s := jsonscan.New(data)
//	s.Object(func(key []byte) {
//		switch string(key) {
//		case "id":
//			id = s.Text()
//		default:
//			s.Skip()
//		}
//	})
//	if !s.Done() {
//		err := json.Unmarshal(data, &whole) // another form, or an error if it is invalid
//	}
//
// It supports one form of each value: no spaces, no escapes in names, integers as digits. It does not validate skipped
// values. If it encounters any other form, it fails permanently: Done returns false, and the caller reads the same data
// with encoding/json. It must not depend on the meaning of the data.
package jsonscan

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Scanner is positioned before a value. Each method except Done reads that value, or nothing after a failure.
type Scanner struct {
	data   []byte
	at     int
	failed bool
}

// New returns a scanner positioned before the first value in data.
func New(data []byte) *Scanner { return &Scanner{data: data} }

// Done reports whether all data was read without failure.
func (s *Scanner) Done() bool { return !s.failed && s.at == len(s.data) }

// Fail makes Done return false; the caller uses it after finding an unsupported form.
func (s *Scanner) Fail() { s.failed = true }

// Object calls member with each name; the name is valid until member returns. member must read the value. null has no
// members.
func (s *Scanner) Object(member func(name []byte)) {
	s.each('{', '}', func() {
		name, plain := s.quoted()
		if !plain || !s.next(':') {
			s.failed = true
			return
		}
		member(name)
	})
}

// Array calls element before each element, and element must read it. null has no elements.
func (s *Scanner) Array(element func()) { s.each('[', ']', element) }

func (s *Scanner) each(begin, end byte, take func()) {
	if s.null() {
		return
	}
	if !s.next(begin) {
		s.failed = true
		return
	}
	if s.next(end) {
		return
	}
	for !s.failed {
		before := s.at
		take()
		switch {
		case s.failed, s.at == before:
			s.failed = true
		case s.next(end):
			return
		case !s.next(','):
			s.failed = true
		}
	}
}

// Text reads a text. null is empty.
func (s *Scanner) Text() string {
	if s.null() {
		return ""
	}
	raw, plain := s.quoted()
	if plain && utf8.Valid(raw) {
		return string(raw)
	}
	return string(s.unescape(raw))
}

// Int reads an integer. null is 0.
func (s *Scanner) Int() int {
	if s.null() {
		return 0
	}
	literal := s.literal()
	n, digits := 0, literal
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		s.failed = true
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			s.failed = true
			return 0
		}
		n = 10*n + int(c-'0')
	}
	if len(digits) < len(literal) {
		n = -n
	}
	return n
}

// Float reads a number. null is 0.
func (s *Scanner) Float() float64 {
	if s.null() {
		return 0
	}
	literal := s.literal()
	if len(literal) == 0 || literal[0] != '-' && (literal[0] < '0' || literal[0] > '9') {
		s.failed = true
		return 0
	}
	n, err := strconv.ParseFloat(string(literal), 64)
	if err != nil {
		s.failed = true
	}
	return n
}

// Bool reads true or false. null is false.
func (s *Scanner) Bool() bool {
	if s.null() {
		return false
	}
	switch string(s.literal()) {
	case "true":
		return true
	case "false":
	default:
		s.failed = true
	}
	return false
}

// IsNull reports whether the next value is null, without reading it.
func (s *Scanner) IsNull() bool { return bytes.HasPrefix(s.data[s.at:], []byte("null")) }

// Raw reads any value and returns its bytes without copying them.
func (s *Scanner) Raw() []byte {
	begin := s.at
	s.Skip()
	return s.data[begin:s.at]
}

// Skip reads any value and discards it.
func (s *Scanner) Skip() {
	if s.failed || s.at >= len(s.data) {
		s.failed = true
		return
	}
	n := -1
	switch s.data[s.at] {
	case '"':
		if n = textEnd(s.data, s.at+1) - s.at; n < 0 {
			s.failed = true
			return
		}
		n++
	case '{', '[':
		n = ObjectEnd(s.data[s.at:])
	default:
		s.literal()
		return
	}
	if n < 0 {
		s.failed = true
		return
	}
	s.at += n
}

// null reads null if it is next.
func (s *Scanner) null() bool {
	if s.failed || !s.IsNull() {
		return false
	}
	s.at += len("null")
	return true
}

// next reads one byte if it equals c.
func (s *Scanner) next(c byte) bool {
	if s.failed || s.at >= len(s.data) || s.data[s.at] != c {
		return false
	}
	s.at++
	return true
}

// literal reads a number, true, or false.
func (s *Scanner) literal() []byte {
	begin := s.at
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ',', ']', '}', '"', '{', '[', ':', ' ', '\n', '\r', '\t':
		default:
			s.at++
			continue
		}
		break
	}
	return s.data[begin:s.at]
}

// quoted reads a string and returns the bytes between its quotes, and whether they are free of escapes.
func (s *Scanner) quoted() (raw []byte, plain bool) {
	if !s.next('"') {
		s.failed = true
		return nil, false
	}
	end := textEnd(s.data, s.at)
	if end < 0 {
		s.failed = true
		return nil, false
	}
	raw = s.data[s.at:end]
	s.at = end + 1
	return raw, bytes.IndexByte(raw, '\\') < 0
}

// escapes maps single-letter escapes to their characters.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape returns the decoded text of raw. Unpaired surrogates and invalid characters are left to encoding/json.
func (s *Scanner) unescape(raw []byte) []byte {
	if !utf8.Valid(raw) {
		s.failed = true
	}
	out := make([]byte, 0, len(raw))
	for !s.failed {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(out, raw...)
		}
		out = append(out, raw[:i]...)
		raw = raw[i+1:] // never empty: the quote after the backslash would not have ended the text
		if c := escapes[raw[0]]; c != 0 {
			out, raw = append(out, c), raw[1:]
			continue
		}
		if raw[0] != 'u' || len(raw) < 5 {
			break
		}
		r, err := strconv.ParseUint(string(raw[1:5]), 16, 16)
		if err != nil || r >= 0xD800 && r < 0xE000 {
			break
		}
		out, raw = utf8.AppendRune(out, rune(r)), raw[5:]
	}
	s.failed = true
	return nil
}

// ObjectEnd returns the length of the object or array at the beginning of data, or -1 if it is incomplete.
func ObjectEnd(data []byte) int {
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

// textEnd returns the index of the closing quote of the string that begins at i, just after its opening quote, or -1 if
// it is missing.
func textEnd(data []byte, i int) int {
	for {
		next := bytes.IndexByte(data[i:], '"')
		if next < 0 {
			return -1
		}
		i += next
		slashes := 0
		for data[i-1-slashes] == '\\' { // a quote precedes them
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		i++
	}
}
