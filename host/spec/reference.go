package spec

import (
	"reflect"

	"github.com/zclconf/go-cty/cty"
)

// A block is a value in two forms. As an object it has the attributes of the block, and one more that holds the
// reference: so `environment.calculator.desk.max_turns` is a number and `environment.calculator.desk` can still be
// handed on as the block itself. As a bare reference it has no attributes, but all bare references are of one type,
// so that a conditional may choose between blocks of different types.

// reference is what the capsule holds.
type reference struct{ node *node }

var referenceType = cty.CapsuleWithOps("reference to a block", reflect.TypeFor[reference](), &cty.CapsuleOps{
	GoString:     func(v any) string { return v.(*reference).node.address },
	TypeGoString: func(reflect.Type) string { return "reference" },
})

// referenceAttribute holds the reference in the object form. No schema can have an attribute of this name.
const referenceAttribute = "(reference)"

// asReference returns the block that a value stands for, in either form.
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

// form is how an expression sees blocks.
type form int

const (
	asObjects form = iota
	asReferences
)

// inForm turns all blocks inside a value into one form. Collections whose elements must be of one type keep theirs.
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
		return v // an object already, or a block whose problems have been reported
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

// holdsReference says whether there is a block anywhere in a value.
func holdsReference(v cty.Value) bool {
	found := false
	plain, _ := v.UnmarkDeep()
	_ = cty.Walk(plain, func(_ cty.Path, v cty.Value) (bool, error) {
		found = found || v.Type().Equals(referenceType)
		return !found, nil
	})
	return found
}
