package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/bench/internal/machine"
)

// report holds all measurements.
type report struct {
	Machine machine.Machine `json:"machine"`
	Turns   int             `json:"turns_of_an_episode"`
	Rows    []*row          `json:"rows"`
	Memory  *measured       `json:"memory,omitempty"`
}

// row is one concurrency.
type row struct {
	Concurrency int       `json:"concurrency"`
	Apply       *measured `json:"apply"`
	Called      *measured `json:"called,omitempty"` // baseline: in one process
	Wire        *measured `json:"wire,omitempty"`   // baseline: the same with the protocol in between
}

// The targets in the summary.
const (
	targetPerTurn = 0.3 // CPU milliseconds over all processes
	targetSpread  = 0.2 // deviation from the middle in either direction
	targetGrowth  = 1.0 // MB per 10,000 episodes: less than the normal variation of a heap
)

// kinds are the columns: the first part of a process's address.
var kinds = []string{hostName, "adapter", "environment", "reward", guardName}

// byKind returns the sum over the processes of one kind.
func byKind(u usage, kind string) (total float64) {
	for name, v := range u {
		if name == kind || strings.HasPrefix(name, kind+".") {
			total += v
		}
	}
	return total
}

func (r *report) printHead(w io.Writer) {
	fmt.Fprintf(w, "%s\n\nCPU milliseconds of a turn; %d turns an episode\n", r.Machine, r.Turns)
	fmt.Fprintf(w, "  %10s %9s %9s", "concurrent", "episodes", "together")
	for _, kind := range kinds {
		fmt.Fprintf(w, " %11s", kind)
	}
	fmt.Fprintf(w, " | %-22s | %s\n", "in one process", "wall")
	fmt.Fprintf(w, "  %10s %9s %9s%s | %10s %11s | %s\n", "", "", "", strings.Repeat(" ", 12*len(kinds)), "functions",
		"protocol", "turns/s")
}

func (r *report) printRow(w io.Writer, row *row) {
	a := row.Apply
	fmt.Fprintf(w, "  %10d %9d %9.3f", row.Concurrency, a.Episodes, a.perTurn())
	for _, kind := range kinds {
		fmt.Fprintf(w, " %11.3f", 1000*byKind(a.CPU, kind)/float64(max(1, a.Turns)))
	}
	fmt.Fprintf(w, " | %10s %11s | %7.0f\n", row.Called.cost(), row.Wire.cost(), float64(a.Turns)/a.WallSeconds)
}

// cost returns the value of a baseline, or "-".
func (m *measured) cost() string {
	if m == nil || m.Turns == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", m.perTurn())
}

// memoryRows is the number of printed boundaries. The trend uses all of them.
const memoryRows = 10

func (r *report) printMemory(w io.Writer) {
	readings := r.Memory.Memory
	if len(readings) == 0 || len(readings[len(readings)-1].RSS) == 0 {
		fmt.Fprintln(w, "\nmemory is not measured on this machine")
		return
	}
	names := slices.Sorted(maps.Keys(readings[len(readings)-1].RSS))
	fmt.Fprintf(w, "\nresident memory in MB after so many episodes\n  %10s", "episodes")
	for _, name := range names {
		fmt.Fprintf(w, " %26s", name)
	}
	fmt.Fprintln(w)
	for i := range memoryRows {
		at := readings[(i+1)*len(readings)/memoryRows-min(1, (i+1)*len(readings)/memoryRows)]
		fmt.Fprintf(w, "  %10d", at.Episodes)
		for _, name := range names {
			fmt.Fprintf(w, " %26.1f", at.RSS[name])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "  %10s", "MB/10,000")
	for _, name := range names {
		t := trendOf(readings, name)
		fmt.Fprintf(w, " %26s", fmt.Sprintf("%+.2f ± %.2f", t.slope, t.err))
	}
	fmt.Fprintln(w, "\n  the last line is the slope over the second half of the run, with its standard error")
}

func (r *report) printSummary(w io.Writer) {
	fmt.Fprintln(w, "\nsummary")
	line := func(ok bool, format string, args ...any) {
		fmt.Fprintf(w, "  %-4s  %s\n", map[bool]string{true: "met", false: "MISS"}[ok], fmt.Sprintf(format, args...))
	}
	if len(r.Rows) > 0 {
		least, most := r.Rows[0].Apply.perTurn(), 0.0
		for _, row := range r.Rows {
			least, most = min(least, row.Apply.perTurn()), max(most, row.Apply.perTurn())
		}
		line(most <= targetPerTurn, "%.3f ms of CPU a turn, all processes together, at worst (target: at most %.1f)", most,
			targetPerTurn)
		spread := (most - least) / (most + least)
		line(spread <= targetSpread, "within ±%.0f %% from %d to %d episodes at a time (target: ±%.0f %%)", 100*spread,
			r.Rows[0].Concurrency, r.Rows[len(r.Rows)-1].Concurrency, 100*targetSpread)
	}
	if r.Memory == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(r.Memory.CPU)) {
		t := trendOf(r.Memory.Memory, name)
		line(t.slope-2*t.err <= targetGrowth, "%s grows by %+.2f ± %.2f MB in 10,000 episodes (target: at most %.0f)", name,
			t.slope, t.err, targetGrowth)
	}
}
