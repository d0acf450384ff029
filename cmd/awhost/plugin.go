package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

func newPlugin(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: "Create, inspect, call, and test plugins",
		RunE:  runGroup,
	}
	cmd.AddCommand(newPluginList(a), newPluginNew(a), newPluginSDK(a), newPluginDescribe(a), newPluginDocs(a),
		newPluginCall(a), newPluginTest(a), newPluginServe(a))
	return cmd
}

// specCatalog returns the catalog of a spec, or the bundled plugins without a spec.
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

func newPluginDescribe(a *app) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "describe (NAME | SOURCE)",
		Short: "Print a plugin's description as JSON",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := a.describedPlugin(cmd, args[0], path)
			if err != nil {
				return err
			}
			return a.describe(e)
		},
	}
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` with the plugins")
	return cmd
}

func newPluginDocs(a *app) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "docs (NAME | SOURCE)",
		Short: "Print a plugin's reference page, in Markdown",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := a.describedPlugin(cmd, args[0], path)
			if err != nil {
				return err
			}
			out := a.page()
			for line := range strings.Lines(spec.PluginReference(e.Description)) { // it contains text of the plugin
				out.Line(line)
			}
			return out.Err()
		},
	}
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` with the plugins")
	return cmd
}

// describedPlugin returns a plugin in the spec by name, or another plugin by source.
func (a *app) describedPlugin(cmd *cobra.Command, name, path string) (*catalog.Entry, error) {
	c, err := a.specCatalog(path)
	if err != nil {
		return nil, err
	}
	for _, e := range c.Entries() {
		if e.Name == name {
			return e, nil
		}
	}
	if why := c.Pending()[name]; why != nil {
		return nil, exit(run.ExitUsage, why)
	}
	if !isSource(name) {
		return nil, exit(run.ExitUsage, fmt.Errorf("unknown plugin %q: `awhost plugin list` lists all plugins", name))
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop() // Ctrl-C also ends its builds and descriptions
	prepared, err := a.prepareSource(ctx, name)
	if err != nil {
		return nil, err
	}
	description, err := prepared.Describe(ctx)
	if err != nil {
		return nil, exit(run.ExitUsage, err)
	}
	return &catalog.Entry{Name: description.Name, Description: *description}, nil
}

// describe prints a description. JSON that the protocol carries as bytes is shown as JSON.
func (a *app) describe(e *catalog.Entry) error {
	encoded, err := sdk.FormatDescription(e.Description)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	var value map[string]any
	if err := json.Unmarshal(encoded, &value); err != nil {
		return exit(run.ExitFailed, fmt.Errorf("describe plugin %s: %w", e.Name, err))
	}
	unpack(value)
	if a.json {
		a.print(result.Description{Type: "description", Plugin: e.Name, Description: value})
		return nil
	}
	return a.printIndented(value)
}

// unpack replaces the members xJson, which hold JSON in base64, with members x.
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

// newPluginServe creates the command that serves a bundled plugin in a separate process.
func newPluginServe(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "serve NAME",
		Short: "Serve a bundled plugin; started by the host",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			p, ok := plugins()[args[0]]
			if !ok {
				return exit(run.ExitUsage, fmt.Errorf("%s has no bundled plugin %q: want one of %s", filepath.Base(os.Args[0]),
					args[0], strings.Join(pluginNames(), ", ")))
			}
			if len(args) == 2 { // as in every plugin's program
				if args[1] != "describe" {
					return exit(run.ExitUsage, fmt.Errorf("serve %s %s: want describe or no "+
						"argument", args[0], args[1]))
				}
				described := p.Describe()
				text, err := sdk.FormatDescription(described)
				if err != nil {
					return exit(run.ExitFailed, err)
				}
				fmt.Fprintln(a.data(), string(text))
				return nil
			}
			sdk.Serve(p)
			return nil
		},
	}
}
