package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

func newInit(a *app) *cobra.Command {
	var upgrade bool
	var flags specFlags
	cmd := &cobra.Command{
		Use:   "init [spec]",
		Short: "Install and accept a spec's plugins, fetch its datasets, write .env.example",
		Long: `Download, build, and describe the plugins in the spec's required_plugins, which executes their code, and record them
as accepted. Until then validate, plan, and apply reject them. The checksums of programs, archives, and downloads are
recorded in .awhost.lock.hcl next to the spec.

Download datasets from a hub and pin their commits in the same file, run the functions and programs that generate
rows, and list the tasks of pinned environments. No other command does this: plan and apply read the results.

Read the configuration of training frameworks in versions that awhost does not know, with the Pythons that the adapters
name, so that plan knows every key.

Write .env.example with the variables that the spec reads.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := defaultSpec
			if len(args) == 1 {
				path = args[0]
			}
			return a.initialise(cmd, path, flags, upgrade)
		},
	}
	flags.registerVars(cmd)
	cmd.Flags().BoolVar(
		&upgrade,
		"upgrade",
		false,
		"accept programs, archives, downloads, and datasets as they are now, and update .awhost.lock.hcl",
	)
	return cmd
}

func (a *app) initialise(cmd *cobra.Command, path string, flags specFlags, upgrade bool) error {
	vars, err := flags.values()
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	head, problems := spec.Sniff(path, sdk.Version)
	if err := a.report(problems); err != nil {
		return err
	}
	c, err := a.openCatalog(head)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop() // Ctrl-C also ends its builds and descriptions
	accept := c.Accept
	if upgrade {
		accept = c.Upgrade
	}
	if err := accept(ctx); err != nil {
		return exit(run.ExitUsage, err)
	}
	a.showAccepted(c.Entries())
	// The spec's requirements for its environment are known only once its plugins are known.
	s, problems := spec.Load(path, spec.Options{
		Vars: vars, VarFiles: flags.varFiles, Environ: os.LookupEnv, Schemas: c, Version: sdk.Version,
		ValuesLater: true,
	})
	if problems.HasErrors() {
		return a.report(forSpec(problems, path))
	}
	if failed := a.prepareDatasets(ctx, s, c, upgrade); len(failed) > 0 {
		return a.report(forSpec(failed, path))
	}
	notes, warnings := plan.Prepare(ctx, plan.Inputs{Spec: s, Catalog: c, Guard: guardCommand()})
	for _, note := range notes {
		if !a.json {
			a.tell("%s", note)
		}
	}
	if err := a.report(forSpec(warnings, path)); err != nil {
		return err
	}
	done := result.Initialised{Type: "initialised", Spec: path, Asks: append([]string{}, s.Env...)}
	if len(s.Env) > 0 {
		done.Example = filepath.Join(head.Dir, ".env.example")
		if err := os.WriteFile(done.Example, []byte(strings.Join(s.Env, "=\n")+"=\n"), 0o644); err != nil {
			return exit(run.ExitUsage, err)
		}
	}
	_ = a.show(done) // errors of a closed output are ignored
	return nil
}

// showAccepted names the examined plugins, except the bundled ones.
func (a *app) showAccepted(entries []*catalog.Entry) {
	for _, e := range entries {
		if e.Source != "" && a.json {
			a.print(result.PluginOf(e))
		} else if e.Source != "" {
			a.tellAccepted(e)
		}
	}
}

func (a *app) tellAccepted(e *catalog.Entry) {
	a.say("accepted plugin %s %s (%s, %s) %s", e.Name, e.Description.Version, e.Origin, e.Source, e.Hash)
}
