package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/verl/relay"
)

// target is the maximum cost per turn that awhost may add to the engine's call, in milliseconds of CPU time.
const target = 1.0

// parts lists awhost's processes in column order.
var parts = []string{hostName, "adapter", "environment", "reward", guardName}

// kindOf returns the first part of a block's address.
func kindOf(address string) string {
	kind, _, _ := strings.Cut(address, ".")
	return kind
}

// cost is the cost of a turn in one measurement, in milliseconds of CPU time.
type cost struct {
	generate, verl, worker float64            // the driver's calls; verl's and awhost's loops without them
	parts                  map[string]float64 // of awhost's processes
	frames                 float64
	verlWall, awhostWall   float64 // milliseconds of wall time, with all concurrent episodes
}

func costOf(s step, turns int) cost {
	perTurn := func(seconds float64) float64 { return 1000 * seconds / float64(turns) }
	m := s.metrics
	out := cost{
		generate: perTurn(m[relay.MetricGenerate]), verl: perTurn(m[relay.MetricVerl] - m[relay.MetricGenerate]),
		worker: perTurn(m[relay.MetricAwhost] - m[relay.MetricGenerate]), parts: map[string]float64{},
		frames:   m[relay.MetricFrames] / float64(turns),
		verlWall: perTurn(m[relay.MetricVerlWall]), awhostWall: perTurn(m[relay.MetricAwhostWall]),
	}
	for kind, seconds := range s.cpu {
		out.parts[kind] = perTurn(seconds)
	}
	return out
}

// processes returns the cost of awhost's own processes.
func (c cost) processes() (sum float64) {
	for _, v := range c.parts {
		sum += v
	}
	return sum
}

// whole returns awhost's total cost without the calls: host, bridge, environment, reward, and its loop in the worker.
func (c cost) whole() float64 { return c.processes() + c.worker }

// report prints the measurements.
type report struct {
	out                     io.Writer
	turns, episodes, rounds int
}

func (r report) printHead(m machine.Machine) {
	fmt.Fprintf(r.out, "%s\n%d episodes of %d turns each time, %d rounds; CPU in milliseconds a turn, without the calls of the engine: least - most\n\n",
		m, r.episodes, r.turns, r.rounds)
}

// print prints all rounds except the first, in which pools fill up and heaps grow.
func (r report) print(concurrency []int, steps []step) {
	r.printColumns()
	whole, more := math.Inf(-1), math.Inf(-1)
	for _, n := range concurrency {
		costs := r.costs(n, concurrency, steps)
		r.printRow(n, costs)
		whole = max(whole, least(costs, cost.whole))
		// The result is the difference of the minima, because the smallest difference would come from a round in which
		// verl's loop was slow.
		more = max(more, least(costs, cost.whole)-least(costs, func(c cost) float64 { return c.verl }))
	}
	calls := least(r.costs(concurrency[0], concurrency, steps), func(c cost) float64 { return c.generate })
	fmt.Fprintf(r.out, "\nthe calls of the engine alone: %.3f ms; %.0f tokens an episode\n\nsummary\n", calls,
		steps[0].metrics[relay.MetricTokens])
	r.verdict(whole, "awhost's total overhead next to a call of the engine, at worst")
	r.verdict(more, "its overhead compared with verl's own loop, at worst")
}

func (r report) printColumns() {
	fmt.Fprintf(r.out, "%10s | %-13s | %-13s %-4s | %-13s | %-13s%s | %6s | %s\n", "", "verl's loop", "awhost", "",
		"its loop in", "its processes:",
		strings.Repeat(" ", 12*len(parts)-1), "", "ms by the clock")
	fmt.Fprintf(r.out, "%10s | %-13s | %-13s %-4s | %-13s | %-13s", "concurrent", "in the worker", "together", "",
		"the worker", "")
	for _, kind := range parts {
		fmt.Fprintf(r.out, " %11s", kind)
	}
	fmt.Fprintf(r.out, " | %6s | %7s %7s\n", "frames", "verl", "awhost")
}

// costs returns the measurements at the given concurrency.
func (r report) costs(n int, concurrency []int, steps []step) (out []cost) {
	for _, s := range steps[min(len(concurrency), len(steps)):] {
		if int(s.metrics[relay.MetricConcurrency]) == n {
			out = append(out, costOf(s, r.turns*r.episodes))
		}
	}
	return out
}

func (r report) printRow(n int, costs []cost) {
	shown := func(of func(cost) float64) string {
		return fmt.Sprintf("%.3f - %.3f", least(costs, of), most(costs, of))
	}
	fmt.Fprintf(r.out, "%10d | %-13s | %-13s %-4s | %-13s | %-13s", n, shown(func(c cost) float64 { return c.verl }),
		shown(cost.whole),
		met(least(costs, cost.whole)), shown(func(c cost) float64 { return c.worker }), shown(cost.processes))
	for _, kind := range parts {
		fmt.Fprintf(r.out, " %11.3f", least(costs, func(c cost) float64 { return c.parts[kind] }))
	}
	fmt.Fprintf(r.out, " | %6.2f | %7.2f %7.2f\n", least(costs, func(c cost) float64 { return c.frames }),
		least(costs, func(c cost) float64 { return c.verlWall }), least(costs, func(c cost) float64 { return c.awhostWall }))
}

func met(ms float64) string { return map[bool]string{true: "met", false: "MISS"}[ms <= target] }

func (r report) verdict(ms float64, what string) {
	fmt.Fprintf(r.out, "  %-4s  %.3f ms CPU a turn: %s (target: at most %.0f)\n", met(ms), ms, what, target)
}

func values(costs []cost, of func(cost) float64) []float64 {
	out := []float64{}
	for _, c := range costs {
		out = append(out, of(c))
	}
	return out
}

func least(costs []cost, of func(cost) float64) float64 { return slices.Min(values(costs, of)) }
func most(costs []cost, of func(cost) float64) float64  { return slices.Max(values(costs, of)) }

// copyLog prints the log of the adapter process, which includes the driver's profiles.
func copyLog(dir string) {
	logs, _ := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "logs", "*adapter*"))
	for _, name := range logs {
		if text, err := os.ReadFile(name); err == nil {
			_, _ = os.Stderr.Write(bytes.TrimSpace(text))
		}
	}
}
