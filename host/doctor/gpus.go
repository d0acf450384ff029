package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/gpu"
)

func (c *Config) lookAtGPUs(ctx context.Context) result {
	inventory, err := c.GPUs.Read(ctx)
	if err != nil {
		return found(noGPUs(err))
	}
	r := result{inventory: &inventory}
	driver := Finding{Group: GPUs, Subject: "NVIDIA driver", Status: OK, Found: inventory.Driver}
	if inventory.CUDA != "" {
		driver.Found += ", CUDA up to " + inventory.CUDA
	}
	if len(inventory.GPUs) == 0 {
		driver.Status, driver.Found = Warn, driver.Found+", no GPU"
		driver.Remedy = "the driver shows no GPU to this process: in a container start it with --gpus all, in a Slurm job ask for some with --gres=gpu"
	}
	r.findings = append(r.findings, driver)
	for _, g := range inventory.GPUs {
		r.findings = append(r.findings, describeGPU(g))
	}
	return r
}

// noGPUs explains why no information about GPUs is available. A machine without GPUs is not a problem.
func noGPUs(err error) Finding {
	f := Finding{Group: GPUs, Subject: "NVIDIA driver", Status: Warn, Found: err.Error()}
	var why *gpu.Unavailable
	if !errors.As(err, &why) {
		return f
	}
	switch why.Reason {
	case gpu.ReasonNoDriver, gpu.ReasonSystem:
		f.Status = Skipped
	case gpu.ReasonNoCgo:
		f.Status, f.Remedy = Skipped, "nvidia-smi lists them; to have them here build awhost with CGO_ENABLED=1 and a C compiler"
	case gpu.ReasonNoLibrary:
		f.Remedy = "in a container, start it with the NVIDIA container toolkit: --gpus all; else install the driver's user-space libraries"
	case gpu.ReasonMismatch:
		f.Remedy = "the driver was updated under the running kernel: load the new module, or restart the machine"
	case gpu.ReasonTooOld:
		f.Remedy = "update the driver: CUDA 11 and newer need 450 or newer"
	case gpu.ReasonPermission:
		f.Remedy = "allow this user to open /dev/nvidia*"
	case gpu.ReasonNoAnswer:
		f.Remedy = "check whether nvidia-smi responds, and look for NVRM in the kernel's log; --timeout gives it more time"
	case gpu.ReasonFailed:
		f.Remedy = "run nvidia-smi and read its message"
	}
	return f
}

func describeGPU(g gpu.GPU) Finding {
	f := Finding{Group: GPUs, Subject: fmt.Sprintf("GPU %d", g.Index), Status: OK}
	words := []string{g.Name}
	if g.Memory != nil {
		words = append(words, fmt.Sprintf("%s of %s used", size(g.Memory.Used), size(g.Memory.Total)))
	}
	if g.Utilization != nil {
		words = append(words, fmt.Sprintf("%d %% busy", *g.Utilization))
	}
	if g.Processes != nil {
		words = append(words, plural(*g.Processes, "process", "processes"))
	}
	if g.MIG {
		words = append(words, "MIG: "+plural(len(g.Instances), "instance", "instances"))
	}
	words = append(words, g.UUID)
	if len(g.Problems) > 0 {
		f.Status, f.Remedy = Warn, "look for it in the output of nvidia-smi and in the kernel's log"
		words = append(words, g.Problems...)
	}
	f.Found = joined(words...)
	return f
}

// joined joins the non-empty words.
func joined(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// size formats a number of bytes.
func size(bytes uint64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.0f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}
