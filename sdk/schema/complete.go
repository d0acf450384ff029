package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Complete checks a configuration object against the schema and fills in its defaults, as the host does with the
// block of a spec. It is for callers without HCL: tests, offline scoring, other tools. An attribute without value
// and default is absent in the result.
func (b Block) Complete(config json.RawMessage) (json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if len(config) > 0 && string(config) != "null" {
		if err := json.Unmarshal(config, &given); err != nil {
			return nil, fmt.Errorf("the configuration is no JSON object: %w", err)
		}
	}
	out := map[string]json.RawMessage{}
	for _, a := range b.Attributes {
		value, ok := given[a.Name]
		delete(given, a.Name)
		if !ok || string(value) == "null" {
			value = a.DefaultJSON
		}
		if value == nil {
			if a.Required {
				return nil, fmt.Errorf("attribute %q is missing: %s", a.Name, a.Description)
			}
			continue
		}
		if err := a.accepts(value); err != nil {
			return nil, fmt.Errorf("attribute %q: %w", a.Name, err)
		}
		out[a.Name] = value
	}
	for _, n := range b.Blocks {
		if value, ok := given[n.Name]; ok {
			out[n.Name] = value
			delete(given, n.Name)
		}
	}
	for name := range given {
		return nil, fmt.Errorf("unknown attribute %q: want one of %s", name, strings.Join(b.names(), ", "))
	}
	return json.Marshal(out)
}

func (b Block) names() []string {
	var names []string
	for _, a := range b.Attributes {
		names = append(names, a.Name)
	}
	for _, n := range b.Blocks {
		names = append(names, n.Name)
	}
	return names
}

func (a Attribute) accepts(value json.RawMessage) error {
	var err error
	switch a.Type {
	case TypeString:
		var s string
		if err = json.Unmarshal(value, &s); err == nil && len(a.OneOf) > 0 && !slices.Contains(a.OneOf, s) {
			return fmt.Errorf("%q is not allowed: want one of %s", s, strings.Join(a.OneOf, ", "))
		}
	case TypeNumber:
		var n float64
		if err = json.Unmarshal(value, &n); err == nil && (a.Minimum != nil && n < *a.Minimum || a.Maximum != nil && n > *a.Maximum) {
			return fmt.Errorf("%v is out of range", n)
		}
	case TypeBool:
		var v bool
		err = json.Unmarshal(value, &v)
	case TypeStrings:
		var v []string
		err = json.Unmarshal(value, &v)
	}
	if err != nil {
		return fmt.Errorf("%s is no value of type %s", value, a.Type)
	}
	return nil
}
