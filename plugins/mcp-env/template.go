package mcpenv

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/placeholder"
)

// parseArguments parses a call's arguments and uses known to check their placeholders.
func parseArguments(raw json.RawMessage, known func(name string) error) (map[string]any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]any{}, nil
	}
	var arguments map[string]any
	if err := placeholder.Decode(raw, &arguments); err != nil {
		return nil, errors.New("arguments are no object")
	}
	_, err := placeholder.Fill(arguments, func(name string) (any, error) { return "", known(name) })
	if stray := placeholder.FindInvalid(arguments); err == nil && stray != "" {
		err = fmt.Errorf("%.80s is no placeholder: write {{NAME}}, of letters, digits, _, - and dots", stray)
	}
	return arguments, err
}

// ofTask splits the name of a task placeholder into the task part and the path.
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

// checkPlaceholder checks one placeholder in a call. truth is true if the environment receives the private part of
// tasks.
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

// valuesOf returns the values of placeholders for an episode. id replaces {{episode.id}}.
func valuesOf(req sdk.OpenRequest, id string) (values, error) {
	parts := map[string]any{}
	for part, raw := range map[string]json.RawMessage{partPublic: req.Task.Public, partPrivate: req.Task.Private} {
		var fields any
		if len(raw) > 0 {
			if err := placeholder.Decode(raw, &fields); err != nil {
				return nil, errors.New("the task is no JSON object")
			}
		}
		parts[part] = fields
	}
	return func(name string) (any, error) {
		switch name {
		case "episode.id":
			return id, nil
		case "episode.seed":
			return strconv.FormatUint(req.Seed, 10), nil // a JSON number has fewer digits
		case "task.id":
			return req.Task.ID, nil
		}
		part, path, _ := ofTask(name)
		value, ok := placeholder.Lookup(parts[part], path)
		if !ok {
			return nil, fmt.Errorf("{{%s}}: the task %s has no %s field of that name", name, req.Task.ID, part)
		}
		return value, nil
	}, nil
}
