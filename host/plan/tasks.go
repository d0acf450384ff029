package plan

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

// tasksTimeout is the time limit for an environment to list its tasks.
const tasksTimeout = 5 * time.Minute

// collect reads an environment's tasks. They are part of the run's identity, so they must not change during the run.
func (p *Plan) collect(ctx context.Context, in Inputs, config dataset.Config) (*dataset.Dataset, error) {
	if _, err := in.Catalog.Resolve("environment", in.Spec.Blocks[config.Environment].Type); err != nil {
		return nil, nil // reported at the environment's block
	}
	ctx, cancel := context.WithTimeout(ctx, tasksTimeout)
	defer cancel()
	d, err := dataset.Collect(ctx, config, TasksOf(in, config.Environment))
	var wrong *dataset.ConfigError
	var block blockError
	switch {
	case errors.As(err, &wrong):
		return nil, wrong
	case errors.As(err, &block):
		return nil, block
	}
	return d, err
}

// TasksOf returns the task stream of an environment in the spec. It starts the environment's plugin, configured as in a
// run, and stops it afterward.
func TasksOf(in Inputs, address string) dataset.TaskStream {
	return func(ctx context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error {
		b := in.Spec.Blocks[address]
		entry, err := in.Catalog.Resolve(b.Kind, b.Type)
		if err != nil {
			return err
		}
		description, _ := entry.Description.Component(sdk.KindEnvironment, b.Type)
		if description == nil || description.Environment == nil || !description.Environment.Tasks {
			return &dataset.ConfigError{
				Attribute: []string{"environment"}, Problem: b.Address + " has no built-in tasks",
				Remedy: "take them from a file, as in dataset \"jsonl\"",
			}
		}
		room, err := plugin.OpenWorkspace(ctx, in.Guard)
		if err != nil {
			return fmt.Errorf("start plugin %s: %w", entry.Name, err)
		}
		defer room.Close()
		running, err := room.Start(ctx, entry, client.Config{Name: "plan." + b.Address, PassEnv: in.PassEnv})
		if err != nil {
			return fmt.Errorf("start plugin %s: %w", entry.Name, err)
		}
		defer running.Kill()
		wrong, err := configure(ctx, room, running, b)
		if err != nil {
			return fmt.Errorf("configure %s: %w", b.Address, err)
		}
		if len(wrong) > 0 {
			return blockError(in.Spec.FromPlugin(b.Places, entry.Name, wrong))
		}
		environment, ok := running.Environment().(sdk.EnvironmentWithTasks)
		if !ok {
			return fmt.Errorf("%s declares tasks but provides none: report this to the author of plugin "+
				"%s", b.Address, entry.Name)
		}
		return running.Explain(environment.Tasks(ctx, split, cursor, yield))
	}
}

// blockError holds a plugin's diagnostics about a block that a dataset needs.
type blockError diag.Diagnostics

// Error implements error.
func (e blockError) Error() string { return diag.Diagnostics(e).Error() }

// configure configures the process for its environment.
func configure(ctx context.Context, room *plugin.Workspace, running *client.Plugin, b *spec.Block) ([]sdk.Diagnostic,
	error) {
	dir, err := room.Dir()
	if err != nil {
		return nil, err
	}
	var sensitive [][]string
	for _, s := range b.Sensitive {
		sensitive = append(sensitive, s.Path)
	}
	wrong, err := running.Configure(ctx, sdk.ConfigureRequest{
		Kind: sdk.KindEnvironment, Type: b.Type, Config: b.Config, Sensitive: sensitive, RunID: "plan", Dir: dir,
	})
	return wrong, running.Explain(err)
}
