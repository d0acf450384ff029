package python

import "path/filepath"

// UnknownGPUs is returned by CountGPUs if a driver is present whose devices it cannot count.
const UnknownGPUs = -1

// CountGPUs counts the NVIDIA GPUs in a folder of devices, normally /dev. If it finds none, but the driver of AMD,
// Huawei or WSL (Windows Subsystem for Linux), it returns UnknownGPUs.
func CountGPUs(dev string) int {
	if n := len(devices(dev, "nvidia[0-9]*")); n > 0 {
		return n
	}
	for _, other := range []string{"kfd", "davinci[0-9]*", "dxg"} {
		if len(devices(dev, other)) > 0 {
			return UnknownGPUs
		}
	}
	return 0
}

func devices(dev, pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(dev, pattern)) // the patterns are constants
	return found
}
