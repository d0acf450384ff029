package result

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/sweep"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

// Sweep is the result of `sweep`: the runs of a spec with several values of its variables.
type Sweep struct {
	Type   string `json:"type"`
	Spec   string `json:"spec"`
	Train  string `json:"train"`
	Metric string `json:"metric,omitempty"` // of the means; absent if no run has finished
	// Variables lists the variables that distinguish the rows.
	Variables []string   `json:"variables"`
	Rows      []SweepRow `json:"rows"`
}

// SweepRow summarizes the runs that differ only in their seed.
type SweepRow struct {
	Variables map[string]string `json:"variables"`
	Mean      *float64          `json:"mean,omitempty"`     // over the finished runs, at their ends
	Interval  *eval.Interval    `json:"interval,omitempty"` // of the mean; absent for fewer than two finished runs
	Best      bool              `json:"best"`               // no row has a higher mean
	Curve     runstore.Numbers  `json:"curve,omitempty"`    // means over the finished runs by step
	Runs      []SweepRun        `json:"runs"`

	curve []float64
}

// SweepRun is a run of a sweep.
type SweepRun struct {
	Variables map[string]string `json:"variables"`
	Run       string            `json:"run,omitempty"`    // absent before its start
	Status    runstore.Status   `json:"status,omitempty"` // absent before its start
	Value     *float64          `json:"value,omitempty"`  // of the metric at the end
	Reason    string            `json:"reason,omitempty"` // why the run has ended without a result
}

// SweepOf returns the result for a sweep.
func SweepOf(s *sweep.Sweep, spec string) (Sweep, error) {
	name, rows, err := s.Rows()
	out := Sweep{Type: "sweep", Spec: spec, Train: s.Members[0].Train, Metric: name, Variables: []string{},
		Rows: []SweepRow{}}
	for _, axis := range s.Axes {
		if axis.Name != sweep.SeedVariable {
			out.Variables = append(out.Variables, axis.Name)
		}
	}
	for _, row := range rows {
		line := SweepRow{Variables: named(s.Axes, row.Values), Mean: row.Mean, Interval: row.Interval, Best: row.Best,
			Curve: curveJSON(row.Curve), Runs: []SweepRun{}, curve: row.Curve.Values}
		for _, m := range row.Members {
			run := SweepRun{Variables: named(s.Axes, m.Values), Reason: m.Problem}
			if m.Run != nil {
				run.Run, run.Status = m.Run.Ref(), m.Run.Status
			}
			if value, ok := m.Value(name); ok {
				run.Value = &value
			}
			line.Runs = append(line.Runs, run)
		}
		out.Rows = append(out.Rows, line)
	}
	return out, err
}

// named returns values by the names of their variables.
func named(axes []sweep.Axis, values []string) map[string]string {
	out := map[string]string{}
	for i, value := range values {
		out[axes[i].Name] = value
	}
	return out
}

// Text implements Result.
func (r Sweep) Text(out *text.Printer) {
	out.Table(r.table())
	for _, row := range r.Rows {
		for _, run := range row.Runs {
			if run.Reason != "" {
				out.Bullet(text.Join(" ", run.Run, "("+run.label()+") failed:", run.Reason))
			}
		}
	}
	if r.Metric != "" {
		out.Paragraph("Means of the finished runs at their ends, with intervals of Student's t over runs. RUNS has the " +
			"numbers for awhost show.")
	}
}

// table returns one line for each row.
func (r Sweep) table() (table text.Table) {
	number, title := text.Number, cmp.Or(r.Metric, "result")
	switch r.Metric {
	case metric.ValidationSuccessRate:
		number, title = text.Percent, "held-out success"
	case metric.ValidationReward:
		title = "held-out reward"
	}
	for _, name := range r.Variables {
		table.Columns = append(table.Columns, text.Column{Title: strings.ToUpper(text.Clean(name)), Shrink: true})
	}
	table.Columns = append(table.Columns, text.Column{Title: ""},
		text.Column{Title: strings.ToUpper(text.Clean(title)), Right: true},
		text.Column{Title: "95 % INTERVAL", Right: true}, text.Column{Title: "CURVE"},
		text.Column{Title: "DONE", Right: true}, text.Column{Title: "RUNS"})
	var curves [][]float64
	for _, row := range r.Rows {
		curves = append(curves, row.curve)
	}
	lines := text.Sparklines(curveColumn, curves...)
	for i, row := range r.Rows {
		var cells []string
		for _, name := range r.Variables {
			cells = append(cells, row.Variables[name])
		}
		best, interval := "", ""
		if row.Best {
			best = "best"
		}
		if row.Interval != nil {
			interval = number(row.Interval.Low) + " – " + number(row.Interval.High)
		}
		done, numbers := row.progress()
		table.Rows = append(table.Rows,
			append(cells, best, scoreText(row.Mean, number), interval, lines[i], done, numbers))
	}
	return table
}

// label returns the values of the run, "lr=0.001 seed=2".
func (run SweepRun) label() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(run.Variables)) {
		out = append(out, name+"="+run.Variables[name])
	}
	return strings.Join(out, " ")
}

// progress returns the number of finished runs, "3/5", and the numbers of the started runs, "1-3, 7".
func (row SweepRow) progress() (done, numbers string) {
	finished, last := 0, -1
	for _, run := range row.Runs {
		if run.Status == runstore.StatusFinished {
			finished++
		}
		number, err := strconv.Atoi(run.Run[strings.LastIndex(run.Run, "-")+1:])
		switch {
		case err != nil: // not started
		case number == last+1:
			numbers = strings.TrimSuffix(numbers, fmt.Sprintf("-%d", last)) + fmt.Sprintf("-%d", number)
			last = number
		default:
			numbers = text.Join(", ", numbers, strconv.Itoa(number))
			last = number
		}
	}
	return fmt.Sprintf("%d/%d", finished, len(row.Runs)), numbers
}
