// Command guess is an environment: the agent guesses a number from 1 to `highest` with the tool guess. The
// environment answers "higher" or "lower" until the guess is right.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

func main() { sdk.Serve(plugin()) }

func plugin() sdk.Plugin {
	return sdk.Plugin{Name: "guess", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{{
		Component: sdk.Component{
			Type:        "guess",
			Description: "A number to guess, with a tool that answers higher or lower.",
			Schema: schema.Block{Attributes: []schema.Attribute{
				schema.Integer("highest", "the largest number that may be hidden").Default(9).Range(2, 1000),
			}},
			Metrics: []string{"guesses"},
		},
		Capabilities: sdk.EnvironmentCapabilities{DeterministicUnderSeed: true, GroupSafe: true},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Environment, error) {
			e := &environment{games: map[string]*game{}}
			return e, setup.Decode(&e.settings)
		},
	}}}
}

// environment handles many games at the same time: the host opens one per running episode.
type environment struct {
	settings struct {
		Highest int `json:"highest"`
	}
	mu    sync.Mutex
	games map[string]*game // by episode ID
}

type game struct {
	hidden, guesses int
}

// Open hides a number. All randomness comes from the seed, which the samples of a group share, so they get the same
// number.
func (e *environment) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	hidden := 1 + rand.New(rand.NewPCG(req.Seed, 0)).IntN(e.settings.Highest)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.games[req.EpisodeID] = &game{hidden: hidden}
	return &sdk.OpenResponse{
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: fmt.Sprintf("Guess a number from 1 to %d.",
			e.settings.Highest)}},
		Tools: []sdk.Tool{{
			Name: "guess", Description: "Says whether the hidden number is higher or lower.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
		}},
		MaxTurns: e.settings.Highest,
	}, nil
}

// Step answers every tool call of the message. The turn reward is 1 for the right guess.
func (e *environment) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	g := e.games[req.EpisodeID]
	if g == nil {
		return nil, sdk.ErrSessionLost // the host retries with a new episode
	}
	out := &sdk.StepResponse{Done: len(req.Message.ToolCalls) == 0} // a message without a tool call gives up
	for _, call := range req.Message.ToolCalls {
		content, right := g.answer(call.Arguments)
		out.Messages = append(out.Messages, sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name,
			Content: content})
		if right {
			won := 1.0
			out.Done, out.TurnReward = true, &won
		}
	}
	return out, nil
}

func (g *game) answer(arguments string) (content string, right bool) {
	var guess struct {
		N *int `json:"n"`
	}
	if json.Unmarshal([]byte(arguments), &guess) != nil || guess.N == nil {
		return `error: want {"n": 5}`, false // the agent's mistake is not a failure: the episode continues
	}
	g.guesses++
	switch {
	case *guess.N < g.hidden:
		return "higher", false
	case *guess.N > g.hidden:
		return "lower", false
	}
	return "right", true
}

// Close deletes the episode's game.
func (e *environment) Close(_ context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	g := e.games[req.EpisodeID]
	delete(e.games, req.EpisodeID)
	if g == nil {
		return &sdk.CloseResponse{}, nil
	}
	return &sdk.CloseResponse{Metrics: map[string]float64{"guesses": float64(g.guesses)}}, nil
}

var _ sdk.Environment = (*environment)(nil)
