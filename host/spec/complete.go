package spec

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk/schema"
)

// require reports the required attributes that are missing from a block and its nested blocks.
func (d *decoder) require(b *body) {
	for _, a := range b.schema.Attributes {
		if !a.Required {
			continue
		}
		_, usable := b.attrs[a.Name]
		if b.wrote(a.Name) || b.seen[a.Name] && !usable {
			continue // the problem of an unusable value has been reported already
		}
		d.fail(b.header, "Missing argument", strings.TrimSpace(fmt.Sprintf("%s is required: %s.%s", a.Name,
			strings.TrimSuffix(a.Description, "."), example(a))))
	}
	for _, n := range b.schema.Blocks {
		for _, nested := range b.blocks[n.Name] {
			d.require(nested)
		}
	}
}

func example(a schema.Attribute) string {
	if kind, ok := a.Type.Kind(); ok {
		return fmt.Sprintf(" Write %s = %s.TYPE.NAME.", a.Name, kind)
	}
	if a.ExampleJSON != nil {
		return fmt.Sprintf(" For example: %s = %s.", a.Name, a.ExampleJSON)
	}
	return ""
}

// object returns a block, including its defaults, as a value.
func (b *body) object() cty.Value {
	values := map[string]cty.Value{}
	if _, free := freeAttributes(b.schema); free {
		for name, w := range b.attrs {
			values[name] = w.value
		}
		return cty.ObjectVal(values)
	}
	for _, a := range b.schema.Attributes {
		if a.Type != typeExpression {
			values[a.Name] = b.attribute(a)
		}
	}
	for _, n := range b.schema.Blocks {
		values[n.Name] = b.nested(n)
	}
	return cty.ObjectVal(values)
}

// attribute returns the value set by the user, or the default, or null.
func (b *body) attribute(a schema.Attribute) cty.Value {
	preset := b.preset(a)
	if w, ok := b.attrs[a.Name]; ok && !w.value.IsNull() {
		return over(preset, w.value)
	}
	if !preset.IsNull() {
		return preset
	}
	if a.DefaultJSON != nil {
		if v, err := fromJSON(a.DefaultJSON, a.Type); err == nil {
			return b.normal(a, v)
		}
	}
	s, err := shapeOf(a.Type)
	if err != nil {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return cty.NullVal(s.ty)
}

// preset returns the default that another attribute's value selects, or null.
func (b *body) preset(a schema.Attribute) cty.Value {
	set := b.schema.Preset(func(name string) string {
		w, ok := b.attrs[name]
		if !ok || w.value.IsNull() || !w.value.IsKnown() || w.value.Type() != cty.String {
			return ""
		}
		return w.value.AsString()
	})
	if raw, ok := set[a.Name]; ok {
		if v, err := fromJSON(raw, a.Type); err == nil {
			return b.normal(a, v)
		}
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// over applies a user's value on top of a preset. String maps are merged by key; other values are replaced.
func over(preset, written cty.Value) cty.Value {
	if preset.IsNull() || !written.IsKnown() || !preset.Type().IsMapType() || !written.Type().IsMapType() {
		return written
	}
	both := preset.AsValueMap()
	if both == nil {
		return written
	}
	maps.Copy(both, written.AsValueMap())
	return cty.MapVal(both)
}

// normal normalizes a default in the same way as accept normalizes the user's values.
func (b *body) normal(a schema.Attribute, v cty.Value) cty.Value {
	if v.IsNull() || v.Type() != cty.String {
		return v
	}
	switch a.Format {
	case schema.FormatPath:
		return cty.StringVal(absolute(b.dir, v.AsString()))
	case schema.FormatDuration:
		if duration, err := time.ParseDuration(v.AsString()); err == nil {
			return cty.StringVal(duration.String())
		}
	}
	return v
}

func (b *body) nested(n schema.NestedBlock) cty.Value {
	found := b.blocks[n.Name]
	switch n.Nesting {
	case nestingGroup:
		if len(found) == 0 {
			return (&body{schema: n.Block, dir: b.dir}).object()
		}
		return found[0].object()
	case schema.Map:
		return labelled(found)
	case schema.List, schema.Set:
		return sequence(found)
	default:
		if len(found) == 0 {
			return cty.NullVal(cty.DynamicPseudoType)
		}
		return found[0].object()
	}
}

// labelled and sequence return null without a block, so that the configuration omits it.
func labelled(found []*body) cty.Value {
	if len(found) == 0 {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	values := map[string]cty.Value{}
	for _, b := range found {
		values[b.label] = b.object()
	}
	return cty.ObjectVal(values)
}

func sequence(found []*body) cty.Value {
	if len(found) == 0 {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	values := make([]cty.Value, len(found))
	for i, b := range found {
		values[i] = b.object()
	}
	return cty.TupleVal(values)
}

// ranges collects the source ranges of a block's parts by path.
func (b *body) ranges(prefix []string, into map[string]hcl.Range) {
	for name, w := range b.attrs {
		key := pathKey(extend(prefix, name))
		into[key] = w.where
		for part, r := range w.parts {
			into[key+pathSeparator+part] = r
		}
	}
	for name, found := range b.blocks {
		for i, nested := range found {
			path := extend(prefix, b.step(name, i, nested)...)
			into[pathKey(path)] = nested.header
			nested.ranges(path, into)
		}
	}
}

// step returns the path from a block to the i-th nested block with a given name.
func (b *body) step(name string, i int, nested *body) []string {
	for _, n := range b.schema.Blocks {
		if n.Name != name {
			continue
		}
		switch n.Nesting {
		case schema.Map:
			return []string{name, nested.label}
		case schema.List, schema.Set:
			return []string{name, strconv.Itoa(i)}
		}
	}
	return []string{name}
}

func extend(path []string, names ...string) []string {
	return append(append([]string{}, path...), names...)
}

// paths collects the paths of the attributes for which is returns true.
func (b *body) paths(prefix []string, is func(schema.Attribute) bool) [][]string {
	var found [][]string
	for _, a := range b.schema.Attributes {
		if is(a) {
			found = append(found, extend(prefix, a.Name))
		}
	}
	for _, n := range b.schema.Blocks {
		for i, nested := range b.blocks[n.Name] {
			found = append(found, nested.paths(extend(prefix, b.step(n.Name, i, nested)...), is)...)
		}
	}
	return found
}
