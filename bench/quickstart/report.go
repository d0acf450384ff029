package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/awhost/awhost/bench/internal/machine"
)

// report holds all measurements.
type report struct {
	Machine     machine.Machine `json:"machine"`
	Spec        string          `json:"spec"`
	PlanSeconds float64         `json:"plan_seconds,omitempty"` // median of warm runs
	Seeds       []*seedResult   `json:"seeds"`
}

// The targets in the summary.
const (
	targetSuccess      = 0.9
	targetSeeds        = 0.8 // of the seeds
	targetWallSeconds  = 25
	targetPeakMemory   = 300e6
	targetPlanSeconds  = 0.5
	targetFirstEpisode = 1.0
	targetDurability   = 0.05 // of the wall time
)

func (r *report) printHead(w io.Writer) {
	fmt.Fprintf(w, "%s on %s\n", r.Spec, r.Machine)
}

func (r *report) printPlan(w io.Writer) {
	fmt.Fprintf(w, "plan, warm: %.2f s (target: at most %.1f s)\n", r.PlanSeconds, float64(targetPlanSeconds))
}

func (r *report) printSeed(w io.Writer, s *seedResult) {
	a := s.Apply
	fmt.Fprintf(w, "\nseed %d\n", s.Seed)
	fmt.Fprintf(w, "  %-12s %s -> %s held-out success, %.1f s, first episode after %.2f s, %s, checkpoint %s\n", "apply",
		percent(a.SuccessBefore), percent(a.SuccessAfter), a.WallSeconds, a.FirstEpisodeSeconds, memory(a.PeakMemory),
		short(a.Digest))
	if b := s.Alone; b != nil {
		fmt.Fprintf(w, "  %-12s %s -> %s held-out success, %.1f s, %s\n", "one process", percent(b.SuccessBefore),
			percent(b.SuccessAfter), b.WallSeconds, memory(b.PeakMemory))
	}
	fmt.Fprintf(w, "  wall seconds       %9s %9s %9s %10s %9s\n", "warm start", "rollout", "update", "validation", "rest")
	printTimes(w, "apply", a.Times, a.WallSeconds)
	if b := s.Alone; b != nil {
		printTimes(w, "one process", b.Times, b.WallSeconds)
	}
	fmt.Fprintf(w, "  journal and commits: %.2f s + %.2f s, %s of the wall time", a.Durability.Journal,
		a.Durability.Commits, percent(a.Durability.sum()/a.WallSeconds))
	if m := s.InMemory; m != nil {
		fmt.Fprintf(w, "; in memory %.2f s + %.2f s, and %.1f s in all", m.Durability.Journal, m.Durability.Commits,
			m.WallSeconds)
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "  CPU seconds\n    %-32s %6.1f\n", "all processes", a.CPUSeconds)
	for _, p := range a.Processes {
		fmt.Fprintf(w, "    %-32s %6.1f %s   peak %s\n", p.Name, p.CPUSeconds, share(p.CPUSeconds, a.CPUSeconds),
			memory(p.PeakMemory))
	}
	if b := s.Alone; b != nil {
		fmt.Fprintf(w, "    %-32s %6.1f\n", "one process", b.CPUSeconds)
	}
	fmt.Fprintf(w, "  %d episodes, %d turns, %d sampled tokens; host: %.0f µs of CPU a turn\n", a.Episodes, a.Turns,
		a.Tokens, 1e6*hostCPU(a)/float64(max(1, a.Turns)))
}

func printTimes(w io.Writer, name string, t times, wall float64) {
	fmt.Fprintf(w, "    %-14s %11.1f %9.1f %9.1f %10.1f %9.1f\n", name, t.WarmStart, t.Rollout, t.Update, t.Validation,
		wall-t.sum())
}

// hostCPU returns the CPU time of the host process.
func hostCPU(a *applyResult) float64 {
	for _, p := range a.Processes {
		if p.Name == "host" {
			return p.CPUSeconds
		}
	}
	return 0
}

func (r *report) printSummary(w io.Writer) {
	good, wall, first, alone, durable := 0, 0.0, 0.0, 0.0, 0.0
	var rss int64
	for _, s := range r.Seeds {
		if s.Apply.SuccessAfter >= targetSuccess {
			good++
		}
		wall, rss = max(wall, s.Apply.WallSeconds), max(rss, s.Apply.PeakMemory)
		first = max(first, s.Apply.FirstEpisodeSeconds)
		durable = max(durable, s.Apply.Durability.sum()/s.Apply.WallSeconds)
		if s.Alone != nil {
			alone += s.Apply.WallSeconds / s.Alone.WallSeconds / float64(len(r.Seeds))
		}
	}
	fmt.Fprintf(w, "\nsummary, the worst of %d seeds\n", len(r.Seeds))
	row := func(ok bool, format string, args ...any) {
		fmt.Fprintf(w, "  %-4s  %s\n", map[bool]string{true: "met", false: "MISS"}[ok], fmt.Sprintf(format, args...))
	}
	row(float64(good) >= targetSeeds*float64(len(r.Seeds)), "%d of %d seeds reach %s held-out success (target: 4 of 5)",
		good, len(r.Seeds), percent(targetSuccess))
	row(wall <= targetWallSeconds, "%.1f s from start to end (target: at most %d s)", wall, targetWallSeconds)
	if rss > 0 {
		row(float64(rss) <= targetPeakMemory, "%s in all processes together (target: at most %s)", memory(rss),
			memory(targetPeakMemory))
	}
	row(first <= targetFirstEpisode, "%.2f s to the first episode, without the warm start (target: at most %.0f s)", first,
		float64(targetFirstEpisode))
	row(durable <= targetDurability, "%s of the wall time for journal and commits (target: at most %s)", percent(durable),
		percent(targetDurability))
	if r.PlanSeconds > 0 {
		row(r.PlanSeconds <= targetPlanSeconds, "%.2f s to plan (target: at most %.1f s)", r.PlanSeconds,
			float64(targetPlanSeconds))
	}
	if alone > 0 {
		fmt.Fprintf(w, "        %.2f times as long as the recipe in one process, on average\n", alone)
	}
}

func percent(fraction float64) string { return fmt.Sprintf("%.1f %%", 100*fraction) }

func memory(bytes int64) string { return fmt.Sprintf("%.0f MB", float64(bytes)/1e6) }

func share(part, whole float64) string {
	if whole <= 0 {
		return ""
	}
	return fmt.Sprintf("%3.0f %%", 100*part/whole)
}

// short returns the start of a digest, enough to distinguish two digests.
func short(digest string) string {
	digits := strings.TrimPrefix(digest, "sha256:")
	return digits[:min(12, len(digits))]
}
