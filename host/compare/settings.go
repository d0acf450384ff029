package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/runstore"
)

// Setting is a value in a run's resolved spec, including defaults, with the path that a Difference would have.
type Setting struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// Settings returns the settings in a run's resolved spec: its variables, its train block, and its blocks by address.
// Secrets are not recorded.
func Settings(run *runstore.Run) ([]Setting, error) {
	r, err := readSpec(run)
	if err != nil {
		return nil, err
	}
	out := leaves("var", r.Variables, nil)
	out = leaves("train", r.train(run.Info), out)
	return leaves("", r.Blocks, out), nil
}

// leaves appends the scalar values of an object recursively. Null means not set.
func leaves(path string, v any, out []Setting) []Setting {
	switch v := v.(type) {
	case nil:
		return out
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := name
			if path != "" {
				at = path + "." + name
			}
			out = leaves(at, v[name], out)
		}
		return out
	case []any:
		if !scalars(v) {
			for i := range v {
				out = leaves(fmt.Sprintf("%s[%d]", path, i), v[i], out)
			}
			return out
		}
	}
	return append(out, Setting{path, encode(v)})
}
