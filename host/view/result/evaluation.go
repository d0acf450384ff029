package result

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/view/text"
)

// Evaluation is the result of `eval`.
type Evaluation struct {
	Type string `json:"type"`
	eval.Report

	source *export.Source // of the checkpoint; nil: the model is not a checkpoint
}

// EvaluationOf returns the result of evaluating a checkpoint, or another model if source is nil.
func EvaluationOf(r eval.Report, source *export.Source) Evaluation {
	if source != nil {
		r.Run = source.Run
	}
	return Evaluation{Type: "evaluation", Report: r, source: source}
}

// Evaluated is one episode, as written by `eval --out`.
type Evaluated struct {
	Type string `json:"type"`
	eval.Episode
}

// Text implements Result.
func (e Evaluation) Text(out *text.Printer) {
	tasks := fmt.Sprintf("%d of %s, %s each, seed %d", e.Tasks, e.Dataset, text.Plural(e.Samples, "sample"), e.Seed)
	out.Pairs(
		text.Pair{Key: "policy", Value: policy(e.source, e.Model)},
		text.Pair{Key: "tasks", Value: tasks},
	)
	out.Blank()
	out.Table(measures(e.Summary))
	out.Blank()
	out.Line(text.Join(", ",
		text.Number(e.Turns)+" turns and "+text.Number(e.OutputTokens)+" tokens written per episode",
		strconv.Itoa(e.Truncated)+" truncated", text.Number(e.Seconds)+" s"))
	showFailures(out, e.Report)
	if len(e.Members) > 0 {
		out.Blank()
		out.Table(transcript{members: e.Members}.table())
	}
	if len(e.Categories) > 0 {
		out.Blank()
		out.Table(byCategory(e.Report))
	}
	if note := methods(e.Summary); note != "" {
		out.Blank()
		out.Line(out.Styles.Dim(note))
	}
}

// measures returns the rates and means with their intervals.
func measures(s eval.Summary) text.Table {
	t := text.Table{Columns: []text.Column{
		{Title: "MEASURE", Shrink: true}, {Title: "VALUE", Right: true}, {Title: "95 % INTERVAL", Right: true}, {Title: "OF"},
	}}
	row := func(name, value, interval, of string) { t.Rows = append(t.Rows, []string{name, value, interval, of}) }
	switch {
	case s.Success == nil && s.Scored == 0:
		row("success", "unknown", "", "no episode was scored")
	case s.Success == nil:
		row("success", "unknown", "", "no reward defines success")
	default:
		of := fmt.Sprintf("%d of %s", s.Solved, text.Plural(s.Episodes, "episode"))
		row("success", text.Percent(s.Success.Value), percents(*s.Success), of)
	}
	if len(s.PassAt) > 1 {
		for i, at := range s.PassAt {
			if worthALine(i+1, len(s.PassAt)) {
				row("pass@"+strconv.Itoa(i+1), text.Percent(at.Value), percents(at), text.Plural(s.Tasks, "task"))
			}
		}
	}
	if s.Reward == nil {
		row("reward", "none", "", "no episode was scored")
	} else {
		interval := text.Number(s.Reward.Low) + " – " + text.Number(s.Reward.High)
		row("reward", text.Number(s.Reward.Value), interval, text.Plural(s.Scored, "scored episode"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Components)) {
		row("  "+strings.TrimPrefix(name, "reward."), text.Number(s.Components[name]), "", "")
	}
	return t
}

// worthALine reports whether one of many pass@k values is shown: powers of two and the last value. The JSON output
// contains all of them.
func worthALine(k, most int) bool { return most <= 8 || k == most || k&(k-1) == 0 }

func percents(i eval.Interval) string { return text.Percent(i.Low) + " – " + text.Percent(i.High) }

func showFailures(page *text.Printer, r eval.Report) {
	if r.Failed == 0 {
		return
	}
	failed := fmt.Sprintf("%d of %s failed", r.Failed, text.Plural(r.Episodes, "episode"))
	page.Line(page.Styles.Bad(failed) + "; they count as unsolved:")
	for _, e := range r.Examples {
		page.Bullet(fmt.Sprintf("%s %d, first in task %s: %s", e.Class, r.Failures[e.Class], e.Task, e.Detail))
	}
}

func byCategory(r eval.Report) text.Table {
	t := text.Table{Columns: []text.Column{
		{Title: "CATEGORY", Shrink: true}, {Title: "TASKS", Right: true}, {Title: "SUCCESS", Right: true},
		{Title: "95 % INTERVAL", Right: true}, {Title: "PASS@" + strconv.Itoa(r.Samples), Right: true},
		{Title: "REWARD", Right: true}, {Title: "FAILED", Right: true},
	}}
	for _, c := range r.Categories {
		row := []string{c.Name, strconv.Itoa(c.Tasks), "", "", "", "", strconv.Itoa(c.Failed)}
		if c.Success != nil {
			row[2], row[3] = text.Percent(c.Success.Value), percents(*c.Success)
			row[4] = text.Percent(c.PassAt[len(c.PassAt)-1].Value)
		}
		if c.Reward != nil {
			row[5] = text.Number(c.Reward.Value)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// methods describes how the intervals were computed.
func methods(s eval.Summary) string {
	switch {
	case s.Success != nil && s.Success.Method == "wilson":
		return "Intervals: Wilson for rates, bootstrap over tasks for the reward."
	case s.PassAt != nil && slices.ContainsFunc(s.PassAt, func(i eval.Interval) bool { return i.Method == "wilson" }):
		return "Intervals: bootstrap over tasks; Wilson where all tasks came out alike."
	case s.Success != nil || s.Reward != nil:
		return "Intervals: bootstrap over tasks."
	}
	return ""
}
