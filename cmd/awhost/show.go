package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func newShow(a *app) *cobra.Command {
	var flags runFlags
	var episodes, audit, all bool
	var episode string
	cmd := &cobra.Command{
		Use:   "show [run]",
		Short: "Show a run: state, curves, checkpoints; --episodes for every conversation",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, summary, err := a.openSummary(flags.dir, args)
			if err != nil {
				return err
			}
			switch {
			case episode != "":
				return a.showEpisode(cmd, r, episode)
			case episodes:
				return a.showEpisodes(cmd, r)
			case audit:
				return a.showAudit(cmd, r)
			case a.json:
				return a.showLine(cmd, r, summary)
			}
			return a.showRun(cmd, r, summary, flags.dir, all)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&episodes, "episodes", false, "print every episode with its messages, one JSON object per line")
	cmd.Flags().StringVar(&episode, "episode", "", "show the episode of this `ID`: who said what, and what it was worth")
	cmd.Flags().BoolVar(&all, "all", false, "list the metrics of details, too: components, times, and what the trainer measures besides")
	cmd.Flags().BoolVar(&audit, "audit", false, "check that every sample counts once and every record is unchanged")
	return cmd
}

func (a *app) showRun(command *cobra.Command, r *runstore.Run, s runstore.Summary, dir string, all bool) error {
	out := a.page()
	out.Heading(s.Ref())
	pairs := []text.Pair{
		{Key: "status", Value: statusText(s)}, {Key: "stage", Value: s.Stage}, {Key: "step", Value: doneOf(s)},
		{Key: "spec", Value: text.Path(specOf(dir, s.Spec))}, {Key: "directory", Value: text.Path(s.Dir)}, {Key: "checkpoint", Value: text.Path(s.Checkpoint)},
		{Key: "started", Value: s.Created.Local().Format("2006-01-02 15:04:05")},
	}
	if s.Finish != nil && s.Finish.Reason != "" {
		pairs = append(pairs, text.Pair{Key: "reason", Value: s.Finish.Reason})
	}
	if s.Status == runstore.StatusRunning {
		pairs = append(pairs, text.Pair{Key: "held by", Value: r.Holder()})
	}
	if b := s.CurrentBuild(); b != nil {
		pairs = append(pairs, text.Pair{Key: "build", Value: b.String()})
	}
	if s.Finish != nil && !s.Finish.Exact && s.Finish.Inexact != "" {
		pairs = append(pairs, text.Pair{Key: "reproducible", Value: "no: " + s.Finish.Inexact})
	}
	pairs = append(pairs, text.Pair{Key: "next", Value: nextText(s)})
	if s.Finish != nil && s.Finish.Digest != "" {
		pairs = append(pairs, text.Pair{Key: "digest", Value: s.Finish.Digest})
	}
	for i := range pairs {
		pairs[i].Value = text.Clean(pairs[i].Value) // the reason holds words of plugins, and the folder may be somebody else's
	}
	out.Pairs(pairs...)
	if err := showMetrics(out, r, all); err != nil {
		return exit(run.ExitFailed, err)
	}
	failures, err := r.Failures(command.Context())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	showRunFailures(out, failures, r)
	return out.Err()
}

// doneOf is how many steps are done, and which of them would survive the trainer.
func doneOf(s runstore.Summary) string {
	switch {
	case s.Done == 0, s.Done <= s.Step:
		return stepText(s)
	case s.Step < 0:
		return fmt.Sprintf("%d, none committed yet", s.Done)
	}
	return fmt.Sprintf("%d, committed up to %d", s.Done, s.Step)
}

// showMetrics shows the curves, what the run is for on top. Without all those of details are only counted.
func showMetrics(out *text.Printer, r *runstore.Run, all bool) error {
	curves := map[string][]float64{}
	for row, err := range r.Metrics() {
		if err != nil {
			return err
		}
		for name, v := range row.Values {
			curves[name] = append(curves[name], v)
		}
	}
	table, hidden := curvesTable(curves, all, out.Width)
	if len(table.Rows)+hidden == 0 {
		return nil
	}
	out.Blank()
	if len(table.Rows) > 0 {
		out.Table(table)
	}
	if hidden > 0 {
		out.Line(fmt.Sprintf("and %s of details, by --all", text.Plural(hidden, "metric")))
	}
	return nil
}

const (
	mostCurve  = 30  // columns of a curve
	leastCurve = 8   // below which names give way
	pageWidth  = 100 // where the output is no terminal
)

// curvesTable has a row for each metric: the first value, the last, and the curve, in what is left of the width.
func curvesTable(curves map[string][]float64, all bool, width int) (table text.Table, hidden int) {
	table.Columns = []text.Column{{Title: "METRIC", Shrink: true}, {Title: "FIRST", Right: true}, {Title: "LAST", Right: true}, {Title: "CURVE"}}
	widths := make([]int, len(table.Columns))
	for _, name := range slices.SortedFunc(maps.Keys(curves), byInterest) {
		v := curves[name]
		if !all && (!view.IsHeadline(name) && (isDetail(name) || isOfTrainer(name)) || isZero(compare.Curve{Values: v})) {
			hidden++
			continue
		}
		row := []string{text.Clean(name), text.Number(v[0]), text.Number(v[len(v)-1]), name}
		table.Rows = append(table.Rows, row)
		for i, cell := range row[:3] {
			widths[i] = max(widths[i], text.Width(cell), text.Width(table.Columns[i].Title))
		}
	}
	if width <= 0 {
		width = pageWidth
	}
	const gaps = 3 * 2
	curve := min(mostCurve, max(leastCurve, width-gaps-widths[0]-widths[1]-widths[2]))
	for _, row := range table.Rows {
		row[3] = text.Sparkline(curves[row[3]], curve)
	}
	return table, hidden
}

