package rollout

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// ErrPluginLost is what the errors of a client wrap when the plugin's process or the connection to it is gone.
var ErrPluginLost = sdk.ErrUnavailable

// The causes with which an episode's context ends.
var (
	errActiveBudget = errors.New("the active budget is spent")
	errHardDeadline = errors.New("the hard deadline has passed")
	errSiblings     = errors.New("the siblings never came")
	errRewardLimit  = errors.New("the reward did not answer in time")
	errNobodyWaits  = errors.New("nobody waits for the episode")
)

// cancelled is the cause of an episode that its caller does not want any more.
type cancelled struct{ reason string }

func (c *cancelled) Error() string { return "cancelled: " + c.reason }

// hostEnded is the cause when the host itself cannot go on, or does not want to. What was under way then has no result: whoever asked
// for it asks again, the next host.
type hostEnded struct{ reason string }

func (h *hostEnded) Error() string { return "cancelled: " + h.reason }

// unavailable is what callers hear instead of a result. It wraps nothing else: an error that is a failure, too, would be taken for that
// at the other end of a connection.
func unavailable(why error) error { return fmt.Errorf("%w: %v", sdk.ErrUnavailable, why) }

// callError says whose call failed.
type callError struct {
	class   sdk.FailureClass // what it is unless the error says otherwise
	address string
	err     error
}

func (e *callError) Error() string { return fmt.Sprintf("%s: %v", e.address, e.err) }

func (e *callError) Unwrap() error { return e.err }

// verdict is what an error means for an episode. Exactly one field is set.
type verdict struct {
	failure   *sdk.Failure
	lost      *callError // to be tried again, whatever the budgets say
	truncated bool
	cancelled bool
}

// judge reads an error that came back under ctx. The end of ctx explains every error: whatever was called then may
// have failed only because of it.
func judge(ctx context.Context, err error) verdict {
	if ctx.Err() != nil {
		return judgeEnd(context.Cause(ctx), err)
	}
	call := &callError{class: sdk.FailureAgent, address: "agent", err: err}
	errors.As(err, &call)
	var failure *sdk.Failure
	var generate *sdk.GenerateError
	var oversize *sdk.OversizeError
	switch {
	case errors.Is(err, ErrPluginLost), errors.Is(err, sdk.ErrSessionLost):
		return verdict{lost: call}
	case errors.As(err, &generate):
		return judgeGenerate(generate, call)
	case errors.As(err, &failure):
		return judgeFailure(failure, call)
	case errors.Is(err, context.DeadlineExceeded):
		return failed(sdk.FailureTimeout, err)
	case errors.As(err, &oversize) && oversize.Fault == sdk.OversizeRequest && agentDecides(oversize.RPC):
		return failed(sdk.FailureAgent, err)
	}
	return failed(call.class, err)
}

// agentDecides reports whether an agent made what a request holds, and not the task, the host or another plugin.
func agentDecides(rpc string) bool { return rpc == "Step" || rpc == "Generate" }

// judgeEnd reads the cause that ended a context. err is of the call that was under way: what ran out of time was waiting
// for it.
func judgeEnd(cause, err error) verdict {
	detail := cause
	var call *callError
	if errors.As(err, &call) {
		detail = fmt.Errorf("%w, while waiting for %s", cause, call.address)
	}
	switch {
	case errors.Is(cause, errRewardLimit):
		return verdict{failure: &sdk.Failure{Class: sdk.FailureReward, Detail: detail.Error(), Retryable: true}}
	case errors.Is(cause, errActiveBudget), errors.Is(cause, errHardDeadline):
		return failed(sdk.FailureTimeout, detail)
	}
	return verdict{cancelled: true}
}

func judgeGenerate(generate *sdk.GenerateError, call *callError) verdict {
	switch generate.Kind {
	case sdk.GenerateContextFull:
		return verdict{truncated: true}
	case sdk.GenerateAborted, sdk.GeneratePaused:
		return verdict{lost: call}
	}
	return failed(sdk.FailureModel, call)
}

func judgeFailure(failure *sdk.Failure, call *callError) verdict {
	if failure.Class == sdk.FailureInfrastructure {
		return verdict{lost: call}
	}
	kept := *failure
	if kept.Class == "" {
		kept.Class = call.class
	}
	return verdict{failure: &kept}
}

// failed makes a failure of an error that does not say more itself. Whoever does not know better may try again.
func failed(class sdk.FailureClass, err error) verdict {
	return verdict{failure: &sdk.Failure{Class: class, Detail: err.Error(), Retryable: true}}
}

// wallClock says whether a failure depends on how long something took, which no seed repeats.
func wallClock(failure *sdk.Failure) bool {
	return failure != nil && failure.Class == sdk.FailureTimeout
}
