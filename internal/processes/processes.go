// Package processes says what the processes of this machine have used so far.
//
//	for _, p := range processes.Tree(pid) { … p.CPU, p.RSS … }
//	use, known := meter.Measure(processes.Tree(pid), time.Now()) // again and again: use.Busy
//
// It must not know whose they are. Where a system shows no processes it sees none.
package processes

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// Process is one process at one moment.
type Process struct {
	PID, Parent int
	RSS         int64   // bytes
	CPU         float64 // seconds so far, its own only; in steps of 10 ms
	Started     time.Time
}

// List is that of the machine. A process that ends meanwhile, or that the system does not show, is left out.
func List() []Process {
	all, err := process.Processes()
	if err != nil {
		return nil
	}
	var out []Process
	for _, p := range all {
		parent, err := p.Ppid()
		if err != nil {
			continue
		}
		memory, err := p.MemoryInfo()
		if err != nil {
			continue
		}
		times, err := p.Times()
		if err != nil {
			continue
		}
		began, err := p.CreateTime()
		if err != nil {
			continue
		}
		out = append(out, Process{
			PID: int(p.Pid), Parent: int(parent), RSS: int64(memory.RSS), CPU: times.User + times.System,
			Started: time.UnixMilli(began),
		})
	}
	return out
}

// Tree is a process and all that descend from it.
func Tree(root int) []Process { return Below(root, List()) }

// Below is Tree for those who have a list.
func Below(root int, all []Process) []Process {
	children := map[int][]Process{}
	var found []Process
	for _, p := range all {
		children[p.Parent] = append(children[p.Parent], p)
		if p.PID == root {
			found = append(found, p)
		}
	}
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].PID]...)
	}
	return found
}

// CPU is what a process itself has used so far, in seconds; 0 where it is not to be seen.
func CPU(pid int) float64 {
	for _, p := range List() {
		if p.PID == pid {
			return p.CPU
		}
	}
	return 0
}

// Peak is the largest resident memory that a process has had, in bytes; 0 where the system does not say.
func Peak(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err == nil {
				return kib << 10
			}
		}
	}
	return 0
}
