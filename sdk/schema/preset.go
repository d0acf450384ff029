package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Preset returns the defaults set by a body's presets, by attribute name. value returns the value written for an
// attribute, or "".
func (b Block) Preset(value func(name string) string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, a := range b.Attributes {
		if len(a.Presets) == 0 {
			continue
		}
		chosen := value(a.Name)
		for _, p := range a.Presets {
			defaults := map[string]json.RawMessage{}
			if p.Value == chosen && json.Unmarshal(p.DefaultsJSON, &defaults) == nil { // Check has verified that it is an object
				maps.Copy(out, defaults)
			}
		}
	}
	return out
}

// Merge merges the written value over a preset's value: a map of strings is merged by name.
func (a Attribute) Merge(preset, written json.RawMessage) (json.RawMessage, error) {
	switch {
	case isAbsent(preset):
		return written, nil
	case isAbsent(written):
		return preset, nil
	case a.Type != TypeMap:
		return written, nil
	}
	var both map[string]json.RawMessage
	if err := json.Unmarshal(preset, &both); err != nil {
		return nil, fmt.Errorf("the preset is not a map: %w", err)
	}
	if err := json.Unmarshal(written, &both); err != nil {
		return written, nil //nolint:nilerr // complete says that it does not fit
	}
	return json.Marshal(both)
}

// checkPresets returns an error for mistakes made by a schema's author.
func (b Block) checkPresets(a Attribute) error {
	for _, p := range a.Presets {
		if a.Type != TypeString || len(a.OneOf) > 0 && !slices.Contains(a.OneOf, p.Value) {
			return fmt.Errorf("preset for %q, which is not an allowed value", p.Value)
		}
		var defaults map[string]json.RawMessage
		if err := json.Unmarshal(p.DefaultsJSON, &defaults); err != nil {
			return fmt.Errorf("preset %q is not an object: %w", p.Value, err)
		}
		for _, name := range slices.Sorted(maps.Keys(defaults)) {
			i := slices.IndexFunc(b.Attributes, func(other Attribute) bool { return other.Name == name })
			err := errors.New("unknown attribute")
			switch {
			case i >= 0 && (b.Attributes[i].Required || len(b.Attributes[i].Presets) > 0):
				err = errors.New("the attribute is required or has its own presets")
			case i >= 0:
				err = b.Attributes[i].fit(defaults[name])
			}
			if err != nil {
				return fmt.Errorf("preset %q sets %q: %w", p.Value, name, err)
			}
		}
	}
	return nil
}
