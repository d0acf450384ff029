package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

var nameRule = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Check finds mistakes made by a schema's author: names that are invalid in HCL, a name used twice, a required
// attribute with a default, an invalid default or example, or an unknown type or nesting.
func (b Block) Check() error {
	seen := map[string]bool{}
	claim := func(what, name string) error {
		if !nameRule.MatchString(name) {
			return fmt.Errorf("%s %q: names must be in lower_snake_case", what, name)
		}
		if seen[name] {
			return fmt.Errorf("%s %q: duplicate name", what, name)
		}
		seen[name] = true
		return nil
	}
	for _, a := range b.Attributes {
		if err := claim("attribute", a.Name); err != nil {
			return err
		}
		if err := errors.Join(a.check(), b.checkPresets(a)); err != nil {
			return fmt.Errorf("attribute %q: %w", a.Name, err)
		}
	}
	for _, n := range b.Blocks {
		if err := claim("block", n.Name); err != nil {
			return err
		}
		if err := n.check(); err != nil {
			return fmt.Errorf("block %q: %w", n.Name, err)
		}
	}
	return nil
}

func (a Attribute) check() error {
	_, isRef := a.Type.Kind()
	switch {
	case !isRef && !json.Valid([]byte(a.Type)):
		return fmt.Errorf("invalid type %q: want a cty type in JSON form, or ref:KIND", a.Type)
	case a.Format == FormatInteger && a.Type != TypeNumber:
		return fmt.Errorf("format %q requires a number attribute", a.Format)
	case a.Format != "" && a.Format != FormatInteger && a.Type != TypeString:
		return fmt.Errorf("format %q requires a string attribute", a.Format)
	case a.MustExist && a.Format != FormatPath:
		return errors.New("MustExist requires the path format")
	case a.Type != TypeNumber && (a.Minimum != nil || a.Maximum != nil):
		return errors.New("a range requires a number attribute")
	case a.Minimum != nil && a.Maximum != nil && *a.Minimum > *a.Maximum:
		return fmt.Errorf("empty range: %v to %v", *a.Minimum, *a.Maximum)
	case a.Required && a.DefaultJSON != nil:
		return errors.New("required, but has a default: remove one of the two")
	}
	for _, given := range []struct {
		what  string
		value json.RawMessage
	}{{"default", a.DefaultJSON}, {"example", a.ExampleJSON}} {
		what, value := given.what, given.value
		if isAbsent(value) {
			continue
		}
		if !json.Valid(value) {
			return fmt.Errorf("invalid JSON in its %s: %s", what, value)
		}
		if err := a.fit(value); err != nil {
			return fmt.Errorf("its %s: %w", what, err)
		}
	}
	return nil
}

func (n NestedBlock) check() error {
	if !slices.Contains([]Nesting{Single, List, Set, Map}, n.Nesting) {
		return fmt.Errorf("invalid nesting %q: want %s, %s, %s, or %s", n.Nesting, Single, List, Set, Map)
	}
	if n.Max > 0 && n.Min > n.Max {
		return fmt.Errorf("invalid bounds: at least %d and at most %d times", n.Min, n.Max)
	}
	return n.Block.Check()
}
