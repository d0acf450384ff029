// Package gpu says which NVIDIA GPUs this machine has and how busy they are, as their driver's management library (NVML)
// tells it.
//
//	inventory, err := gpu.New().Read(ctx)
//	var why *gpu.Unavailable
//	if errors.As(err, &why) {
//		// no GPUs to be seen: why.Reason says whether there is no driver, no permission, or no cgo in this build
//	}
//	for _, g := range inventory.GPUs {
//		fmt.Println(g.Index, g.Name, g.Memory)
//	}
//
// The library is loaded when it is asked, never linked, so that the same program runs where there is no driver. Talking to
// it needs cgo and Linux; other builds compile and say so. What a driver does not tell is absent, never zero.
//
// The package knows nothing of runs, specs and terminals.
package gpu

import (
	"context"
	"fmt"
)

// Inventory is what the driver says.
type Inventory struct {
	Driver string `json:"driver,omitempty"` // "570.86.15"
	CUDA   string `json:"cuda,omitempty"`   // the newest version that the driver can serve: "12.8"
	GPUs   []GPU  `json:"gpus"`             // by index, as the driver counts; CUDA_VISIBLE_DEVICES does not matter
}

// GPU is one device.
type GPU struct {
	Index       int        `json:"index"`
	Name        string     `json:"name,omitempty"`
	UUID        string     `json:"uuid,omitempty"`
	Memory      *Memory    `json:"memory,omitempty"`
	Utilization *int       `json:"utilization_percent,omitempty"` // of the last second or less; unknown where MIG is on
	Processes   *int       `json:"processes,omitempty"`           // that compute; in a container the driver may see none of its own
	MIG         bool       `json:"mig"`                           // divided into instances
	Instances   []Instance `json:"instances,omitempty"`
	Problems    []string   `json:"problems,omitempty"` // what should have been told and was not, with the driver's reason
}

// Instance is a part of a GPU that is divided (MIG), with memory of its own.
type Instance struct {
	Name   string  `json:"name,omitempty"`
	UUID   string  `json:"uuid,omitempty"`
	Memory *Memory `json:"memory,omitempty"`
}

// Memory is in bytes.
type Memory struct {
	Total uint64 `json:"total"`
	Used  uint64 `json:"used"`
}

// Reason says why no GPU can be seen.
type Reason string

// The reasons.
const (
	ReasonNoCgo      Reason = "built_without_cgo"
	ReasonSystem     Reason = "unsupported_system" // not Linux
	ReasonNoDriver   Reason = "no_driver"
	ReasonNoLibrary  Reason = "no_library"      // the kernel has the driver, but its library is not to be found: a container without NVIDIA's runtime
	ReasonMismatch   Reason = "driver_mismatch" // library and kernel module are of different versions
	ReasonTooOld     Reason = "driver_too_old"
	ReasonPermission Reason = "no_permission"
	ReasonNoAnswer   Reason = "no_answer" // not within the deadline
	ReasonFailed     Reason = "failed"
)

// Unavailable says that nothing can be known of GPUs.
type Unavailable struct {
	Reason Reason
	Detail string
}

// Error implements error.
func (e *Unavailable) Error() string { return e.Detail }

// library is the part of NVML that is needed. Its errors are the driver's words.
type library interface {
	open() error // *Unavailable
	close()
	driver() (string, error)
	cuda() (string, error)
	count() (int, error)
	device(index int) (device, error)
}

// device is a GPU, or an instance of one. A method fails with errUnsupported where the device has no such thing.
type device interface {
	name() (string, error)
	uuid() (string, error)
	memory() (Memory, error)
	utilization() (int, error)
	processes() (int, error)
	mig() (bool, error)
	instances() ([]device, error)
}

// Reader asks the driver.
type Reader struct {
	library library
	turn    chan struct{} // holds the one question that may be under way
}

// New asks the driver of this machine.
func New() *Reader { return newReader(system()) }

func newReader(l library) *Reader { return &Reader{library: l, turn: make(chan struct{}, 1)} }

// Read asks for everything, once. A driver that does not answer within the context's time keeps the goroutine that asked
// it, since a call into it cannot be cut short; until it answers Read fails and asks nothing more of it.
func (r *Reader) Read(ctx context.Context) (Inventory, error) {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return Inventory{}, &Unavailable{ReasonNoAnswer, "the NVIDIA driver has not answered an earlier question yet"}
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
		return Inventory{}, &Unavailable{ReasonNoAnswer, fmt.Sprintf("the NVIDIA driver did not answer: %v", context.Cause(ctx))}
	}
}

var _ error = (*Unavailable)(nil)
