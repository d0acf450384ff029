package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// runFlags say where runs are.
type runFlags struct{ dir string }

func (f *runFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "dir", ".", "`directory` of the spec whose runs are meant")
}

func newRuns(a *app) *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List runs, newest first",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkDirectory(flags.dir); err != nil {
				return err
			}
			runs, err := a.store(flags.dir).List()
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			if a.json {
				for _, r := range runs {
					a.print(runLine(r))
				}
				return nil
			}
			return a.showRuns(runs)
		},
	}
	flags.register(cmd)
	return cmd
}

func (a *app) showRuns(runs []runstore.Summary) error {
	if len(runs) == 0 {
		a.say("no runs yet: awhost apply starts one; --dir names the directory of another spec")
		return nil
	}
	table := text.Table{Columns: []text.Column{
		{Title: "RUN"}, {Title: "STATUS"}, {Title: "STEP", Right: true}, {Title: "COMMIT", Right: true}, {Title: "STARTED"}, {Title: "CHECKPOINT", Shrink: true},
	}}
	for _, r := range runs {
		table.Rows = append(table.Rows, []string{r.Ref(), statusText(r), doneText(r), stepText(r), createdText(r), text.Path(r.Checkpoint)})
	}
	out := a.page()
	out.Table(table)
	for _, r := range runs {
		if r.Problem != "" {
			out.Line(out.Styles.Bad(r.Ref()+": ") + text.Clean(r.Problem))
		}
	}
	return out.Err()
}

// statusText says of a run without a host also what of it lives on: its trainer, or for a moment its plugins.
func statusText(r runstore.Summary) string {
	switch {
	case r.Trainer != "":
		return string(r.Status) + ", trainer may live"
	case isOrphaned(r):
		return string(runstore.StatusInterrupted) + ", still held"
	}
	return string(r.Status)
}

// isOrphaned reports whether only processes that a host left behind hold a run: after kill -9 until they have ended.
func isOrphaned(r runstore.Summary) bool {
	return r.Status == runstore.StatusRunning && r.Owner != nil && !r.OwnerAlive
}

// nextText says what can be done with a run that has not finished.
func nextText(r runstore.Summary) string {
	call := r.Ref() + runstore.WhereFlag(r.Dir)
	switch {
	case r.Trainer != "":
		return fmt.Sprintf("awhost resume %s takes its trainer up again, awhost stop %s ends it", call, call)
	case isOrphaned(r):
		return fmt.Sprintf("awhost stop %s ends what its host left behind, awhost resume %s goes on then", call, call)
	case r.Status == runstore.StatusRunning:
		return fmt.Sprintf("awhost attach %s shows it, awhost stop %s ends it", call, call)
	case r.Status == runstore.StatusFinished, r.Over():
		return ""
	case r.Checkpoint == "":
		return fmt.Sprintf("awhost resume %s begins again: there is no checkpoint yet", call)
	}
	return fmt.Sprintf("awhost resume %s goes on from step %d", call, r.Step)
}

// doneText is how many steps are done, committed or not.
func doneText(r runstore.Summary) string {
	if r.Step < 0 && r.Done == 0 {
		return "-"
	}
	return fmt.Sprint(max(r.Done, r.Step))
}

// stepText is the step of the newest commit.
func stepText(r runstore.Summary) string {
	if r.Step < 0 {
		return "-"
	}
	return fmt.Sprint(r.Step)
}

// createdText is when a run was made, unless its description cannot be read.
func createdText(r runstore.Summary) string {
	if r.Created.IsZero() {
		return "-"
	}
	return r.Created.Local().Format(time.DateTime)
}

// runJSON is a run as `runs --json` and `show --json` print it.
type runJSON struct {
	Type       string             `json:"type"`
	Run        string             `json:"run"`
	ID         string             `json:"id"`
	Status     string             `json:"status"`
	Stage      string             `json:"stage,omitempty"`
	Step       int                `json:"step"`
	Done       int                `json:"done"`
	Dir        string             `json:"dir"`
	Spec       string             `json:"spec"`
	Identity   string             `json:"identity"`
	Checkpoint string             `json:"checkpoint,omitempty"`
	Created    time.Time          `json:"created,omitzero"` // missing where the run cannot be read
	Updated    time.Time          `json:"updated,omitzero"`
	Outcome    string             `json:"outcome,omitempty"`
	Reason     string             `json:"reason,omitempty"`
	Digest     string             `json:"digest,omitempty"`
	Exact      *bool              `json:"exact,omitempty"`   // missing before the run has ended
	Inexact    string             `json:"inexact,omitempty"` // why it is not
	Build      *build.Build       `json:"build,omitempty"`   // that the run goes on with; missing where it is not recorded
	Metrics    map[string]float64 `json:"metrics,omitempty"`
	Failures   []failureJSON      `json:"failures,omitempty"` // of show
	Trainer    string             `json:"trainer,omitempty"`  // launch id, of one that may go on without a host
	Problem    string             `json:"problem,omitempty"`
}

func runLine(r runstore.Summary) runJSON {
	out := runJSON{
		Type: "run", Run: r.Ref(), ID: r.ID, Status: string(r.Status), Stage: r.Stage, Step: r.Step, Done: r.Done, Dir: r.Dir, Spec: r.Spec, Identity: r.Identity,
		Checkpoint: r.Checkpoint, Created: r.Created, Updated: r.Updated, Trainer: r.Trainer, Problem: r.Problem,
	}
	out.Build = r.CurrentBuild()
	if f := r.Finish; f != nil {
		out.Exact, out.Inexact = &f.Exact, f.Inexact
		out.Outcome, out.Reason, out.Digest, out.Metrics = string(f.Outcome), f.Reason, f.Digest, f.Metrics
	}
	return out
}

// callFor is how a command that is started here names the run.
func callFor(r *runstore.Run) string { return r.Ref() + runstore.WhereFlag(r.Dir) }

// checkDirectory says of --dir that it is none.
func checkDirectory(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return exit(run.ExitUsage, fmt.Errorf("--dir: %w", err))
	case !info.IsDir():
		return exit(run.ExitUsage, fmt.Errorf("--dir: %s is no directory: name the one that the spec is in", dir))
	}
	return nil
}

// openSummary finds a run by what people call it.
func (a *app) openSummary(dir string, args []string) (*runstore.Run, runstore.Summary, error) {
	r, err := a.openRun(dir, args)
	if err != nil {
		return nil, runstore.Summary{}, err
	}
	summary, err := r.Summary()
	if err != nil {
		return nil, summary, exit(run.ExitFailed, err)
	}
	return r, summary, nil
}

// openRun opens the run that args name, without a look at its journal.
func (a *app) openRun(dir string, args []string) (*runstore.Run, error) {
	ref := ""
	if len(args) > 0 {
		ref = args[0]
	}
	if err := checkDirectory(dir); err != nil {
		return nil, err
	}
	r, err := a.store(dir).Open(ref)
	if err != nil {
		return nil, exit(run.ExitUsage, err)
	}
	return r, nil
}
