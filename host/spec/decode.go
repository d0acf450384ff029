package spec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk/schema"
)

// anyName is the name of the only attribute in a block whose attributes may have any names, such as `env`.
const anyName = "*"

// body is a decoded block: the user's values, checked against a schema, without defaults. Without defaults, a stage's
// values can be merged over train's values.
type body struct {
	schema schema.Block
	dir    string    // base of relative paths
	label  string    // set if the block has a label
	header hcl.Range // range of its first line
	attrs  map[string]written
	seen   map[string]bool    // attributes that are present, with or without a usable value
	blocks map[string][]*body // by name, in order
	start  hcl.Traversal      // policy = train.NAME.checkpoint; nil: another policy
}

// written is an attribute that the user wrote.
type written struct {
	value cty.Value            // of the attribute's type, including marks
	later *later               // set for a typeExpression attribute; value is then nil
	where hcl.Range            // range of the expression
	parts map[string]hcl.Range // ranges of literal values inside it, by pathKey
}

// at returns the range of part of the attribute's value, or of the whole value if that part's range is unknown.
func (w written) at(path ...string) hcl.Range {
	if r, ok := w.parts[pathKey(path)]; ok {
		return r
	}
	return w.where
}

// partsOf collects the ranges of the values inside objects and lists. Computed values have no parts.
func partsOf(expr hcl.Expression, prefix []string, into map[string]hcl.Range) {
	if pairs, problems := hcl.ExprMap(expr); !problems.HasErrors() {
		for _, pair := range pairs {
			if name, problems := pair.Key.Value(nil); !problems.HasErrors() && name.Type() == cty.String && !name.IsNull() {
				partAt(pair.Value, extend(prefix, name.AsString()), into)
			}
		}
		return
	}
	elements, problems := hcl.ExprList(expr)
	if problems.HasErrors() {
		return
	}
	for i, element := range elements {
		partAt(element, extend(prefix, strconv.Itoa(i)), into)
	}
}

func partAt(expr hcl.Expression, path []string, into map[string]hcl.Range) {
	into[pathKey(path)] = expr.Range()
	partsOf(expr, path, into)
}

// later is an expression that is compiled once, even if several stages inherit it.
type later struct {
	expr     hcl.Expression
	compiled *Expression
	done     bool
}

// decoder decodes one top-level block.
type decoder struct {
	*scope
	refs     map[string]*node // referenced blocks
	failed   bool             // a problem was reported; the result is incomplete
	degraded bool             // dynamic blocks could not be expanded; their values are unknown
	notes    []string         // remarks about the block for the plan
	parts    int              // locals compiled into its expressions
}

func newDecoder(s *scope) *decoder { return &decoder{scope: s, refs: map[string]*node{}} }

func (d *decoder) fail(where hcl.Range, summary, detail string) {
	d.failed = true
	d.scope.fail(where, summary, detail)
}

func (d *decoder) reportAll(problems hcl.Diagnostics) {
	d.failed = d.failed || problems.HasErrors()
	d.report(problems...)
}

// decode checks a block against its schema. All problems are reported. complete checks the required attributes.
func (d *decoder) decode(b hcl.Body, sch schema.Block, header hcl.Range) *body {
	return d.body(d.expand(b, sch), sch, header, "", "")
}

// expand replaces a body's dynamic blocks with ordinary ones.
func (d *decoder) expand(b hcl.Body, sch schema.Block) hcl.Body {
	traversals := expansionVariables(dynblock.WalkExpandVariables(b), sch)
	ctx, ok := d.context(traversals, asObjects)
	if !ok {
		d.failed, d.degraded = true, true
		ctx = &hcl.EvalContext{Functions: d.functions, Variables: map[string]cty.Value{}}
		for _, t := range traversals {
			ctx.Variables[t.RootName()] = cty.DynamicVal
		}
	}
	return dynblock.Expand(b, ctx, dynblock.OptCheckForEach(refuseSecretForEach))
}

func refuseSecretForEach(v cty.Value, expr hcl.Expression, _ *hcl.EvalContext) hcl.Diagnostics {
	if !v.IsMarked() {
		return nil
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagError, Summary: "Secret for_each", Subject: expr.Range().Ptr(),
		Detail: "The number of blocks would reveal the secret. Use a value that is not sensitive.",
	}}
}

func expansionVariables(n dynblock.WalkVariablesNode, sch schema.Block) []hcl.Traversal {
	traversals, children := n.Visit(bodySchema(sch))
	for _, child := range children {
		for _, nested := range sch.Blocks {
			if nested.Name == child.BlockTypeName {
				traversals = append(traversals, expansionVariables(child.Node, nested.Block)...)
			}
		}
	}
	return traversals
}

