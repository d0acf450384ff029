package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func newExport(a *app) *cobra.Command {
	var flags runFlags
	var path string
	var c export.Config
	cmd := &cobra.Command{
		Use:   "export [run[/step] | directory] --out DIRECTORY",
		Short: "Write a checkpoint as a directory that other programs load",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop() // Ctrl-C ends the plugin, too
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
	cmd.Flags().StringVar(&c.Target, "out", "", "`directory` to make; it must be empty or not there")
	cmd.Flags().StringVar(&c.Adapter, "adapter", "", "`TYPE` of the adapter that wrote a checkpoint which is in no run")
	cmd.Flags().StringArrayVar(&c.PassEnv, "pass-env", nil, "hand an environment variable to the adapter: `NAME`; may be repeated")
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` whose plugins are meant")
	_ = cmd.MarkFlagRequired("out") // it is there
	return cmd
}

// exportedJSON is an export as `export --json` prints it.
type exportedJSON struct {
	Type   string     `json:"type"`
	Run    string     `json:"run,omitempty"`
	Step   *int       `json:"step,omitempty"`
	From   string     `json:"checkpoint"`
	Format string     `json:"format"`
	Target string     `json:"target"`
	Files  []fileJSON `json:"files"`
	Notes  []string   `json:"notes"`
}

type fileJSON struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
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
	return a.showExport(c, out)
}

func (a *app) showExport(c export.Config, out *sdk.ExportResponse) error {
	if a.json {
		a.print(exportLine(c, out))
		return nil
	}
	var bytes int64
	for _, f := range out.Files {
		bytes += f.Bytes
	}
	page := a.page()
	page.Line(text.Clean(fmt.Sprintf("exported %s to %s: %s, %s", sourceText(c.Source), c.Target, text.Plural(len(out.Files), "file"), byteSize(bytes))))
	for _, note := range out.Notes {
		page.Bullet(note)
	}
	return page.Err()
}

func sourceText(s *export.Source) string {
	switch {
	case s.Run == "":
		return s.Dir
	case s.Why == "":
		return fmt.Sprintf("step %d of %s", s.Step, s.Run)
	}
	return fmt.Sprintf("step %d of %s, the %s one,", s.Step, s.Run, s.Why)
}

func exportLine(c export.Config, out *sdk.ExportResponse) exportedJSON {
	line := exportedJSON{Type: "exported", Run: c.Source.Run, From: c.Source.Dir, Format: c.Format, Target: c.Target, Files: []fileJSON{}, Notes: out.Notes}
	if c.Source.Run != "" {
		line.Step = &c.Source.Step
	}
	for _, f := range out.Files {
		line.Files = append(line.Files, fileJSON{f.Name, f.Bytes})
	}
	return line
}
