package manualpolicy

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// parameter is a tool argument, as described by the tool's JSON Schema.
type parameter struct {
	name, typ, description string
	required               bool
}

// parameters reads the most common form of tool schema. The environment checks everything else.
func parameters(tool sdk.Tool) []parameter {
	var schema struct {
		Properties map[string]struct {
			Type        any    `json:"type"`
			Enum        []any  `json:"enum"`
			Description string `json:"description"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if json.Unmarshal(tool.Parameters, &schema) != nil {
		return nil
	}
	names := slices.Sorted(maps.Keys(schema.Properties))
	slices.SortStableFunc(names, func(a, b string) int { return rank(schema.Required, a) - rank(schema.Required, b) })
	var out []parameter
	for _, name := range names {
		p := schema.Properties[name]
		typ, _ := p.Type.(string)
		if len(p.Enum) > 0 {
			typ = choices(p.Enum)
		}
		out = append(out, parameter{name, typ, p.Description, slices.Contains(schema.Required, name)})
	}
	return out
}

// rank sorts required parameters first, in the order in which they are declared.
func rank(required []string, name string) int {
	if i := slices.Index(required, name); i >= 0 {
		return i
	}
	return len(required)
}

func choices(enum []any) string {
	var out []string
	for _, value := range enum {
		encoded, _ := json.Marshal(value) // it was decoded from JSON
		out = append(out, string(encoded))
	}
	return strings.Join(out, "|")
}

// showTools lists the tools with their parameters. full adds the parameter descriptions.
func (p *consoleInput) showTools(full bool) {
	p.out.Blank()
	if len(p.currentTools()) == 0 {
		p.out.Line("the environment has no tools")
		return
	}
	for _, tool := range p.currentTools() {
		p.out.Line("  " + p.out.Styles.Accent(text.Clean(tool.Name)) + " " + text.Clean(signature(parameters(tool))))
		width := max(20, p.out.Width-4)
		if p.out.Width == 0 {
			width = 0
		}
		for _, line := range text.Wrap(tool.Description, width) {
			p.out.Line(strings.TrimRight("    "+p.out.Styles.Dim(line), " "))
		}
		for _, parameter := range parameters(tool) {
			if full && parameter.description != "" {
				p.out.Line("    " + text.Clean(parameter.name+": "+parameter.description))
			}
		}
	}
}

// signature returns the arguments in this notation: {"a": integer, "b"?: string}.
func signature(parameters []parameter) string {
	var parts []string
	for _, p := range parameters {
		part := `"` + p.name + `"`
		if !p.required {
			part += "?"
		}
		if p.typ != "" {
			part += ": " + p.typ
		}
		parts = append(parts, part)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
