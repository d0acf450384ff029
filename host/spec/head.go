package spec

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk/schema"
)

// rootNames has the names of rootSchema.
var rootNames = func() (out schema.Block) {
	for _, b := range rootSchema.Blocks {
		out.Blocks = append(out.Blocks, schema.NestedBlock{Name: b.Type})
	}
	return out
}()

// rootSchema lists the top-level blocks in a spec.
var rootSchema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "awhost"},
	{Type: "variable", LabelNames: []string{"name"}},
	{Type: "locals"},
	{Type: kindDataset, LabelNames: []string{"type", "name"}},
	{Type: kindEnvironment, LabelNames: []string{"type", "name"}},
	{Type: kindModel, LabelNames: []string{"type", "name"}},
	{Type: kindAgent, LabelNames: []string{"type", "name"}},
	{Type: kindSwarm, LabelNames: []string{"type", "name"}},
	{Type: kindReward, LabelNames: []string{"type", "name"}},
	{Type: kindAdapter, LabelNames: []string{"type", "name"}},
	{Type: "train", LabelNames: []string{"name"}},
	{Type: blockTelemetry},
	{Type: "output", LabelNames: []string{"name"}},
}}

var awhostSchema = &hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "required_version"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "required_plugins"}},
}

// readRequirements reads the awhost blocks. If the required version is not met, nothing else is reported: this version
// might reject valid parts of a spec for another version.
func (l *loader) readRequirements() Requirements {
	required := Requirements{Plugins: map[string]PluginSource{}}
	bodies := l.awhostBlocks()
	for _, b := range bodies {
		content, _, _ := b.PartialContent(awhostSchema)
		if a, ok := content.Attributes["required_version"]; ok && !l.checkVersion(a, &required) {
			return required
		}
	}
	for _, b := range bodies {
		content, problems := b.Content(awhostSchema)
		l.scope.report(problems...)
		for _, block := range content.Blocks {
			l.readPlugins(block.Body, required.Plugins)
		}
	}
	return required
}

func (l *loader) awhostBlocks() []hcl.Body {
	var bodies []hcl.Body
	for _, file := range l.files {
		content, _, _ := file.Body.PartialContent(rootSchema)
		for _, block := range content.Blocks.OfType("awhost") {
			bodies = append(bodies, block.Body)
		}
	}
	return bodies
}

func (l *loader) checkVersion(a *hcl.Attribute, required *Requirements) bool {
	var text string
	l.scope.literal(a, &text)
	if text == "" {
		return true
	}
	wanted, err := version.NewConstraint(text)
	if err != nil {
		l.scope.fail(a.Expr.Range(), "Malformed version constraint", fmt.Sprintf("required_version: %s. For example: \">= "+
			"0.1\" or \"~> 0.3\".", err))
		return true
	}
	required.Version = text
	have, err := version.NewVersion(l.options.Version)
	if err != nil || wanted.Check(have.Core()) {
		return true
	}
	l.scope.fail(a.Expr.Range(), "Unsupported awhost version", fmt.Sprintf("This spec requires awhost %s, "+
		"but this is awhost %s. Install a matching version, or change required_version.", text, l.options.Version))
	return false
}

func (l *loader) readPlugins(b hcl.Body, into map[string]PluginSource) {
	attributes, problems := b.JustAttributes()
	l.scope.report(problems...)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		a := attributes[name]
		value, problems := a.Expr.Value(nil)
		l.scope.report(problems...)
		if problems.HasErrors() {
			continue
		}
		source, ok := pluginSource(value)
		if !ok {
			l.scope.fail(a.Expr.Range(), "Malformed plugin source",
				fmt.Sprintf("Write %s = { source = \"./directory-or-program\" }. A plugin in another language than Go and Python "+
					"also has a command, as in command = [\"node\", \"main.mjs\"].", name))
			continue
		}
		if earlier, twice := into[name]; twice {
			l.scope.fail(a.NameRange, "Duplicate plugin", fmt.Sprintf("Plugin %s is already declared at %s.", name,
				earlier.Range))
			continue
		}
		source.Range = toRange(a.Expr.Range())
		into[name] = source
	}
}

var pluginType = cty.ObjectWithOptionalAttrs(map[string]cty.Type{
	"source": cty.String, "command": cty.List(cty.String),
}, []string{"command"})

func pluginSource(v cty.Value) (p PluginSource, ok bool) {
	if v.IsNull() || !v.IsWhollyKnown() || !v.Type().IsObjectType() {
		return p, false
	}
	for name := range v.Type().AttributeTypes() {
		if !pluginType.HasAttribute(name) {
			return p, false
		}
	}
	v, err := convert.Convert(v, pluginType)
	ok = err == nil && gocty.FromCtyValue(v, &p) == nil
	return p, ok && p.Source != "" && (p.Command == nil || len(p.Command) > 0 && p.Command[0] != "")
}

// checkName reports a name that is not valid in an address.
func (s *scope) checkName(where hcl.Range, name string) {
	if !hclsyntax.ValidIdentifier(name) {
		s.fail(where, "Malformed name", fmt.Sprintf("%q is not a valid name. Names start with a letter and contain only "+
			"letters, digits, _, and -.", name))
	}
}

func toRange(r hcl.Range) diag.Range {
	return diag.Range{File: r.Filename, Start: toPosition(r.Start), End: toPosition(r.End)}
}

func toPosition(p hcl.Pos) diag.Position {
	return diag.Position{Line: p.Line, Column: p.Column, Byte: p.Byte}
}
