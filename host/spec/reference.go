package spec

import (
	"reflect"

	"github.com/zclconf/go-cty/cty"
)

// A block is a value that has two forms. As an object, it has the block's attributes and an additional one that holds
// the reference: `environment.calculator.desk.max_turns` is a number, and `environment.calculator.desk` can still be
// passed as the block itself. As a bare reference, it has no attributes, but all bare references have the same type, so
// that a conditional may choose between blocks of different types.

// reference is the capsule's content.
type reference struct{ node *node }

var referenceType = cty.CapsuleWithOps("reference to a block", reflect.TypeFor[reference](), &cty.CapsuleOps{
	GoString:     func(v any) string { return v.(*reference).node.address },
	TypeGoString: func(reflect.Type) string { return "reference" },
})

// referenceAttribute holds the reference in the object form. It is not a valid attribute name in a schema.
const referenceAttribute = "(reference)"

// asReference returns the block that a value refers to, in either form.
func asReference(v cty.Value) (*node, bool) {
	if !v.IsKnown() || v.IsNull() {
		return nil, false
	}
	v, _ = v.Unmark()
	if v.Type().Equals(referenceType) {
		return v.EncapsulatedValue().(*reference).node, true
	}
	if v.Type().IsObjectType() && v.Type().HasAttribute(referenceAttribute) {
		return asReference(v.GetAttr(referenceAttribute))
	}
	return nil, false
}

// form is the form that blocks have in an expression.
type form int

const (
	asObjects form = iota
	asReferences
)

// inForm converts all blocks inside a value to one form. Collections whose elements must all have the same type are not
// changed.
func inForm(v cty.Value, want form) cty.Value {
	if !v.IsKnown() || v.IsNull() {
		return v
	}
	if n, ok := asReference(v); ok {
		if want == asReferences {
			return n.reference
		}
		if v.Type().Equals(referenceType) && n.state == nodeDone {
			return n.value
		}
		return v // already an object, or a block whose problems have been reported
	}
	plain, marks := v.Unmark()
	switch ty := plain.Type(); {
	case ty.IsTupleType():
		elements := plain.AsValueSlice()
		for i := range elements {
			elements[i] = inForm(elements[i], want)
		}
		return cty.TupleVal(elements).WithMarks(marks)
	case ty.IsObjectType():
		attributes := plain.AsValueMap()
		for name, value := range attributes {
			attributes[name] = inForm(value, want)
		}
		if attributes == nil {
			return v
		}
		return cty.ObjectVal(attributes).WithMarks(marks)
	}
	return v
}

// holdsReference reports whether a value contains a block.
func holdsReference(v cty.Value) bool {
	found := false
	plain, _ := v.UnmarkDeep()
	_ = cty.Walk(plain, func(_ cty.Path, v cty.Value) (bool, error) {
		found = found || v.Type().Equals(referenceType)
		return !found, nil
	})
	return found
}
