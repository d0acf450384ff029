package batch

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// narrow is a reward for which a call with more than two items, or with the item "huge", is oversized.
type narrow struct {
	mu    sync.Mutex
	calls []int // number of items of each call
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

// An item with large attachments is sent alone, or with few others.
func TestBatcher_BoundsAttachments(t *testing.T) {
	b := New(&narrow{}, 4, nil)
	item := func(bytes int64) *request {
		data := make([]byte, bytes)
		return &request{item: sdk.ScoreItem{Messages: []sdk.Message{{Attachments: []sdk.Attachment{{Data: data}}}}}}
	}
	const half = sdk.MaxScoredAttachmentBytes / 2
	for _, test := range []struct {
		sizes []int64
		want  int
	}{
		{[]int64{0, 0, 0, 0, 0}, 4}, {[]int64{half, half, 1}, 2}, {[]int64{half + 1, half, 1}, 1}, {[]int64{3 * half, 0}, 1},
	} {
		b.waiting = nil
		for _, size := range test.sizes {
			b.waiting = append(b.waiting, item(size))
		}
		if got := b.fitting(); got != test.want {
			t.Errorf("of items with %v bytes %d go into a call, want %d", test.sizes, got, test.want)
		}
	}
}

// The scoring of an episode does not depend on the other items of its call.
func TestBatcher_CutsACallThatIsTooLong(t *testing.T) {
	reward := &narrow{}
	b := New(reward, 8, func(call func(context.Context)) { call(t.Context()) })
	names := []string{"a", "b", "c", "huge", "d", "e"}
	items := make([]*request, len(names))
	for i, name := range names {
		items[i] = &request{item: sdk.ScoreItem{EpisodeID: name}, done: make(chan answer, 1)}
	}
	b.send(t.Context(), items)
	for i, item := range items {
		answer := <-item.done
		if failed := answer.err != nil; failed != (names[i] == "huge") {
			t.Errorf("%s: %v; calls of %v items", names[i], answer.err, reward.calls)
		}
		if want := float64(names[i][0]); answer.err == nil && answer.scored.Score != want {
			t.Errorf("%s got %g, want %g", names[i], answer.scored.Score, want)
		}
	}
}
