package main

import (
	"time"

	"github.com/awhost/awhost/internal/processes"
)

// watch samples a run's processes at each boundary.
type watch struct {
	root     int
	lastStep int            // the last measured step
	names    map[int]string // addresses of blocks by process id

	from     *moment // the boundary after the warm-up
	last     *moment
	readings []reading
	episodes int // since from
	turns    int
}

// moment is the resource usage of the processes at a boundary.
type moment struct {
	at  time.Time
	cpu usage
}

// reading is the memory use at a boundary.
type reading struct {
	Episodes int   `json:"episodes"` // of the run so far, including the warm-up
	RSS      usage `json:"rss_mb"`   // by process
}

func newWatch(root, lastStep int) *watch {
	return &watch{root: root, lastStep: lastStep, names: map[int]string{}}
}

// look samples the processes after a step.
func (w *watch) look(step, episodes, turns int, at time.Time) {
	if step > w.lastStep {
		return
	}
	now, rss := &moment{at: at, cpu: usage{}}, usage{}
	for _, p := range processes.Tree(w.root) {
		name := w.name(p.PID)
		now.cpu[name] += p.CPU
		rss[name] += float64(p.RSS) / 1e6
	}
	seen := episodes
	if n := len(w.readings); n > 0 {
		seen += w.readings[n-1].Episodes
		for name, mb := range w.readings[n-1].RSS { // a process ends before this program has read its last step
			if rss[name] == 0 {
				rss[name] = mb
			}
		}
	}
	w.readings = append(w.readings, reading{Episodes: seen, RSS: rss})
	switch {
	case step < warmSteps:
	case w.from == nil:
		w.from = now
	default:
		w.episodes, w.turns = w.episodes+episodes, w.turns+turns
	}
	w.last = now
}

// name returns the address of the block that a process serves, if any. The guard above the plugins does not serve any
// block.
func (w *watch) name(pid int) string {
	if pid == w.root {
		return hostName
	}
	if name := w.names[pid]; name != "" {
		return name
	}
	return guardName
}

const (
	hostName  = "host"
	guardName = "guard"
)

// measured returns the usage between the two boundaries.
func (w *watch) measured() *measured {
	out := &measured{Episodes: w.episodes, Turns: w.turns, CPU: usage{}, Memory: w.readings}
	if w.from == nil {
		return out
	}
	out.WallSeconds = w.last.at.Sub(w.from.at).Seconds()
	for name, cpu := range w.last.cpu {
		out.CPU[name] = cpu - w.from.cpu[name]
	}
	return out
}
