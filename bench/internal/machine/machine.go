// Package machine describes the computer on which a benchmark runs.
//
//	fmt.Println(machine.Describe())
//
// It must not depend on any benchmark.
package machine

import (
	"fmt"
	"runtime"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/load"
)

// Machine is the computer on which a measurement was made.
type Machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPU   string `json:"cpu,omitempty"`
	Cores int    `json:"cores"`          // available to this process
	Load  string `json:"load,omitempty"` // runnable processes, averaged over the last minute
	Go    string `json:"go"`
}

// Describe returns a description of the machine.
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

// String returns the description on one line.
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
