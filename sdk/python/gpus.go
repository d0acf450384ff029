package python

import "path/filepath"

// UnknownGPUs is returned by CountGPUs if a driver is present but its devices cannot be counted.
const UnknownGPUs = -1

// CountGPUs counts the NVIDIA GPUs in a device directory, normally /dev. If it finds none but detects an AMD, Huawei,
// or WSL (Windows Subsystem for Linux) driver, it returns UnknownGPUs.
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
