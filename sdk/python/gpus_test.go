package python_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/sdk/python"
)

func TestCountGPUs(t *testing.T) {
	for name, c := range map[string]struct {
		devices []string
		want    int
	}{
		"no driver":                           {[]string{"null", "nvidia-caps"}, 0},
		"a driver without GPUs":               {[]string{"nvidiactl", "nvidia-uvm"}, 0},
		"two":                                 {[]string{"nvidiactl", "nvidia0", "nvidia1"}, 2},
		"AMD's":                               {[]string{"kfd"}, python.UnknownGPUs},
		"GPUs of WSL":                         {[]string{"dxg"}, python.UnknownGPUs},
		"an NVIDIA GPU with an AMD processor": {[]string{"kfd", "nvidia0"}, 1},
	} {
		dir := t.TempDir()
		for _, device := range c.devices {
			if err := os.WriteFile(filepath.Join(dir, device), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := python.CountGPUs(dir); got != c.want {
			t.Errorf("%s: %d GPUs, want %d", name, got, c.want)
		}
	}
}
