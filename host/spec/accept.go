package spec

import (
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/awhost/awhost/sdk/schema"
)

// accept checks a value against its attribute and normalizes it: the result has the attribute's type, absolute paths,
// durations in Go's notation, and resolved references. Null is accepted: it means that the attribute is not set.
func (d *decoder) accept(a schema.Attribute, v cty.Value, where hcl.Range) (cty.Value, bool) {
	if a.Sensitive {
		v = markSecret(v)
		d.redactor.learn(v)
	}
	if v.IsNull() {
		return v, true
	}
	if !v.IsWhollyKnown() {
		if d.degraded {
			return v, false
		}
		d.fail(where, "Unknown value", fmt.Sprintf("The value of %s is not known before the run.", a.Name))
		return v, false
	}
	s, err := shapeOf(a.Type)
	if err != nil {
		d.fail(where, "Invalid plugin schema",
			fmt.Sprintf("The plugin declares %s with an unusable type (%s). This is a bug in "+
				"the plugin: report it to the author.", a.Name, err))
		return v, false
	}
	if s.kind != "" || s.elem != nil {
		return d.acceptReferences(a, s, v, where)
	}
	return d.acceptPlain(a, s, v, where)
}

// markSecret marks a value as sensitive, unless it or part of it is already marked.
func markSecret(v cty.Value) cty.Value {
	if v.ContainsMarked() {
		return v
	}
	return v.Mark(secretMark{origin: originSpec})
}

func (d *decoder) acceptPlain(a schema.Attribute, s shape, v cty.Value, where hcl.Range) (cty.Value, bool) {
	converted, err := convert.Convert(v, s.ty)
	if err != nil {
		wanted := typeName(a.Type)
		if a.Format == schema.FormatInteger {
			wanted = string(a.Format)
		}
		d.fail(where, "Wrong type", fmt.Sprintf("%s takes %s: %s.%s", a.Name, article(wanted), err, typeHint(s, v)))
		return v, false
	}
	plain, marks := converted.Unmark()
	if plain.IsNull() {
		return converted, true
	}
	d.collectReferences(plain)
	problem := ""
	switch plain.Type() {
	case cty.String:
		plain, problem = d.acceptString(a, plain)
	case cty.Number:
		problem = checkNumber(a, plain.AsBigFloat())
	default:
		problem = checkElements(a, plain)
	}
	if problem != "" {
		d.fail(where, "Invalid value", problem)
		return v, false
	}
	if a.MustExist {
		if missing := missingFile(d.dir, plain.AsString()); missing != "" {
			d.fail(where, "Missing file", missing)
			return v, false
		}
	}
	return plain.WithMarks(marks), true
}

