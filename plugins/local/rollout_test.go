package local

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
)

// A reward that compares a group withholds its samples until the group is complete. Although few requests are in
// flight, they must be the ones that complete a group.
func TestRollouts_BoundedRequestsStillFillAGroup(t *testing.T) {
	r := newRig(t, nil)
	const groups, size = 6, 4
	gathered := map[string]chan struct{}{}
	missing := map[string]*atomic.Int64{}
	for _, name := range []string{"g0000", "g0001", "g0002", "g0003", "g0004", "g0005"} {
		gathered[name], missing[name] = make(chan struct{}), &atomic.Int64{}
		missing[name].Store(size)
	}
	var inFlight, most atomic.Int64
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		now := inFlight.Add(1)
		defer inFlight.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		if missing[req.GroupID].Add(-1) == 0 {
			close(gathered[req.GroupID])
		}
		select {
		case <-gathered[req.GroupID]:
		case <-time.After(20 * time.Second):
			return nil, errors.New("the group never gets its last sample")
		}
		return twoTurns(ctx, r.host, req)
	}
	req := r.request(knobsOf(1, func(k *sdk.Knobs) { k.Batch.Prompts, k.Concurrency = ptr(groups), 1 }))
	req.ValidationTasks = 0
	r.train(req, sdk.FinishedCompleted)
	if n := most.Load(); n != size {
		t.Errorf("up to %d requests were in flight, want %d: a group, which is more than twice the concurrency", n, size)
	}
}
