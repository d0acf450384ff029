package process

import (
	"context"
	"fmt"
	"os"
	"time"
)

// SweepRun ends the processes left behind by a run's dead hosts, except detachable processes, and returns them. run is
// GuardConfig.Run. Call it when no other host can be working on the run. It never ends processes of a running host,
// this process, or its ancestors.
func SweepRun(ctx context.Context, run string) ([]Leftover, error) {
	return SweepRuns(ctx, func(id string) bool { return id == run })
}

// SweepRuns does the same as SweepRun for all runs whose ID is chosen.
func SweepRuns(ctx context.Context, chosen func(run string) bool) ([]Leftover, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	ended, err := endMarked(ctx, func(t tag) bool { return t.marked && chosen(t.mark.run) && !Alive(t.mark.host) })
	if err != nil {
		return ended, fmt.Errorf("end the processes of an earlier host of the run: %w", err)
	}
	return ended, nil
}

// EndInstances ends the leftovers of a run's processes that had no guard: processes that carry the run's ID and the
// name of a chosen instance, and their descendants, except detachable processes. Call it when the instances themselves
// have ended. It never ends this process or its ancestors.
func EndInstances(ctx context.Context, run string, chosen func(instance string) bool) ([]Leftover, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	ended, err := endMarked(ctx, func(t tag) bool { return t.run == run && chosen(t.instance) })
	if err != nil {
		return ended, fmt.Errorf("end the processes of run %s: %w", run, err)
	}
	return ended, nil
}

// endMarked ends processes chosen by their mark, and their descendants.
func endMarked(ctx context.Context, marked func(tag) bool) ([]Leftover, error) {
	return endAll(ctx, func() ([]*processInfo, error) {
		t, err := readTable()
		if err != nil {
			return nil, err
		}
		return t.choose(selection{marked: marked, except: t.selfAndAncestors(os.Getpid())}), nil
	}, func() {})
}

// awaitExit waits until a process no longer exists, and reports whether this has happened.
func awaitExit(ctx context.Context, id Identity) bool {
	for pause := firstSweepPause; Alive(id); pause = min(2*pause, maxSweepPause) {
		if !pauseFor(ctx, pause) {
			return false
		}
	}
	return true
}

// hostExitTimeout limits the wait for a host whose socket has already been closed.
const hostExitTimeout = 10 * time.Second
