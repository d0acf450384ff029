package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// member is one member of a request body, as it was sent.
type member struct {
	name  string
	value jsontext.Value // a slice of the body
}

// jsonOptions are the options for reading request bodies. A lone surrogate, which JavaScript leaves behind when it cuts
// a string, becomes U+FFFD. Arguments written by a model may contain the same member twice.
var jsonOptions = jsonv2.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

func newDecoder(body []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(body), jsonOptions)
}

// readMembers reads a request in one pass and decodes the members named in into. It returns all members, sorted by
// name.
func readMembers(body []byte, into map[string]any) ([]member, *problem) {
	dec := newDecoder(body)
	if dec.PeekKind() != '{' {
		return nil, noObject(dec)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, noJSON(err)
	}
	var out []member
	for dec.PeekKind() == '"' {
		m, p := readMember(dec, body, into)
		if p != nil {
			return nil, p
		}
		out = append(out, m)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, noJSON(err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, refused("", "the request has data after its JSON object")
	}
	slices.SortFunc(out, func(a, b member) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(out); i++ {
		if out[i].name == out[i-1].name {
			return nil, refused(out[i].name, "the request has %s twice", out[i].name)
		}
	}
	return out, nil
}

// readMember reads a name and its value, and decodes the value into the variable of that name, if there is one.
func readMember(dec *jsontext.Decoder, body []byte, into map[string]any) (m member, _ *problem) {
	name, err := dec.ReadToken()
	if err != nil {
		return m, noJSON(err)
	}
	m.name = name.String()
	start := dec.InputOffset()
	if target, known := into[m.name]; known {
		err = jsonv2.UnmarshalDecode(dec, target, jsonOptions)
	} else {
		err = dec.SkipValue()
	}
	if err != nil {
		return m, unreadable(m.name, err)
	}
	m.value = bytes.TrimLeft(body[start:dec.InputOffset()], ": \t\r\n")
	return m, nil
}

func noObject(dec *jsontext.Decoder) *problem {
	if _, err := dec.ReadValue(); err != nil {
		return noJSON(err)
	}
	return refused("", "the request is not a JSON object")
}

func noJSON(err error) *problem { return refused("", "the request is not a JSON object: %v", err) }

// unreadable returns the problem for a member that is invalid JSON or has the wrong type.
func unreadable(name string, err error) *problem {
	if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
		return noJSON(err)
	}
	if semantic := (*jsonv2.SemanticError)(nil); errors.As(err, &semantic) {
		at := placeOf(semantic.JSONPointer)
		if numeric := (*strconv.NumError)(nil); semantic.Err != nil && !errors.As(semantic.Err, &numeric) &&
			!errors.Is(semantic.Err, strconv.ErrSyntax) && !errors.Is(semantic.Err, strconv.ErrRange) {
			return refused(at, "%s cannot be read: %v", at, semantic.Err)
		}
		return refused(at, "%s must be %s", at, kindOf(semantic.GoType))
	}
	return refused(name, "%s cannot be read: %v", name, err)
}

// placeOf returns a place in a request as programs write it: messages[0].role.
func placeOf(p jsontext.Pointer) string {
	text := listIndex.ReplaceAllString(string(p), "[$1]")
	return shorten(strings.TrimPrefix(strings.ReplaceAll(text, "/", "."), "."))
}

// kindOf returns the JSON type that is decoded into a Go type.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice:
		return "a list"
	case reflect.Int:
		return "an integer"
	}
	return "an object"
}

// bodyKey identifies equal requests: a digest of the body without its streaming options.
type bodyKey [sha256.Size]byte

// keyOf returns the digest of a request's members for the given route.
func keyOf(route string, members []member) (key bodyKey) {
	h := sha256.New()
	sum := make([]byte, 0, sha256.Size)
	field := func(value []byte) {
		h.Write(binary.BigEndian.AppendUint64(sum[:0], uint64(len(value))))
		h.Write(value)
	}
	field([]byte(route))
	for _, m := range members {
		if m.name != "stream" && m.name != "stream_options" {
			field([]byte(m.name))
			field(sorted(m.value))
		}
	}
	return bodyKey(h.Sum(sum[:0]))
}

// of returns the key for the same body when it is sent by a member.
func (k bodyKey) of(member string) bodyKey {
	return sha256.Sum256(append(k[:], member...))
}
