// Package batch puts the items together that a reward takes several of per call.
//
//	batcher := batch.New(reward, 8, calls)
//	answer, err := batcher.Score(ctx, item)
//
// It knows nothing of episodes.
package batch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/traceparent"
)

// lanes is how many calls of one batching reward are under way at a time. More would make smaller batches.
const lanes = 2

// Calls starts a call in a goroutine that the engine owns, with a context that ends in time.
type Calls func(call func(ctx context.Context))

// Batcher collects the items of a reward that takes several per call. It never waits for a batch to fill: an item
// that finds a free lane goes at once, and those that come meanwhile go together when a lane is free again.
type Batcher struct {
	reward sdk.Reward
	size   int
	calls  Calls

	mu      sync.Mutex
	waiting []*request
	busy    int
}

type request struct {
	item  sdk.ScoreItem
	trace string      // traceparent of who asks; empty: none
	done  chan answer // has room for the answer: nobody waits for a caller that gave up
	gone  atomic.Bool // the caller gave up
}

type answer struct {
	scored  sdk.Scored
	metrics map[string]float64 // of the call; given to the first item that is waited for only, so that sums are right
	under   string             // traceparent that the reward got
	err     error
}

// New returns a Batcher for a reward that takes a number of items per call.
func New(reward sdk.Reward, size int, calls Calls) *Batcher {
	return &Batcher{reward: reward, size: size, calls: calls}
}

// Score asks about one item. A call about several is part of the trace of the first; under is the traceparent that the
// reward got.
func (b *Batcher) Score(ctx context.Context, item sdk.ScoreItem) (resp *sdk.ScoreResponse, under string, err error) {
	mine := &request{item: item, trace: traceparent.From(ctx), done: make(chan answer, 1)}
	b.enqueue(mine)
	select {
	case answer := <-mine.done:
		if answer.err != nil {
			return nil, answer.under, answer.err
		}
		return &sdk.ScoreResponse{Items: []sdk.Scored{answer.scored}, Metrics: answer.metrics}, answer.under, nil
	case <-ctx.Done():
		mine.gone.Store(true)
		b.withdraw(mine)
		return nil, "", context.Cause(ctx)
	}
}

func (b *Batcher) enqueue(item *request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, item)
	b.start()
}

func (b *Batcher) withdraw(item *request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, item); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	}
}

// start sends what waits, as far as there are lanes. The lock is held.
func (b *Batcher) start() {
	for b.busy < lanes && len(b.waiting) > 0 {
		n := b.fitting()
		batch := slices.Clone(b.waiting[:n])
		b.waiting = slices.Delete(b.waiting, 0, n)
		b.busy++
		b.calls(func(ctx context.Context) {
			b.send(ctx, batch)
			b.mu.Lock()
			defer b.mu.Unlock()
			b.busy--
			b.start()
		})
	}
}

// fitting is how many of those that wait go into one call: as many as the reward takes, as long as their attachments
// have no more bytes together than those of one item may have. The lock is held.
func (b *Batcher) fitting() int {
	n, room := 0, sdk.MostScoredAttachmentBytes
	for _, r := range b.waiting[:min(b.size, len(b.waiting))] {
		if room -= sdk.AttachmentBytes(r.item.Messages); room < 0 && n > 0 {
			break
		}
		n++
	}
	return n
}

func (b *Batcher) send(ctx context.Context, batch []*request) {
	req := sdk.ScoreRequest{Items: make([]sdk.ScoreItem, len(batch))}
	for i, item := range batch {
		req.Items[i] = item.item
	}
	under := batch[0].trace
	resp, err := b.reward.Score(traceparent.With(ctx, under), req)
	var oversize *sdk.OversizeError
	if half := len(batch) / 2; half > 0 && errors.As(err, &oversize) { // who shares a call must not decide who is scored
		b.send(ctx, batch[:half])
		b.send(ctx, batch[half:])
		return
	}
	if err == nil && len(resp.Items) != len(batch) {
		err = &sdk.Failure{Class: sdk.FailureReward, Detail: "the reward answered another number of items than it was given"}
	}
	told := false
	for i, item := range batch {
		answer := answer{under: under, err: err}
		if err == nil {
			answer.scored = resp.Items[i]
			if !told && !item.gone.Load() {
				answer.metrics, told = resp.Metrics, true
			}
		}
		item.done <- answer
	}
}
