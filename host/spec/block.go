package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk/schema"
)

// block is a top-level block before it is evaluated.
type block struct {
	*hcl.Block
	address string
	title   string // `dataset "jsonl" "train"`
}

func newBlock(b *hcl.Block) block {
	title := b.Type
	for _, label := range b.Labels {
		title += " " + strconv.Quote(label)
	}
	return block{Block: b, address: strings.Join(append([]string{b.Type}, b.Labels...), "."), title: title}
}

// declareBlock declares a component block as a node.
func (s *scope) declareBlock(b block) {
	s.checkName(b.LabelRanges[1], b.Labels[1])
	n := &node{address: b.address, kind: b.Type, where: b.DefRange}
	n.evaluate = func() (cty.Value, bool) { return s.evaluateBlock(n, b) }
	s.declare(n, b.Type)
}

func (s *scope) evaluateBlock(n *node, b block) (cty.Value, bool) {
	known, ok := s.typeOf(b)
	if !ok {
		return cty.DynamicVal, false
	}
	d := newDecoder(s)
	sch, hosts := withHostBlock(b.Type, known.schema)
	decoded := d.decode(b.Body, sch, b.DefRange)
	d.require(decoded)
	if known.check != nil {
		known.check(d, decoded)
	}
	if d.failed {
		return cty.DynamicVal, false
	}
	object := decoded.object()
	n.block = newComponent(b, d, decoded, object)
	isPath := func(a schema.Attribute) bool { return a.Format == schema.FormatPath }
	n.block.portable = portable(n.block.Config, decoded.paths(nil, isPath), s.dir)
	n.block.Notes = d.notes
	if hosts {
		d.takeHostBlock(n.block, decoded)
	}
	n.block.resumable = decoded.paths(nil, func(a schema.Attribute) bool { return a.OnChange == schema.Resume })
	return withReference(n, object), !d.failed
}

func withReference(n *node, object cty.Value) cty.Value {
	attributes := object.AsValueMap()
	if attributes == nil {
		attributes = map[string]cty.Value{}
	}
	attributes[referenceAttribute] = n.reference
	return cty.ObjectVal(attributes)
}

func newComponent(b block, d *decoder, decoded *body, object cty.Value) *Block {
	plain, sensitive := sensitivePaths(object)
	return &Block{
		Places: newPlaces(b.address, b.title, decoded),
		Kind:   b.Type, Type: b.Labels[0], Name: b.Labels[1],
		Config:    mustJSON(toJSON(plain)),
		Sensitive: sensitive,
		Refs:      slices.Sorted(maps.Keys(d.refs)),
	}
}

func newPlaces(address, title string, b *body) Places {
	found := map[string]hcl.Range{}
	b.ranges(nil, found)
	p := Places{Address: address, Header: toRange(b.header), context: title,
		ranges: make(map[string]diag.Range, len(found))}
	for path, r := range found {
		p.ranges[strings.ReplaceAll(path, ".", pathSeparator)] = toRange(r)
	}
	return p
}

// At returns the source range of part of the block: the range of the attribute or block at the path, or of the nearest
// enclosing one. A step may contain dots: { "a.b" = 1 } and { a = { b = 1 } } are both at a, b.
func (p Places) At(path ...string) diag.Range {
	path = strings.Split(strings.Join(path, "."), ".")
	for n := len(path); n > 0; n-- {
		if r, ok := p.ranges[pathKey(path[:n])]; ok {
			return r
		}
	}
	return p.Header
}

// Wrote reports whether the user set the attribute or block at the path. Otherwise its value is a default.
func (p Places) Wrote(path ...string) bool {
	_, ok := p.ranges[strings.ReplaceAll(pathKey(path), ".", pathSeparator)]
	return ok
}

// typeOf returns the definition of a block's type.
func (s *scope) typeOf(b block) (builtin, bool) {
	kind, typ := b.Type, b.Labels[0]
	own := slices.Sorted(maps.Keys(builtins[kind]))
	if known, ok := builtins[kind][typ]; ok {
		return known, true
	}
	if !served(kind) || s.schemas == nil {
		s.reportUnknownType(b, own, "")
		return builtin{}, false
	}
	component, ok := s.schemas.Component(kind, typ)
	if !ok {
		s.reportUnknownType(b, append(own, s.schemas.Types(kind)...), s.whyUnknown(kind, typ))
		return builtin{}, false
	}
	return builtin{schema: component.Schema}, true
}

// whyUnknown returns the catalog's reason why a type is unknown, or explains that the type's plugin is required but was
// not inspected.
func (s *scope) whyUnknown(kind, typ string) string {
	if reasoned, ok := s.schemas.(SchemaSourceWithReason); ok {
		if err := reasoned.WhyUnknown(kind, typ); err != nil {
			return ": " + strings.TrimSuffix(err.Error(), ".")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.plugins)) {
		if typ == name || strings.HasPrefix(typ, name+"_") {
			return fmt.Sprintf(": the plugin %s (%s) does not provide it, or is not accepted yet: run `awhost "+
				"init`", name, s.plugins[name].Source)
		}
	}
	return ""
}

// awaitsAcceptance reports whether a type is unknown only because its plugin has not been accepted yet.
func (s *scope) awaitsAcceptance(kind, typ string) bool {
	reasoned, ok := s.schemas.(SchemaSourceWithReason)
	var pending interface{ NotAccepted() }
	return ok && errors.As(reasoned.WhyUnknown(kind, typ), &pending)
}

func (s *scope) reportUnknownType(b block, known []string, reason string) {
	detail := fmt.Sprintf("There is no %s of type %q%s.", b.Type, b.Labels[0], reason)
	if hint := didYouMean(b.Labels[0], known); hint != "" {
		detail += hint
	} else if reason == "" && len(known) > 0 {
		detail += fmt.Sprintf(" Known types are %s.", listed(known))
	}
	if reason == "" && builtins[b.Type] == nil {
		detail += " To use your own plugin, declare it in awhost { required_plugins { NAME = { source = \"./directory\" } " +
			"} }."
	}
	summary := "Unknown " + b.Type + " type"
	if s.awaitsAcceptance(b.Type, b.Labels[0]) {
		summary = "Plugin not accepted"
	}
	s.fail(b.LabelRanges[0], summary, detail)
}

// portable returns a configuration without the path of the spec's directory. Paths below it become relative, and its
// name inside other text becomes a dot. The result does not change when the whole directory is moved.
func portable(config json.RawMessage, paths [][]string, dir string) json.RawMessage {
	config = replaceAt(config, paths, func(v any) any {
		path, ok := v.(string)
		if !ok {
			return v
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil || !filepath.IsLocal(relative) {
			return v
		}
		return filepath.ToSlash(relative)
	})
	if dir == filepath.Dir(dir) {
		return config // every path contains the root of the file system
	}
	return mustJSON(replaceTexts(parseCanonical(config), dir, "."))
}

func replaceTexts(v any, old, replacement string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, old, replacement)
	case []any:
		for i := range v {
			v[i] = replaceTexts(v[i], old, replacement)
		}
	case map[string]any:
		for name := range v {
			v[name] = replaceTexts(v[name], old, replacement)
		}
	}
	return v
}
