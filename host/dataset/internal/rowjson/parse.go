// Package rowjson reads and writes the JSON of rows: objects whose numbers keep their digits and whose names are
// unique.
//
// It uses jsontext's parser, because encoding/json would account for most of the time needed to open a dataset. A fuzz
// test compares its values and bytes with encoding/json's. It must not depend on files or tasks.
//
//	row, err := rowjson.Parse([]byte(`{"prompt": "1+1=", "level": 2}`)) // {"prompt": "1+1=", "level": json.Number("2")}
//	text := rowjson.Append(nil, row)                                    // {"level":2,"prompt":"1+1="}
package rowjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrNotUTF8 reports bytes that are not UTF-8.
var ErrNotUTF8 = errors.New("the text is not UTF-8")

// RepeatedName is the error for a name that occurs twice in one object.
type RepeatedName string

// Error returns a message that contains the name.
func (r RepeatedName) Error() string {
	return fmt.Sprintf("duplicate name %q in one object", string(r))
}

// Parse parses one JSON value: string, json.Number, bool, nil, []any or map[string]any. Half a surrogate pair becomes
// U+FFFD, as with encoding/json.
func Parse(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, ErrNotUTF8
	}
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	p.text = *bytes.NewBuffer(text)
	p.Reset(&p.text, jsontext.AllowInvalidUTF8(true)) // only halves of surrogate pairs remain
	value, err := p.whole()
	var syntax *jsontext.SyntacticError
	if errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax) {
		return nil, RepeatedName(syntax.JSONPointer.LastToken())
	}
	return value, err
}

// parser is reused for the next row, because creating one takes longer than reading a short row.
type parser struct {
	jsontext.Decoder
	text bytes.Buffer
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) whole() (any, error) {
	value, err := p.value()
	if err != nil {
		return nil, err
	}
	if _, err := p.ReadToken(); err == nil {
		return nil, errors.New("a second value follows the first")
	} else if err != io.EOF {
		return nil, err
	}
	return value, nil
}

func (p *parser) value() (any, error) {
	token, err := p.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		return p.object()
	case jsontext.KindBeginArray:
		return p.list()
	case jsontext.KindString:
		return token.String(), nil
	case jsontext.KindNumber:
		return json.Number(token.String()), nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	}
	return nil, nil
}

func (p *parser) object() (any, error) {
	object := map[string]any{}
	for p.PeekKind() != jsontext.KindEndObject {
		token, err := p.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		if object[name], err = p.value(); err != nil {
			return nil, err
		}
	}
	_, err := p.ReadToken()
	return object, err
}

func (p *parser) list() (any, error) {
	list := []any{}
	for p.PeekKind() != jsontext.KindEndArray {
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := p.ReadToken()
	return list, err
}
