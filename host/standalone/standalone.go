// Package standalone runs one plugin outside a run, for a command that needs only this plugin: score calls a reward,
// play uses an environment, and export has an adapter write a checkpoint.
//
//	p, err := standalone.Start(ctx, standalone.Config{
//		Catalog: c, Kind: sdk.KindReward, Type: "gaia",
//		Settings: map[string]string{"compatibility": "reference"}, For: "score",
//	})
//	defer p.Close()
//	answer, err := p.Reward().Score(ctx, request)
//
// It owns the process and its resources, and the parsing of --set. It must not depend on specs, runs or episodes. It
// does not restart a plugin that has exited.
package standalone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

// Config selects the component to run.
type Config struct {
	Catalog  *catalog.Catalog
	Kind     sdk.ComponentKind // for an adapter, only calls that need no host work here
	Type     string
	Settings map[string]string // its configuration from --set; see settings
	Block    json.RawMessage   // instead of Settings: the body of a block as recorded by a run
	Dir      string            // working directory of the process, base of relative paths in Block; empty: this process's
	PassEnv  []string          // environment variables that the plugin gets in addition to the allow-list
	Guard    []string          // the command that runs process.ServeGuard; may be empty
	For      string            // the command; passed to the plugin instead of a run's id
}

// Plugin is a running plugin with its component configured. The caller closes it.
type Plugin struct {
	*client.Plugin
	Component *sdk.ComponentDescription

	workspace *plugin.Workspace
}

// configTimeout limits how long configuring the component may take. Plugins import packages meanwhile.
const configTimeout = 10 * time.Minute

// Start runs a component's plugin and configures the component. The error contains a remedy for the user.
func Start(ctx context.Context, c Config) (_ *Plugin, err error) {
	entry, err := c.Catalog.Resolve(string(c.Kind), c.Type)
	if err != nil {
		return nil, err
	}
	p := &Plugin{}
	p.Component, _ = entry.Description.Component(c.Kind, c.Type)
	config, err := c.complete(p.Component)
	if err != nil {
		return nil, err
	}
	p.Component = p.Component.For(config)
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if p.workspace, err = plugin.OpenWorkspace(ctx, c.Guard); err != nil {
		return nil, err
	}
	p.Plugin, err = p.workspace.Start(ctx, entry, client.Config{Name: string(c.Kind) + "." + c.Type, Dir: c.Dir,
		PassEnv: c.PassEnv})
	if err != nil {
		return nil, err
	}
	return p, p.configure(ctx, c, config)
}

// complete returns the configuration with the schema's defaults.
func (c Config) complete(component *sdk.ComponentDescription) (json.RawMessage, error) {
	given := c.Block
	if given == nil {
		var err error
		if given, err = settings(c.Settings, component.Schema); err != nil {
			return nil, fmt.Errorf("%s %q: %w", c.Kind, c.Type, err)
		}
	}
	config, err := component.Schema.Complete(given)
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", c.Kind, c.Type, err)
	}
	return config, nil
}

func (p *Plugin) configure(ctx context.Context, c Config, config json.RawMessage) error {
	ctx, cancel := context.WithTimeout(ctx, configTimeout)
	defer cancel()
	dir, err := p.workspace.Dir()
	if err != nil {
		return err
	}
	problems, err := p.ValidateConfig(ctx, c.Kind, c.Type, config, nil)
	if err == nil && refusal(problems) == nil {
		problems, err = p.Configure(ctx, sdk.ConfigureRequest{
			Kind: c.Kind, Type: c.Type, Config: config, RunID: c.For, Incarnation: 1, Dir: dir,
		})
	}
	if err != nil {
		return fmt.Errorf("configure %s %q: %w", c.Kind, c.Type, p.Explain(err))
	}
	if err := refusal(problems); err != nil {
		return fmt.Errorf("%s %q: %w", c.Kind, c.Type, err)
	}
	return nil
}

// refusal returns the errors among the diagnostics, or nil.
func refusal(problems []sdk.Diagnostic) error {
	var all []error
	for _, d := range problems {
		if d.Severity == sdk.SeverityError {
			all = append(all, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
	}
	return errors.Join(all...)
}

// Close ends the process and removes its resources.
func (p *Plugin) Close() {
	if p.Plugin != nil {
		p.Kill()
	}
	if p.workspace != nil {
		p.workspace.Close()
	}
}
