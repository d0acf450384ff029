package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/view/text"
)

func newPluginList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list [spec]",
		Short: "List the plugins that a spec can use",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := defaultSpec
			if len(args) == 1 {
				path = args[0]
			}
			c, err := a.specCatalog(path)
			if err != nil {
				return err
			}
			return a.showPlugins(c.Entries(), c.Pending())
		},
	}
}

func (a *app) showPlugins(entries []*catalog.Entry, pending map[string]error) error {
	table := text.Table{Columns: []text.Column{{Title: "PLUGIN"}, {Title: "VERSION"}, {Title: "FROM"}, {Title: "SERVES", Shrink: true}}}
	for _, e := range entries {
		if a.json {
			a.print(pluginEntry(e))
			continue
		}
		table.Rows = append(table.Rows, []string{e.Name, e.Description.Version, from(e), strings.Join(serves(e), ", ")})
	}
	if a.json {
		return nil
	}
	out := a.page()
	out.Table(table)
	for name, why := range pending {
		a.tell("%s is not usable: %v", name, why)
	}
	return out.Err()
}

type pluginJSON struct {
	Type    string   `json:"type"`
	Plugin  string   `json:"plugin"`
	Version string   `json:"version"`
	Origin  string   `json:"origin"`
	Source  string   `json:"source,omitempty"`
	Hash    string   `json:"hash"`
	Serves  []string `json:"serves"`
}

func pluginEntry(e *catalog.Entry) pluginJSON {
	return pluginJSON{Type: "plugin", Plugin: e.Name, Version: e.Description.Version, Origin: string(e.Origin), Source: e.Source, Hash: e.Hash, Serves: serves(e)}
}

func from(e *catalog.Entry) string {
	if e.Source != "" {
		return e.Source
	}
	return string(e.Origin)
}

func serves(e *catalog.Entry) []string {
	var out []string
	for _, c := range e.Description.Components {
		out = append(out, string(c.Kind)+" "+c.Type)
	}
	return out
}
