package eval

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// Watcher sees the calls of an episode as they are made, several at a time where an agent asks for several messages
// at a time. It may take its time where Config.Unhurried is set.
type Watcher interface {
	// Called hears of a call that is over. An error fails the episode.
	Called(ctx context.Context, c Call) error
}

// Kinds of calls.
const (
	CallGenerate = "generate" // a message of the model
	CallOpen     = "open"     // the environment opens the episode
	CallStep     = "step"     // the environment answers a message
	CallScore    = "score"    // a reward judges
)

// Call is a call of an episode that is over.
type Call struct {
	Call    string  `json:"call" jsonschema:"enum=generate,enum=open,enum=step,enum=score"`
	Address string  `json:"address"` // of the block that was called; of generate also "model" or "player"
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	Error   string  `json:"error,omitempty"` // the call failed so

	Agent string        `json:"agent,omitempty"` // of generate: who asks
	Heard []sdk.Message `json:"heard,omitempty"` // of generate: what came since the last message of the conversation
	Tools []sdk.Tool    `json:"tools,omitempty"` // of generate: what is offered; of open and step: what is new

	// Messages are what was said: of generate one, of open and step those of the environment.
	Messages     []sdk.Message    `json:"messages,omitempty"`
	Finish       sdk.FinishReason `json:"finish,omitempty"` // of generate: why the message ended
	PromptTokens int              `json:"prompt_tokens,omitempty"`
	OutputTokens int              `json:"output_tokens,omitempty"`

	Done       bool               `json:"done,omitempty"`        // of step: the environment ended the episode
	Truncated  bool               `json:"truncated,omitempty"`   // of step: by a limit of its own
	TurnReward *float64           `json:"turn_reward,omitempty"` // of step
	Metrics    map[string]float64 `json:"metrics,omitempty"`     // of step and score

	Score      *float64           `json:"score,omitempty"`      // of score
	Components map[string]float64 `json:"components,omitempty"` // of score
	IsSuccess  *bool              `json:"is_success,omitempty"` // of score
	Failure    *EpisodeFailure    `json:"failure,omitempty"`    // of score: there is no number
}

// watch puts the watcher between the engine and all that it calls.
func watch(setup *rollout.StageSetup, w Watcher) {
	setup.Generator.Generator = watchedGenerator{setup.Generator.Generator, setup.Generator.Address, w}
	for _, by := range setup.Served {
		if _, watched := by.Generator.(watchedGenerator); !watched { // one may answer for several members
			by.Generator = watchedGenerator{by.Generator, by.Address, w}
		}
	}
	if setup.Environment != nil {
		binding := *setup.Environment
		binding.Environment = watchedEnvironment{binding.Environment, binding.Address, w}
		setup.Environment = &binding
	}
	for i := range setup.Rewards {
		r := &setup.Rewards[i]
		r.Reward = watchedReward{r.Reward, r.Address, w}
	}
}

// redacting takes secrets out of errors.
type redacting struct {
	Watcher
	text func(string) string
}

// Called implements Watcher.
func (r redacting) Called(ctx context.Context, c Call) error {
	c.Error = r.text(c.Error)
	if c.Failure != nil {
		c.Failure = &EpisodeFailure{c.Failure.Class, r.text(c.Failure.Detail)}
	}
	return r.Watcher.Called(ctx, c)
}

// timed makes a call, and reports it to the watcher with what describe adds.
func timed[T any](
	ctx context.Context, w Watcher, c Call, call func() (T, error), describe func(*Call, T),
) (T, error) {
	began := time.Now()
	out, err := call()
	c.Seconds = time.Since(began).Seconds()
	if err != nil {
		c.Error = err.Error()
	} else {
		describe(&c, out)
	}
	if ctx.Err() != nil {
		return out, err // the episode is over, and nobody is to be stopped any more
	}
	return out, errors.Join(err, w.Called(ctx, c))
}

type watchedGenerator struct {
	rollout.Generator
	address string
	watcher Watcher
}

// Generate implements rollout.Generator.
func (g watchedGenerator) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	c := Call{Call: CallGenerate, Address: g.address, Agent: req.Agent, Heard: req.Messages, Tools: req.Tools}
	return timed(ctx, g.watcher, c, func() (*sdk.GenerateResponse, error) { return g.Generator.Generate(ctx, req) },
		func(c *Call, out *sdk.GenerateResponse) {
			c.Messages, c.Finish = []sdk.Message{out.Message}, out.Finish
			c.PromptTokens, c.OutputTokens = out.PromptTokens, out.OutputTokens
		})
}

// Enter implements rollout.Limited.
func (g watchedGenerator) Enter(ctx context.Context) (leave func(), err error) {
	if limited, ok := g.Generator.(rollout.Limited); ok {
		return limited.Enter(ctx)
	}
	return func() {}, nil
}

type watchedEnvironment struct {
	sdk.Environment
	address string
	watcher Watcher
}

// Open implements sdk.Environment.
func (e watchedEnvironment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	return timed(ctx, e.watcher, Call{Call: CallOpen, Address: e.address},
		func() (*sdk.OpenResponse, error) { return e.Environment.Open(ctx, req) },
		func(c *Call, out *sdk.OpenResponse) { c.Messages, c.Tools = out.Messages, out.Tools })
}

// Step implements sdk.Environment.
func (e watchedEnvironment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	return timed(ctx, e.watcher, Call{Call: CallStep, Address: e.address},
		func() (*sdk.StepResponse, error) { return e.Environment.Step(ctx, req) },
		func(c *Call, out *sdk.StepResponse) {
			c.Messages, c.Done, c.Truncated, c.TurnReward = out.Messages, out.Done, out.Truncated, out.TurnReward
			c.Metrics = out.Metrics
			if out.ToolsChanged {
				c.Tools = out.Tools
			}
		})
}

// Snapshot implements sdk.EnvironmentWithSnapshot: the engine asks only for what the environment has declared.
func (e watchedEnvironment) Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error) {
	return e.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(ctx, episodeID)
}

type watchedReward struct {
	sdk.Reward
	address string
	watcher Watcher
}

// Score implements sdk.Reward. One episode is played at a time, so that there is one item.
func (r watchedReward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	return timed(ctx, r.watcher, Call{Call: CallScore, Address: r.address},
		func() (*sdk.ScoreResponse, error) { return r.Reward.Score(ctx, req) },
		func(c *Call, out *sdk.ScoreResponse) {
			c.Metrics = out.Metrics
			if len(out.Items) != 1 {
				return // the engine says so
			}
			item := out.Items[0]
			if f := item.Failure; f != nil {
				c.Failure = &EpisodeFailure{f.Class, f.Detail}
				return
			}
			c.Score, c.Components, c.IsSuccess = &item.Score, item.Components, item.IsSuccess
		})
}

var (
	_ rollout.Limited             = watchedGenerator{}
	_ sdk.EnvironmentWithSnapshot = watchedEnvironment{}
	_ sdk.Reward                  = watchedReward{}
)
