package spec

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk/schema"
)

// This type is used only in the host's blocks.
const (
	typeExpression schema.Type = "expression" // evaluated for every episode, not when the spec is loaded
)

// These nestings are used only in the host's blocks.
const (
	// nestingGroup is a block that exists, with its attributes' defaults, even if it is not written.
	nestingGroup schema.Nesting = "GROUP"
	// nestingChoice is a single block whose label selects the variant.
	nestingChoice schema.Nesting = "CHOICE"
)

// shape is the meaning of a schema type: a cty type, or references, for which cty has no type.
type shape struct {
	ty   cty.Type
	kind string // for a reference
	elem *shape // for a list, set or map of references
	// nested is set if the list may contain lists of references.
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

// elementKind recognizes `["list","ref:dataset"]`.
func elementKind(t schema.Type) (string, bool) {
	var parts []string
	if json.Unmarshal([]byte(t), &parts) != nil || len(parts) != 2 {
		return "", false
	}
	return schema.Type(parts[1]).Kind()
}

// typeName returns a type's name in the documentation and in diagnostics.
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
