package result

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

// Checkpoint is one of a run's checkpoints, as listed by `checkpoints`.
type Checkpoint struct {
	Type      string    `json:"type"`
	Run       string    `json:"run"`
	Step      int       `json:"step" jsonschema:"minimum=0"`
	Stage     string    `json:"stage"`
	Committed time.Time `json:"committed"`
	Path      string    `json:"path"`
	Digest    string    `json:"digest"`
	Bytes     int64     `json:"bytes"` // size of its files; 0 if the trainer stores them elsewhere
	Best      bool      `json:"best"`  // the best by validate.best_by
	Latest    bool      `json:"latest"`
	// Set if the spec's rules keep it. Other checkpoints are removed once resuming no longer needs them.
	Keep bool `json:"keep"`
	// Results of the validation at this step, if any.
	SuccessRate *float64 `json:"success_rate,omitempty"`
	Reward      *float64 `json:"reward,omitempty"`
	// Set together with `problem` if the checkpoint differs from the committed one. All values except `damaged` require
	// --verify. `cut` means that the end of the journal is missing.
	Fault   runstore.Fault `json:"fault,omitempty" jsonschema:"enum=damaged,enum=missing,enum=unknown,enum=cut"`
	Problem string         `json:"problem,omitempty"` // why the checkpoint cannot be used

	dir string // path of the checkpoint in the run directory
}

// Checkpoints holds a run's checkpoints, oldest first.
type Checkpoints struct {
	Kept []Checkpoint

	run runstore.Summary
}

// CheckpointsOf returns the result for a run's checkpoints.
func CheckpointsOf(s runstore.Summary, kept []runstore.Kept) Checkpoints {
	out := Checkpoints{run: s}
	for _, k := range kept {
		out.Kept = append(out.Kept, Checkpoint{
			Type: "checkpoint", Run: s.Ref(), Step: k.Step, Stage: k.Stage, Committed: k.Committed, Path: k.Path,
			Digest: k.Digest, Bytes: k.Bytes, Best: k.Best, Latest: k.Latest, Keep: k.Keep,
			SuccessRate: finite(k.Metrics, metric.ValidationSuccessRate),
			Reward:      finite(k.Metrics, metric.ValidationReward),
			Fault:       k.Fault, Problem: k.Problem, dir: k.Dir,
		})
	}
	return out
}

// finite returns a metric, or nil if it is missing or not finite, which JSON cannot represent.
func finite(metrics runstore.Numbers, name string) *float64 {
	if value, ok := metrics[name]; ok && value-value == 0 { // neither NaN nor infinite
		return &value
	}
	return nil
}

// Lines implements List.
func (c Checkpoints) Lines() []any { return linesOf(c.Kept) }

// Text implements Result.
func (c Checkpoints) Text(out *text.Printer) {
	if len(c.Kept) == 0 {
		out.Line(noCheckpoint(c.run))
		return
	}
	out.Line(out.Styles.Dim("in ") + text.Clean(text.Path(filepath.Dir(c.Kept[0].dir))))
	table := text.Table{Columns: []text.Column{
		{Title: "CHECKPOINT"}, {Title: "STAGE", Shrink: true}, {Title: "COMMITTED"}, {Title: "SUCCESS", Right: true},
		{Title: "REWARD", Right: true}, {Title: "SIZE", Right: true}, {Title: "DIGEST", Shrink: true}, {Title: ""},
	}}
	for _, k := range c.Kept {
		table.Rows = append(table.Rows, []string{
			filepath.Base(k.dir), k.Stage, k.Committed.Local().Format("01-02 15:04:05"),
			orDash(k.SuccessRate, text.Percent), orDash(k.Reward, text.Number),
			text.Bytes(k.Bytes), text.Digest(k.Digest), k.marks(),
		})
	}
	out.Table(table)
	for _, k := range c.Kept {
		if k.Path != k.dir {
			out.Line(fmt.Sprintf("%s is kept by the trainer: %s", filepath.Base(k.dir), text.Clean(k.Path)))
		}
	}
	for _, k := range c.Kept {
		if k.Problem != "" {
			out.Line(out.Styles.Bad(string(k.Fault)+": ") + text.Clean(k.Problem))
		}
	}
}

func orDash(value *float64, format func(float64) string) string {
	if value == nil {
		return "-"
	}
	return format(*value)
}

// marks returns a checkpoint's special properties.
func (c Checkpoint) marks() string {
	var out []string
	if c.Best {
		out = append(out, "best")
	}
	if c.Latest {
		out = append(out, "latest")
	}
	if c.Problem != "" {
		out = append(out, strings.ToUpper(text.Clean(string(c.Fault))))
	}
	return strings.Join(out, ", ")
}

// noCheckpoint explains why a run has no checkpoints and when the first one is committed. That depends on the adapter:
// some adapters commit the warm start and each step, and others follow checkpoint.every.
func noCheckpoint(s runstore.Summary) string {
	done := "no step is done"
	if s.Done > 0 {
		done = text.Plural(s.Done, "step") + " done"
	}
	if s.Status != runstore.StatusRunning {
		return fmt.Sprintf("no checkpoint: the run is %s, with %s", s.Status, done)
	}
	return "no checkpoint yet: " + done + "; checkpoint.every of the train block says when the adapter commits one"
}

var _ List = Checkpoints{}
