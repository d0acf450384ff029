package rollout

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// narrow is a reward to which a call of more than two items, or one with the item "huge", is too long a message.
type narrow struct {
	mu    sync.Mutex
	calls []int // items of each
}

// Score implements sdk.Reward.
func (n *narrow) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	n.mu.Lock()
	n.calls = append(n.calls, len(req.Items))
	n.mu.Unlock()
	resp := &sdk.ScoreResponse{Items: make([]sdk.Scored, len(req.Items))}
	for i, item := range req.Items {
		if len(req.Items) > 2 || item.EpisodeID == "huge" {
			return nil, fmt.Errorf("score: %w", &sdk.OversizeError{RPC: "Score", Fault: sdk.OversizeRequest})
		}
		resp.Items[i] = sdk.Scored{Score: float64(item.EpisodeID[0])}
	}
	return resp, nil
}

// Whether episodes are scored does not depend on which others share their call.
func TestBatch_IsCutWhereItIsTooLong(t *testing.T) {
	reward := &narrow{}
	b := newBatcher(reward, 8, func(call func(context.Context)) { call(t.Context()) })
	names := []string{"a", "b", "c", "huge", "d", "e"}
	batch := make([]*batchItem, len(names))
	for i, name := range names {
		batch[i] = &batchItem{item: sdk.ScoreItem{EpisodeID: name}, done: make(chan batchAnswer, 1)}
	}
	b.send(t.Context(), batch)
	for i, item := range batch {
		answer := <-item.done
		if failed := answer.err != nil; failed != (names[i] == "huge") {
			t.Errorf("%s: %v; calls of %v items", names[i], answer.err, reward.calls)
		}
		if want := float64(names[i][0]); answer.err == nil && answer.scored.Score != want {
			t.Errorf("%s got %g, want %g", names[i], answer.scored.Score, want)
		}
	}
}
