package main

import (
	"fmt"
	"sort"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func newShow(a *app) *cobra.Command {
	var flags runFlags
	var episodes, audit bool
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
			case episodes:
				return a.showEpisodes(cmd, r)
			case audit:
				return a.showAudit(cmd, r)
			case a.json:
				return a.showLine(cmd, r, summary)
			}
			return a.showRun(cmd, r, summary, flags.dir)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&episodes, "episodes", false, "print every episode with its messages, one JSON object per line")
	cmd.Flags().BoolVar(&audit, "audit", false, "check that every sample counts once and every record is unchanged")
	return cmd
}

func (a *app) showRun(cmd *cobra.Command, r *runstore.Run, s runstore.Summary, dir string) error {
	out := text.NewPrinter(a.out, text.Detect(a.out, a.environ))
	out.Heading(s.Ref())
	pairs := []text.Pair{
		{Key: "status", Value: string(s.Status)}, {Key: "stage", Value: s.Stage}, {Key: "step", Value: stepText(s)},
		{Key: "spec", Value: s.Spec}, {Key: "directory", Value: relativeTo(dir, s.Dir)}, {Key: "checkpoint", Value: relativeTo(dir, s.Checkpoint)},
		{Key: "started", Value: s.Created.Local().Format("2006-01-02 15:04:05")},
	}
	if s.Finish != nil && s.Finish.Reason != "" {
		pairs = append(pairs, text.Pair{Key: "reason", Value: s.Finish.Reason})
	}
	if s.Finish != nil && s.Finish.Digest != "" {
		pairs = append(pairs, text.Pair{Key: "digest", Value: s.Finish.Digest})
	}
	for i := range pairs {
		pairs[i].Value = text.Clean(pairs[i].Value) // the reason holds words of plugins, and the folder may be somebody else's
	}
	out.Pairs(pairs...)
	curves := map[string][]float64{}
	for row, err := range r.Metrics() {
		if err != nil {
			return exit(run.ExitFailed, err)
		}
		for name, v := range row.Values {
			curves[name] = append(curves[name], v)
		}
	}
	names := make([]string, 0, len(curves))
	for name := range curves {
		names = append(names, name)
	}
	sort.Strings(names)
	table := text.Table{Columns: []text.Column{{Title: "METRIC"}, {Title: "FIRST", Right: true}, {Title: "LAST", Right: true}, {Title: "CURVE", Shrink: true}}}
	for _, name := range names {
		v := curves[name]
		table.Rows = append(table.Rows, []string{text.Clean(name), text.Number(v[0]), text.Number(v[len(v)-1]), text.Sparkline(v, curveWidth)})
	}
	if len(table.Rows) > 0 {
		out.Blank()
		out.Table(table)
	}
	failures, err := r.Failures(cmd.Context())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	showRunFailures(out, failures, r, dir)
	return out.Err()
}

// showRunFailures names what failed, with an example and what to do about it.
func showRunFailures(out *text.Printer, failures []runstore.FailureSum, r *runstore.Run, dir string) {
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
		out.Bullet(advice(f.Class, r.Ref()+dirFlag(dir)))
	}
	out.Paragraph(fmt.Sprintf("All of them: awhost show %s%s --episodes | jq 'select(.failure)'", r.Ref(), dirFlag(dir)))
}

// dirFlag is what a command needs to find the runs again.
func dirFlag(dir string) string {
	if dir == "." {
		return ""
	}
	return " --dir " + dir
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

const curveWidth = 30

func (a *app) showEpisodes(cmd *cobra.Command, r *runstore.Run) error {
	for e, err := range r.Episodes(cmd.Context()) {
		if err != nil {
			return exit(run.ExitFailed, err)
		}
		a.print(struct {
			Type     string `json:"type"`
			Standing string `json:"standing"`
			runstore.EpisodeRecord
		}{"episode", string(e.Standing), e.EpisodeRecord})
	}
	return nil
}

// auditJSON is an audit as `show --audit --json` prints it.
type auditJSON struct {
	Type       string   `json:"type"`
	Commits    int      `json:"commits"`
	Trained    int      `json:"trained"`
	Masked     int      `json:"masked"`
	Filtered   int      `json:"filtered"`
	Validated  int      `json:"validated"`
	Superseded int      `json:"superseded"`
	Problems   []string `json:"problems"`
}

func (a *app) showAudit(cmd *cobra.Command, r *runstore.Run) error {
	audit, err := r.Audit(cmd.Context())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	if a.json {
		a.print(auditJSON{
			"audit", audit.Commits, audit.Trained, audit.Masked, audit.Filtered, audit.Validated, audit.Superseded, audit.Problems,
		})
	} else {
		fmt.Fprintf(a.out, "%d commits; episodes: %d trained, %d masked, %d filtered, %d validated, %d superseded\n",
			audit.Commits, audit.Trained, audit.Masked, audit.Filtered, audit.Validated, audit.Superseded)
		for _, p := range audit.Problems {
			fmt.Fprintln(a.out, "problem:", text.Clean(p))
		}
	}
	if len(audit.Problems) > 0 {
		return exit(run.ExitFailed, nil)
	}
	return nil
}
