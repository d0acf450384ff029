package process

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
)

// FindMarked lists this user's running processes that carry the mark of a launch, with the oldest first. Their marked
// children are omitted. What remains is the trainer, if it was started with Detach, or its remaining processes. An
// empty list is not an error.
func FindMarked(launchID string) ([]Identity, error) {
	t, err := readTable()
	if err != nil {
		return nil, fmt.Errorf("look for the processes of launch %s: %w", launchID, err)
	}
	var roots []*processInfo
	for _, f := range t.ofLaunch(launchID) {
		if parent, ok := t[f.parent]; !ok || t.tagOf(parent).launch != launchID {
			roots = append(roots, f)
		}
	}
	slices.SortFunc(roots, func(a, b *processInfo) int {
		return cmp.Or(cmp.Compare(a.started, b.started), cmp.Compare(a.pid, b.pid))
	})
	out := make([]Identity, len(roots))
	for i, f := range roots {
		out[i] = Identity{PID: f.pid, Started: f.started, Boot: bootID(), Space: currentPIDSpace()}
	}
	return out, nil
}

// EndLaunch kills the processes that carry the mark of a launch, and their descendants, until none are left, and
// returns them. A trainer that should finish its work must be asked to do so first. This process and its ancestors are
// not ended.
func EndLaunch(ctx context.Context, launchID string) ([]Leftover, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	ended, err := endAll(ctx, func() ([]*processInfo, error) {
		t, err := readTable()
		if err != nil {
			return nil, err
		}
		return t.belowLaunch(launchID), nil
	}, func() {})
	if err != nil {
		return ended, fmt.Errorf("end the processes of launch %s: %w", launchID, err)
	}
	return ended, nil
}

// ofLaunch lists the running processes with a launch's mark.
func (t table) ofLaunch(launchID string) []*processInfo {
	var marked []*processInfo
	self := os.Getpid()
	for _, f := range t {
		if f.pid != self && !f.dead() && t.tagOf(f).launch == launchID {
			marked = append(marked, f)
		}
	}
	return marked
}

// belowLaunch lists the running processes with a launch's mark, and all their descendants.
func (t table) belowLaunch(launchID string) []*processInfo {
	spared := t.selfAndAncestors(os.Getpid())
	chosen := map[int]bool{}
	for _, f := range t.ofLaunch(launchID) {
		chosen[f.pid] = true
	}
	var out []*processInfo
	for _, f := range t {
		if f.dead() || spared[f.pid] {
			continue
		}
		for pid := range t.selfAndAncestors(f.pid) {
			if chosen[pid] && !spared[pid] {
				out = append(out, f)
				break
			}
		}
	}
	return out
}
