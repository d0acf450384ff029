package verdict

import (
	"fmt"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// An oversized message is the failure of the side that sent it.
func TestOf_BlamesTheSideThatSentTooMuch(t *testing.T) {
	for _, test := range []struct {
		rpc   string
		fault sdk.OversizeFault
		want  sdk.FailureClass
	}{
		{"Step", sdk.OversizeAnswer, sdk.FailureEnvironment},
		{"Step", sdk.OversizeRequest, sdk.FailureAgent},
		{"Step", sdk.OversizeServer, sdk.FailureEnvironment},
		{"Score", sdk.OversizeRequest, sdk.FailureEnvironment}, // the class of the call: REWARD in a run
		{"Open", sdk.OversizeRequest, sdk.FailureEnvironment},  // a task, which no agent has made
	} {
		err := fmt.Errorf("step: %w", &sdk.OversizeError{
			Plugin: "environment.x.desk", RPC: test.rpc, Bytes: 40 << 20, Limit: 32 << 20, Fault: test.fault,
		})
		got := Of(t.Context(), &CallError{Class: sdk.FailureEnvironment, Address: "environment.x.desk", Err: err})
		if got.Failure == nil || got.Failure.Class != test.want {
			t.Errorf("%s, fault %d: %+v, want %s", test.rpc, test.fault, got.Failure, test.want)
		}
	}
}

// A request that the adapter cannot serve is the agent's failure. The same request would fail again, so it is not a
// loss, which would be repeated outside of all budgets.
func TestOf_ARefusedRequestIsTheAgents(t *testing.T) {
	got := Of(t.Context(), &CallError{
		Class: sdk.FailureModel, Address: "adapter.local.grpo",
		Err: &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "no stop strings"},
	})
	if got.Failure == nil || got.Failure.Class != sdk.FailureAgent || got.Failure.Retryable || got.Lost != nil {
		t.Errorf("%+v", got)
	}
}
