//go:build !cgo || !linux

package gpu

import "runtime"

func system() library { return absent{} }

// absent implements the library in builds without access to NVML.
type absent struct{}

func (absent) open() error {
	if runtime.GOOS != "linux" {
		return &Unavailable{ReasonSystem, "GPUs are detected on Linux only, this is " + runtime.GOOS}
	}
	return &Unavailable{ReasonNoCgo, "this awhost was built without cgo, which the NVIDIA driver's library needs"}
}

func (absent) close()                     {}
func (absent) driver() (string, error)    { return "", errUnsupported }
func (absent) cuda() (string, error)      { return "", errUnsupported }
func (absent) count() (int, error)        { return 0, errUnsupported }
func (absent) device(int) (device, error) { return nil, errUnsupported }

var _ library = absent{}
