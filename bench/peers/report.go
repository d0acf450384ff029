package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/bench/internal/machine"
)

// report holds all measurements.
type report struct {
	Machine  machine.Machine `json:"machine"`
	Date     string          `json:"date"`
	Rows     []*row          `json:"rows"`
	Failures []*failure      `json:"failures,omitempty"`
}

// row holds the runs of a system with a number of concurrent episodes.
type row struct {
	System      string        `json:"system"`
	Version     string        `json:"version"`
	Concurrency int           `json:"concurrency"`
	Episodes    int           `json:"episodes"` // of a run
	NotHere     string        `json:"not_here,omitempty"`
	Runs        []measurement `json:"runs,omitempty"`
	Load        string        `json:"load,omitempty"` // at the end
}

// problem returns the first problem of the runs. A row with a problem has no figure that can be compared.
func (r *row) problem() string {
	for _, m := range r.Runs {
		if m.Problem != "" {
			return m.Problem
		}
	}
	return ""
}

// median returns the median, the lowest, and the highest value of the runs.
func (r *row) median(value func(measurement) float64) (median, low, high float64) {
	var values []float64
	for _, m := range r.Runs {
		values = append(values, value(m))
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2, values[0], values[n-1]
}

func perTurn(m measurement) float64 { return m.PerTurn }

func (r *report) printMachine(w io.Writer, o options) {
	r.Machine, r.Date = machine.Describe(), time.Now().UTC().Format(time.DateOnly)
	fmt.Fprintf(w, "%s, %s\n%d turns an episode, %s a message, %d runs each: median (lowest to highest)\n", r.Date,
		r.Machine, turnsPerEpisode, o.latency, o.runs)
}

func (r *report) printHead(w io.Writer) {
	fmt.Fprintf(w, "\n%-40s %-10s %6s %22s %6s %18s %24s %17s %5s %6s\n", "system", "version", "at a", "CPU ms per turn",
		"ratio", "turns/s", "added p99 ms", "peak MiB: RSS PSS", "proc", "load")
}

// printRow prints a row. Its ratio is to the CPU time of the bare client with the same number of episodes.
func (r *report) printRow(w io.Writer, row *row) {
	fmt.Fprintf(w, "%-40s %-10s %6d ", row.System, row.Version, row.Concurrency)
	if row.NotHere != "" {
		fmt.Fprintln(w, row.NotHere)
		return
	}
	ratio := ""
	if bare := r.bare(row.Concurrency); bare > 0 && row.problem() == "" {
		median, _, _ := row.median(perTurn)
		ratio = fmt.Sprintf("%.2f", median/bare)
	}
	spread := func(format string, value func(measurement) float64) string {
		median, low, high := row.median(value)
		if median == 0 {
			return "-"
		}
		if len(row.Runs) == 1 {
			return fmt.Sprintf(format, median)
		}
		return fmt.Sprintf(format+" ("+format+" to "+format+")", median, low, high)
	}
	peak := func(value func(peaks) int64) float64 {
		_, _, high := row.median(func(m measurement) float64 { return float64(value(m.Peaks)) / (1 << 20) })
		return high
	}
	_, _, number := row.median(func(m measurement) float64 { return float64(m.Peaks.Processes) })
	fmt.Fprintf(w, "%22s %6s %18s %24s %8.0f %8.0f %5.0f %6s\n", spread("%.2f", perTurn), ratio,
		spread("%.0f", func(m measurement) float64 { return m.TurnsPerSec }),
		spread("%.0f", func(m measurement) float64 { return m.AddedP99 }),
		peak(func(p peaks) int64 { return p.RSS }), peak(func(p peaks) int64 { return p.PSS }), number, row.Load)
	if problem := row.problem(); problem != "" {
		fmt.Fprintf(w, "    %s\n", problem)
	}
	if parts := row.split(); parts != "" {
		fmt.Fprintf(w, "    of it: %s\n", parts)
	}
}

// bare returns the CPU time per turn of the bare client.
func (r *report) bare(concurrency int) float64 {
	for _, row := range r.Rows {
		if row.System == bareTitle && row.Concurrency == concurrency && row.NotHere == "" && row.problem() == "" {
			median, _, _ := row.median(perTurn)
			return median
		}
	}
	return 0
}

// split describes the largest processes of the median run.
func (r *row) split() string {
	runs := slices.SortedFunc(slices.Values(r.Runs), func(a, b measurement) int {
		return cmp.Compare(a.PerTurn, b.PerTurn)
	})
	m := runs[(len(runs)-1)/2]
	var parts []string
	for _, s := range m.Split {
		name := s.Name
		if s.Number > 1 {
			name = fmt.Sprintf("%d × %s", s.Number, name)
		}
		parts = append(parts, fmt.Sprintf("%s %.2f", name, 1000*s.CPU/float64(m.Turns)))
	}
	return strings.Join(parts, ", ")
}
