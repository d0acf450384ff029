package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

// Run is a run, as printed by `runs`, `show` and `stop`.
type Run struct {
	Type       string             `json:"type"`
	Run        string             `json:"run"`
	ID         string             `json:"id"`
	Status     runstore.Status    `json:"status"`
	Stage      string             `json:"stage,omitempty"`
	Step       int                `json:"step"`
	Done       int                `json:"done"`
	Dir        string             `json:"dir"`
	Spec       string             `json:"spec"`
	Identity   string             `json:"identity"`
	Checkpoint string             `json:"checkpoint,omitempty"`
	Created    time.Time          `json:"created,omitzero"` // absent if the run cannot be read
	Updated    time.Time          `json:"updated,omitzero"`
	Outcome    string             `json:"outcome,omitempty"`
	Reason     string             `json:"reason,omitempty"`
	Digest     string             `json:"digest,omitempty"`
	Exact      *bool              `json:"exact,omitempty"`   // absent before the end of the run
	Inexact    string             `json:"inexact,omitempty"` // why the run is not exact
	Build      *build.Build       `json:"build,omitempty"`   // current build of the run; absent if not recorded
	Metrics    map[string]float64 `json:"metrics,omitempty"`
	// Metrics at the end, or at the newest checkpoint before it; absent if not measured. Printed by runs only.
	Reward            *float64 `json:"reward,omitempty"`
	Success           *float64 `json:"success,omitempty"`
	ValidationSuccess *float64 `json:"validation_success,omitempty"`

	// What a user has added to the run. Printed by runs, runs set, and show only.
	Name string   `json:"name,omitempty"`
	Note string   `json:"note,omitempty"`
	Tags []string `json:"tags,omitempty"`
	// Size of the run directory; printed by runs --size only.
	Bytes *int64 `json:"bytes,omitempty"`

	Failures []Failures `json:"failures,omitempty"` // printed by show only
	// Directories with TensorBoard event files and tracker data; printed only by show.
	Tracking []Tracking `json:"tracking,omitempty"`
	// What is wrong with the run; printed only by show.
	Findings []event.Finding `json:"findings,omitempty"`
	// Rules of findings for which the last stage lacks metrics; printed only by show.
	NotChecked []string `json:"not_checked,omitempty"`
	Trainer    string   `json:"trainer,omitempty"` // launch id of a trainer that may still be running without a host
	Problem    string   `json:"problem,omitempty"`
}

// runOf returns the result for a run.
func runOf(r runstore.Summary) Run {
	out := Run{
		Type: "run", Run: r.Ref(), ID: r.ID, Status: r.Status, Stage: r.Stage, Step: r.Step, Done: r.Done,
		Dir: r.Dir, Spec: r.Spec, Identity: r.Identity,
		Checkpoint: r.Checkpoint, Created: r.Created, Updated: r.Updated, Trainer: r.Trainer, Problem: r.Problem,
	}
	out.Build = r.CurrentBuild()
	if f := r.Finish; f != nil {
		out.Exact, out.Inexact = &f.Exact, f.Inexact
		out.Outcome, out.Reason, out.Digest, out.Metrics = string(f.Outcome), f.Reason, f.Digest, f.Metrics
	}
	return out
}

// SetLabel adds the run's label.
func (r *Run) SetLabel(label runstore.Label) {
	r.Name, r.Note, r.Tags = label.Name, label.Note, label.Tags
}

// Listed is a run in a list.
type Listed struct {
	runstore.Summary
	Values runstore.Numbers // metrics at the end, or at the newest checkpoint before it
	Label  runstore.Label
	Parts  []runstore.Part // its directory is the first; nil if not measured
}

// value returns a finite value of a metric, or nil.
func (l Listed) value(name string) *float64 {
	if value, ok := l.Values[name]; ok && value-value == 0 {
		return &value
	}
	return nil
}

// Runs lists the runs in a directory, newest first.
type Runs []Listed

// Lines implements List.
func (runs Runs) Lines() []any {
	var out []any
	for _, r := range runs {
		line := runOf(r.Summary)
		line.Reward, line.Success = r.value(metric.Reward), r.value(metric.SuccessRate)
		line.ValidationSuccess = r.value(metric.ValidationSuccessRate)
		line.SetLabel(r.Label)
		if r.Parts != nil {
			line.Bytes = &r.Parts[0].Bytes
		}
		out = append(out, line)
	}
	return out
}

