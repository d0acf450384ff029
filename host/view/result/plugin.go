package result

import (
	"cmp"
	"strings"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/view/text"
)

// Plugin is one that a spec can use, as `plugin list` and `init` print it.
type Plugin struct {
	Type    string   `json:"type"`
	Plugin  string   `json:"plugin"`
	Version string   `json:"version"`
	Origin  string   `json:"origin"`
	Source  string   `json:"source,omitempty"`
	Hash    string   `json:"hash"`
	Serves  []string `json:"serves"`
}

// PluginOf is the result about a plugin.
func PluginOf(e *catalog.Entry) Plugin {
	p := Plugin{
		Type: "plugin", Plugin: e.Name, Version: e.Description.Version,
		Origin: string(e.Origin), Source: e.Source, Hash: e.Hash,
	}
	for _, c := range e.Description.Components {
		p.Serves = append(p.Serves, string(c.Kind)+" "+c.Type)
	}
	return p
}

// From returns where it comes from, in short.
func (p Plugin) From() string { return cmp.Or(p.Source, p.Origin) }

// Plugins are those that a spec can use.
type Plugins []Plugin

// PluginsOf is the result about several plugins.
func PluginsOf(entries []*catalog.Entry) Plugins {
	var out Plugins
	for _, e := range entries {
		out = append(out, PluginOf(e))
	}
	return out
}

// Lines implements List.
func (p Plugins) Lines() []any {
	var out []any
	for _, one := range p {
		out = append(out, one)
	}
	return out
}

// Text implements Result.
func (p Plugins) Text(out *text.Printer) {
	table := text.Table{Columns: []text.Column{
		{Title: "PLUGIN"}, {Title: "VERSION"}, {Title: "FROM"}, {Title: "SERVES", Shrink: true},
	}}
	for _, one := range p {
		table.Rows = append(table.Rows, []string{one.Plugin, one.Version, one.From(), strings.Join(one.Serves, ", ")})
	}
	out.Table(table)
}

// Description is what a plugin says of itself, as the protocol has it. People get its JSON, too.
type Description struct {
	Type        string         `json:"type"`
	Plugin      string         `json:"plugin"`
	Description map[string]any `json:"description"`
}

// Called is an answer of `plugin call`; of a stream each of its messages.
type Called struct {
	Type   string `json:"type"`
	Method string `json:"method"`
	// In protobuf's JSON mapping; bytes that hold JSON stand as JSON under the name without Json.
	Response map[string]any `json:"response"`
}
