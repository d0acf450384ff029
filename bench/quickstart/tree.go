package main

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// sampleInterval is how often the processes are looked at.
const sampleInterval = 200 * time.Millisecond

// process is one process at one moment.
type process struct {
	pid, parent int
	rss         int64   // bytes
	cpu         float64 // seconds so far, its own only
}

// processUsage is what a process of the run took.
type processUsage struct {
	Name       string  `json:"name"` // "host", or the address of the block that the plugin serves
	PeakRSS    int64   `json:"peak_rss_bytes"`
	CPUSeconds float64 `json:"cpu_seconds"`
}

// tree watches a process and its descendants.
type tree struct {
	root    int
	usage   treeUsage
	quit    chan struct{}
	watcher sync.WaitGroup
}

// treeUsage is what was seen.
type treeUsage struct {
	root      int
	peak      int64 // the largest sum at one moment
	processes map[int]processUsage
}

func watchTree(root int) *tree {
	t := &tree{root: root, quit: make(chan struct{}), usage: treeUsage{root: root, processes: map[int]processUsage{}}}
	t.watcher.Go(t.watch)
	return t
}

func (t *tree) watch() {
	ticker := time.NewTicker(sampleInterval)
	defer ticker.Stop()
	for {
		t.usage.add(descendants(t.root, processes()))
		select {
		case <-ticker.C:
		case <-t.quit:
			return
		}
	}
}

// stop ends watching and returns what was seen.
func (t *tree) stop() treeUsage {
	close(t.quit)
	t.watcher.Wait()
	return t.usage
}

func (u *treeUsage) add(seen []process) {
	var sum int64
	for _, p := range seen {
		sum += p.rss
		old := u.processes[p.pid]
		u.processes[p.pid] = processUsage{PeakRSS: max(old.PeakRSS, p.rss), CPUSeconds: p.cpu}
	}
	u.peak = max(u.peak, sum)
}

// descendants are the root and all that descend from it.
func descendants(root int, all []process) []process {
	children := map[int][]process{}
	var found []process
	for _, p := range all {
		children[p.parent] = append(children[p.parent], p)
		if p.pid == root {
			found = append(found, p)
		}
	}
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	return found
}

// named gives the processes the addresses that the host told. The others serve no block of the run: the guard above the
// plugins, and the plugins that answered the plan for a moment.
func (u treeUsage) named(instances map[int]string) []processUsage {
	var out []processUsage
	others := processUsage{Name: "others"}
	for pid, p := range u.processes {
		switch name := instances[pid]; {
		case pid == u.root:
			p.Name = "host"
			out = append(out, p)
		case name != "":
			p.Name = name
			out = append(out, p)
		default:
			others.PeakRSS = max(others.PeakRSS, p.PeakRSS)
			others.CPUSeconds += p.CPUSeconds
		}
	}
	slices.SortFunc(out, func(a, b processUsage) int { return cmp.Compare(b.CPUSeconds, a.CPUSeconds) })
	if others.PeakRSS > 0 {
		out = append(out, others)
	}
	return out
}
