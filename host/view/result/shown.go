package result

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// Shown is a run as printed by `show`. The text form includes its curves.
type Shown struct {
	Run

	summary      runstore.Summary
	failures     []runstore.FailureSum
	spec, holder string
	curves       map[string][]float64
	all          bool
}

// Tracking is a directory with a run's metrics for TensorBoard or a tracker.
type Tracking struct {
	Tracker   string `json:"tracker"` // tensorboard, wandb, swanlab, mlflow
	Directory string `json:"directory"`
}

// ShownOf returns the result for a run, its failures, its findings, and its trackers' directories.
func ShownOf(s runstore.Summary, failures []runstore.FailureSum, found []event.Finding,
	tracked []runstore.Tracked) Shown {
	out := Shown{Run: runOf(s), summary: s, failures: failures}
	out.Findings = found
	for _, t := range tracked {
		out.Tracking = append(out.Tracking, Tracking{t.Name, t.Dir})
	}
	for _, f := range failures {
		out.Failures = append(out.Failures, Failures{
			string(f.Class), f.Episodes, f.Example.Alike, f.Example.EpisodeID, f.Example.TaskID, f.Example.Detail,
		})
	}
	return out
}

// Details adds data for the text: the current path to the run's spec, the process that holds the run, and its metrics
// over the steps. all includes detail metrics.
func (r *Shown) Details(spec, holder string, curves map[string][]float64, all bool) {
	r.spec, r.holder, r.curves, r.all = spec, holder, curves, all
}

// Failures counts the failures in a class, excluding failures in interrupted steps.
type Failures struct {
	Class    string `json:"class"`
	Episodes int    `json:"episodes" jsonschema:"minimum=1"`
	Alike    int    `json:"alike" jsonschema:"minimum=1"` // number of failures with the reason of the example
	Episode  string `json:"example_episode"`
	Task     string `json:"example_task"`
	Detail   string `json:"example_detail"`
}

// Text implements Result.
func (r Shown) Text(out *text.Printer) {
	s := r.summary
	out.Heading(s.Ref())
	pairs := []text.Pair{
		{Key: "label", Value: text.Clean(labelText(r.Name, r.Tags, r.Note))},
		{Key: "status", Value: statusText(s)}, {Key: "stage", Value: s.Stage}, {Key: "step", Value: doneOf(s)},
		{Key: "spec", Value: text.Path(r.spec)}, {Key: "directory", Value: text.Path(s.Dir)},
		{Key: "checkpoint", Value: text.Path(s.Checkpoint)},
		{Key: "started", Value: s.Created.Local().Format("2006-01-02 15:04:05")},
	}
	for _, t := range r.Tracking {
		pairs = append(pairs, text.Pair{Key: t.Tracker, Value: text.Path(t.Directory)})
	}
	if s.Finish != nil && s.Finish.Reason != "" {
		pairs = append(pairs, text.Pair{Key: "reason", Value: s.Finish.Reason})
	}
	if s.Status == runstore.StatusRunning {
		pairs = append(pairs, text.Pair{Key: "held by", Value: r.holder})
	}
	if b := s.CurrentBuild(); b != nil {
		pairs = append(pairs, text.Pair{Key: "build", Value: b.String()})
	}
	if s.Finish != nil && !s.Finish.Exact && s.Finish.Inexact != "" {
		pairs = append(pairs, text.Pair{Key: "reproducible", Value: "no: " + s.Finish.Inexact})
	}
	pairs = append(pairs, text.Pair{Key: "cost", Value: costText(r.curves)}, text.Pair{Key: "next", Value: Next(s)})
	if s.Finish != nil && s.Finish.Digest != "" {
		pairs = append(pairs, text.Pair{Key: "digest", Value: s.Finish.Digest})
	}
	for i := range pairs {
		pairs[i].Value = text.Clean(pairs[i].Value) // values come from plugins, and the directory may belong to another user
	}
	out.Pairs(pairs...)
	if len(r.Findings) > 0 {
		out.Heading("Findings")
		for _, line := range view.Findings(r.Findings, out.Styles, out.Width) {
			out.Line(line)
		}
	}
	if r.all && len(r.NotChecked) > 0 {
		out.Line(out.Styles.Dim("not checked, because metrics are missing: ") + strings.Join(r.NotChecked, ", "))
	}
	showCurves(out, r.curves, r.all)
	showRunFailures(out, r.failures, s.Ref()+runstore.WhereFlag(s.Dir))
}

