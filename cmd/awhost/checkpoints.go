package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

func newCheckpoints(a *app) *cobra.Command {
	var flags runFlags
	var verify bool
	cmd := &cobra.Command{
		Use:   "checkpoints [run]",
		Short: "List the checkpoints of a run that are kept",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, summary, err := a.openSummary(flags.dir, args)
			if err != nil {
				return err
			}
			kept, err := r.Kept(cmd.Context(), verify)
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			if a.json {
				for _, k := range kept {
					a.print(checkpointLine(r, k))
				}
			} else if err := a.showCheckpoints(kept, summary); err != nil {
				return err
			}
			for _, k := range kept {
				if k.Problem != "" {
					return exit(run.ExitFailed, nil)
				}
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&verify, "verify", false, "read every byte, and compare the manifests with the journal")
	return cmd
}

// checkpointJSON is a checkpoint as `checkpoints --json` prints it.
type checkpointJSON struct {
	Type        string   `json:"type"`
	Run         string   `json:"run"`
	Step        int      `json:"step"`
	Stage       string   `json:"stage"`
	Committed   string   `json:"committed"`
	Path        string   `json:"path"`
	Digest      string   `json:"digest"`
	Bytes       int64    `json:"bytes"`
	Best        bool     `json:"best"`
	Latest      bool     `json:"latest"`
	Keep        bool     `json:"keep"`
	SuccessRate *float64 `json:"success_rate,omitempty"`
	Reward      *float64 `json:"reward,omitempty"`
	Fault       string   `json:"fault,omitempty"`
	Problem     string   `json:"problem,omitempty"`
}

func checkpointLine(r *runstore.Run, k runstore.Kept) checkpointJSON {
	return checkpointJSON{
		Type: "checkpoint", Run: r.Ref(), Step: k.Step, Stage: k.Stage, Committed: k.Committed.Format(time.RFC3339Nano), Path: k.Path, Digest: k.Digest,
		Bytes: k.Bytes, Best: k.Best, Latest: k.Latest, Keep: k.Keep, SuccessRate: finite(k.Metrics, metric.ValidationSuccessRate), Reward: finite(k.Metrics, metric.ValidationReward),
		Fault: string(k.Fault), Problem: k.Problem,
	}
}

func finite(metrics runstore.Numbers, name string) *float64 {
	if value, ok := metrics[name]; ok && value-value == 0 { // neither NaN nor infinite, which JSON has no numbers for
		return &value
	}
	return nil
}

func (a *app) showCheckpoints(kept []runstore.Kept, s runstore.Summary) error {
	out := a.page()
	if len(kept) == 0 {
		out.Line(noCheckpoint(s))
		return out.Err()
	}
	out.Line(out.Styles.Dim("in ") + text.Clean(text.Path(filepath.Dir(kept[0].Dir))))
	table := text.Table{Columns: []text.Column{
		{Title: "CHECKPOINT"}, {Title: "STAGE", Shrink: true}, {Title: "COMMITTED"}, {Title: "SUCCESS", Right: true}, {Title: "REWARD", Right: true},
		{Title: "SIZE", Right: true}, {Title: "DIGEST", Shrink: true}, {Title: ""},
	}}
	for _, k := range kept {
		table.Rows = append(table.Rows, []string{
			filepath.Base(k.Dir), k.Stage, k.Committed.Local().Format("01-02 15:04:05"), percent(k.Metrics, metric.ValidationSuccessRate), figure(k.Metrics, metric.ValidationReward),
			text.Bytes(k.Bytes), shortDigest(k.Digest), marks(k),
		})
	}
	out.Table(table)
	for _, k := range kept {
		if k.Path != k.Dir {
			out.Line(fmt.Sprintf("%s is kept by the trainer: %s", filepath.Base(k.Dir), text.Clean(k.Path)))
		}
	}
	for _, k := range kept {
		if k.Problem != "" {
			out.Line(out.Styles.Bad(string(k.Fault)+": ") + text.Clean(k.Problem))
		}
	}
	return out.Err()
}

// noCheckpoint says what is known of when there will be one: that is up to the adapter. Some commit each step and the warm start,
// others what checkpoint.every says.
func noCheckpoint(s runstore.Summary) string {
	done := "no step is done"
	if s.Done > 0 {
		done = text.Plural(s.Done, "step") + " done"
	}
	if s.Status != runstore.StatusRunning {
		return fmt.Sprintf("no checkpoint: the run is %s, with %s", s.Status, done)
	}
	return fmt.Sprintf("no checkpoint yet: %s; checkpoint.every of the train block says when the adapter commits one", done)
}

func percent(metrics runstore.Numbers, name string) string {
	if value := finite(metrics, name); value != nil {
		return text.Percent(*value)
	}
	return "-"
}

func figure(metrics runstore.Numbers, name string) string {
	if value := finite(metrics, name); value != nil {
		return text.Number(*value)
	}
	return "-"
}

// marks say what is special about a checkpoint.
func marks(k runstore.Kept) string {
	var out []string
	if k.Best {
		out = append(out, "best")
	}
	if k.Latest {
		out = append(out, "latest")
	}
	if k.Problem != "" {
		out = append(out, strings.ToUpper(text.Clean(string(k.Fault))))
	}
	return strings.Join(out, ", ")
}

// shortDigest is enough of a digest to tell it by.
func shortDigest(digest string) string {
	const enough = 10
	if hex, ok := strings.CutPrefix(digest, "sha256:"); ok && len(hex) > enough {
		return hex[:enough]
	}
	return digest
}
