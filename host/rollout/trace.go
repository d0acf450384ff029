package rollout

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
	Under(ctx context.Context, episodeID string, attempt int, call Wait) context.Context
}

// Waited is something that an episode has waited for. Of calls, About is an Exchange.
type Waited = wait.Over

// Exchange is what a call was about.
type Exchange struct {
	Asked    []sdk.Message // new ones: of a generation those of its request, of a step the model's
	Answered []sdk.Message
	Err      error
}

// Parties are the addresses of those who take part in an attempt; empty: there is none.
type Parties struct {
	Agent       string
	Environment string
	Model       string // that answers unless a turn says who did
}

// parties are those of the episodes of a stage.
func (s *stage) parties() Parties {
	return Parties{Agent: s.AgentAddress, Environment: s.environment, Model: s.Generator.Address}
}

// under lets whoever is called with the context know which call of the episode it is.
func (ep *episode) under(ctx context.Context, attempt int, call wait.Wait) context.Context {
	if t := ep.engine.options.Tracer; t != nil {
		return t.Under(ctx, ep.request.EpisodeID, attempt, call)
	}
	return ctx
}

// exchange begins to note what a call is about; nil, and nothing is noted, where nobody follows the episode.
func (ep *episode) exchange(asked ...sdk.Message) *Exchange {
	if ep.engine.options.Tracer == nil {
		return nil
	}
	return &Exchange{Asked: asked}
}

// end notes what came of a call.
func (x *Exchange) end(err error, answered ...sdk.Message) {
	if x != nil {
		x.Answered, x.Err = answered, err
	}
}
