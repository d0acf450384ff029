package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func newPlugin(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: "Look at plugins",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return exit(run.ExitUsage, fmt.Errorf("there is no `awhost plugin %s`: want list, describe or serve", args[0]))
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newPluginList(a), newPluginDescribe(a), newPluginServe())
	return cmd
}

// specCatalog is the catalog of a spec, or the bundled plugins when there is none.
func (a *app) specCatalog(path string) (*catalog.Catalog, error) {
	head := &spec.Head{Dir: "."}
	if _, err := os.Stat(path); err == nil {
		found, problems := spec.Sniff(path, sdk.Version)
		if err := a.report(problems); err != nil {
			return nil, err
		}
		head = found
	}
	c, err := a.openCatalog(head)
	if err != nil {
		return nil, exit(run.ExitUsage, err)
	}
	return c, nil
}

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
			table := text.Table{Columns: []text.Column{{Title: "PLUGIN"}, {Title: "VERSION"}, {Title: "FROM"}, {Title: "SERVES", Shrink: true}}}
			for _, e := range c.Entries() {
				if a.json {
					a.print(pluginLine(e))
					continue
				}
				table.Rows = append(table.Rows, []string{e.Name, e.Description.Version, from(e), strings.Join(serves(e), ", ")})
			}
			if a.json {
				return nil
			}
			out := text.NewPrinter(a.out, text.Detect(a.out, a.environ))
			out.Table(table)
			for name, why := range c.Pending() {
				fmt.Fprintf(a.err, "%s is not usable: %v\n", name, why)
			}
			return out.Err()
		},
	}
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

func pluginLine(e *catalog.Entry) pluginJSON {
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

func newPluginDescribe(a *app) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "describe NAME",
		Short: "Print what a plugin says of itself, as JSON",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := a.specCatalog(path)
			if err != nil {
				return err
			}
			for _, e := range c.Entries() {
				if e.Name == args[0] {
					return a.describe(e)
				}
			}
			if why := c.Pending()[args[0]]; why != nil {
				return exit(run.ExitUsage, why)
			}
			return exit(run.ExitUsage, fmt.Errorf("there is no plugin %q: `awhost plugin list` names them", args[0]))
		},
	}
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` whose plugins are meant")
	return cmd
}

// describe prints a description. JSON inside of it, which the protocol carries as bytes, is shown as what it is.
func (a *app) describe(e *catalog.Entry) error {
	encoded, err := sdk.FormatDescription(e.Description)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	var value any
	if err := json.Unmarshal(encoded, &value); err != nil {
		return exit(run.ExitFailed, fmt.Errorf("describe plugin %s: %w", e.Name, err))
	}
	unpack(value)
	if a.json {
		a.print(struct {
			Type        string `json:"type"`
			Plugin      string `json:"plugin"`
			Description any    `json:"description"`
		}{"description", e.Name, value})
		return nil
	}
	out, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	for line := range strings.Lines(string(out)) {
		fmt.Fprintln(a.out, text.Clean(line))
	}
	return nil
}

// unpack replaces the members xJson, JSON in base64, by members x.
func unpack(value any) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			unpack(element)
		}
	case map[string]any:
		for name, member := range v {
			unpack(member)
			short, ok := strings.CutSuffix(name, "Json")
			encoded, isText := member.(string)
			if !ok || !isText {
				continue
			}
			var inner any
			if text, err := base64.StdEncoding.DecodeString(encoded); err == nil && json.Unmarshal(text, &inner) == nil {
				delete(v, name)
				v[short] = inner
			}
		}
	}
}

// newPluginServe is how this binary runs its bundled plugins: as processes of their own.
func newPluginServe() *cobra.Command {
	return &cobra.Command{
		Use:   "serve NAME",
		Short: "Serve a bundled plugin; the host calls this",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, ok := plugins()[args[0]]
			if !ok {
				return exit(run.ExitUsage, fmt.Errorf("%s has no bundled plugin %q: want one of %s", filepath.Base(os.Args[0]), args[0], strings.Join(pluginNames(), ", ")))
			}
			sdk.Serve(p)
			return nil
		},
	}
}
