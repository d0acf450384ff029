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

// parseArguments reads the arguments of a call and checks its placeholders.
func parseArguments(raw json.RawMessage) (map[string]any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]any{}, nil
	}
	var arguments map[string]any
	if err := decodeExactly(raw, &arguments); err != nil {
		return nil, errors.New("arguments are no object")
	}
	_, err := fill(arguments, func(name string) (any, error) { return "", checkPlaceholder(name) })
	return arguments, err
}

// decodeExactly keeps numbers as they are written: a float64 has not all digits of an id.
func decodeExactly(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

func checkPlaceholder(name string) error {
	of, field, _ := strings.Cut(name, ".")
	switch {
	case name == "episode.id", name == "episode.seed":
		return nil
	case of == "task" && strings.HasPrefix(field+".", "private."):
		return fmt.Errorf("{{%s}}: an environment does not get what is private of a task", name)
	case of == "task" && field != "":
		return nil
	}
	const known = "{{task.id}}, {{task.NAME}}, {{episode.id}} and {{episode.seed}}"
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
	var public map[string]any
	if len(req.Task.Public) > 0 {
		if err := decodeExactly(req.Task.Public, &public); err != nil {
			return nil, fmt.Errorf("the task is no JSON object: %w", err)
		}
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
		var at any = public
		for _, field := range strings.Split(strings.TrimPrefix(name, "task."), ".") {
			object, _ := at.(map[string]any)
			next, ok := object[field]
			if !ok {
				return nil, fmt.Errorf("{{%s}}: the task %s has no public field of that name", name, req.Task.ID)
			}
			at = next
		}
		return at, nil
	}, nil
}
