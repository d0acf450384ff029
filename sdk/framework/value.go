package framework

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// A value of a configuration is nil, a bool, an int64, a float64, a string, a []any or a map[string]any of values. Text
// may hold OmegaConf's interpolations; a Verbatim is text that may not.

// Verbatim is text that a framework reads unchanged, without interpolations: paths and names of awhost.
type Verbatim string

// FromJSON reads a value as the host hands it over: whole numbers are integers.
func FromJSON(raw json.RawMessage) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	return Normal(v)
}

// Normal brings what Go programs write into the few types of a value.
func Normal(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, int64, float64:
		return v, nil
	case Verbatim:
		return v, nil
	case int:
		return int64(v), nil
	case json.Number:
		return number(v)
	case json.RawMessage:
		return FromJSON(v)
	case []string:
		out := make([]any, len(v))
		for i := range v {
			out[i] = v[i]
		}
		return out, nil
	case []any, map[string]any:
		return each(v, Normal)
	}
	return nil, fmt.Errorf("a value of type %T has no form in a configuration", v)
}

func number(n json.Number) (any, error) {
	if i, err := n.Int64(); err == nil {
		return i, nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, fmt.Errorf("%s is too large a number", n)
	}
	return f, nil
}

// each returns a list or a mapping with a function applied to its values, and other values unchanged.
func each(v any, apply func(any) (any, error)) (_ any, err error) {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			if out[i], err = apply(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			if out[key], err = apply(v[key]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// Plain drops the distinction between text and Verbatim text.
func Plain(v any) any {
	if text, ok := v.(Verbatim); ok {
		return string(text)
	}
	out, _ := each(v, func(v any) (any, error) { return Plain(v), nil })
	return out
}

// Equal compares values as verl does: 1 and 1.0 are the same number.
func Equal(a, b any) bool {
	a, b = Plain(a), Plain(b)
	x, isNumber := Float(a)
	if y, both := Float(b); isNumber && both {
		return x == y
	}
	left, ok := a.([]any)
	right, both := b.([]any)
	if !ok || !both {
		return reflect.DeepEqual(a, b)
	}
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if !Equal(left[i], right[i]) {
			return false
		}
	}
	return true
}

func Float(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// Int reads a whole number, 2.0 included.
func Int(v any) (int, bool) {
	f, ok := Float(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

func Truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case Verbatim:
		return v != ""
	case []any:
		return len(v) > 0
	}
	f, isNumber := Float(v)
	return !isNumber || f != 0
}

// Shown writes a value for people; long ones are cut.
func Shown(v any) string {
	text := string(EncodedJSON(v))
	const longest = 120 // characters
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

// EncodedJSON writes a value as JSON. What JSON has no number for becomes text.
func EncodedJSON(v any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(finite(Plain(v))); err != nil {
		panic(fmt.Sprintf("encode the value %v: %v", v, err))
	}
	return bytes.TrimSpace(out.Bytes())
}

func finite(v any) any {
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return strings.ToLower(fmt.Sprint(f))
	}
	out, _ := each(v, func(v any) (any, error) { return finite(v), nil })
	return out
}
