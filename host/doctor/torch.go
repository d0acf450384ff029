package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/host/doctor/internal/python"
)

const (
	torchFactor   = 6 // a cold import of torch from a network file system is slow
	torchesAtOnce = 2 // each needs a core and half a gigabyte
	mostTorches   = 8
)

func (c *Config) torchTimeout() time.Duration { return torchFactor * c.Timeout }

// starts limits the number of interpreters that are started, both concurrently and in total.
type starts struct {
	turns chan struct{}
	left  atomic.Int32
}

// lookAtTorch returns an environment's torch installation and, if its Python interpreter may be started, torch's
// devices.
func (c *Config) lookAtTorch(ctx context.Context, e *python.Environment, pack python.Package,
	starts *starts) (*python.Torch, Finding) {
	f := Finding{Group: Python, Subject: c.short(e.Python), Part: torchPackage, Status: OK}
	if why := c.notAsked(e.Place); why != "" {
		f.Status, f.Found = Skipped, pack.Version+", not asked for its device: "+why
		return nil, f
	}
	if starts.left.Add(-1) < 0 {
		f.Status, f.Found = Skipped, pack.Version+", not asked for its device: enough others were"
		f.Remedy = "name this one: --python " + e.Python
		return nil, f
	}
	select {
	case starts.turns <- struct{}{}:
		defer func() { <-starts.turns }()
	case <-ctx.Done():
		f.Status, f.Found = Warn, pack.Version+", not asked for its device: "+context.Cause(ctx).Error()
		return nil, f
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.torchTimeout(), fmt.Errorf("no answer within %s", c.torchTimeout()))
	defer cancel()
	torch, err := python.AskTorch(ctx, e, c.Environ)
	if err != nil {
		f.Status, f.Found = badness(e.Place), pack.Version+" cannot be imported: "+err.Error()
		f.Remedy = "try it: " + e.Python + " -I -c 'import torch'"
		if ctx.Err() != nil {
			f.Status, f.Remedy = Warn, f.Remedy+"; --timeout gives it more time"
		}
		return nil, f
	}
	f.Found = describeTorch(torch) + " (asked with " + python.TorchCommand + ")"
	return &torch, f
}

// notAsked returns the reason why an interpreter is not started, or "" if it may be started.
func (c *Config) notAsked(p python.Place) string {
	switch {
	case c.Torch == TorchNone:
		return "--torch none"
	case c.Torch == TorchAll:
		return ""
	case !p.Own:
		return "that would start a Python that you did not name; --torch all does"
	case p.Listed:
		return "--torch all does"
	}
	return ""
}

func describeTorch(t python.Torch) string {
	built := "built for " + t.BuiltFor
	if t.BuiltFor == "" {
		built = "built for the CPU only"
	}
	if !t.CUDA {
		return joined(t.Version, built, "device: cpu")
	}
	return joined(t.Version, built, fmt.Sprintf("device: cuda, %d × %s", len(t.Devices),
		strings.Join(distinct(t.Devices), " and ")))
}

func distinct(names []string) []string {
	var out []string
	known := map[string]bool{}
	for _, n := range names {
		if !known[n] {
			known[n] = true
			out = append(out, n)
		}
	}
	return out
}
