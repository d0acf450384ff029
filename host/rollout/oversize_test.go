package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// An episode whose numbers do not fit into a message to the adapter has failed, both on record and for the adapter.
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

// A request that the adapter's capabilities exclude, or that is too large for a message to it, is refused before it
// is sent. The agent may continue.
func TestGenerate_RefusesWhatTheAdapterCannotServe(t *testing.T) {
	big := &sdk.OversizeError{Plugin: "adapter.fake.a", RPC: "Generate", Bytes: 40, Limit: 32, Fault: sdk.OversizeRequest}
	text := sdk.Message{Role: sdk.RoleUser, Content: "1+2"}
	image := sdk.Message{Role: sdk.RoleUser, Images: []sdk.Image{{MIMEType: "image/png", Data: []byte{1}}}}
	all := &sdk.AdapterCapabilities{SamplingOwned: []string{"stop"}, Modalities: []string{"text", "image"}}
	few := &sdk.AdapterCapabilities{SamplingOwned: []string{"temperature"}, Modalities: []string{"text"}}
	thinking := agent.Request{TemplateKwargs: json.RawMessage(`{"enable_thinking":true}`)}
	quiet := agent.Request{TemplateKwargs: json.RawMessage(`{ "enable_thinking" : false }`)}
	both := agent.Request{Messages: []sdk.Message{image}, Stop: []string{"x"}}
	for name, test := range map[string]struct {
		able   *sdk.AdapterCapabilities
		err    error
		ask    agent.Request
		reason string // empty: it is answered
	}{
		"stop strings":        {able: few, ask: agent.Request{Stop: []string{"x"}}, reason: "stop"},
		"an image":            {able: few, ask: agent.Request{Messages: []sdk.Message{image}}, reason: "image"},
		"text":                {able: few, ask: agent.Request{Messages: []sdk.Message{text}}},
		"both, which it can":  {able: all, ask: both},
		"both, which is open": {ask: both},
		"nothing is declared": {able: &sdk.AdapterCapabilities{}, ask: agent.Request{Messages: []sdk.Message{image}}},
		"other template arguments": {
			ask: thinking, reason: "chat_template_kwargs.enable_thinking = true",
		},
		"broken template arguments": {
			ask: agent.Request{TemplateKwargs: json.RawMessage("[")}, reason: "not a JSON object",
		},
		"equal template arguments": {ask: quiet},
		"too large a message":      {able: all, err: big, ask: agent.Request{Messages: []sdk.Message{text}}, reason: "32"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig()
			var refused *sdk.GenerateError
			r.setup.Generator.Capabilities = test.able
			r.setup.TemplateKwargs = func(string) json.RawMessage { return json.RawMessage(`{"enable_thinking":false}`) }
			r.policy.before = func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) { return nil, test.err }
			r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
				_, err := e.Model.Generate(ctx, test.ask)
				if err != nil && (!errors.As(err, &refused) || refused.Kind != sdk.GenerateRefused) {
					t.Errorf("the agent gets %v", err)
				}
				return &agent.Result{}, err
			})
			r.start(t)
			result := r.run(t, sample(1, 1, 0))
			if test.reason == "" {
				if refused != nil {
					t.Errorf("refused: %v", refused)
				}
				if got := string(r.policy.seen[0].ChatTemplateKwargs); got != `{"enable_thinking":false}` {
					t.Errorf("the adapter gets the template arguments %s", got)
				}
				return
			}
			if refused == nil || !strings.Contains(refused.Detail, test.reason) {
				t.Fatalf("the agent gets %v, want %q", refused, test.reason)
			}
			if f := r.sink.last(t).Failure; f == nil || f.Class != sdk.FailureAgent || result.Attempt > 3 {
				t.Errorf("attempt %d has the failure %v", result.Attempt, f)
			}
		})
	}
}
