package dataset

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// template creates a field from text and columns.
type template struct {
	field string
	parts []part
}

// part is text, a column, or the start or end of a section.
type part struct {
	text   string
	column column // empty: text
	edge   edge
}

// edge opens or closes a section, which is omitted if its column has no value.
type edge byte

const (
	opens  edge = '#'
	closes edge = '/'
)

// placeholder matches {{COLUMN}}; {{#COLUMN}} … {{/COLUMN}} is a section, as in Mustache.
var placeholder = regexp.MustCompile(`\{\{([#/]?)\s*([^{}]+?)\s*\}\}`)

// parseTemplates parses the templates. They must not contain private columns, which would reach the agent under
// another name.
func (m *mapping) parseTemplates(templates map[string]string) error {
	for _, field := range slices.Sorted(maps.Keys(templates)) {
		wrong := func(problem, remedy string) error {
			return &ConfigError{Attribute: []string{"template", field}, Problem: problem, Remedy: remedy}
		}
		if field == "" || len(column(field).parts()) != 1 {
			return wrong(fmt.Sprintf("invalid field name %q", field), "use a plain field name")
		}
		if m.fills(field) {
			return wrong("map fills the same field", "remove it from map: a template names its columns")
		}
		t, err := m.parseTemplate(field, templates[field])
		if err != "" {
			return wrong(err, "write {{COLUMN}} or {{#COLUMN}} … {{/COLUMN}}, with public columns only")
		}
		m.templates = append(m.templates, t)
	}
	return nil
}

func (m *mapping) parseTemplate(field, text string) (t template, problem string) {
	t.field = field
	var open []column
	end := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		p := part{column: column(text[at[4]:at[5]])}
		if problem := m.unfit(p.column); problem != "" {
			return t, problem
		}
		if at[2] < at[3] {
			p.edge = edge(text[at[2]])
		}
		switch last := len(open) - 1; {
		case p.edge == opens:
			open = append(open, p.column)
		case p.edge == closes && (last < 0 || open[last] != p.column):
			return t, fmt.Sprintf("{{/%s}} does not close an open section", p.column)
		case p.edge == closes:
			open = open[:last]
		}
		if stray := strayIn(text[end:at[0]]); stray != "" {
			return t, stray
		}
		t.parts = append(t.parts, part{text: text[end:at[0]]}, p)
		end = at[1]
	}
	if len(open) > 0 {
		return t, fmt.Sprintf("{{#%s}} has no {{/%s}}", open[0], open[0])
	}
	if stray := strayIn(text[end:]); stray != "" {
		return t, stray
	}
	t.parts = append(t.parts, part{text: text[end:]})
	return t, ""
}

// strayIn describes an incomplete placeholder in the text between placeholders, or returns "".
func strayIn(text string) (problem string) {
	if _, after, found := strings.Cut(text, "{{"); found {
		return fmt.Sprintf("invalid column name %q", "{{"+after[:min(len(after), 40)])
	}
	return ""
}

// unfit returns the reason why a column cannot be used in a template, or "".
func (m *mapping) unfit(c column) string {
	switch {
	case !c.valid():
		return fmt.Sprintf("invalid column name %q", c)
	case strings.ContainsAny(string(c[:1]), "^!>&="): // unsupported sections of Mustache
		return fmt.Sprintf("{{%s}} is neither a column nor a section", c)
	}
	for _, private := range slices.Concat(m.private, m.privateFrom) {
		if slices.Contains(layoutPrivate, private) && !slices.Contains(m.privateFrom, private) && private != c {
			continue
		}
		if private.covers(c) || c.covers(private) {
			return fmt.Sprintf("{{%s}} is private, or contains a private part", c)
		}
	}
	for _, move := range m.moves {
		if alwaysPrivate(move.field) && (move.from.covers(c) || c.covers(move.from)) {
			return fmt.Sprintf("{{%s}} contains the %s", c, move.field)
		}
	}
	return ""
}

// fillTemplates returns the fields that the templates create from an unmodified row. A column that is missing from the
// row causes an error.
func (m *mapping) fillTemplates(row map[string]any) (map[string]any, *problem) {
	made := map[string]any{}
	for _, t := range m.templates {
		text, missing := t.fill(row)
		if missing != "" {
			return nil, &problem{
				reason:    fmt.Sprintf("missing column %q in the template of %s", missing, t.field),
				remedy:    "correct template in the dataset block, or the row; " + columnNames(row),
				attribute: []string{"template", t.field},
			}
		}
		made[t.field] = text
	}
	return made, nil
}

func (t template) fill(row map[string]any) (text string, missing column) {
	var b strings.Builder
	hidden := 0 // open sections that are omitted
	for _, p := range t.parts {
		value, ok := any(p.text), true
		if p.column != "" {
			value, ok = p.column.in(row)
		}
		has := hasValue(value)
		switch {
		case !ok:
			return "", p.column
		case p.edge == opens && (hidden > 0 || !has):
			hidden++
		case p.edge == closes && hidden > 0:
			hidden--
		case p.edge == 0 && hidden == 0:
			b.WriteString(textOf(value))
		}
	}
	return b.String(), ""
}

// hasValue reports whether a section is kept. Null, false, an empty string and an empty list count as no value.
func hasValue(value any) bool {
	switch v := value.(type) {
	case bool:
		return v
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return textOf(value) != ""
}

// textOf formats a value for insertion into text: strings unchanged, null as an empty string, all other values as JSON.
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, _ := json.Marshal(value) // it was read from JSON, or can be encoded as JSON
	return string(text)
}
