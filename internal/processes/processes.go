// Package processes measures the resource usage of this machine's processes.
//
//	for _, p := range processes.Tree(pid) { … p.CPU, p.RSS … }
//	use, known := meter.Measure(processes.Tree(pid), time.Now()) // repeatedly: use.Busy
//
// It must not depend on the owner of a process. On systems that do not list processes, it finds none.
package processes

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// Process is the state of one process at one moment.
type Process struct {
	PID, Parent int
	RSS         int64   // bytes
	CPU         float64 // seconds so far, without children; in steps of 10 ms
	Waited      float64 // CPU seconds of all descendants that have ended and were waited for; only on Linux
	Started     time.Time
}

// List returns the machine's processes. It omits processes that end while it is running or that the system does not
// show.
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
			Waited: waited(int(p.Pid)), Started: time.UnixMilli(began),
		})
	}
	return out
}

// Tree returns a process and its descendants.
func Tree(root int) []Process { return Below(root, List()) }

// Below returns the same result as Tree, but from a given list.
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

// CPU returns the seconds of CPU time that a process itself has used so far, or 0 if it is not visible.
func CPU(pid int) float64 {
	for _, p := range List() {
		if p.PID == pid {
			return p.CPU
		}
	}
	return 0
}

// waited returns the CPU seconds of a process's ended descendants, or 0 if the system does not report them.
func waited(pid int) float64 {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The second field of proc(5), the name in parentheses, may contain spaces.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 15 {
		return 0
	}
	const ticksPerSecond = 100 // on every Linux
	ticks := 0
	for _, field := range fields[13:15] { // cutime and cstime
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return float64(ticks) / ticksPerSecond
}

// Command returns the command line of a process, or nothing if it is not visible.
func Command(pid int) []string {
	args, err := (&process.Process{Pid: int32(pid)}).CmdlineSlice()
	if err != nil {
		return nil
	}
	return args
}

// Peak returns the peak resident memory of a process in bytes, or 0 if the system does not report it.
func Peak(pid int) int64 { return memoryField(pid, "status", "VmHWM:") }

// Proportional returns the resident memory of a process in bytes, where memory shared by n processes counts 1/n for
// each. It returns 0 if the system does not report it.
func Proportional(pid int) int64 { return memoryField(pid, "smaps_rollup", "Pss:") }

func memoryField(pid int, file, field string) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err == nil {
				return kib << 10
			}
		}
	}
	return 0
}
