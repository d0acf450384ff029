package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// pluginTestFlags are those of `plugin test`.
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
	list       bool
}

func newPluginTest(a *app) *cobra.Command {
	var flags pluginTestFlags
	cmd := &cobra.Command{
		Use:   "test (NAME | SOURCE)",
		Short: "Hold a plugin to the protocol, by the conformance suite",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.list {
				return a.listChecks()
			}
			if len(args) != 1 {
				return exit(run.ExitUsage, errors.New("name a plugin of the spec, or a source: a program, a directory with a Go or a Python package, an archive, a URL"))
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop() // Ctrl-C ends the plugin, too
			return a.testPlugin(ctx, args[0], flags)
		},
	}
	cmd.Flags().StringVar(&flags.path, "spec", defaultSpec, "`spec` whose plugins are meant")
	cmd.Flags().StringVar(&flags.fixtures, "fixtures", "", "`file` with configurations, tasks and answers to check with; default: conformance.json beside the plugin")
	cmd.Flags().StringArrayVar(&flags.only, "only", nil, "play this check, or those whose ids begin so: `ID`; may be repeated")
	cmd.Flags().StringArrayVar(&flags.components, "component", nil, "check this component only: `KIND.TYPE`; may be repeated")
	cmd.Flags().StringArrayVar(&flags.passEnv, "pass-env", nil, "hand an environment variable to the plugin: `NAME`; may be repeated")
	cmd.Flags().StringVar(&flags.junit, "junit", "", "write the report as JUnit XML, too: `file`")
	cmd.Flags().StringVar(&flags.record, "record", "", "play no checks, but write what the plugin answers: `file`")
	cmd.Flags().StringVar(&flags.replay, "replay", "", "play no checks, but the calls of a `file` that --record wrote, and say what is answered otherwise")
	cmd.MarkFlagsMutuallyExclusive("record", "replay", "junit")
	cmd.MarkFlagsMutuallyExclusive("record", "replay", "only")
	cmd.Flags().DurationVar(&flags.patience, "patience", time.Minute, "`duration` that a start or a call may take where the protocol names none")
	cmd.Flags().BoolVar(&flags.list, "list", false, "name all checks, and play none")
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
	config := conformance.Config{
		Command: source.Command, Env: source.Env, Fixtures: flags.fixtures, Only: flags.only, Components: flags.components, PassEnv: flags.passEnv,
		Patience: flags.patience,
	}
	progress := newCheckProgress(a.err, text.Detect(a.err, a.environ))
	if !a.json {
		config.Playing, config.Calling = progress.say, progress.called
	}
	switch {
	case flags.record != "":
		return a.recordPlugin(ctx, config, flags.record, progress)
	case flags.replay != "":
		return a.replayPlugin(ctx, config, flags.replay, progress)
	}
	report, err := conformance.Verify(ctx, config)
	progress.clear()
	if ctx.Err() != nil {
		return exit(run.ExitAborted, errors.New("interrupted"))
	}
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	if flags.junit != "" {
		if err := writeJUnit(flags.junit, report); err != nil {
			return exit(run.ExitFailed, err)
		}
	}
	if err := a.showConformance(report, source); err != nil {
		return exit(run.ExitFailed, err)
	}
	if !report.Conforms() && (report.Decided() || report.Nothing()) {
		return exit(run.ExitConformance, nil)
	}
	return nil
}

