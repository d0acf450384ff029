package standalone

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/sdk/schema"
)

// settings parses the --set values: as text for a string attribute, otherwise as JSON. Relative paths start in the
// working directory.
func settings(given map[string]string, block schema.Block) (json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name]
		if wants, ok := attribute(block, name); ok && wants.Type == schema.TypeString {
			if wants.Format == schema.FormatPath && value != "" {
				absolute, err := filepath.Abs(value)
				if err != nil {
					return nil, fmt.Errorf("attribute %q: %w", name, err)
				}
				value = absolute
			}
		} else if json.Valid([]byte(value)) {
			out[name] = json.RawMessage(value)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("attribute %q: %w", name, err)
		}
		out[name] = text
	}
	return json.Marshal(out)
}

func attribute(block schema.Block, name string) (schema.Attribute, bool) {
	i := slices.IndexFunc(block.Attributes, func(a schema.Attribute) bool { return a.Name == name })
	if i < 0 {
		return schema.Attribute{}, false
	}
	return block.Attributes[i], true
}
