package spec

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk/schema"
)

// A type that only the host's own blocks use.
const (
	typeExpression schema.Type = "expression" // evaluated for every episode, not when the spec is loaded
)

// Nestings that only the host's own blocks use.
const (
	// nestingGroup is a block that is there even when nobody wrote it, with the defaults of its attributes.
	nestingGroup schema.Nesting = "GROUP"
	// nestingChoice is a single block with a label that says which one it is.
	nestingChoice schema.Nesting = "CHOICE"
)

// shape is what a schema type means: a cty type, or references where cty has none.
type shape struct {
	ty   cty.Type
	kind string // of a reference
	elem *shape // of a list, set or map of references
	// nested: lists of references may stand in the list.
	nested bool
}

func shapeOf(t schema.Type) (shape, error) {
	if t == typeMembers {
		return shape{ty: cty.DynamicPseudoType, elem: &shape{ty: referenceType, kind: kindAgent}, nested: true}, nil
	}
	switch kind, isRef := t.Kind(); {
	case isRef:
		return shape{ty: referenceType, kind: kind}, nil
	}
	if kind, ok := elementKind(t); ok {
		return shape{ty: cty.DynamicPseudoType, elem: &shape{ty: referenceType, kind: kind}}, nil
	}
	var ty cty.Type
	if err := ty.UnmarshalJSON([]byte(t)); err != nil {
		return shape{}, fmt.Errorf("type %s: %w", t, err)
	}
	return shape{ty: ty}, nil
}

// elementKind recognises `["list","ref:dataset"]`.
func elementKind(t schema.Type) (string, bool) {
	var parts []string
	if json.Unmarshal([]byte(t), &parts) != nil || len(parts) != 2 {
		return "", false
	}
	return schema.Type(parts[1]).Kind()
}

// typeName is a type as the documentation and diagnostics name it.
func typeName(t schema.Type) string {
	if kind, ok := t.Kind(); ok {
		return "reference to " + kind
	}
	if kind, ok := elementKind(t); ok {
		return "references to " + kind
	}
	switch t {
	case typeExpression:
		return string(t)
	case typeMembers:
		return "references to agent, and lists of them"
	case schema.TypeAny:
		return "any"
	}
	s, err := shapeOf(t)
	if err != nil {
		return string(t)
	}
	return s.ty.FriendlyNameForConstraint()
}