// costText returns the cost of served models in training, in total and per model, or "" without costs.
func costText(curves map[string][]float64) string {
	var sum float64
	var each []string
	for _, name := range slices.Sorted(maps.Keys(curves)) {
		member, ofMember := strings.CutPrefix(name, metric.Members)
		member, isCost := strings.CutSuffix(member, metric.MemberCost)
		if !ofMember || !isCost {
			continue
		}
		var cost float64
		for _, v := range curves[name] {
			cost += v
		}
		sum += cost
		each = append(each, member+" "+dollars(cost))
	}
	if len(each) == 0 {
		return ""
	}
	return fmt.Sprintf("%s in training (%s)", dollars(sum), strings.Join(each, ", "))
}

// doneOf returns the number of finished steps and the last committed step, which survives a trainer failure.
func doneOf(s runstore.Summary) string {
	switch {
	case s.Done == 0, s.Done <= s.Step:
		return StepText(s)
	case s.Step < 0:
		return fmt.Sprintf("%d, none committed yet", s.Done)
	}
	return fmt.Sprintf("%d, committed up to %d", s.Done, s.Step)
}

// showCurves prints the curves, with the run's objectives at the top. Unless all is set, detail metrics are only
// counted.
func showCurves(out *text.Printer, curves map[string][]float64, all bool) {
	table, hidden := curvesTable(curves, all, out.Width)
	if len(table.Rows)+hidden == 0 {
		return
	}
	out.Blank()
	if len(table.Rows) > 0 {
		out.Table(table)
	}
	if hidden > 0 {
		out.Line(fmt.Sprintf("and %s of details, by --all", text.Plural(hidden, "metric")))
	}
}

const (
	mostCurve  = 30  // maximum number of columns of a curve
	leastCurve = 8   // minimum number of columns; below it names are shortened
	pageWidth  = 100 // if the output is not a terminal
)

// curvesTable returns a row for each metric: the first value, the last value, and the curve in the remaining width.
func curvesTable(curves map[string][]float64, all bool, width int) (table text.Table, hidden int) {
	table.Columns = []text.Column{
		{Title: "METRIC", Shrink: true}, {Title: "FIRST", Right: true}, {Title: "LAST", Right: true}, {Title: "CURVE"},
	}
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

// isOfTrainer reports whether a framework reports the metric under its own name. There may be more than a hundred such
// metrics.
func isOfTrainer(name string) bool {
	return !strings.HasPrefix(name, "train/") && !strings.HasPrefix(name, "validation/")
}

// byInterest orders metrics: reward and success, headline metrics, the rest, and timings last.
func byInterest(a, b string) int {
	return cmp.Or(cmp.Compare(view.Interest(a), view.Interest(b)), cmp.Compare(a, b))
}

// showRunFailures lists the failures with an example and a remedy.
func showRunFailures(out *text.Printer, failures []runstore.FailureSum, call string) {
	if len(failures) == 0 {
		return
	}
	out.Heading("Failures")
	for _, f := range failures {
		out.Line("  " + out.Styles.Bad(string(f.Class)) + "  " + text.Plural(f.Episodes, "episode"))
		example := fmt.Sprintf("%s of step %d, task %s: %s",
			f.Example.Slot.Split, f.Example.Slot.Step, f.Example.TaskID, f.Example.Detail)
		if f.Example.Alike > 1 {
			example = fmt.Sprintf("%s like this: %s", text.Count(f.Example.Alike), example)
		}
		out.Bullet(example)
		out.Bullet(advice(f.Class, call))
	}
	out.Paragraph(fmt.Sprintf("All of them: awhost show %s --episodes | jq 'select(.failure)'", call))
}

// advice returns the remedy for failures in a class.
func advice(class sdk.FailureClass, where string) string {
	switch class {
	case sdk.FailurePolicy:
		return "The policy's output could not be used. This is common early in training; on_failure \"policy\" sets whether " +
			"such episodes are scored or drawn again."
	case sdk.FailureModel:
		return "The trainer could not respond: see its output with awhost logs " + where + "."
	case sdk.FailureEnvironment:
		return "awhost logs " + where + " has what the environment wrote, and awhost play lets you try the task by hand."
	case sdk.FailureAgent:
		return "awhost logs " + where + " has what the agent wrote."
	case sdk.FailureReward:
		return "The reward had no number to give: awhost score tries it on single answers."
	case sdk.FailureTimeout:
		return "The episode's time was spent: the timings of awhost show --episodes say on what; episode_timeout raises " +
			"the limit."
	case sdk.FailureInfrastructure:
		return "A plugin died or was cut off: awhost logs " + where + " has its last words. Such episodes are run again " +
			"with the same draw."
	}
	return "awhost logs " + where + " has what the plugins wrote."
}
