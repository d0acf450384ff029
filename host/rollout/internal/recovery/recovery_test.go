package recovery

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// instant is a clock whose pauses take no time.
type instant struct{ clock.System }

// AfterFunc implements clock.Clock.
func (instant) AfterFunc(_ time.Duration, f func()) clock.Timer { return time.AfterFunc(0, f) }

// A plugin that keeps losing its episode fails the episode. A plugin whose infrastructure is gone ends the run.
func TestRegain_Ends(t *testing.T) {
	gone := &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "nobody listens"}
	for name, c := range map[string]struct {
		class  sdk.FailureClass
		err    error
		failed bool // the episode
		ended  bool // the run
	}{
		"session":                  {sdk.FailureEnvironment, sdk.ErrSessionLost, true, false},
		"infrastructure":           {sdk.FailureEnvironment, gone, false, true},
		"infrastructure, wrapped":  {sdk.FailureAgent, fmt.Errorf("open: %w", gone), false, true},
		"infrastructure of reward": {sdk.FailureReward, gone, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			var ended error
			r := &Recovery{
				Clock: instant{}, Fail: func(err error) { ended = err },
				AwaitPlugin: func(context.Context, string, error) error { return nil },
			}
			lost := &verdict.CallError{Class: c.class, Address: "environment.mcp.desk", Err: c.err}
			var effort RetryCount
			var failure *sdk.Failure
			tries := 0
			for ; failure == nil && ended == nil && tries < 100; tries++ {
				failure = r.AwaitReturn(t.Context(), &effort, lost, wait.Stacks{})
			}
			if tries != MostLostSessions+1 || (failure != nil) != c.failed || (ended != nil) != c.ended {
				t.Errorf("after %d tries: %v, %v", tries, failure, ended)
			}
			if ended != nil && !errors.As(ended, new(*sdk.Failure)) {
				t.Errorf("the run does not learn why: %v", ended)
			}
		})
	}
}
