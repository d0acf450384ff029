package rollout

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// callSink is a memorySink that also records answers.
type callSink struct {
	*memorySink
	calls []*CallRecord
	full  error
}

func (s *callSink) Call(c *CallRecord) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
	return s.full
}

// heedful stores the number of recorded answers after each of its requests, some of which require recording.
type heedful struct {
	sink     *callSink
	recorded []int
	err      error
}

func (h *heedful) Run(ctx context.Context, e agent.Episode) (*agent.Result, error) {
	question := []sdk.Message{{Role: sdk.RoleUser, Content: "?"}}
	for _, onRecord := range []bool{true, false, true} {
		_, err := e.Model.Generate(ctx, agent.Request{Messages: question, OnRecord: onRecord})
		if h.err = err; err != nil {
			return nil, err
		}
		h.recorded = append(h.recorded, len(h.sink.calls))
	}
	return &agent.Result{Messages: question, Finish: agent.FinishAnswered}, nil
}

// TestGenerate_IsOnRecordFirst checks that an agent receives an answer only after it was recorded. If recording
// fails, the agent receives no answer, and the run ends.
func TestGenerate_IsOnRecordFirst(t *testing.T) {
	r := newRig()
	h := &heedful{sink: &callSink{memorySink: r.sink}}
	r.options.Sink, r.setup.Agent = h.sink, h
	r.start(t)
	r.run(t, sample(1, 1, 0))
	if diff := cmp.Diff([]int{1, 1, 2}, h.recorded); diff != "" {
		t.Errorf("answers on record (-want +got):\n%s", diff)
	}
	first, turn := h.sink.calls[0], h.sink.last(t).Turns[0]
	if first.CallID != turn.CallID || first.Seed != turn.Seed || first.Attempt != 1 || first.Length != 2 ||
		first.Message.Content == "" && len(first.Message.ToolCalls) == 0 {
		t.Errorf("on record is %+v of the turn %+v", first, turn)
	}
	h.sink.full = errors.New("no space left")
	if _, err := r.RunEpisode(t.Context(), sample(1, 1, 1)); err == nil || h.err == nil {
		t.Errorf("an answer that cannot be recorded was given: %v, %v", err, h.err)
	}
}

// TestCanonical_IsNotTheNetworks checks that the counts of repeated requests do not affect the digest.
func TestCanonical_IsNotTheNetworks(t *testing.T) {
	digest := func(metrics map[string]float64) string {
		return (&EpisodeRecord{AttemptRecord: AttemptRecord{Metrics: metrics}}).Canonical()
	}
	once := digest(map[string]float64{"gateway/calls": 2})
	if digest(map[string]float64{"gateway/calls": 2, "gateway/joined": 1, "gateway/replayed": 3}) != once {
		t.Error("it depends on the network")
	}
	if digest(map[string]float64{"gateway/calls": 3}) == once {
		t.Error("it does not depend on the calls")
	}
}
