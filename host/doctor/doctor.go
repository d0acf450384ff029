// Package doctor inspects a machine before a run: Python environments and their frameworks, GPUs, directories, ports
// and clusters. It reports missing requirements and how to remedy them.
//
//	report := doctor.Look(ctx, doctor.Config{
//		Dir: ".", WorkDir: ".", Home: home, Environ: os.Environ(), GPUs: gpu.New(),
//		Frameworks: []doctor.Framework{{Name: "verl", Package: "verl", Support: []doctor.Range{{From: "0.7.1", Tier: doctor.FirstClass}}}},
//	})
//	for _, f := range report.Findings {
//		fmt.Println(f.Group, f.Subject, f.Status, f.Found, f.Remedy)
//	}
//
// Each probe has its own deadline, which also works for file systems and drivers that never respond. The package writes
// nothing. It makes no network requests except to RAY_ADDRESS and through Slurm commands. It executes no installed
// software other than the interpreters that Config.Torch allows.
//
// The package must not contain the names of training frameworks: the adapters' code defines what they support. It
// must not depend on terminals.
package doctor

import (
	"context"
	"slices"
	"time"

	"github.com/awhost/awhost/host/gpu"
)

// FormatVersion is the version of the JSON report format.
const FormatVersion = 1

// Status is the severity of a finding.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Warn    Status = "warn"    // will be slow, or fail for some uses
	Failed  Status = "failed"  // something that awhost would use does not work
	Skipped Status = "skipped" // there is nothing to check, or it was not checked
)

// Group is the heading under which a finding appears.
type Group string

// Groups, in the order in which a report shows them.
const (
	Spec        Group = "spec"
	Machine     Group = "machine"
	GPUs        Group = "gpus"
	Python      Group = "python"
	Directories Group = "directories"
	Ports       Group = "ports"
	Clusters    Group = "clusters"
)

// Finding is the result of one check.
type Finding struct {
	Group   Group  `json:"group"`
	Subject string `json:"subject"`        // what was checked
	Part    string `json:"part,omitempty"` // part of the subject: a package in an environment
	Status  Status `json:"status"`
	Found   string `json:"found,omitempty"` // description of the finding
	Remedy  string `json:"remedy,omitempty"`

	python string // interpreter of the environment, if the finding is about one
}

// Report contains all findings.
type Report struct {
	Findings     []Finding      `json:"findings"`
	Inventory    *gpu.Inventory `json:"gpus,omitempty"` // absent if no information about GPUs is available
	Environments []Environment  `json:"environments"`   // Python environments
	Ray          *Ray           `json:"ray,omitempty"`
	Slurm        []Partition    `json:"slurm,omitempty"`
}

// Count returns the number of findings with the given status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

// GPUReader reads the GPUs of this machine. gpu.Reader implements it.
type GPUReader interface {
	Read(ctx context.Context) (gpu.Inventory, error)
}

// TorchUse selects the interpreters that may be started to query torch about its devices.
type TorchUse string

// The uses.
const (
	TorchOwn  TorchUse = "own"  // interpreters that the user has named, activated or has on PATH
	TorchAll  TorchUse = "all"  // also interpreters next to a spec, named by a spec, or managed by conda and similar tools
	TorchNone TorchUse = "none" //
)

// Config configures an inspection.
type Config struct {
	Version string    // version of awhost
	Dir     string    // directory of the spec, absolute; runs are stored in its .awhost
	Spec    string    // an existing file, for a lock; empty: none
	WorkDir string    // absolute
	Home    string    // empty: unknown
	Environ []string  //
	Named   []Named   // Pythons named by the user or a spec
	Known   []Finding // findings made before
	// Frameworks lists the frameworks that adapters support. Packages lists further packages to report.
	Frameworks []Framework
	Packages   []string
	Torch      TorchUse
	GPUs       GPUReader
	// Timeout is the time limit for each probe. Starting a Python interpreter that imports torch may take six times as
	// long.
	Timeout time.Duration

	// dashboard is the address of the dashboard of a local Ray cluster. Tests use another one.
	dashboard string
}

// Named is a named Python installation: a program, or the directory of an environment.
type Named struct {
	Path   string
	Origin string // "--python", "adapter.verl.main"
	Own    bool   // named by the user, not by a spec
}

// Look runs all probes concurrently and returns when each has finished or timed out.
func Look(ctx context.Context, c Config) *Report {
	if c.dashboard == "" {
		c.dashboard = localDashboard
	}
	results := runAll(ctx, []probe{
		{Machine, "awhost", c.Timeout, c.lookAtProgram},
		{Machine, "system", c.Timeout, c.lookAtSystem},
		{Machine, "memory", c.Timeout, c.lookAtMemory},
		{Machine, "open files", c.Timeout, c.lookAtFileLimit},
		{Machine, "proxy", c.Timeout, c.lookAtProxy},
		{GPUs, "NVIDIA", c.Timeout, c.lookAtGPUs},
		{Python, "environments", 0, c.lookAtPython},
		{Directories, "runs", c.Timeout, c.lookAtRuns},
		{Directories, "locks", c.Timeout, c.lookAtLocks},
		{Directories, "sockets", c.Timeout, c.lookAtSockets},
		{Directories, "shared memory", c.Timeout, c.lookAtSharedMemory},
		{Ports, "loopback", c.Timeout, c.lookAtLoopback},
		{Ports, "network", c.Timeout, c.lookAtNetwork},
		{Clusters, "Ray", c.Timeout, c.lookAtRay},
		{Clusters, "Slurm", c.Timeout, c.lookAtSlurm},
	})
	report := &Report{Findings: append([]Finding{}, c.Known...), Environments: []Environment{}}
	for _, r := range results {
		report.add(r)
	}
	report.compare()
	return report
}

// getenv returns the last value of a variable, as os/exec does.
func (c *Config) getenv(name string) string {
	for _, entry := range slices.Backward(c.Environ) {
		if len(entry) > len(name) && entry[:len(name)] == name && entry[len(name)] == '=' {
			return entry[len(name)+1:]
		}
	}
	return ""
}
