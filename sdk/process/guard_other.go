//go:build !linux

package process

import (
	"context"
	"errors"
	"runtime"
)

// guardLink is empty because this system has no guard process. The lifeline ends processes with their host.
type guardLink struct{}

func (g *Guard) open(context.Context) error { return nil }

func (g *Guard) start(spec startSpec) (child, Identity, error) {
	// Without a death signal, the thread does not matter.
	c, err := startDirect(spec, false)
	if err != nil {
		return nil, Identity{}, err
	}
	id, _ := identify(c.pid()) // it has ended: it does not run
	return c, id, nil
}

func (l *guardLink) close(context.Context) ([]Leftover, error) { return nil, nil }

// ServeGuard returns an error because guards exist only on Linux.
func ServeGuard() error {
	return errors.New("guards are not supported on " + runtime.GOOS + ": the lifeline ends plugins with their host")
}

// SweepRun does nothing, because the environment of a process can be read only on Linux.
func SweepRun(context.Context, string) ([]Leftover, error) { return nil, nil }

// SweepRuns does nothing, as with SweepRun.
func SweepRuns(context.Context, func(string) bool) ([]Leftover, error) { return nil, nil }

// EndInstances does nothing, as with SweepRun.
func EndInstances(context.Context, string, func(instance string) bool) ([]Leftover, error) {
	return nil, nil
}
