package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/episodefile"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk/ownerfile"
)

func newShow(a *app) *cobra.Command {
	var flags runFlags
	var episodes, audit, all bool
	var episode, html, parquet, atif string
	var step int
	cmd := &cobra.Command{
		Use:   "show [run]",
		Short: "Show a run: state, curves, and checkpoints; with --episodes, every conversation",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, summary, err := a.openSummary(flags.dir, args)
			if err != nil {
				return err
			}
			stepped := cmd.Flags().Changed("step")
			if stepped != (html != "" && episode == "") {
				return exit(run.ExitUsage, errors.New(
					"--html writes an episode or a step: give --episode ID or --step N with it, and --step only with --html"))
			}
			switch {
			case html != "":
				return a.showHTML(cmd.Context(), r, flags.dir, html, ui.Excerpt{Run: r.Ref(), Episode: episode, Step: step})
			case parquet != "" || atif != "":
				return a.writeEpisodes(cmd.Context(), r, parquet, atif, episode)
			case episode != "":
				return a.showEpisode(cmd, r, episode)
			case episodes:
				return a.showEpisodes(cmd, r)
			case audit:
				return a.showAudit(cmd, r)
			}
			return a.showRun(cmd, r, summary, flags.dir, all)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&episodes, "episodes", false, "print every episode with its messages, one JSON object per line")
	cmd.Flags().StringVar(&episode, "episode", "", "show the messages and the score of the episode `ID`")
	cmd.Flags().StringVar(&html, "html", "",
		"write the episode of --episode, or the step of --step, to an HTML `file`")
	cmd.Flags().StringVar(&parquet, "parquet", "", "write all episodes, or the one of --episode, to a Parquet `file`")
	cmd.Flags().StringVar(&atif, "atif", "",
		"write all episodes, or the one of --episode, to a `directory`, each as a trajectory.json of Harbor (ATIF)")
	cmd.Flags().IntVar(&step, "step", 0, "step `N`, with all its episodes, for --html")
	cmd.Flags().BoolVar(&all, "all", false, "also list detailed metrics: components, times, and the trainer's "+
		"additional metrics")
	cmd.Flags().BoolVar(&audit, "audit", false, "check that every sample counts once and every record is unchanged")
	cmd.MarkFlagsMutuallyExclusive("parquet", "atif", "html", "episodes", "audit", "all")
	return cmd
}

func (a *app) showRun(cmd *cobra.Command, r *runstore.Run, s runstore.Summary, dir string, all bool) error {
	failures, err := r.Failures(cmd.Context())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	tracked, err := r.Tracked()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	found, err := r.Findings(math.MaxInt)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	shown := result.ShownOf(s, failures, found, tracked)
	var curves map[string][]float64
	if curves, shown.NotChecked, err = metricsOf(r); err != nil {
		return exit(run.ExitFailed, err)
	}
	label, err := r.Label()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	shown.SetLabel(label)
	if !a.json {
		shown.Details(specOf(dir, s.Spec), r.Holder(), curves, all)
	}
	return a.show(shown)
}

// metricsOf returns a run's metrics over its steps, and the rules of findings for which its last stage lacks metrics.
func metricsOf(r *runstore.Run) (curves map[string][]float64, unchecked []string, err error) {
	curves = map[string][]float64{}
	var reported findings.Reported
	for row, err := range r.Metrics() {
		if err != nil {
			return nil, nil, err
		}
		reported.Add(row.Stage, row.Values)
		for name, v := range row.Values {
			curves[name] = append(curves[name], v)
		}
	}
	for _, rule := range reported.NotChecked() {
		unchecked = append(unchecked, rule.ID)
	}
	return curves, unchecked, nil
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

// showEpisode shows the last record with a given ID: a repeated episode has several.
func (a *app) showEpisode(cmd *cobra.Command, r *runstore.Run, id string) error {
	e, err := r.Episode(cmd.Context(), id)
	switch {
	case err != nil:
		return exit(run.ExitFailed, err)
	case e == nil:
		return unknownEpisode(r, id)
	}
	calls, err := r.Calls(cmd.Context(), id)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	return a.show(result.EpisodeOf(*e, calls...))
}

// writeEpisodes writes all episodes of a run for other programs, or only the episode with an ID.
func (a *app) writeEpisodes(ctx context.Context, r *runstore.Run, parquet, atif, id string) error {
	episodes, path, write := r.Episodes(ctx), atif, episodefile.WriteTrajectories
	if parquet != "" {
		path, write = parquet, episodefile.WriteParquet
	}
	if id != "" {
		e, err := r.Episode(ctx, id)
		if err != nil {
			return exit(run.ExitFailed, err)
		}
		if e == nil {
			return unknownEpisode(r, id)
		}
		episodes = func(yield func(runstore.Episode, error) bool) { yield(*e, nil) }
	}
	n, err := write(path, r.Ref(), episodes)
	if err != nil {
		return exit(run.ExitFailed, fmt.Errorf("write episodes of %s to %s: %w", r.Ref(), path, err))
	}
	return a.show(result.EpisodesWritten(n, path))
}

func unknownEpisode(r *runstore.Run, id string) error {
	return exit(run.ExitUsage, fmt.Errorf("run %s has no episode %q; to list the ids: awhost show %s --episodes | jq "+
		".episode_id", r.Ref(), id, callFor(r)))
}

// showHTML writes part of a run to one file. It contains model output, so only this user can read it.
func (a *app) showHTML(ctx context.Context, r *runstore.Run, dir, path string, e ui.Excerpt) (err error) {
	cache, err := uiCache()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	server := ui.New(ui.Config{Store: a.store(dir), Cache: cache})
	defer func() {
		if closed := server.Close(); closed != nil && err == nil {
			err = exit(run.ExitFailed, closed)
		}
	}()
	page, err := server.HTML(ctx, e)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	if err := ownerfile.WriteFile(path, page); err != nil {
		return exit(run.ExitFailed, fmt.Errorf("write --html: %w", err))
	}
	what := "step " + strconv.Itoa(e.Step)
	if e.Episode != "" {
		what = "episode " + e.Episode
	}
	return a.show(result.PageWritten(what+" of "+r.Ref(), path))
}

// showAudit shows the audit of a run, without the problems that have already been shown with its checkpoints.
func (a *app) showAudit(cmd *cobra.Command, r *runstore.Run, shown ...runstore.Kept) error {
	audit, err := r.Audit(cmd.Context())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	audit.Problems = slices.DeleteFunc(audit.Problems, func(problem string) bool {
		return slices.ContainsFunc(shown, func(k runstore.Kept) bool { return k.Problem == problem })
	})
	_ = a.show(result.AuditOf(audit)) // a reader that is gone wants no more
	if len(audit.Problems) > 0 {
		return exit(run.ExitFailed, nil)
	}
	return nil
}
