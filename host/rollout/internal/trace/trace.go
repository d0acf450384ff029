// Package trace lets others follow an episode into other processes.
//
//	by := trace.Episode{Tracer: tracer, ID: "e7"}.Attempt(1)
//	said := by.Exchange(message)
//	call := wait.Wait{For: wait.Environment, Address: address, Call: "Step", ID: callID, About: said}
//	step, err := environment.Step(by.Under(ctx, call), request)
//	said.End(err, step.Messages...)
//
// It knows no format of traces, and nothing of episodes but their ids.
package trace

import (
	"context"

	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// Tracer follows episodes into other processes. With one, records have their Waits. It must not block, and nothing that
// counts depends on it.
type Tracer interface {
	// Under returns a context that tells whoever is called with it which call of which attempt it is. The zero Wait is
	// the attempt as a whole.
	Under(ctx context.Context, episodeID string, attempt int, call wait.Wait) context.Context
}

// Exchange is what a call was about.
type Exchange struct {
	Asked    []sdk.Message // new ones: of a generation those of its request, of a step the model's
	Answered []sdk.Message
	Err      error
	Under    string // traceparent that the callee got, where it may be that of another episode; empty: none
}

// Episode is an episode that may be followed.
type Episode struct {
	Tracer Tracer // nil: nobody follows it
	ID     string
}

// Attempt is one at the episode.
func (e Episode) Attempt(number int) Attempt { return Attempt{e, number} }

// Attempt is an attempt at an episode that may be followed. Nobody follows the zero Attempt.
type Attempt struct {
	episode Episode
	number  int
}

// Under lets whoever is called with the context know which call of the attempt it is.
func (a Attempt) Under(ctx context.Context, call wait.Wait) context.Context {
	if a.episode.Tracer == nil {
		return ctx
	}
	return a.episode.Tracer.Under(ctx, a.episode.ID, a.number, call)
}

// Exchange begins to note what a call is about; nil, and nothing is noted, where nobody follows the episode.
func (a Attempt) Exchange(asked ...sdk.Message) *Exchange {
	if a.episode.Tracer == nil {
		return nil
	}
	return &Exchange{Asked: asked}
}

// End notes what came of a call.
func (x *Exchange) End(err error, answered ...sdk.Message) {
	if x != nil {
		x.Answered, x.Err = answered, err
	}
}

// Shared notes that a call was about other episodes, too: what its callee was told, which is a call of one of them.
func (x *Exchange) Shared(under string) {
	if x != nil {
		x.Under = under
	}
}
