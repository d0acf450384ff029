package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// replaceAt replaces the values at certain paths in a JSON document. Paths that do not exist are ignored.
func replaceAt(text json.RawMessage, paths [][]string, replace func(any) any) json.RawMessage {
	if len(paths) == 0 {
		return text
	}
	root := parseCanonical(text)
	for _, path := range paths {
		root = replaceIn(root, path, replace)
	}
	return mustJSON(root)
}

func replaceIn(v any, path []string, replace func(any) any) any {
	if len(path) == 0 {
		return replace(v)
	}
	switch v := v.(type) {
	case map[string]any:
		if inner, ok := v[path[0]]; ok {
			v[path[0]] = replaceIn(inner, path[1:], replace)
		}
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(v) {
			v[i] = replaceIn(v[i], path[1:], replace)
		}
	}
	return v
}

// removeAt removes the members at certain paths in a JSON document.
func removeAt(text json.RawMessage, paths [][]string) json.RawMessage {
	for _, path := range paths {
		last := path[len(path)-1]
		text = replaceAt(text, [][]string{path[:len(path)-1]}, func(v any) any {
			if object, ok := v.(map[string]any); ok {
				delete(object, last)
			}
			return v
		})
	}
	return text
}

// parseCanonical parses the output of mustJSON. Numbers keep their digits.
func parseCanonical(text json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		panic(fmt.Sprintf("spec: read canonical JSON: %v", err))
	}
	return v
}

// redact replaces each secret with its origin.
func redact(text json.RawMessage, secrets []SensitivePath) json.RawMessage {
	for _, secret := range secrets {
		text = replaceAt(text, [][]string{secret.Path}, func(any) any {
			return map[string]any{"$secret": secret.Origin}
		})
	}
	return text
}

// Redacted returns Config with every secret replaced by its origin: {"$secret": "env:OPENAI_API_KEY"}.
func (b *Block) Redacted() json.RawMessage { return redact(b.Config, b.Sensitive) }
