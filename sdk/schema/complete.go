package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Complete checks a configuration object against the schema and fills in its defaults, including those in nested
// blocks, as the host does with a block in a spec. It is intended for callers that do not use HCL: tests, offline
// scoring, and other tools. An attribute with neither a value nor a default is absent from the result, as is a nested
// block that was not given.
func (b Block) Complete(config json.RawMessage) (json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if !isAbsent(config) {
		if err := json.Unmarshal(config, &given); err != nil {
			return nil, fmt.Errorf("the configuration is not a JSON object: %w", err)
		}
	}
	known := b.names()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown attribute %q: want one of %s", name, strings.Join(known, ", "))
		}
	}
	out := map[string]json.RawMessage{}
	preset := b.Preset(func(name string) string {
		var value string
		_ = json.Unmarshal(given[name], &value) // a value that is not a string is reported by complete
		return value
	})
	for _, a := range b.Attributes {
		value, err := a.Merge(preset[a.Name], given[a.Name])
		if err == nil {
			value, err = a.complete(value)
		}
		if err != nil {
			return nil, fmt.Errorf("attribute %q: %w", a.Name, err)
		}
		if value != nil {
			out[a.Name] = value
		}
	}
	for _, n := range b.Blocks {
		value, err := n.complete(given[n.Name])
		if err != nil {
			return nil, fmt.Errorf("block %q: %w", n.Name, err)
		}
		if value != nil {
			out[n.Name] = value
		}
	}
	return json.Marshal(out)
}

func isAbsent(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

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

// complete returns nil for an attribute with neither a value nor a default.
func (a Attribute) complete(value json.RawMessage) (json.RawMessage, error) {
	if isAbsent(value) {
		value = a.DefaultJSON
	}
	switch {
	case !isAbsent(value):
		err := a.fit(value)
		if err != nil && a.Sensitive {
			err = errors.New("invalid value, not shown because it is secret")
		}
		return value, err
	case a.Required:
		return nil, fmt.Errorf("required value is missing: %s", a.Description)
	}
	return nil, nil
}

// complete returns nil for a block that was not given.
func (n NestedBlock) complete(value json.RawMessage) (json.RawMessage, error) {
	if isAbsent(value) {
		return nil, n.count(0)
	}
	switch n.Nesting {
	case List, Set:
		var list []json.RawMessage
		if err := json.Unmarshal(value, &list); err != nil {
			return nil, fmt.Errorf("want a list of objects: %w", err)
		}
		for i := range list {
			var err error
			if list[i], err = n.Block.Complete(list[i]); err != nil {
				return nil, fmt.Errorf("number %d: %w", i+1, err)
			}
		}
		return encode(list, n.count(len(list)))
	case Map:
		var labelled map[string]json.RawMessage
		if err := json.Unmarshal(value, &labelled); err != nil {
			return nil, fmt.Errorf("want an object of objects, keyed by label: %w", err)
		}
		for _, label := range slices.Sorted(maps.Keys(labelled)) {
			var err error
			if labelled[label], err = n.Block.Complete(labelled[label]); err != nil {
				return nil, fmt.Errorf("%q: %w", label, err)
			}
		}
		return encode(labelled, n.count(len(labelled)))
	}
	return n.Block.Complete(value)
}

func encode(v any, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// count checks the number of blocks.
func (n NestedBlock) count(found int) error {
	if found < n.Min {
		return fmt.Errorf("occurs %d times: want at least %d", found, n.Min)
	}
	if n.Max > 0 && found > n.Max {
		return fmt.Errorf("occurs %d times: want at most %d", found, n.Max)
	}
	return nil
}
