package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/awhost/awhost/sdk/framework"
)

// ReadFile reads a configuration of the user's.
func ReadFile(path string) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tree, err := framework.ReadTree(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: correct the YAML", path, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if tree.Children["defaults"] != nil {
		return nil, fmt.Errorf("%s: it has a list of `defaults`, from which Hydra puts files together: give one complete file", path)
	}
	return tree.Plain().(map[string]any), nil
}

// Overrides reads the adapter's block of overrides: keys with dots, or sections.
func Overrides(raw json.RawMessage) (map[string]any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	value, err := framework.FromJSON(raw)
	object, ok := value.(map[string]any)
	if err != nil || value != nil && !ok {
		return nil, fmt.Errorf("overrides must be a mapping of keys to values (%v)", err)
	}
	return object, nil
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
