// Package verdict reads what an error means for an episode: a failure with its class, a plugin that was lost, a
// limit, or the end.
//
//	v := verdict.Of(ctx, &verdict.CallError{Class: sdk.FailureReward, Address: "reward.gaia.answer", Err: err})
//
// It knows nothing of what follows from it.
package verdict

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
	ErrActiveBudget = errors.New("the active budget is spent")
	ErrHardDeadline = errors.New("the hard deadline has passed")
	ErrSiblings     = errors.New("the siblings never came")
	ErrRewardLimit  = errors.New("the reward did not answer in time")
	ErrNobodyWaits  = errors.New("nobody waits for the episode")
)

// Cancelled is the cause of an episode that its caller does not want any more.
type Cancelled struct{ Reason string }

func (c *Cancelled) Error() string { return "cancelled: " + c.Reason }

// HostEnded is the cause when the host itself cannot go on, or does not want to. What was under way then has no
// result: whoever asked for it asks again, the next host.
type HostEnded struct{ Reason string }

func (h *HostEnded) Error() string { return "cancelled: " + h.Reason }

// Unavailable is what callers hear instead of a result. It wraps nothing else: an error that is a failure, too,
// would be taken for that at the other end of a connection.
func Unavailable(why error) error { return fmt.Errorf("%w: %v", sdk.ErrUnavailable, why) }

// CallError says whose call failed.
type CallError struct {
	Class   sdk.FailureClass // what it is unless the error says otherwise
	Address string
	Err     error
}

func (e *CallError) Error() string { return fmt.Sprintf("%s: %v", e.Address, e.Err) }

func (e *CallError) Unwrap() error { return e.Err }

// Verdict is what an error means for an episode. Exactly one field is set.
type Verdict struct {
	Failure   *sdk.Failure
	Lost      *CallError // to be tried again, whatever the budgets say
	Truncated bool
	Cancelled bool
}

// Of reads an error that came back under ctx. The end of ctx explains every error: whatever was called then may
// have failed only because of it.
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

// judgeEnd reads the cause that ended a context. err is of the call that was under way: what ran out of time was
// waiting for it.
func judgeEnd(cause, err error) Verdict {
	detail := cause
	var call *CallError
	if errors.As(err, &call) {
		detail = fmt.Errorf("%w, while waiting for %s", cause, call.Address)
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
	case sdk.GenerateRefused: // the agent decides what a request contains
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

// failed makes a failure of an error that does not say more itself. Whoever does not know better may try again.
func failed(class sdk.FailureClass, err error) Verdict {
	return Verdict{Failure: &sdk.Failure{Class: class, Detail: err.Error(), Retryable: true}}
}

// WallClock reports whether a failure depends on how long something took, which no seed repeats.
func WallClock(failure *sdk.Failure) bool {
	return failure != nil && failure.Class == sdk.FailureTimeout
}
