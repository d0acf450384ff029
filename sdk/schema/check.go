package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
)

var nameRule = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Check finds mistakes of a schema's author: names that HCL cannot spell, a name used twice, a required attribute
// with a default, a default that is no JSON, an unknown type.
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
		if err := a.check(); err != nil {
			return fmt.Errorf("attribute %q: %w", a.Name, err)
		}
	}
	for _, n := range b.Blocks {
		if err := claim("block", n.Name); err != nil {
			return err
		}
		if err := n.Block.Check(); err != nil {
			return fmt.Errorf("block %q: %w", n.Name, err)
		}
	}
	return nil
}

func (a Attribute) check() error {
	if a.Required && a.DefaultJSON != nil {
		return fmt.Errorf("it is required and has a default: drop one")
	}
	if a.DefaultJSON != nil && !json.Valid(a.DefaultJSON) {
		return fmt.Errorf("its default is no JSON: %s", a.DefaultJSON)
	}
	if _, isRef := a.Type.Kind(); !isRef && !json.Valid([]byte(a.Type)) {
		return fmt.Errorf("its type %q is neither a cty type in JSON form nor ref:KIND", a.Type)
	}
	if a.Format != "" && a.Type != TypeString {
		return fmt.Errorf("its format %q is for strings only", a.Format)
	}
	return nil
}
