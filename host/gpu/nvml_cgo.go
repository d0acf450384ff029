//go:build cgo && linux

package gpu

import (
	"fmt"
	"os"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
)

// kernelDriver exists if the kernel has the NVIDIA driver loaded, even in a container.
const kernelDriver = "/proc/driver/nvidia/version"

func system() library { return &nvmlLibrary{nvml: nvml.New()} }

// nvmlLibrary implements library with NVML.
type nvmlLibrary struct{ nvml nvml.Interface }

// called lists functions that old library versions lack. Driver 450 (2020) is the first version with all of them.
// Calling a missing function does not return an error; instead, the dynamic linker terminates the process.
var called = []string{"nvmlDeviceGetMigMode", "nvmlDeviceGetMaxMigDeviceCount", "nvmlDeviceGetMigDeviceHandleByIndex",
	"nvmlSystemGetCudaDriverVersion"}

func (l *nvmlLibrary) open() error {
	if code := l.nvml.Init(); code != nvml.SUCCESS {
		_, err := os.Stat(kernelDriver)
		return whyNot(code, err == nil)
	}
	for _, name := range called {
		if l.nvml.Extensions().LookupSymbol(name) != nil {
			l.close()
			return &Unavailable{ReasonTooOld, "the NVIDIA driver's library has no " + name + ": it is older than 450"}
		}
	}
	return nil
}

// whyNot returns the reason why NVML cannot be initialized.
func whyNot(code nvml.Return, kernel bool) *Unavailable {
	switch {
	case code == nvml.ERROR_LIBRARY_NOT_FOUND && kernel:
		return &Unavailable{ReasonNoLibrary,
			"the kernel has the NVIDIA driver, but its library libnvidia-ml.so.1 is missing"}
	case code == nvml.ERROR_LIBRARY_NOT_FOUND:
		return &Unavailable{ReasonNoDriver, "no NVIDIA driver: libnvidia-ml.so.1 is missing"}
	case code == nvml.ERROR_DRIVER_NOT_LOADED:
		return &Unavailable{ReasonNoDriver, "the NVIDIA driver is not loaded"}
	case code == nvml.ERROR_LIB_RM_VERSION_MISMATCH:
		return &Unavailable{ReasonMismatch, "the NVIDIA kernel driver and its library have different versions"}
	case code == nvml.ERROR_NO_PERMISSION:
		return &Unavailable{ReasonPermission, "the NVIDIA driver denied access to this user"}
	}
	return &Unavailable{ReasonFailed, "start NVML: " + code.Error()}
}

func (l *nvmlLibrary) close() { _ = l.nvml.Shutdown() }

func (l *nvmlLibrary) driver() (string, error) {
	version, code := l.nvml.SystemGetDriverVersion()
	return version, failure(code)
}

func (l *nvmlLibrary) cuda() (string, error) {
	version, code := l.nvml.SystemGetCudaDriverVersion()
	if code != nvml.SUCCESS {
		return "", failure(code)
	}
	return fmt.Sprintf("%d.%d", version/1000, version%1000/10), nil // 12080 is 12.8
}

func (l *nvmlLibrary) count() (int, error) {
	n, code := l.nvml.DeviceGetCount()
	return n, failure(code)
}

func (l *nvmlLibrary) device(index int) (device, error) {
	d, code := l.nvml.DeviceGetHandleByIndex(index)
	if code != nvml.SUCCESS {
		return nil, failure(code)
	}
	return nvmlDevice{d}, nil
}

type nvmlDevice struct{ nvml nvml.Device }

func (d nvmlDevice) name() (string, error) {
	name, code := d.nvml.GetName()
	return name, failure(code)
}

func (d nvmlDevice) uuid() (string, error) {
	uuid, code := d.nvml.GetUUID()
	return uuid, failure(code)
}

func (d nvmlDevice) memory() (Memory, error) {
	m, code := d.nvml.GetMemoryInfo()
	return Memory{Total: m.Total, Used: m.Used}, failure(code)
}

func (d nvmlDevice) utilization() (int, error) {
	rates, code := d.nvml.GetUtilizationRates()
	return int(rates.Gpu), failure(code)
}

func (d nvmlDevice) processes() (int, error) {
	running, code := d.nvml.GetComputeRunningProcesses()
	return len(running), failure(code)
}

func (d nvmlDevice) mig() (bool, error) {
	current, _, code := d.nvml.GetMigMode()
	return code == nvml.SUCCESS && current == nvml.DEVICE_MIG_ENABLE, failure(code)
}

func (d nvmlDevice) instances() ([]device, error) {
	most, code := d.nvml.GetMaxMigDeviceCount()
	if code != nvml.SUCCESS {
		return nil, failure(code)
	}
	var out []device
	for i := range most {
		part, code := d.nvml.GetMigDeviceHandleByIndex(i)
		switch code {
		case nvml.SUCCESS:
			out = append(out, nvmlDevice{part})
		case nvml.ERROR_NOT_FOUND: // a slot without an instance
		default:
			return out, failure(code)
		}
	}
	return out, nil
}

// failure converts a return code to an error.
func failure(code nvml.Return) error {
	switch code {
	case nvml.SUCCESS:
		return nil
	case nvml.ERROR_NOT_SUPPORTED:
		return errUnsupported
	}
	return fmt.Errorf("the NVIDIA driver reported: %s", code.Error())
}

var (
	_ library = (*nvmlLibrary)(nil)
	_ device  = nvmlDevice{}
)
