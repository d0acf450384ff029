package result

import (
	"cmp"
	"strings"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/view/text"
)

// Plugin is a plugin that a spec can use, as printed by `plugin list` and `init`.
type Plugin struct {
	Type    string   `json:"type"`
	Plugin  string   `json:"plugin"`
	Version string   `json:"version"`
	Origin  string   `json:"origin"`
	Source  string   `json:"source,omitempty"`
	Hash    string   `json:"hash"`
	Serves  []string `json:"serves"`
}

// PluginOf returns the result for a plugin.
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

// From returns the plugin's source, or its origin if it has no source.
func (p Plugin) From() string { return cmp.Or(p.Source, p.Origin) }

// Plugins lists the plugins that a spec can use.
type Plugins []Plugin

// PluginsOf returns the result for several plugins.
func PluginsOf(entries []*catalog.Entry) Plugins {
	var out Plugins
	for _, e := range entries {
		out = append(out, PluginOf(e))
	}
	return out
}

// Lines implements List.
func (p Plugins) Lines() []any { return linesOf(p) }

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

// Description is a plugin's self-description, in the protocol's format. The text output is also JSON.
type Description struct {
	Type        string         `json:"type"`
	Plugin      string         `json:"plugin"`
	Description map[string]any `json:"description"`
}

// Called is a response to `plugin call`. For a stream, one line is printed per message.
type Called struct {
	Type   string `json:"type"`
	Method string `json:"method"`
	// In protobuf's JSON mapping. Byte fields that contain JSON are printed as JSON, under the name without Json.
	Response map[string]any `json:"response"`
}
