package rollout

import (
	"fmt"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// A message that is too long is the fault of who made it.
func TestJudge_BlamesTheSideThatSentTooMuch(t *testing.T) {
	for _, test := range []struct {
		rpc   string
		fault sdk.OversizeFault
		want  sdk.FailureClass
	}{
		{"Step", sdk.OversizeAnswer, sdk.FailureEnvironment},
		{"Step", sdk.OversizeRequest, sdk.FailureAgent},
		{"Step", sdk.OversizeServer, sdk.FailureEnvironment},
		{"Score", sdk.OversizeRequest, sdk.FailureEnvironment}, // the class of the call: a reward's, in a run
		{"Open", sdk.OversizeRequest, sdk.FailureEnvironment},  // a task, which no agent has made
	} {
		err := fmt.Errorf("step: %w", &sdk.OversizeError{
			Plugin: "environment.x.desk", RPC: test.rpc, Bytes: 40 << 20, Limit: 32 << 20, Fault: test.fault,
		})
		got := judge(t.Context(), &callError{class: sdk.FailureEnvironment, address: "environment.x.desk", err: err})
		if got.failure == nil || got.failure.Class != test.want {
			t.Errorf("%s, fault %d: %+v, want %s", test.rpc, test.fault, got.failure, test.want)
		}
	}
}
