package rollout

import (
	"context"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// An episode whose numbers do not fit into a message to the adapter has failed, on record as for the adapter.
func TestOversizedResultsFailOnRecordAsForTheCaller(t *testing.T) {
	r := newRig()
	r.options.ResultBytes = 64 << 10
	solver := r.setup.Agent
	r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
		out, err := solver.Run(ctx, e)
		if out != nil && e.ID == sample(1, 1, 1).EpisodeID {
			out.Metrics = map[string]float64{strings.Repeat("x", 64<<10): 1}
		}
		return out, err
	})
	r.start(t)
	if result := r.run(t, sample(1, 1, 0)); result.Outcome != sdk.OutcomeScored {
		t.Errorf("a result that fits: %+v", result)
	}
	result, record := r.run(t, sample(1, 1, 1)), r.sink.last(t)
	if record.Outcome != result.Outcome || record.Outcome == sdk.OutcomeScored || record.Reward != nil {
		t.Errorf("the caller learns %s, on record is %s with the reward %v", result.Outcome, record.Outcome, record.Reward)
	}
	if record.Failure == nil || !strings.Contains(record.Failure.Detail, "max_message_bytes") {
		t.Errorf("on record is the failure %v", record.Failure)
	}
	if failure := result.Oversize(64 << 10); failure != nil {
		t.Errorf("what the caller is to learn does not fit either: %v", failure)
	}
}
