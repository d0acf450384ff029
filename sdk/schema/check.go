package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

var nameRule = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Check finds mistakes of a schema's author: invalid names in HCL, a name used twice, a required attribute with a
// default, an invalid default or example, an unknown type or nesting.
func (b Block) Check() error {
	seen := map[string]bool{}
	claim := func(what, name string) error {
		if !nameRule.MatchString(name) {
			return fmt.Errorf("%s %q: a name is lower_snake_case", what, name)
		}
		if seen[name] {
			return fmt.Errorf("%s %q: the name is used twice", what, name)
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
		return fmt.Errorf("its type %q is neither a cty type in JSON form nor ref:KIND", a.Type)
	case a.Format == FormatInteger && a.Type != TypeNumber:
		return fmt.Errorf("its format %q is for numbers only", a.Format)
	case a.Format != "" && a.Format != FormatInteger && a.Type != TypeString:
		return fmt.Errorf("its format %q is for strings only", a.Format)
	case a.MustExist && a.Format != FormatPath:
		return errors.New("it must exist, and is no path")
	case a.Type != TypeNumber && (a.Minimum != nil || a.Maximum != nil):
		return errors.New("its range is for numbers only")
	case a.Minimum != nil && a.Maximum != nil && *a.Minimum > *a.Maximum:
		return fmt.Errorf("its range is empty: %v to %v", *a.Minimum, *a.Maximum)
	case a.Required && a.DefaultJSON != nil:
		return errors.New("it is required and has a default: drop one")
	}
	for _, given := range []struct {
		what  string
		value json.RawMessage
	}{{"default", a.DefaultJSON}, {"example", a.ExampleJSON}} {
		what, value := given.what, given.value
		if absent(value) {
			continue
		}
		if !json.Valid(value) {
			return fmt.Errorf("its %s is no JSON: %s", what, value)
		}
		if err := a.fit(value); err != nil {
			return fmt.Errorf("its %s: %w", what, err)
		}
	}
	return nil
}

func (n NestedBlock) check() error {
	if !slices.Contains([]Nesting{Single, List, Set, Map}, n.Nesting) {
		return fmt.Errorf("its nesting %q is none of %s, %s, %s, %s", n.Nesting, Single, List, Set, Map)
	}
	if n.Max > 0 && n.Min > n.Max {
		return fmt.Errorf("it must occur at least %d and at most %d times", n.Min, n.Max)
	}
	return n.Block.Check()
}
