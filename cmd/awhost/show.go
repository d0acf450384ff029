package main

import (
	"fmt"
	"sort"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
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
				a.print(runLine(summary))
				return nil
			}
			return a.showRun(r, summary, flags.dir)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&episodes, "episodes", false, "print every episode with its messages, one JSON object per line")
	cmd.Flags().BoolVar(&audit, "audit", false, "check that every sample counts once and every record is unchanged")
	return cmd
}

func (a *app) showRun(r *runstore.Run, s runstore.Summary, dir string) error {
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
	out.Table(table)
	return out.Err()
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
