package python

import "path/filepath"

// UnknownGPUs is the answer of CountGPUs where a driver is there whose devices it cannot count.
const UnknownGPUs = -1

// CountGPUs counts the GPUs of NVIDIA in a folder of devices, which is /dev. Where there are none, and AMD's driver, Huawei's or that
// of Windows' Linux is, it is UnknownGPUs.
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
	found, _ := filepath.Glob(filepath.Join(dev, pattern)) // the patterns are ours
	return found
}