// bodySchema returns a schema in the form that HCL needs to decode a body.
func bodySchema(sch schema.Block) *hcl.BodySchema {
	out := &hcl.BodySchema{}
	for _, a := range sch.Attributes {
		if a.Name != anyName {
			out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: a.Name})
		}
	}
	for _, n := range sch.Blocks {
		header := hcl.BlockHeaderSchema{Type: n.Name}
		if hasLabel(n) {
			header.LabelNames = []string{"name"}
		}
		out.Blocks = append(out.Blocks, header)
	}
	return out
}

// body decodes a body. kind is the type of a nested block, or empty.
func (d *decoder) body(b hcl.Body, sch schema.Block, header hcl.Range, label, kind string) *body {
	out := &body{schema: sch, dir: d.dir, label: label, header: header, attrs: map[string]written{},
		seen: map[string]bool{}, blocks: map[string][]*body{}}
	if free, ok := freeAttributes(sch); ok {
		d.decodeFree(out, b, free)
		return out
	}
	content, problems := b.Content(bodySchema(sch))
	d.reportAll(explainUnknown(problems, sch, kind))
	for _, a := range sch.Attributes {
		if attribute, ok := content.Attributes[a.Name]; ok {
			d.decodeAttribute(out, a, attribute)
		}
	}
	for _, n := range sch.Blocks {
		d.decodeBlocks(out, n, content.Blocks.OfType(n.Name))
	}
	if d.importServers(out) {
		for _, n := range sch.Blocks {
			d.checkFewest(out, n)
		}
	}
	return out
}

// checkFewest checks the minimum number of nested blocks.
func (d *decoder) checkFewest(b *body, n schema.NestedBlock) {
	if found := len(b.blocks[n.Name]); found < n.Min {
		d.fail(b.header, "Missing block", strings.TrimSpace(fmt.Sprintf("At least %d %s must be declared here, but there "+
			"%s %d. %s",
			n.Min, plural(n.Min, n.Name+" block"), plural2(found, "is", "are"), found, n.Block.Description)))
	}
}

func freeAttributes(sch schema.Block) (schema.Attribute, bool) {
	if len(sch.Attributes) == 1 && sch.Attributes[0].Name == anyName {
		return sch.Attributes[0], true
	}
	return schema.Attribute{}, false
}

func (d *decoder) decodeFree(out *body, b hcl.Body, a schema.Attribute) {
	attributes, problems := b.JustAttributes()
	d.reportAll(problems)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		a.Name = name
		d.decodeAttribute(out, a, attributes[name])
	}
}

func (d *decoder) decodeAttribute(out *body, a schema.Attribute, attribute *hcl.Attribute) {
	where := attribute.Expr.Range()
	out.seen[a.Name] = true
	if a.Deprecated != "" {
		d.warn(attribute.NameRange, "Deprecated argument", fmt.Sprintf("%s is deprecated: %s", a.Name, a.Deprecated))
	}
	if a.Type == typeExpression {
		out.attrs[a.Name] = written{later: &later{expr: attribute.Expr}, where: where}
		return
	}
	if a.Name == policyAttribute {
		if t, problems := hcl.AbsTraversalForExpr(attribute.Expr); !problems.HasErrors() && t.RootName() == "train" {
			out.start = t
			return
		}
	}
	value, ok := d.evaluate(attribute.Expr)
	if !ok {
		d.failed = true
		return
	}
	if value, ok = d.accept(a, value, where); ok {
		parts := map[string]hcl.Range{}
		partsOf(attribute.Expr, nil, parts)
		out.attrs[a.Name] = written{value: value, where: where, parts: parts}
	}
}

func (d *decoder) decodeBlocks(out *body, n schema.NestedBlock, found hcl.Blocks) {
	most := n.Max
	switch n.Nesting {
	case schema.Single, nestingGroup, nestingChoice:
		most = 1
	}
	if most > 0 && len(found) > most {
		d.fail(found[most].DefRange, "Too many blocks", fmt.Sprintf("At most %d %s may be declared here; the first is at "+
			"%s.", most, plural(most, n.Name+" block"), place(found[0].DefRange)))
		found = found[:most]
	}
	first := map[string]hcl.Range{}
	for _, block := range found {
		label := ""
		if hasLabel(n) && len(block.Labels) > 0 {
			label = block.Labels[0]
			if earlier, twice := first[label]; twice {
				d.fail(block.DefRange, "Duplicate block", fmt.Sprintf("%s %q is already declared at %s. Rename one of them, or "+
					"merge the two.", n.Name, label, place(earlier)))
				continue
			}
			first[label] = block.DefRange
		}
		if n.Block.Deprecated != "" {
			d.warn(block.DefRange, "Deprecated block", fmt.Sprintf("%s is deprecated: %s", n.Name, n.Block.Deprecated))
		}
		out.blocks[n.Name] = append(out.blocks[n.Name], d.body(block.Body, n.Block, block.DefRange, label, n.Name))
	}
}

func hasLabel(n schema.NestedBlock) bool {
	return n.Nesting == schema.Map || n.Nesting == nestingChoice
}

func plural(n int, noun string) string { return plural2(n, noun, noun+"s") }

func plural2(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
