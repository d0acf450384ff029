// Package batch combines items for rewards that accept several items per call.
//
//	batcher := batch.New(reward, 8, calls)
//	answer, err := batcher.Score(ctx, item)
//
// It does not depend on episodes.
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

// lanes is the number of concurrent calls to one batching reward. More lanes would result in smaller batches.
const lanes = 2

// Calls runs a call in a goroutine that the engine owns, with a context that has a time limit.
type Calls func(call func(ctx context.Context))

// Batcher collects items for a reward that accepts several items per call. It never waits for a batch to fill: an item
// that finds a free lane is sent immediately, and later items are sent together when a lane becomes free.
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
	trace string      // traceparent of the caller; may be empty
	done  chan answer // buffered, so that sending never waits for a caller that gave up
	gone  atomic.Bool // the caller gave up
}

type answer struct {
	scored  sdk.Scored
	metrics map[string]float64 // of the call; only for the first item with a waiting caller, so that sums are correct
	under   string             // traceparent that the reward received
	err     error
}

// New returns a Batcher for a reward that accepts the given number of items per call.
func New(reward sdk.Reward, size int, calls Calls) *Batcher {
	return &Batcher{reward: reward, size: size, calls: calls}
}

// Score requests the score of one item. A call with several items belongs to the trace of the first item. under is the
// traceparent that the reward received.
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

// start sends waiting items while lanes are free. The lock is held.
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

// fitting returns how many waiting items fit in one call: as many as the reward accepts, provided that their
// attachments together contain no more bytes than a single item may have. The lock is held.
func (b *Batcher) fitting() int {
	n, room := 0, sdk.MaxScoredAttachmentBytes
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
	if half := len(batch) / 2; half > 0 && errors.As(err, &oversize) { // items must not affect each other's scores
		b.send(ctx, batch[:half])
		b.send(ctx, batch[half:])
		return
	}
	if err == nil && len(resp.Items) != len(batch) {
		err = &sdk.Failure{Class: sdk.FailureReward, Detail: "the reward returned a different number of items than it " +
			"received"}
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
