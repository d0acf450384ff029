// Package verdict classifies errors from an episode's point of view: as a failure with its class, a lost plugin, a
// limit, or the end.
//
//	v := verdict.Of(ctx, &verdict.CallError{Class: sdk.FailureReward, Address: "reward.gaia.answer", Err: err})
//
// It does not decide the consequences.
package verdict

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// ErrPluginLost is wrapped by a client's errors when the plugin's process has exited or the connection to it has been
// lost.
var ErrPluginLost = sdk.ErrUnavailable

// The causes that end an episode's context.
var (
	ErrActiveBudget = errors.New("the active budget is exhausted")
	ErrHardDeadline = errors.New("the hard deadline has passed")
	ErrSiblings     = errors.New("the other samples of the group never arrived")
	ErrRewardLimit  = errors.New("the reward did not respond in time")
	ErrNoWaiters    = errors.New("no caller is waiting for the episode")
)

// Cancelled is the cause if the episode's caller no longer needs it.
type Cancelled struct{ Reason string }

func (c *Cancelled) Error() string { return "cancelled: " + c.Reason }

// HostEnded is the cause if the host itself cannot continue or is stopping. In that case, running episodes have no
// result: their callers must request them again from the next host.
type HostEnded struct{ Reason string }

func (h *HostEnded) Error() string { return "cancelled: " + h.Reason }

// Unavailable returns the error that callers receive instead of a result. It does not wrap why, because the other end
// of a connection would mistake a wrapped failure for the episode's failure.
func Unavailable(why error) error { return fmt.Errorf("%w: %v", sdk.ErrUnavailable, why) }

// CallError names the component whose call failed.
type CallError struct {
	Class   sdk.FailureClass // the failure's class unless the error has its own
	Address string
	Err     error
}

func (e *CallError) Error() string { return fmt.Sprintf("%s: %v", e.Address, e.Err) }

func (e *CallError) Unwrap() error { return e.Err }

// Verdict describes what an error means for an episode. Exactly one field is set.
type Verdict struct {
	Failure   *sdk.Failure
	Lost      *CallError // to be retried, regardless of the budgets
	Truncated bool
	Cancelled bool
}

// Of classifies an error returned by a call under ctx. If ctx is done, that explains every error: the call may have
// failed only for that reason.
func Of(ctx context.Context, err error) Verdict {
	if ctx.Err() != nil {
		return judgeEnd(context.Cause(ctx), err)
	}
	call := &CallError{Class: sdk.FailureAgent, Address: "agent", Err: err}
	errors.As(err, &call)
	var failure *sdk.Failure
	var generate *sdk.GenerateError
	var oversize *sdk.OversizeError
	switch {
	case errors.Is(err, ErrPluginLost), errors.Is(err, sdk.ErrSessionLost):
		return Verdict{Lost: call}
	case errors.As(err, &generate):
		return judgeGenerate(generate, call)
	case errors.As(err, &failure):
		return judgeFailure(failure, call)
	case errors.Is(err, context.DeadlineExceeded):
		return failed(sdk.FailureTimeout, err)
	case errors.As(err, &oversize) && oversize.Fault == sdk.OversizeRequest && oversize.RPC == "Step":
		return failed(sdk.FailureAgent, err)
	}
	return failed(call.Class, err)
}

// judgeEnd classifies the cause for which a context ended. err is the error from the interrupted call. It names the
// component that the call was waiting for.
func judgeEnd(cause, err error) Verdict {
	detail := cause
	var call *CallError
	if errors.As(err, &call) {
		detail = fmt.Errorf("%w while waiting for %s", cause, call.Address)
	}
	switch {
	case errors.Is(cause, ErrRewardLimit):
		return Verdict{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: detail.Error(), Retryable: true}}
	case errors.Is(cause, ErrActiveBudget), errors.Is(cause, ErrHardDeadline):
		return failed(sdk.FailureTimeout, detail)
	}
	return Verdict{Cancelled: true}
}

func judgeGenerate(generate *sdk.GenerateError, call *CallError) Verdict {
	switch generate.Kind {
	case sdk.GenerateContextFull:
		return Verdict{Truncated: true}
	case sdk.GenerateAborted, sdk.GeneratePaused:
		return Verdict{Lost: call}
	case sdk.GenerateRefused: // the agent decides the contents of a request
		return Verdict{Failure: &sdk.Failure{Class: sdk.FailureAgent, Detail: call.Error()}}
	}
	return failed(sdk.FailureModel, call)
}

func judgeFailure(failure *sdk.Failure, call *CallError) Verdict {
	if failure.Class == sdk.FailureInfrastructure {
		return Verdict{Lost: call}
	}
	kept := *failure
	if kept.Class == "" {
		kept.Class = call.Class
	}
	return Verdict{Failure: &kept}
}

// failed returns a failure for an error that has no details. Such failures may be retried.
func failed(class sdk.FailureClass, err error) Verdict {
	return Verdict{Failure: &sdk.Failure{Class: class, Detail: err.Error(), Retryable: true}}
}

// WallClock reports whether a failure depends on how long an operation took, which cannot be reproduced with a seed.
func WallClock(failure *sdk.Failure) bool {
	return failure != nil && failure.Class == sdk.FailureTimeout
}
