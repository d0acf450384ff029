package ui

import (
	"context"
	"sync"
	"time"

	"github.com/awhost/awhost/host/gpu"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/processes"
)

// Process is a plugin's process, as reported by its run's host.
type Process struct {
	Address string // address of the block
	PID     int
}

// gpuLine is a GPU in this machine.
type gpuLine struct {
	Index       int    `json:"index"`
	Name        string `json:"name,omitempty"`
	UsedBytes   uint64 `json:"used_bytes,omitempty"`
	TotalBytes  uint64 `json:"total_bytes,omitempty"`
	Utilization *int   `json:"utilization_percent,omitempty"`
}

// health measures the resource usage of run plugins on this machine.
type health struct {
	processes func(context.Context, *runstore.Run) ([]Process, error)
	gpus      *gpu.Reader
	list      func() []processes.Process

	meter processes.Meter

	mu     sync.Mutex
	gpusAt time.Time
	seen   []gpuLine
}

const (
	// healthTimeout is the maximum time that a page waits for a host or GPU driver that does not respond.
	healthTimeout = 300 * time.Millisecond
	// gpuMaxAge is the maximum age of the data from the driver. Without data, the driver is asked again after
	// gpuRetryInterval.
	gpuMaxAge, gpuRetryInterval = 2 * time.Second, time.Minute
)

func newHealth(ask func(context.Context, *runstore.Run) ([]Process, error)) *health {
	return &health{processes: ask, gpus: gpu.New(), list: processes.List}
}

// add adds the plugins' resource usage to a run that is in progress. It is unknown for a run on another machine or if
// the host does not respond.
func (h *health) add(ctx context.Context, page *runPage, run *runstore.Run) {
	if h.processes == nil || !page.Live {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	plugins, err := h.processes(ctx, run)
	if err != nil || len(plugins) == 0 {
		return
	}
	all := h.list()
	for _, p := range plugins {
		for i := range page.Plugins {
			if page.Plugins[i].Address == p.Address {
				h.measure(&page.Plugins[i], processes.Below(p.PID, all), time.Now())
			}
		}
	}
	page.GPUs = h.readGPUs(ctx)
}

// measure adds the resource usage of a plugin's processes.
func (h *health) measure(line *pluginLine, tree []processes.Process, now time.Time) {
	use, known := h.meter.Measure(tree, now)
	if !known {
		return
	}
	line.PID, line.Started, line.CPUSeconds, line.RSSBytes = use.PID, use.Started, use.CPU, use.RSS
	if use.Busy != nil {
		percent := 100 * *use.Busy
		line.CPUPercent = &percent
	}
}

// readGPUs queries the GPU driver, if any.
func (h *health) readGPUs(ctx context.Context) []gpuLine {
	h.mu.Lock()
	defer h.mu.Unlock()
	good := gpuMaxAge
	if h.seen == nil {
		good = gpuRetryInterval
	}
	if time.Since(h.gpusAt) < good {
		return h.seen
	}
	h.gpusAt, h.seen = time.Now(), nil
	inventory, err := h.gpus.Read(ctx)
	if err != nil {
		return nil // no driver: awhost doctor explains why
	}
	for _, g := range inventory.GPUs {
		line := gpuLine{Index: g.Index, Name: g.Name, Utilization: g.Utilization}
		if g.Memory != nil {
			line.UsedBytes, line.TotalBytes = g.Memory.Used, g.Memory.Total
		}
		h.seen = append(h.seen, line)
	}
	return h.seen
}
