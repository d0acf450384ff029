package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// DecodeConfig reads a configuration object into a struct with JSON tags. Unknown fields and trailing data are errors,
// because the schema and the struct must agree.
func DecodeConfig(config json.RawMessage, into any) error {
	if len(config) == 0 {
		config = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(config))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("decode configuration: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("decode configuration: data after the object")
	}
	return nil
}

// DescribeDecodeError returns the line of an error of encoding/json in the decoded text, and the problem in words of
// JSON: without the names of Go types and packages.
func DescribeDecodeError(text []byte, err error) (line int, problem string) {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	offset, problem := int64(len(text)), strings.TrimPrefix(err.Error(), "json: ")
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		errors.As(err, &syntax) && syntax.Offset >= offset && strings.HasPrefix(syntax.Error(), "unexpected end"):
		problem = "the JSON text ends before it is complete"
	case syntax != nil:
		offset, problem = syntax.Offset, "invalid JSON: "+syntax.Error()
	case errors.As(err, &wrong):
		offset, problem = wrong.Offset, fmt.Sprintf("%s cannot be a JSON %s: write %s", wrong.Field, wrong.Value,
			WantedJSON(wrong.Type))
		if wrong.Field == "" {
			problem = fmt.Sprintf("a JSON %s is not allowed here: write %s", wrong.Value, WantedJSON(wrong.Type))
		}
	default: // an unknown member: search for its name
		if _, quoted, ok := strings.Cut(problem, "unknown field "); ok {
			if at := bytes.Index(text, []byte(quoted)); at >= 0 {
				offset = int64(at)
			}
			problem = fmt.Sprintf("unknown member %s: correct its name, or remove it", quoted)
		}
	}
	return 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n")), problem
}

// WantedJSON describes the JSON values that fit a Go type.
func WantedJSON(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number from 0"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Pointer:
		return WantedJSON(typ.Elem())
	}
	return "a text"
}

// ValueOr returns the value of an optional setting, or a fallback if it is not set.
func ValueOr[T any](setting *T, fallback T) T {
	if setting == nil {
		return fallback
	}
	return *setting
}