// isOfTrainer tells metrics that a framework reports under its own names, of which there may be more than a hundred.
func isOfTrainer(name string) bool {
	return !strings.HasPrefix(name, "train/") && !strings.HasPrefix(name, "validation/")
}

// byInterest orders metrics: reward and success, what an engineer looks at next, then the rest, times last.
func byInterest(a, b string) int {
	return cmp.Or(cmp.Compare(view.Interest(a), view.Interest(b)), cmp.Compare(a, b))
}

// showRunFailures names what failed, with an example and what to do about it.
func showRunFailures(out *text.Printer, failures []runstore.FailureSum, r *runstore.Run) {
	if len(failures) == 0 {
		return
	}
	out.Heading("Failures")
	for _, f := range failures {
		out.Line("  " + out.Styles.Bad(string(f.Class)) + "  " + text.Plural(f.Episodes, "episode"))
		example := fmt.Sprintf("%s of step %d, task %s: %s", f.Example.Slot.Split, f.Example.Slot.Step, f.Example.TaskID, f.Example.Detail)
		if f.Example.Alike > 1 {
			example = fmt.Sprintf("%s like this: %s", text.Count(f.Example.Alike), example)
		}
		out.Bullet(example)
		out.Bullet(advice(f.Class, callFor(r)))
	}
	out.Paragraph(fmt.Sprintf("All of them: awhost show %s --episodes | jq 'select(.failure)'", callFor(r)))
}

// advice says what a person can do about failures of a class.
func advice(class sdk.FailureClass, where string) string {
	switch class {
	case sdk.FailurePolicy:
		return "The policy's output could not be used. While it learns that is usual; on_failure \"policy\" says whether such episodes are scored or drawn again."
	case sdk.FailureModel:
		return "The trainer could not answer: awhost logs " + where + " has what it wrote."
	case sdk.FailureEnvironment:
		return "awhost logs " + where + " has what the environment wrote, and awhost play lets you try the task by hand."
	case sdk.FailureAgent:
		return "awhost logs " + where + " has what the agent wrote."
	case sdk.FailureReward:
		return "The reward had no number to give: awhost score tries it on single answers."
	case sdk.FailureTimeout:
		return "The episode's time was spent: the timings of awhost show --episodes say on what; episode_timeout raises the limit."
	case sdk.FailureInfrastructure:
		return "A plugin died or was cut off: awhost logs " + where + " has its last words. Such episodes are run again with the same draw."
	}
	return "awhost logs " + where + " has what the plugins wrote."
}

// failureJSON is the failures of a class as `show --json` prints them.
type failureJSON struct {
	Class    string `json:"class"`
	Episodes int    `json:"episodes"`
	Alike    int    `json:"alike"` // with the reason of the example
	Episode  string `json:"example_episode"`
	Task     string `json:"example_task"`
	Detail   string `json:"example_detail"`
}

func (a *app) showLine(cmd *cobra.Command, r *runstore.Run, s runstore.Summary) error {
	failures, err := r.Failures(cmd.Context())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	line := runLine(s)
	for _, f := range failures {
		line.Failures = append(line.Failures, failureJSON{
			string(f.Class), f.Episodes, f.Example.Alike, f.Example.EpisodeID, f.Example.TaskID, f.Example.Detail,
		})
	}
	a.print(line)
	return nil
}

func (a *app) showEpisodes(cmd *cobra.Command, r *runstore.Run) error {
	for e, err := range r.Episodes(cmd.Context()) {
		if err != nil {
			return exit(run.ExitFailed, err)
		}
		a.print(result.EpisodeOf(e))
	}
	return nil
}

// showEpisode shows the last record of an id: one that was run again has several.
func (a *app) showEpisode(cmd *cobra.Command, r *runstore.Run, id string) error {
	e, err := r.Episode(cmd.Context(), id)
	switch {
	case err != nil:
		return exit(run.ExitFailed, err)
	case e == nil:
		return exit(run.ExitUsage, fmt.Errorf("run %s has no episode %q; their ids: awhost show %s --episodes | jq .episode_id",
			r.Ref(), id, callFor(r)))
	}
	return a.show(result.EpisodeOf(*e))
}

func (a *app) showAudit(cmd *cobra.Command, r *runstore.Run) error {
	audit, err := r.Audit(cmd.Context())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	_ = a.show(result.AuditOf(audit)) // a reader that is gone wants no more
	if len(audit.Problems) > 0 {
		return exit(run.ExitFailed, nil)
	}
	return nil
}
