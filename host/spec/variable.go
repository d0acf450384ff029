package spec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// declaration is a variable block's content.
type declaration struct {
	name        string
	description string
	sensitive   bool
	ty          cty.Type
	defaults    *typeexpr.Defaults
	fallback    cty.Value // the default; cty.NilVal without a default
	checks      hcl.Blocks
	where       hcl.Range // range of the block's header
	broken      bool      // its problems have been reported
}

var variableSchema = &hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "type"}, {Name: "default"}, {Name: "description"}, {Name: "sensitive"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "validation"}},
}

func (s *scope) readDeclaration(block *hcl.Block) *declaration {
	d := &declaration{name: block.Labels[0], ty: cty.DynamicPseudoType, where: block.DefRange}
	before := len(s.problems)
	s.checkName(block.LabelRanges[0], d.name)
	content, problems := block.Body.Content(variableSchema)
	s.report(problems...)
	if a, ok := content.Attributes["type"]; ok {
		var problems hcl.Diagnostics
		d.ty, d.defaults, problems = typeexpr.TypeConstraintWithDefaults(a.Expr)
		s.report(problems...)
	}
	if a, ok := content.Attributes["description"]; ok {
		s.literal(a, &d.description)
	}
	if a, ok := content.Attributes["sensitive"]; ok {
		s.literal(a, &d.sensitive)
	}
	if a, ok := content.Attributes["default"]; ok {
		d.fallback = s.readDefault(d, a)
	}
	d.checks = content.Blocks
	d.broken = slices.ContainsFunc(s.problems[before:],
		func(p *hcl.Diagnostic) bool { return p.Severity == hcl.DiagError })
	return d
}

func (s *scope) readDefault(d *declaration, a *hcl.Attribute) cty.Value {
	value, problems := a.Expr.Value(nil)
	s.report(problems...)
	if problems.HasErrors() {
		return cty.NilVal
	}
	if d.sensitive {
		s.redactor.learn(value)
	}
	value, err := d.convert(value)
	if err != nil {
		s.fail(a.Expr.Range(), "Wrong type", fmt.Sprintf("The default of var.%s does not match its type: %s.", d.name, err))
	}
	return value
}

func (d *declaration) convert(v cty.Value) (cty.Value, error) {
	if d.defaults != nil && !v.IsNull() {
		v = d.defaults.Apply(v)
	}
	return convert.Convert(v, d.ty)
}

// literal reads an attribute that must be a literal: a string or a Boolean.
func (s *scope) literal(a *hcl.Attribute, into any) {
	value, problems := a.Expr.Value(nil)
	s.report(problems...)
	if problems.HasErrors() {
		return
	}
	var err error
	switch into := into.(type) {
	case *string:
		if value, err = convert.Convert(value, cty.String); err == nil && !value.IsNull() {
			*into = value.AsString()
		}
	case *bool:
		if value, err = convert.Convert(value, cty.Bool); err == nil && !value.IsNull() {
			*into = value.True()
		}
	}
	if err != nil {
		s.fail(a.Expr.Range(), "Wrong type", fmt.Sprintf("%s: %s.", a.Name, err))
	}
}

// bind sets a variable's value and declares it as a node that other expressions can refer to.
func (s *scope) bind(d *declaration, g *given) *Variable {
	out := &Variable{Name: d.name, Description: d.description, Sensitive: d.sensitive, Origin: "default"}
	n := &node{address: "var." + d.name, kind: "var", where: d.where}
	n.evaluate = func() (cty.Value, bool) {
		if d.broken {
			return cty.DynamicVal, false
		}
		value, ok := s.bound(d, g)
		if !ok || !s.validate(d, g, value) {
			return cty.DynamicVal, false
		}
		if d.sensitive {
			return value.Mark(secretMark{origin: "var:" + d.name}), true
		}
		out.Value = mustJSON(toJSON(value))
		out.Idle = g != nil && g.origin == "flag" && !g.again && d.fallback != cty.NilVal && value.RawEquals(d.fallback)
		return value, true
	}
	if g != nil {
		out.Origin = g.origin
	}
	s.declare(n, "variable")
	return out
}

func (s *scope) bound(d *declaration, g *given) (cty.Value, bool) {
	if g == nil {
		if d.fallback == cty.NilVal {
			s.report(&hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Variable without a value",
				Detail: fmt.Sprintf("var.%s has no default. Give it a value with --var %s=…, the environment variable %s%s, or a line in a .awvars file.",
					d.name, d.name, variablePrefix, d.name),
				Subject: &d.where, Extra: valueLater{},
			})
			return cty.DynamicVal, false
		}
		return d.fallback, true
	}
	value, problems := g.read(d)
	if d.sensitive {
		s.redactor.learn(cty.StringVal(g.text))
	}
	s.report(problems...)
	if problems.HasErrors() {
		return cty.DynamicVal, false
	}
	if d.sensitive {
		s.redactor.learn(value)
	}
	value, err := d.convert(value)
	if err == nil && hasInfinity(value) {
		err = errInfinite
	}
	if err != nil {
		s.fail(g.where, "Wrong type", d.wants()+mismatch(err))
		return cty.DynamicVal, false
	}
	return value, true
}