// Text implements Result.
func (runs Runs) Text(out *text.Printer) {
	if len(runs) == 0 {
		out.Line("no runs: awhost apply starts one; --dir names the directory of another spec")
		return
	}
	columns := []text.Column{
		{Title: "RUN"}, {Title: "STATUS"}, {Title: "STEP", Right: true}, {Title: "COMMIT", Right: true},
		{Title: "REWARD", Right: true},
		{Title: "SUCCESS", Right: true}, {Title: "HELD-OUT", Right: true}, {Title: "STARTED"},
		{Title: "CHECKPOINT", Shrink: true},
	}
	if slices.ContainsFunc(runs, func(r Listed) bool { return r.Parts != nil }) {
		columns = slices.Insert(columns, 1, text.Column{Title: "SIZE", Right: true})
	}
	table := text.Table{Columns: columns}
	for _, r := range runs {
		row := []string{
			r.Ref(), statusText(r.Summary), doneText(r.Summary), StepText(r.Summary),
			scoreText(r.value(metric.Reward), text.Number), scoreText(r.value(metric.SuccessRate), text.Percent),
			scoreText(r.value(metric.ValidationSuccessRate), text.Percent), createdText(r.Summary), text.Path(r.Checkpoint),
		}
		if r.Parts != nil {
			row = slices.Insert(row, 1, text.Bytes(r.Parts[0].Bytes))
		}
		table.Rows = append(table.Rows, row)
	}
	out.Table(table)
	for _, r := range runs {
		if words := labelText(r.Label.Name, r.Label.Tags, r.Label.Note); words != "" {
			out.Quote(r.Ref() + ": " + text.Clean(words))
		}
	}
	for _, r := range runs {
		if r.Problem != "" {
			out.Line(out.Styles.Bad(r.Ref()+": ") + text.Clean(r.Problem))
		}
	}
}

// labelText returns a label on one line: the name in quotes, the tags, then the note.
func labelText(name string, tags []string, note string) string {
	var words []string
	if name != "" {
		words = append(words, strconv.Quote(name))
	}
	for _, tag := range tags {
		words = append(words, "#"+tag)
	}
	return strings.Join(append(words, strings.Fields(note)...), " ")
}

// scoreText formats a value that may be unknown.
func scoreText(value *float64, format func(float64) string) string {
	if value == nil {
		return "-"
	}
	return format(*value)
}

// Stopped is a run that has ended, as printed by `stop`.
type Stopped struct {
	Run
	summary runstore.Summary
	before  bool // it had already ended
}

// StoppedOf returns the result for a run that has ended. before reports whether the run had ended before the stop
// request.
func StoppedOf(s runstore.Summary, before bool) Stopped { return Stopped{runOf(s), s, before} }

// Text implements Result.
func (r Stopped) Text(out *text.Printer) {
	s := r.summary
	switch {
	case r.before:
		out.Line(fmt.Sprintf("%s is not running: it is %s", s.Ref(), s.Status))
	case s.Status == runstore.StatusFinished:
		out.Line(s.Ref() + " is finished")
	default:
		out.Line(fmt.Sprintf("%s is %s at step %s; awhost resume %s continues it",
			s.Ref(), s.Status, StepText(s), s.Ref()+runstore.WhereFlag(s.Dir)))
	}
}

// statusText returns a run's status, including processes that remain without a host: its trainer, or briefly its
// plugins.
func statusText(r runstore.Summary) string {
	switch {
	case r.Trainer != "":
		return string(r.Status) + ", trainer may live"
	case isOrphaned(r):
		return string(runstore.StatusInterrupted) + ", still held"
	}
	return string(r.Status)
}

// isOrphaned reports whether a run is held only by processes that its host left behind, for example after kill -9.
func isOrphaned(r runstore.Summary) bool {
	return r.Status == runstore.StatusRunning && r.Owner != nil && !r.OwnerAlive
}

// Next returns the commands that apply to a run that has not finished.
func Next(r runstore.Summary) string {
	call := r.Ref() + runstore.WhereFlag(r.Dir)
	switch {
	case r.Trainer != "":
		return fmt.Sprintf("awhost resume %s reconnects to its trainer, awhost stop %s ends it", call, call)
	case isOrphaned(r):
		return fmt.Sprintf("awhost stop %s ends the processes that its host left behind; then awhost resume %s continues "+
			"it", call, call)
	case r.Status == runstore.StatusRunning:
		return fmt.Sprintf("awhost attach %s shows it, awhost stop %s ends it", call, call)
	case r.Status == runstore.StatusFinished, r.IsFinal():
		return ""
	case r.Checkpoint == "":
		return fmt.Sprintf("awhost resume %s starts again, because the run has no checkpoint yet", call)
	}
	return fmt.Sprintf("awhost resume %s continues from step %d", call, r.Step)
}

// doneText returns the number of finished steps, whether committed or not.
func doneText(r runstore.Summary) string {
	if r.Step < 0 && r.Done == 0 {
		return "-"
	}
	return fmt.Sprint(max(r.Done, r.Step))
}

// StepText returns the newest commit's step.
func StepText(r runstore.Summary) string {
	if r.Step < 0 {
		return "-"
	}
	return fmt.Sprint(r.Step)
}

// createdText returns a run's creation time, or "-" if its description cannot be read.
func createdText(r runstore.Summary) string {
	if r.Created.IsZero() {
		return "-"
	}
	return r.Created.Local().Format(time.DateTime)
}
