// Package machine is this computer as benchmarks see it: what it is, and what its processes have used so far.
//
//	fmt.Println(machine.Describe())
//	for _, p := range machine.Tree(pid) { … p.CPU, p.RSS … }
//
// It must not know what is measured. Where there is no /proc it sees no processes.
package machine

import (
	"fmt"
	"os"
	"runtime"
	"strings"
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
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				m.CPU = strings.TrimSpace(value)
				break
			}
		}
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load = strings.Join(strings.Fields(string(text))[:1], "")
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
