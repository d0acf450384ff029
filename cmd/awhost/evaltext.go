package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

// showEvaluation is the page that people read.
func (a *app) showEvaluation(p *prepared, r *eval.Report) error {
	page := a.page()
	page.Pairs(
		text.Pair{Key: "policy", Value: result.Policy(p.source, r.Model)},
		text.Pair{Key: "tasks", Value: fmt.Sprintf("%d of %s, %s each, seed %d", r.Tasks, r.Dataset, text.Plural(r.Samples, "sample"), r.Seed)},
	)
	page.Blank()
	page.Table(measures(r.Summary))
	page.Blank()
	page.Line(text.Join(", ", text.Number(r.Turns)+" turns and "+text.Number(r.OutputTokens)+" tokens written per episode",
		strconv.Itoa(r.Truncated)+" truncated", text.Number(r.Seconds)+" s"))
	showFailures(page, r)
	if len(r.Categories) > 0 {
		page.Blank()
		page.Table(byCategory(r))
	}
	if note := methods(r.Summary); note != "" {
		page.Blank()
		page.Line(page.Styles.Dim(note))
	}
	return page.Err()
}

// measures are the rates and means with their intervals.
func measures(s eval.Summary) text.Table {
	t := text.Table{Columns: []text.Column{{Title: "MEASURE", Shrink: true}, {Title: "VALUE", Right: true}, {Title: "95 % INTERVAL", Right: true}, {Title: "OF"}}}
	row := func(name, value, interval, of string) { t.Rows = append(t.Rows, []string{name, value, interval, of}) }
	switch {
	case s.Success == nil && s.Scored == 0:
		row("success", "unknown", "", "no episode was scored")
	case s.Success == nil:
		row("success", "unknown", "", "no reward says what a success is")
	default:
		row("success", text.Percent(s.Success.Value), percents(*s.Success), fmt.Sprintf("%d of %s", s.Solved, text.Plural(s.Episodes, "episode")))
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
		row("reward", text.Number(s.Reward.Value), text.Number(s.Reward.Low)+" – "+text.Number(s.Reward.High), text.Plural(s.Scored, "scored episode"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Components)) {
		row("  "+strings.TrimPrefix(name, "reward."), text.Number(s.Components[name]), "", "")
	}
	return t
}

// worthALine says which of many pass@k are shown: powers of two and the last. JSON has them all.
func worthALine(k, most int) bool { return most <= 8 || k == most || k&(k-1) == 0 }

func percents(i eval.Interval) string { return text.Percent(i.Low) + " – " + text.Percent(i.High) }

func showFailures(page *text.Printer, r *eval.Report) {
	if r.Failed == 0 {
		return
	}
	page.Line(page.Styles.Bad(fmt.Sprintf("%d of %s failed", r.Failed, text.Plural(r.Episodes, "episode"))) + "; they count as unsolved:")
	for _, e := range r.Examples {
		page.Bullet(fmt.Sprintf("%s %d, first in task %s: %s", e.Class, r.Failures[e.Class], e.Task, e.Detail))
	}
}

func byCategory(r *eval.Report) text.Table {
	t := text.Table{Columns: []text.Column{
		{Title: "CATEGORY", Shrink: true}, {Title: "TASKS", Right: true}, {Title: "SUCCESS", Right: true}, {Title: "95 % INTERVAL", Right: true},
		{Title: "PASS@" + strconv.Itoa(r.Samples), Right: true}, {Title: "REWARD", Right: true}, {Title: "FAILED", Right: true},
	}}
	for _, c := range r.Categories {
		row := []string{c.Name, strconv.Itoa(c.Tasks), "", "", "", "", strconv.Itoa(c.Failed)}
		if c.Success != nil {
			row[2], row[3], row[4] = text.Percent(c.Success.Value), percents(*c.Success), text.Percent(c.PassAt[len(c.PassAt)-1].Value)
		}
		if c.Reward != nil {
			row[5] = text.Number(c.Reward.Value)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// methods says what the intervals are.
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
