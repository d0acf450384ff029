// Package trace propagates episode traces to other processes.
//
//	by := trace.Episode{Tracer: tracer, ID: "e7"}.Attempt(1)
//	said := by.Exchange(message)
//	call := wait.Wait{For: wait.Environment, Address: address, Call: "Step", ID: callID, About: said}
//	step, err := environment.Step(by.Under(ctx, call), request)
//	said.End(err, step.Messages...)
//
// It depends on no trace format, and uses only the ids of episodes.
package trace

import (
	"context"

	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// Tracer propagates episode traces to other processes. If there is a Tracer, records contain their Waits. It must not
// block, and no recorded result depends on it.
type Tracer interface {
	// Under returns a context that identifies the call and its attempt to the callee. The zero Wait is the attempt as a
	// whole.
	Under(ctx context.Context, episodeID string, attempt int, call wait.Wait) context.Context
}

// Exchange holds the messages and the error of a call.
type Exchange struct {
	Asked    []sdk.Message // new messages: the request's for a generation, the model's for a step
	Answered []sdk.Message
	Err      error
	Under    string // traceparent that the callee received, if it may belong to another episode
}

// Episode is an episode that may be traced.
type Episode struct {
	Tracer Tracer // nil: not traced
	ID     string
}

// Attempt returns an attempt at the episode.
func (e Episode) Attempt(number int) Attempt { return Attempt{e, number} }

// Attempt is an attempt at an episode, which may be traced. The zero Attempt is not traced.
type Attempt struct {
	episode Episode
	number  int
}

// Under returns a context that identifies the call and its attempt to the callee.
func (a Attempt) Under(ctx context.Context, call wait.Wait) context.Context {
	if a.episode.Tracer == nil {
		return ctx
	}
	return a.episode.Tracer.Under(ctx, a.episode.ID, a.number, call)
}

// Exchange starts recording a call's messages. It returns nil, which records nothing, if the episode is not traced.
func (a Attempt) Exchange(asked ...sdk.Message) *Exchange {
	if a.episode.Tracer == nil {
		return nil
	}
	return &Exchange{Asked: asked}
}

// End records a call's result.
func (x *Exchange) End(err error, answered ...sdk.Message) {
	if x != nil {
		x.Answered, x.Err = answered, err
	}
}

// Shared records the traceparent received by the callee of a call that several episodes share. It belongs to the call
// of one of these episodes.
func (x *Exchange) Shared(under string) {
	if x != nil {
		x.Under = under
	}
}
