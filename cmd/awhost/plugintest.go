package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/plugins/mcp-env/mcpcheck"
	"github.com/awhost/awhost/sdk/conformance"
)

// pluginTestFlags holds the flags for `plugin test`.
type pluginTestFlags struct {
	path       string // of the spec
	fixtures   string
	only       []string
	components []string
	passEnv    []string
	junit      string
	record     string
	replay     string
	patience   time.Duration
	endurance  time.Duration
	timeout    time.Duration
	list       bool
	mcp        mcpTestFlags
}

func newPluginTest(a *app) *cobra.Command {
	var flags pluginTestFlags
	cmd := &cobra.Command{
		Use:   "test (NAME | SOURCE | --mcp (URL | -- COMMAND...))",
		Short: "Test a plugin or an MCP server with the conformance suite",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case flags.mcp.wanted && flags.list:
				return a.show(result.ChecksOf(mcpcheck.Checks()))
			case flags.mcp.wanted:
				ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
				defer stop()
				return a.testMCP(ctx, args, flags)
			case flags.list:
				return a.show(result.ChecksOf(conformance.Checks()))
			case len(args) != 1:
				return exit(run.ExitUsage, errors.New("give a plugin of the spec, or a source: a program, a directory with a Go "+
					"or a Python package, an archive, or a URL"))
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop() // Ctrl-C also ends the plugin
			// A later one ends the suite without a report. The programs timeout and make send two at once.
			context.AfterFunc(ctx, func() { time.AfterFunc(2*time.Second, stop) })
			return a.testPlugin(ctx, args[0], flags)
		},
	}
	cmd.Flags().StringVar(&flags.path, "spec", defaultSpec, "`spec` with the plugins")
	cmd.Flags().StringVar(&flags.fixtures, "fixtures", "", "`file` with configurations, tasks, and answers for the "+
		"checks; default: conformance.json next to the plugin")
	cmd.Flags().StringArrayVar(&flags.only, "only", nil, "run only the checks whose ids are or start with `ID`; "+
		"may be repeated")
	cmd.Flags().StringArrayVar(&flags.components, "component", nil, "check only the component `KIND.TYPE`; may be "+
		"repeated")
	cmd.Flags().StringArrayVar(&flags.passEnv, "pass-env", nil, "pass the environment variable `NAME` to the plugin; "+
		"may be repeated")
	cmd.Flags().StringVar(&flags.junit, "junit", "", "also write the report to `file` as JUnit XML")
	cmd.Flags().StringVar(&flags.record, "record", "", "record the plugin's responses to a `file` instead of running "+
		"checks")
	cmd.Flags().StringVar(&flags.replay, "replay", "", "replay the calls of a `file` written by --record instead of "+
		"running checks, and report different responses")
	cmd.MarkFlagsMutuallyExclusive("record", "replay", "junit")
	cmd.MarkFlagsMutuallyExclusive("record", "replay", "only")
	cmd.Flags().DurationVar(&flags.patience, "patience", time.Minute, "timeout of starts and calls, if the protocol "+
		"does not set one")
	cmd.Flags().DurationVar(&flags.endurance, "endurance", 0,
		"time limit for the ten thousand episodes or items of LEAK and DRIFT; a slower plugin runs fewer; "+
			"default: the environment variable AWHOST_ENDURANCE, or 30s")
	cmd.Flags().DurationVar(&flags.timeout, "timeout", 45*time.Minute, "time limit of the whole suite: the running check "+
		"fails, and the later ones are skipped")
	flags.mcp.register(cmd)
	cmd.Flags().BoolVar(&flags.list, "list", false, "list all checks without running them")
	return cmd
}

func (a *app) testPlugin(ctx context.Context, name string, flags pluginTestFlags) error {
	source, err := a.pluginCommand(ctx, name, flags.path)
	if err != nil {
		return err
	}
	if flags.fixtures == "" && source.Dir != "" {
		if beside := filepath.Join(source.Dir, "conformance.json"); isFile(beside) {
			flags.fixtures = beside
		}
	}
	if err := a.warnUnset(flags.passEnv); err != nil {
		return err
	}
	config := conformance.Config{
		Command: source.Command, Env: source.Env, Fixtures: flags.fixtures, Only: flags.only, Components: flags.components,
		PassEnv:     flags.passEnv,
		CallTimeout: flags.patience, Endurance: flags.endurance, Timeout: flags.timeout,
	}
	progress := newCheckProgress(a.err, text.Detect(a.err, a.environ))
	if !a.json {
		config.OnCheck, config.OnCall = progress.say, progress.called
	}
	switch {
	case flags.record != "":
		return a.recordPlugin(ctx, config, flags.record, progress)
	case flags.replay != "":
		return a.replayPlugin(ctx, config, flags.replay, progress)
	}
	report, err := conformance.Verify(ctx, config)
	return a.judged(ctx, report, err, progress, source, flags)
}

// judged shows a report, and returns the corresponding exit code.
func (a *app) judged(
	ctx context.Context, report *conformance.Report, err error, progress *checkProgress, source *catalog.Prepared,
	flags pluginTestFlags,
) error {
	progress.clear()
	interrupted := exit(run.ExitAborted, errors.New("interrupted"))
	if err != nil {
		if ctx.Err() != nil {
			return interrupted
		}
		return exit(run.ExitUsage, err)
	}
	if flags.junit != "" {
		if err := writeJUnit(flags.junit, report); err != nil {
			return exit(run.ExitFailed, err)
		}
	}
	if err := a.show(result.ConformanceOf(report, source)); err != nil {
		return exit(run.ExitFailed, err)
	}
	if ctx.Err() != nil {
		return interrupted
	}
	if !report.Conforms() && (report.Conclusive() || report.AllSkipped()) {
		return exit(run.ExitConformance, nil)
	}
	return nil
}

// pluginCommand returns a plugin's command and its source directory. The plugin is in the spec or is any valid source,
// which is built for this test.
func (a *app) pluginCommand(ctx context.Context, name, spec string) (*catalog.Prepared, error) {
	info, statErr := os.Stat(name)
	switch {
	case statErr == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0: // the unchanged file, as its author built it
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, exit(run.ExitUsage, err)
		}
		return &catalog.Prepared{Command: []string{path}, Dir: filepath.Dir(path)}, nil
	case isSource(name):
		return a.prepareSource(ctx, name)
	}
	c, err := a.specCatalog(spec)
	if err != nil {
		return nil, err
	}
	for _, e := range c.Entries() {
		if e.Name == name {
			return &catalog.Prepared{Command: e.Command, Env: e.Env, Dir: e.Source}, nil
		}
	}
	if why := c.Pending()[name]; why != nil {
		return nil, exit(run.ExitUsage, why)
	}
	return nil, exit(run.ExitUsage, fmt.Errorf("unknown plugin or file %q: `awhost plugin list` lists the plugins", name))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func writeJUnit(path string, report *conformance.Report) error {
	out, err := report.JUnit()
	if err != nil {
		return err
	}
	return os.WriteFile(path, out, 0o644)
}
