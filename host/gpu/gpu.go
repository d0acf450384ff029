// Package gpu reports the NVIDIA GPUs in this machine and their utilization, using the driver's management library
// (NVML).
//
//	inventory, err := gpu.New().Read(ctx)
//	var why *gpu.Unavailable
//	if errors.As(err, &why) {
//		// no GPUs are visible; why.Reason: no driver, no permission, no cgo in this build, …
//	}
//	for _, g := range inventory.GPUs {
//		fmt.Println(g.Index, g.Name, g.Memory)
//	}
//
// The library is loaded on demand and never linked, so that the same program runs without a driver. It requires cgo and
// Linux; other builds compile and return an error. Values that a driver does not report are absent rather than zero.
//
// The package must not depend on runs, specs or terminals.
package gpu

import (
	"context"
	"fmt"
)

// Inventory is the driver's report.
type Inventory struct {
	Driver string `json:"driver,omitempty"` // "570.86.15"
	CUDA   string `json:"cuda,omitempty"`   // newest version that the driver supports: "12.8"
	GPUs   []GPU  `json:"gpus"`             // by the driver's index, regardless of CUDA_VISIBLE_DEVICES
}

// GPU is a device.
type GPU struct {
	Index       int        `json:"index"`
	Name        string     `json:"name,omitempty"`
	UUID        string     `json:"uuid,omitempty"`
	Memory      *Memory    `json:"memory,omitempty"`
	Utilization *int       `json:"utilization_percent,omitempty"` // over the last second or less; unknown with MIG
	Processes   *int       `json:"processes,omitempty"`           // compute processes; a container's own may be missing
	MIG         bool       `json:"mig"`                           // divided into instances
	Instances   []Instance `json:"instances,omitempty"`
	Problems    []string   `json:"problems,omitempty"` // values that could not be read, with the driver's reason
}

// Instance is a partition of a divided GPU (MIG) with its own memory.
type Instance struct {
	Name   string  `json:"name,omitempty"`
	UUID   string  `json:"uuid,omitempty"`
	Memory *Memory `json:"memory,omitempty"`
}

// Memory holds sizes in bytes.
type Memory struct {
	Total uint64 `json:"total"`
	Used  uint64 `json:"used"`
}

// Reason explains why no GPU is visible.
type Reason string

// The reasons.
const (
	ReasonNoCgo      Reason = "built_without_cgo"
	ReasonSystem     Reason = "unsupported_system" // not Linux
	ReasonNoDriver   Reason = "no_driver"
	ReasonNoLibrary  Reason = "no_library"      // driver in the kernel, library missing: a container without NVIDIA's runtime
	ReasonMismatch   Reason = "driver_mismatch" // the versions of library and kernel module differ
	ReasonTooOld     Reason = "driver_too_old"
	ReasonPermission Reason = "no_permission"
	ReasonNoAnswer   Reason = "no_answer" // no response within the deadline
	ReasonFailed     Reason = "failed"
)

// Unavailable reports that no information about GPUs is available.
type Unavailable struct {
	Reason Reason
	Detail string
}

// Error implements error.
func (e *Unavailable) Error() string { return e.Detail }

// library is the required part of NVML. Its errors contain the driver's messages.
type library interface {
	open() error // returns an *Unavailable
	close()
	driver() (string, error)
	cuda() (string, error)
	count() (int, error)
	device(index int) (device, error)
}

// device is a GPU or a GPU instance. A method returns errUnsupported if the device lacks the property.
type device interface {
	name() (string, error)
	uuid() (string, error)
	memory() (Memory, error)
	utilization() (int, error)
	processes() (int, error)
	mig() (bool, error)
	instances() ([]device, error)
}

// Reader queries the driver.
type Reader struct {
	library library
	turn    chan struct{} // limits the number of running queries to one
}

// New returns a reader that uses this machine's driver.
func New() *Reader { return newReader(system()) }

func newReader(l library) *Reader { return &Reader{library: l, turn: make(chan struct{}, 1)} }

// Read queries everything once. A call into the driver cannot be interrupted. If the driver does not respond before the
// context is done, the goroutine remains blocked, and Read fails without another query until the driver responds.
func (r *Reader) Read(ctx context.Context) (Inventory, error) {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return Inventory{}, &Unavailable{ReasonNoAnswer, "the NVIDIA driver has not yet answered an earlier request"}
	}
	type answer struct {
		inventory Inventory
		err       error
	}
	answers := make(chan answer, 1)
	go func() {
		defer func() { <-r.turn }()
		inventory, err := look(r.library)
		answers <- answer{inventory, err}
	}()
	select {
	case a := <-answers:
		return a.inventory, a.err
	case <-ctx.Done():
		return Inventory{}, &Unavailable{ReasonNoAnswer,
			fmt.Sprintf("the NVIDIA driver did not answer: %v", context.Cause(ctx))}
	}
}

var _ error = (*Unavailable)(nil)
