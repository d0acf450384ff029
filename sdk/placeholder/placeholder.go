// Package placeholder replaces {{NAME}} by values in the texts of a JSON value:
//
//	{"level": "{{task.level}}", "name": "run {{episode.id}}"}  →  {"level": 3, "name": "run e-17"}
//
// A text that consists of one placeholder becomes the value itself, whatever its type. The caller defines the names and
// values.
package placeholder

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pattern matches a placeholder: letters, digits, "_", "-", and dots that separate the steps in a path into an object.
var pattern = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_.\-]+)\s*\}\}`)

// Decode decodes JSON and keeps numbers as written, because a float64 cannot represent all digits of an ID.
func Decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// Fill returns a value that was decoded by Decode, with all placeholders replaced. The errors returned by value are
// joined.
func Fill(v any, value func(name string) (any, error)) (any, error) {
	switch v := v.(type) {
	case string:
		return fillText(v, value)
	case []any:
		out := make([]any, len(v))
		var problems []error
		for i, item := range v {
			filled, err := Fill(item, value)
			out[i], problems = filled, append(problems, err)
		}
		return out, errors.Join(problems...)
	case map[string]any:
		out := make(map[string]any, len(v))
		var problems []error
		for name, item := range v {
			filled, err := Fill(item, value)
			out[name], problems = filled, append(problems, err)
		}
		return out, errors.Join(problems...)
	}
	return v, nil
}

func fillText(text string, value func(name string) (any, error)) (any, error) {
	if m := pattern.FindStringSubmatch(text); m != nil && m[0] == text {
		return value(m[1])
	}
	var problems []error
	filled := pattern.ReplaceAllStringFunc(text, func(match string) string {
		v, err := value(pattern.FindStringSubmatch(match)[1])
		if err != nil {
			problems = append(problems, err)
			return match
		}
		return Text(v)
	})
	return filled, errors.Join(problems...)
}

// Text returns a value in its form within a longer string.
func Text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, _ := json.Marshal(v) // it was decoded from JSON
	return string(text)
}

// Names returns the names that occur in the strings of a value, each once, in no particular order.
func Names(v any) []string {
	seen := map[string]bool{}
	_, _ = Fill(v, func(name string) (any, error) { // no call fails
		seen[name] = true
		return "", nil
	})
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	return names
}

// FindInvalid returns a "{{" that occurs in the strings of a value and does not start a valid placeholder, with the
// text that follows it: "{{task.first name}}", "{{task.id}". Fill leaves it unchanged. Empty: not found.
func FindInvalid(v any) string {
	switch v := v.(type) {
	case string:
		rest := pattern.ReplaceAllString(v, "")
		begin := strings.Index(rest, "{{")
		if begin < 0 {
			return ""
		}
		stray, _, closed := strings.Cut(rest[begin:], "}}")
		if closed {
			stray += "}}"
		}
		return stray
	case []any:
		for _, item := range v {
			if stray := FindInvalid(item); stray != "" {
				return stray
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if stray := FindInvalid(v[name]); stray != "" {
				return stray
			}
		}
	}
	return ""
}

// Lookup returns the element of a value at a path such as "servers.0.url".
func Lookup(v any, path string) (any, bool) {
	for step := range strings.SplitSeq(path, ".") {
		switch inner := v.(type) {
		case map[string]any:
			next, ok := inner[step]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(inner) {
				return nil, false
			}
			v = inner[i]
		default:
			return nil, false
		}
	}
	return v, true
}
