package mcpenv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// placeholder stands for a value in a string of arguments.
var placeholder = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_.\-]+)\s*\}\}`)

// parseArguments reads the arguments of a call and checks its placeholders, which known says.
func parseArguments(raw json.RawMessage, known func(name string) error) (map[string]any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]any{}, nil
	}
	var arguments map[string]any
	if err := decodeExactly(raw, &arguments); err != nil {
		return nil, errors.New("arguments are no object")
	}
	_, err := fill(arguments, func(name string) (any, error) { return "", known(name) })
	return arguments, err
}

// decodeExactly keeps numbers as they are written: a float64 has not all digits of an id.
func decodeExactly(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// ofTask splits the name of a placeholder for something of a task: which part it is in, and where.
func ofTask(name string) (part, path string, ok bool) {
	path, ok = strings.CutPrefix(name, "task.")
	if inner, private := strings.CutPrefix(path+".", partPrivate+"."); private {
		inner = strings.TrimRight(inner, ".")
		return partPrivate, inner, ok && inner != ""
	}
	return partPublic, path, ok && path != ""
}

// The parts of a task.
const (
	partPublic  = "public"
	partPrivate = "private"
)

// checkPlaceholder checks one of a call. truth is whether the environment gets what is private of tasks.
func checkPlaceholder(name string, truth bool) error {
	part, _, ok := ofTask(name)
	switch {
	case part == partPrivate && !truth:
		return fmt.Errorf("{{%s}} is private: write ground_truth = true if the server may know it", name)
	case ok, name == "episode.id", name == "episode.seed":
		return nil
	}
	const known = "{{task.id}}, {{task.NAME}}, {{task.private.NAME}}, {{episode.id}} and {{episode.seed}}"
	return fmt.Errorf("{{%s}} stands for nothing: there are %s", name, known)
}

// fill puts values in the place of placeholders, in all strings of a value. A string that is a placeholder becomes the
// value itself, whatever its type.
func fill(v any, value func(name string) (any, error)) (any, error) {
	switch v := v.(type) {
	case string:
		return fillText(v, value)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			filled, err := fill(item, value)
			if err != nil {
				return nil, err
			}
			out[i] = filled
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			filled, err := fill(item, value)
			if err != nil {
				return nil, err
			}
			out[name] = filled
		}
		return out, nil
	}
	return v, nil
}

func fillText(text string, value func(name string) (any, error)) (any, error) {
	if m := placeholder.FindStringSubmatch(text); m != nil && m[0] == text {
		return value(m[1])
	}
	var failed error
	filled := placeholder.ReplaceAllStringFunc(text, func(match string) string {
		v, err := value(placeholder.FindStringSubmatch(match)[1])
		if err != nil {
			failed = errors.Join(failed, err)
			return match
		}
		return asText(v)
	})
	return filled, failed
}

func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, _ := json.Marshal(v) // it was read from JSON
	return string(text)
}

// valuesOf are what placeholders stand for in an episode.
func valuesOf(req sdk.OpenRequest) (func(name string) (any, error), error) {
	parts := map[string]any{}
	for part, raw := range map[string]json.RawMessage{partPublic: req.Task.Public, partPrivate: req.Task.Private} {
		var fields map[string]any
		if len(raw) > 0 {
			if err := decodeExactly(raw, &fields); err != nil {
				return nil, errors.New("the task is no JSON object")
			}
		}
		parts[part] = fields
	}
	return func(name string) (any, error) {
		switch name {
		case "episode.id":
			return req.EpisodeID, nil
		case "episode.seed":
			return strconv.FormatUint(req.Seed, 10), nil // a number in JSON has fewer digits
		case "task.id":
			return req.Task.ID, nil
		}
		part, path, _ := ofTask(name)
		at := parts[part]
		for _, field := range strings.Split(path, ".") {
			object, _ := at.(map[string]any)
			next, ok := object[field]
			if !ok {
				return nil, fmt.Errorf("{{%s}}: the task %s has no %s field of that name", name, req.Task.ID, part)
			}
			at = next
		}
		return at, nil
	}, nil
}