var errInfinite = errors.New("a number is not finite")

// wants describes a variable's type, how to write it, and where it is declared.
func (d *declaration) wants() string {
	start := fmt.Sprintf("var.%s, declared at %s, takes %s", d.name, place(d.where),
		article(d.ty.FriendlyNameForConstraint()))
	switch {
	case d.ty == cty.Number:
		return start + ", such as 10 or 0.5."
	case d.ty == cty.Bool:
		return start + ": true or false."
	case d.ty.IsPrimitiveType() || d.ty == cty.DynamicPseudoType:
		return start + "."
	}
	return fmt.Sprintf("%s, in HCL syntax with quoted strings: --var '%s=%s'.", start, d.name, sample(d.ty))
}

// sample returns an example of a type, written in HCL.
func sample(ty cty.Type) string {
	switch {
	case ty == cty.Number:
		return "1"
	case ty == cty.Bool:
		return "true"
	case ty.IsListType() || ty.IsSetType():
		return "[" + sample(ty.ElementType()) + "]"
	case ty.IsMapType():
		return "{ a = " + sample(ty.ElementType()) + " }"
	case ty.IsTupleType():
		return "[" + strings.Join(samples(ty.TupleElementTypes()), ", ") + "]"
	case ty.IsObjectType():
		var members []string
		for _, name := range slices.Sorted(maps.Keys(ty.AttributeTypes())) {
			members = append(members, name+" = "+sample(ty.AttributeType(name)))
		}
		return "{ " + strings.Join(members, ", ") + " }"
	}
	return `"a"`
}

func samples(types []cty.Type) []string {
	out := make([]string, len(types))
	for i, ty := range types {
		out[i] = sample(ty)
	}
	return out
}

// mismatch returns a conversion error inside a value, together with its path. It returns an empty string if the whole
// value has the wrong type.
func mismatch(err error) string {
	if errors.Is(err, errInfinite) {
		return " It contains a number that is not finite."
	}
	var at cty.PathError
	if errors.As(err, &at) && len(at.Path) > 0 {
		return fmt.Sprintf(" At %s %s.", within(at.Path), err)
	}
	return ""
}

// within formats a path inside a value, such as .a[1].
func within(path cty.Path) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			b.WriteString("." + step.Name)
		case cty.IndexStep:
			if step.Key.Type() == cty.Number {
				b.WriteString("[" + step.Key.AsBigFloat().Text('f', -1) + "]")
			} else {
				b.WriteString("[" + quote(step.Key.AsString()) + "]")
			}
		}
	}
	return b.String()
}

func hasInfinity(v cty.Value) bool {
	found := false
	_ = cty.Walk(unmarked(v), func(_ cty.Path, v cty.Value) (bool, error) {
		found = found || v.IsKnown() && !v.IsNull() && v.Type() == cty.Number && v.AsBigFloat().IsInf()
		return !found, nil
	})
	return found
}

var validationSchema = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "condition", Required: true},
	{Name: "error_message", Required: true}}}

// validate checks a value against the variable's validation blocks.
func (s *scope) validate(d *declaration, g *given, value cty.Value) bool {
	valid := true
	for _, block := range d.checks {
		content, problems := block.Body.Content(validationSchema)
		s.report(problems...)
		if problems.HasErrors() {
			valid = false
			continue
		}
		valid = s.validateOne(d, g, value, content.Attributes) && valid
	}
	return valid
}

func (s *scope) validateOne(d *declaration, g *given, value cty.Value, attributes hcl.Attributes) bool {
	ctx := &hcl.EvalContext{Functions: s.functions,
		Variables: map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{d.name: value})}}
	for _, a := range attributes {
		for _, t := range a.Expr.Variables() {
			if names := stepNames(t, 2); len(names) < 2 || names[0] != "var" || names[1] != d.name {
				s.fail(t.SourceRange(), "Invalid reference in a validation", fmt.Sprintf("The validation of a variable may refer "+
					"only to var.%s.", d.name))
				return false
			}
		}
	}
	condition := attributes["condition"].Expr
	result, problems := condition.Value(ctx)
	s.report(problems...)
	if problems.HasErrors() {
		return false
	}
	result, err := convert.Convert(unmarked(result), cty.Bool)
	if err != nil || result.IsNull() || !result.IsKnown() {
		s.fail(condition.Range(), "Wrong type", "The condition of a validation must be true or false.")
		return false
	}
	if result.True() {
		return true
	}
	where := d.where
	if g != nil && g.where.Filename != "" {
		where = g.where
	}
	s.fail(where, "Invalid value for variable", fmt.Sprintf("%s (var.%s, checked at %s)",
		s.message(attributes["error_message"].Expr, ctx), d.name, place(condition.Range())))
	return false
}

func (s *scope) message(expr hcl.Expression, ctx *hcl.EvalContext) string {
	value, problems := expr.Value(ctx)
	s.report(problems...)
	value, err := convert.Convert(unmarked(value), cty.String)
	if problems.HasErrors() || err != nil || value.IsNull() || !value.IsKnown() {
		return "The value does not satisfy its validation."
	}
	return value.AsString()
}