// pluginCommand is what starts a plugin, and where its sources lie: one of the spec, or whatever can be a source in a spec, which
// is built for the occasion.
func (a *app) pluginCommand(ctx context.Context, name, spec string) (*catalog.Prepared, error) {
	info, statErr := os.Stat(name)
	switch {
	case statErr == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0: // where it lies, as its author has it
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
	return nil, exit(run.ExitUsage, fmt.Errorf("there is no plugin %q and no file of that name: `awhost plugin list` names the plugins", name))
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

// checkJSON is a check as `plugin test --list --json` prints it, and one that was played.
type checkJSON struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Level     string `json:"level"`
	Title     string `json:"title"`
	Rule      string `json:"rule"`
	Needs     string `json:"needs,omitempty"`
	Component string `json:"component,omitempty"`
	Status    string `json:"status,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Remedy    string `json:"remedy"`
}

func checkLine(c *conformance.Check) checkJSON {
	return checkJSON{Type: "check", ID: c.ID, Level: string(c.Level), Title: c.Title, Rule: c.Rule, Needs: string(c.Needs), Remedy: c.Remedy}
}

// conformanceJSON is the whole, in one line.
type conformanceJSON struct {
	Type     string `json:"type"`
	Plugin   string `json:"plugin"`
	Version  string `json:"version"`
	Conforms bool   `json:"conforms"`
	Verdict  string `json:"verdict"`
	Passed   int    `json:"passed"`
	Failed   int    `json:"failed"`
	Skipped  int    `json:"skipped"`
}

func (a *app) listChecks() error {
	table := text.Table{Columns: []text.Column{{Title: "CHECK"}, {Title: "LEVEL"}, {Title: "A PLUGIN THAT PASSES", Shrink: true}}}
	for _, c := range conformance.Checks() {
		if a.json {
			a.print(checkLine(&c))
			continue
		}
		title := c.Title
		if c.Needs != "" {
			title += " (" + string(c.Needs) + ")"
		}
		table.Rows = append(table.Rows, []string{c.ID, string(c.Level), title})
	}
	if a.json {
		return nil
	}
	out := a.page()
	out.Table(table)
	return out.Err()
}

// showConformance prints what failed, with everything that helps, then what was skipped, then the sums.
func (a *app) showConformance(report *conformance.Report, source *catalog.Prepared) error {
	if a.json {
		for _, r := range report.Results {
			line := checkLine(r.Check)
			line.Component, line.Status, line.Reason, line.Remedy = r.Component, string(r.Status), r.Reason, cmp.Or(r.Remedy, line.Remedy)
			a.print(line)
		}
		a.print(conformanceJSON{
			Type: "conformance", Plugin: report.Plugin, Version: report.Version, Conforms: report.Conforms(), Verdict: conformanceVerdict(report),
			Passed: report.Count("", conformance.Passed), Failed: report.Count("", conformance.Failed), Skipped: report.Count("", conformance.Skipped),
		})
		return nil
	}
	out := a.page()
	for _, target := range targetsOf(report) {
		name := target
		if name == "" {
			name = strings.TrimSpace("plugin " + report.Plugin + " " + report.Version)
		}
		out.Heading(text.Clean(name))
		passed := 0
		for _, r := range report.Results {
			switch {
			case r.Component != target:
			case r.Status == conformance.Passed:
				passed++
			case r.Status == conformance.Failed:
				mark := out.Styles.Bad("✗")
				if r.Check.Level == conformance.Should {
					mark = out.Styles.Warn("!")
				}
				out.Line(fmt.Sprintf("  %s %s (%s) should hold: %s", mark, r.Check.ID, r.Check.Level, r.Check.Title))
				for line := range strings.Lines(r.Reason) {
					out.Line("      " + text.Clean(strings.TrimRight(line, "\n")))
				}
				out.Line("      " + out.Styles.Dim("rule   ") + r.Check.Rule)
				out.Line("      " + out.Styles.Dim("remedy ") + r.Remedy)
			default:
				out.Line("  " + out.Styles.Dim("– "+r.Check.ID+" skipped: "+text.Clean(r.Reason)))
			}
		}
		out.Line(fmt.Sprintf("  %s %d passed", out.Styles.Good("✓"), passed))
	}
	out.Blank()
	var reasons strings.Builder
	for _, r := range report.Results {
		reasons.WriteString(r.Reason + "\n")
	}
	if note := source.CopyNote(reasons.String()); note != "" {
		out.Line(text.Clean(note))
	}
	out.Line(text.Clean(report.Summary() + ": " + conformanceVerdict(report)))
	return out.Err()
}

// conformanceVerdict is what the report comes to.
func conformanceVerdict(report *conformance.Report) string {
	switch {
	case report.Nothing():
		return "nothing was checked"
	case !report.Decided():
		return "no MUST check was played, so this decides nothing"
	case !report.Conforms():
		return "it does not conform"
	}
	return "it conforms"
}

// targetsOf are the plugin itself and its components, in their order.
func targetsOf(report *conformance.Report) []string {
	var targets []string
	for _, r := range report.Results {
		if !slices.Contains(targets, r.Component) {
			targets = append(targets, r.Component)
		}
	}
	return targets
}
