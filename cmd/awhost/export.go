package main

import (
	"context"
	"errors"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

func newExport(a *app) *cobra.Command {
	var flags runFlags
	var path string
	var c export.Config
	cmd := &cobra.Command{
		Use:   "export [run[/step] | directory] --out DIRECTORY",
		Short: "Export a checkpoint for other programs",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.warnUnset(c.PassEnv); err != nil {
				return err
			}
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop() // Ctrl-C also ends the plugin
			source, err := export.Find(ctx, a.store(flags.dir), name)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			if !cmd.Flags().Changed("spec") {
				path = specOf(flags.dir, defaultSpec)
			}
			if c.Catalog, err = a.specCatalog(path); err != nil {
				return err
			}
			c.Source = source
			return a.export(ctx, c)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&c.Format, "to", "hf", "`format`: hf for transformers")
	cmd.Flags().StringVar(&c.Target, "out", "", "output `directory`, which must be empty or not exist")
	cmd.Flags().StringVar(&c.Adapter, "adapter", "", "`TYPE` of the adapter, for a checkpoint outside a run")
	cmd.Flags().StringArrayVar(&c.PassEnv, "pass-env", nil, "pass the environment variable `NAME` to the adapter; may "+
		"be repeated")
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` with the plugins")
	_ = cmd.MarkFlagRequired("out") // the flag exists
	return cmd
}

func (a *app) export(ctx context.Context, c export.Config) error {
	c.Guard = guardCommand()
	out, err := export.Write(ctx, c)
	switch {
	case errors.Is(err, sdk.ErrUnavailable):
		return exit(run.ExitPlugin, err)
	case ctx.Err() != nil:
		return exit(run.ExitAborted, errors.New("interrupted: nothing was exported"))
	case err != nil:
		return exit(run.ExitUsage, err)
	}
	return a.show(result.ExportedOf(c, out))
}
