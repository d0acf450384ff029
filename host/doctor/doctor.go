// Package doctor looks at a machine the way a run will: what there is of Python environments and frameworks in them, GPUs,
// directories, ports and clusters, what is missing, and what to do about it.
//
//	report := doctor.Look(ctx, doctor.Config{
//		Dir: ".", WorkDir: ".", Home: home, Environ: os.Environ(), GPUs: gpu.New(),
//		Frameworks: []doctor.Framework{{Name: "verl", Package: "verl", Support: []doctor.Range{{From: "0.7.1", Tier: doctor.FirstClass}}}},
//	})
//	for _, f := range report.Findings {
//		fmt.Println(f.Group, f.Subject, f.Status, f.Found, f.Remedy)
//	}
//
// Each probe has a deadline of its own, also against file systems and drivers that never answer. Nothing is written.
// Nothing leaves the machine but what RAY_ADDRESS and Slurm's own commands ask for. Of what is installed nothing is
// executed, except the interpreters that Config.Torch allows.
//
// The package must not know the names of training frameworks: whoever has adapters for them says what they support. It
// knows nothing of terminals.
package doctor

import (
	"context"
	"slices"
	"time"

	"github.com/awhost/awhost/host/gpu"
)

// FormatVersion is that of a report as JSON.
const FormatVersion = 1

// Status says how a finding is to be taken.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Warn    Status = "warn"    // something will be slow, or fail for some uses
	Failed  Status = "failed"  // what awhost would use as things stand does not work
	Skipped Status = "skipped" // there is nothing to look at, or it was not looked at
)

// Group is what findings are shown under.
type Group string

// The groups, in the order of a report.
const (
	Spec        Group = "spec"
	Machine     Group = "machine"
	GPUs        Group = "gpus"
	Python      Group = "python"
	Directories Group = "directories"
	Ports       Group = "ports"
	Clusters    Group = "clusters"
)

// Finding is what one look came to.
type Finding struct {
	Group   Group  `json:"group"`
	Subject string `json:"subject"`        // what was looked for
	Part    string `json:"part,omitempty"` // of the subject: a package in an environment
	Status  Status `json:"status"`
	Found   string `json:"found,omitempty"` // in words
	Remedy  string `json:"remedy,omitempty"`

	python string // of the environment, where it is about one
}

// Report is all that was found.
type Report struct {
	Findings     []Finding      `json:"findings"`
	Inventory    *gpu.Inventory `json:"gpus,omitempty"` // absent where nothing can be known of GPUs
	Environments []Environment  `json:"environments"`   // of Python
	Ray          *Ray           `json:"ray,omitempty"`
	Slurm        []Partition    `json:"slurm,omitempty"`
}

// Count says how many findings have a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

// GPUReader tells which GPUs there are; gpu.Reader is one.
type GPUReader interface {
	Read(ctx context.Context) (gpu.Inventory, error)
}

// TorchUse says which interpreters may be started, to ask torch for its devices.
type TorchUse string

// The uses.
const (
	TorchOwn  TorchUse = "own"  // those that the user has named, activated or has on PATH
	TorchAll  TorchUse = "all"  // also those beside a spec, that a spec names, and those of conda and the like
	TorchNone TorchUse = "none" //
)

// Config says what to look at.
type Config struct {
	Version string    // of awhost
	Dir     string    // of the spec, absolute; runs are kept in .awhost there
	Spec    string    // a file that is there, for a lock; empty: there is none
	WorkDir string    // absolute
	Home    string    // empty: there is none
	Environ []string  //
	Named   []Named   // the Pythons that somebody names
	Known   []Finding // what was found before
	// Frameworks are those that adapters exist for, Packages whatever else is worth listing.
	Frameworks []Framework
	Packages   []string
	Torch      TorchUse
	GPUs       GPUReader
	// Timeout bounds each probe. Starting a Python that imports torch may take six times as long.
	Timeout time.Duration

	// dashboard is where a Ray that runs here listens. Tests have theirs elsewhere.
	dashboard string
}

// Named is a Python that somebody named: a program, or the directory of an environment.
type Named struct {
	Path   string
	Origin string // "--python", "adapter.verl.main"
	Own    bool   // the user named it, not a spec
}

// Look looks at everything at once, and returns when every probe has answered or its time is up.
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

// getenv is the last value of a variable, as in os/exec.
func (c *Config) getenv(name string) string {
	for _, entry := range slices.Backward(c.Environ) {
		if len(entry) > len(name) && entry[:len(name)] == name && entry[len(name)] == '=' {
			return entry[len(name)+1:]
		}
	}
	return ""
}