func article(noun string) string {
	if strings.ContainsRune("aeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// typeHint returns a hint on how to write a value of the correct type.
func typeHint(s shape, v cty.Value) string {
	ty := v.Type()
	switch {
	case ty == cty.String && s.ty.IsListType():
		return " Put it in brackets: [ … ]."
	case s.ty == cty.String && (ty.IsTupleType() || ty.IsListType()):
		return " Give one value, without brackets."
	}
	if n, ok := asReference(v); ok {
		return fmt.Sprintf(" %s is an entire block: refer to one of its attributes, %s.NAME.", n.address, n.address)
	}
	return ""
}

func (d *decoder) acceptString(a schema.Attribute, v cty.Value) (cty.Value, string) {
	text := v.AsString()
	if len(a.OneOf) > 0 && !slices.Contains(a.OneOf, text) {
		return v, fmt.Sprintf("%s must be %s, not %q.%s", a.Name, oneOf(quoteAll(a.OneOf)), text, didYouMean(text, a.OneOf))
	}
	switch a.Format {
	case schema.FormatPath:
		if text == "" {
			return v, fmt.Sprintf("%s is empty. Give the path of a file or directory. Relative paths start at the spec's "+
				"directory.", a.Name)
		}
		return cty.StringVal(absolute(d.dir, text)), ""
	case schema.FormatDuration:
		duration, err := time.ParseDuration(text)
		if err != nil {
			return v, fmt.Sprintf("%s is not a duration. Write a number and a unit, such as \"30s\", \"5m\", or "+
				"\"1h30m\".", a.Name)
		}
		if duration < 0 {
			return v, fmt.Sprintf("%s must not be negative.", a.Name)
		}
		return cty.StringVal(duration.String()), ""
	}
	return v, ""
}

func quoteAll(names []string) []string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return quoted
}

// absolute resolves a path in the spec against the spec's directory.
func absolute(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func checkNumber(a schema.Attribute, f *big.Float) string {
	unit := ""
	if a.Unit != "" {
		unit = " (" + a.Unit + ")"
	}
	switch {
	case f.IsInf():
		return fmt.Sprintf("%s is not a finite number.", a.Name)
	case a.Format == schema.FormatInteger && !f.IsInt():
		return fmt.Sprintf("%s must be a whole number.", a.Name)
	case a.Format == schema.FormatInteger && !fitsInt64(f):
		return fmt.Sprintf("%s is too large for a 64-bit integer.", a.Name)
	case a.Minimum != nil && a.Maximum != nil && (f.Cmp(big.NewFloat(*a.Minimum)) < 0 ||
		f.Cmp(big.NewFloat(*a.Maximum)) > 0):
		return fmt.Sprintf("%s must be between %s and %s%s.", a.Name, decimal(*a.Minimum), decimal(*a.Maximum), unit)
	case a.Minimum != nil && f.Cmp(big.NewFloat(*a.Minimum)) < 0:
		return fmt.Sprintf("%s must be at least %s%s.", a.Name, decimal(*a.Minimum), unit)
	case a.Maximum != nil && f.Cmp(big.NewFloat(*a.Maximum)) > 0:
		return fmt.Sprintf("%s must be at most %s%s.", a.Name, decimal(*a.Maximum), unit)
	}
	return ""
}

// decimal formats a number without an exponent.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func fitsInt64(f *big.Float) bool {
	_, accuracy := f.Int64()
	return accuracy == big.Exact
}

// checkElements checks a collection's elements: strings must be allowed values, and numbers must be finite.
func checkElements(a schema.Attribute, v cty.Value) string {
	problem := ""
	_ = cty.Walk(unmarked(v), func(_ cty.Path, v cty.Value) (bool, error) {
		switch {
		case problem != "" || !v.IsKnown() || v.IsNull():
			return false, nil
		case v.Type() == cty.Number && v.AsBigFloat().IsInf():
			problem = fmt.Sprintf("%s contains a number that is not finite.", a.Name)
		case v.Type() == cty.String && len(a.OneOf) > 0 && !slices.Contains(a.OneOf, v.AsString()):
			problem = fmt.Sprintf("%s may contain %s, not %q.%s", a.Name, listed(quoteAll(a.OneOf)), v.AsString(),
				didYouMean(v.AsString(), a.OneOf))
		}
		return true, nil
	})
	return problem
}

func (d *decoder) acceptReferences(a schema.Attribute, s shape, v cty.Value, where hcl.Range) (cty.Value, bool) {
	if s.elem == nil {
		n, ok := d.resolveReference(a, s.kind, v, where)
		if !ok {
			return v, false
		}
		return n.reference, true
	}
	plain, marks := v.Unmark()
	if _, single := asReference(v); single || !plain.CanIterateElements() {
		d.fail(where, "Wrong type", fmt.Sprintf("%s takes a list of references to %s blocks. Put the references in "+
			"brackets: [ … ].", a.Name, s.elem.kind))
		return v, false
	}
	var references []cty.Value
	for _, element := range plain.AsValueSlice() {
		if inner := unmarked(element); s.nested && !inner.IsNull() && inner.Type().IsTupleType() {
			list, ok := d.acceptReferences(a, shape{ty: s.ty, elem: s.elem}, element, where)
			if !ok {
				return v, false
			}
			references = append(references, list)
			continue
		}
		n, ok := d.resolveReference(a, s.elem.kind, element, where)
		if !ok {
			return v, false
		}
		references = append(references, n.reference)
	}
	return cty.TupleVal(references).WithMarks(marks), true
}

// resolveReference returns the block that a value refers to. The value is the block itself, or its address as a string,
// which is the form used in the JSON syntax and in variables.
func (d *decoder) resolveReference(a schema.Attribute, kind string, v cty.Value, where hcl.Range) (*node, bool) {
	n, ok := asReference(v)
	if !ok {
		if n, ok = d.namedBlock(a, kind, v, where); !ok {
			return nil, false
		}
	}
	if n.kind != kind && !(kind == kindAgent && n.kind == kindSwarm) {
		d.fail(where, "Reference to another kind of block", fmt.Sprintf("%s takes a reference to %s block, %s.TYPE.NAME, "+
			"but %s is %s block.%s",
			a.Name, article(kind), kind, n.address, article(n.kind), oneOfThese(d.addresses(kind+"."))))
		return nil, false
	}
	d.refs[n.address] = n
	d.failed = d.failed || n.state != nodeDone
	return n, true
}

func oneOfThese(addresses []string) string {
	if len(addresses) == 0 {
		return ""
	}
	return " The spec declares " + listed(addresses) + "."
}

func (d *decoder) namedBlock(a schema.Attribute, kind string, v cty.Value, where hcl.Range) (*node, bool) {
	plain, _ := v.Unmark()
	if plain.IsNull() || plain.Type() != cty.String {
		d.fail(where, "Not a reference", fmt.Sprintf("%s takes a reference to %s block, written %s.TYPE.NAME.%s", a.Name,
			article(kind), kind, oneOfThese(d.addresses(kind+"."))))
		return nil, false
	}
	address := plain.AsString()
	n, ok := d.nodes[address]
	if !ok || n.reference == cty.NilVal {
		known := d.addresses(kind + ".")
		hint := didYouMean(address, known)
		if hint == "" {
			hint = oneOfThese(known)
		}
		d.fail(where, "Not a reference", fmt.Sprintf("%s takes a reference to %s block, but this spec does not declare "+
			"%q.%s", a.Name, article(kind), address, hint))
		return nil, false
	}
	_, ok = d.value(n, where)
	d.failed = d.failed || !ok
	return n, ok
}

// collectReferences records the blocks that a value of any type contains.
func (d *decoder) collectReferences(v cty.Value) {
	_ = cty.Walk(unmarked(v), func(_ cty.Path, v cty.Value) (bool, error) {
		if v.Type().Equals(referenceType) {
			if n, ok := asReference(v); ok {
				d.refs[n.address] = n
				d.failed = d.failed || n.state != nodeDone
			}
		}
		return true, nil
	})
}
