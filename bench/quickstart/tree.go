package main

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/internal/processes"
)

// sampleInterval is the interval between process samples.
const sampleInterval = 200 * time.Millisecond

// processUsage is the resource usage of one of the run's processes.
type processUsage struct {
	Name       string  `json:"name"` // "host", or the address of the block that the plugin serves
	PeakMemory int64   `json:"peak_memory_bytes"`
	CPUSeconds float64 `json:"cpu_seconds"`
}

// tree monitors a process and its descendants.
type tree struct {
	root    int
	usage   treeUsage
	quit    chan struct{}
	watcher sync.WaitGroup
}

// treeUsage is the observed usage.
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
		t.usage.add(proportional(processes.Tree(t.root)))
		select {
		case <-ticker.C:
		case <-t.quit:
			return
		}
	}
}

// proportional replaces the resident memory with the proportional memory, if the system reports it: the processes share
// the program's file, which otherwise counts once for each.
func proportional(seen []processes.Process) []processes.Process {
	for i, p := range seen {
		if memory := processes.Proportional(p.PID); memory > 0 {
			seen[i].RSS = memory
		}
	}
	return seen
}

// stop stops monitoring and returns the observed usage.
func (t *tree) stop() treeUsage {
	close(t.quit)
	t.watcher.Wait()
	return t.usage
}

func (u *treeUsage) add(seen []processes.Process) {
	var sum int64
	for _, p := range seen {
		sum += p.RSS
		old := u.processes[p.PID]
		u.processes[p.PID] = processUsage{PeakMemory: max(old.PeakMemory, p.RSS), CPUSeconds: p.CPU}
	}
	u.peak = max(u.peak, sum)
}

// named labels the processes with the addresses that the host reports. The others do not serve any of the run's blocks:
// the guard above the plugins, and the plugins that were started briefly for the plan.
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
			others.PeakMemory = max(others.PeakMemory, p.PeakMemory)
			others.CPUSeconds += p.CPUSeconds
		}
	}
	slices.SortFunc(out, func(a, b processUsage) int { return cmp.Compare(b.CPUSeconds, a.CPUSeconds) })
	if others.PeakMemory > 0 {
		out = append(out, others)
	}
	return out
}
