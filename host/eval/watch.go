package eval

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// Watcher receives the calls of an episode as they are made. Calls are concurrent if an agent requests several messages
// at the same time. It may block if Config.Unhurried is set.
type Watcher interface {
	// Called receives a finished call. An error causes the episode to fail.
	Called(ctx context.Context, c Call) error
}

// Kinds of calls.
const (
	CallGenerate = "generate" // a message of the model
	CallOpen     = "open"     // the environment opens the episode
	CallStep     = "step"     // a step of the environment
	CallScore    = "score"    // a reward's score
)

// Call is a finished call in an episode.
type Call struct {
	Call    string  `json:"call" jsonschema:"enum=generate,enum=open,enum=step,enum=score"`
	Address string  `json:"address"` // of the called block; for generate also "model" or "player"
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	Error   string  `json:"error,omitempty"` // the error of the call

	Agent    string        `json:"agent,omitempty"` // for generate: the calling agent
	Received []sdk.Message `json:"heard,omitempty"` // for generate: messages since the last message of the conversation
	Tools    []sdk.Tool    `json:"tools,omitempty"` // for generate: the offered tools; for open and step: new tools

	// Messages contains the results: one message for generate, the environment's messages for open and step.
	Messages     []sdk.Message    `json:"messages,omitempty"`
	Finish       sdk.FinishReason `json:"finish,omitempty"` // for generate: the reason for the end of the message
	PromptTokens int              `json:"prompt_tokens,omitempty"`
	OutputTokens int              `json:"output_tokens,omitempty"`

	Done       bool               `json:"done,omitempty"`        // for step: the environment ended the episode
	Truncated  bool               `json:"truncated,omitempty"`   // for step: by the environment's limit
	TurnReward *float64           `json:"turn_reward,omitempty"` // for step
	Metrics    map[string]float64 `json:"metrics,omitempty"`     // for step and score

	Score      *float64           `json:"score,omitempty"`      // for score
	Components map[string]float64 `json:"components,omitempty"` // for score
	IsSuccess  *bool              `json:"is_success,omitempty"` // for score
	Failure    *EpisodeFailure    `json:"failure,omitempty"`    // for score: without a score
}

// watch inserts the watcher between the engine and the components that it calls.
func watch(setup *rollout.StageSetup, w Watcher) {
	setup.Generator.Generator = watchedGenerator{setup.Generator.Generator, setup.Generator.Address, w}
	for _, by := range setup.Served {
		if _, watched := by.Generator.(watchedGenerator); !watched { // a generator may be shared by several members
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

// redacting removes secrets from errors.
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

// timed makes a call and reports it to the watcher after describe has completed the report.
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
		return out, err // the episode has ended, so that nothing is paused any more
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
	c := Call{Call: CallGenerate, Address: g.address, Agent: req.Agent, Received: req.Messages, Tools: req.Tools}
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

// Snapshot implements sdk.EnvironmentWithSnapshot. The engine calls only declared methods.
func (e watchedEnvironment) Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error) {
	return e.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(ctx, episodeID)
}

type watchedReward struct {
	sdk.Reward
	address string
	watcher Watcher
}

// Score implements sdk.Reward. Only one episode runs at a time, so there is one item.
func (r watchedReward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	return timed(ctx, r.watcher, Call{Call: CallScore, Address: r.address},
		func() (*sdk.ScoreResponse, error) { return r.Reward.Score(ctx, req) },
		func(c *Call, out *sdk.ScoreResponse) {
			c.Metrics = out.Metrics
			if len(out.Items) != 1 {
				return // the engine reports this
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
