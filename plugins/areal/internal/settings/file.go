package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ReadFile reads a configuration of the user's.
func ReadFile(path string) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var document any
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %s: correct the YAML", path, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	tree, ok := document.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not a configuration of AReaL: write a mapping of its keys", path)
	}
	if _, composed := tree["defaults"]; composed {
		return nil, fmt.Errorf("%s: it has a list of `defaults`, from which Hydra puts files together: give one complete file", path)
	}
	return normal(tree).(map[string]any), nil
}

// normal brings what a decoder makes into maps of text to values.
func normal(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = normal(v[key])
		}
		return out
	case map[any]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[fmt.Sprint(key)] = normal(v[key])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = normal(v[i])
		}
		return out
	}
	return value
}

// Overrides reads the adapter's block of overrides: keys with dots, or sections.
func Overrides(raw json.RawMessage) (map[string]any, error) {
	var object map[string]any
	if err := yaml.Unmarshal(raw, &object); err != nil { // JSON is YAML
		return nil, fmt.Errorf("overrides must be a mapping of keys to values: %w", err)
	}
	return normal(object).(map[string]any), nil
}

// CommandLine reads a value as Hydra reads one of the command line: YAML.
func CommandLine(text string) (any, error) {
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return nil, fmt.Errorf("%q is no value: %w", text, err)
	}
	return normal(value), nil
}

// Write writes a configuration for AReaL.
func Write(entries []Entry) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# Written by awhost: what it needs, what the spec says, and defaults. `awhost plan` shows where each value comes from.\n")
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(Tree(entries)); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// Nested splits keys with dots into sections, so that they can be written together with sections.
func Nested(flat map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range flat {
		here := out
		parts := strings.Split(key, ".")
		for _, part := range parts[:len(parts)-1] {
			next, ok := here[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				here[part] = next
			}
			here = next
		}
		here[parts[len(parts)-1]] = value
	}
	return out
}
