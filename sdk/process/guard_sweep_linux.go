package process

import (
	"context"
	"fmt"
	"os"
	"time"
)

// SweepRun ends what dead hosts of a run have left behind, detachable processes excepted, and returns it. run is
// GuardConfig.Run. Call it when no other host can be at work on the run; what a living host has started is left alone in
// any case. This process and its ancestors are left alone, too.
func SweepRun(ctx context.Context, run string) ([]Leftover, error) {
	return SweepRuns(ctx, func(id string) bool { return id == run })
}

// SweepRuns is SweepRun for all runs whose id is chosen.
func SweepRuns(ctx context.Context, chosen func(run string) bool) ([]Leftover, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepPatience)
	defer cancel()
	ended, err := endMarked(ctx, func(t tag) bool { return t.marked && chosen(t.mark.run) && !Alive(t.mark.host) })
	if err != nil {
		return ended, fmt.Errorf("end what an earlier host of the run left behind: %w", err)
	}
	return ended, nil
}

// EndInstances ends what processes of a run have left behind that had no guard: those that carry the run's id and the name of a
// chosen instance, and what descends from them, detachable processes excepted. Call it when the instances themselves have ended. This
// process and its ancestors are left alone.
func EndInstances(ctx context.Context, run string, chosen func(instance string) bool) ([]Leftover, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepPatience)
	defer cancel()
	ended, err := endMarked(ctx, func(t tag) bool { return t.run == run && chosen(t.instance) })
	if err != nil {
		return ended, fmt.Errorf("end what run %s left behind: %w", run, err)
	}
	return ended, nil
}

// endMarked ends processes by their mark, and what descends from them.
func endMarked(ctx context.Context, marked func(tag) bool) ([]Leftover, error) {
	return endAll(ctx, func() ([]*found, error) {
		t, err := readTable()
		if err != nil {
			return nil, err
		}
		return t.choose(selection{marked: marked, except: t.lineage(os.Getpid())}), nil
	}, func() {})
}

// awaitDeath waits until a process is gone, and tells whether it is.
func awaitDeath(ctx context.Context, id Identity) bool {
	for pause := firstSweepPause; Alive(id); pause = min(2*pause, maxSweepPause) {
		if !pauseFor(ctx, pause) {
			return false
		}
	}
	return true
}

// hostPatience bounds the wait for a host whose socket is closed already.
const hostPatience = 10 * time.Second
