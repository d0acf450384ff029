package rollout

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// BenchmarkTurn measures the engine's own cost: the policy, the environment and the reward answer immediately, in
// this process. A turn is an assistant message with the environment's answer, and an episode has two. Compare ns/turn
// at 10 and at 1000 concurrent episodes: they should not differ.
func BenchmarkTurn(b *testing.B) {
	for _, concurrent := range []int{10, 1000} {
		b.Run(fmt.Sprintf("episodes=%d", concurrent), func(b *testing.B) { benchmarkTurns(b, newRig(), concurrent) })
		b.Run(fmt.Sprintf("episodes=%d/groups", concurrent), func(b *testing.B) {
			benchmarkTurns(b, groupRig(groupFunc(rankByAnswer)), concurrent)
		})
	}
}

func benchmarkTurns(b *testing.B, r *rig, concurrent int) {
	r.policy.record, r.env.record = false, false
	r.options.Sink = &countingSink{}
	r.options.MaxResults = 4096
	r.setup.Concurrency = concurrent
	r.start(b)
	b.ReportAllocs()
	var asked, turns atomic.Int64
	samples := (b.N + 3) / 4 * 4 // whole groups
	var callers sync.WaitGroup
	b.ResetTimer()
	for range concurrent {
		callers.Go(func() {
			for {
				// One boundary per 4096 episodes keeps as much data as a real run does.
				n := int(asked.Add(1)) - 1
				if n >= samples {
					return
				}
				req := sample(0, n/4, n%4)
				req.EpisodeID = fmt.Sprintf("e%d", n)
				result, err := r.RunEpisode(context.Background(), req)
				if err != nil {
					b.Error(err)
					return
				}
				turns.Add(int64(result.NumTurns))
				if n%4096 == 4095 {
					r.Boundary(StepEnd{StepBoundaryRequest: sdk.StepBoundaryRequest{Stage: "full"}})
				}
			}
		})
	}
	callers.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(turns.Load()), "ns/turn")
}
