// Package machine is this computer as benchmarks see it: what it is, and what its processes have used so far.
//
//	fmt.Println(machine.Describe())
//	for _, p := range machine.Tree(pid) { … p.CPU, p.RSS … }
//
// It must not know what is measured. Where a system shows no processes it sees none.
package machine

import (
	"fmt"
	"runtime"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/load"
	"github.com/shirou/gopsutil/v4/process"
)

// Machine is where something was measured.
type Machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPU   string `json:"cpu,omitempty"`
	Cores int    `json:"cores"`          // that this process may use
	Load  string `json:"load,omitempty"` // processes that wanted to run, on average over the last minute
	Go    string `json:"go"`
}

// Describe looks at the machine.
func Describe() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version()}
	if processors, err := cpu.Info(); err == nil && len(processors) > 0 {
		m.CPU = processors[0].ModelName
	}
	if average, err := load.Avg(); err == nil {
		m.Load = fmt.Sprintf("%.2f", average.Load1)
	}
	return m
}

// String is the machine in a line.
func (m Machine) String() string {
	out := fmt.Sprintf("%s/%s, %d cores, %s", m.OS, m.Arch, m.Cores, m.Go)
	if m.CPU != "" {
		out += ", " + m.CPU
	}
	if m.Load != "" {
		out += ", load " + m.Load
	}
	return out
}

// Process is one process at one moment.
type Process struct {
	PID, Parent int
	RSS         int64   // bytes
	CPU         float64 // seconds so far, its own only; in steps of 10 ms
}

// Processes are those of the machine. One that ends meanwhile, or that the system does not show, is left out.
func Processes() []Process {
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
		used := times.User + times.System
		out = append(out, Process{PID: int(p.Pid), Parent: int(parent), RSS: int64(memory.RSS), CPU: used})
	}
	return out
}

// Tree is a process and all that descend from it.
func Tree(root int) []Process { return descendants(root, Processes()) }

func descendants(root int, all []Process) []Process {
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
