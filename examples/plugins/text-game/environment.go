package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// environment handles many games at the same time. Calls of one episode are sequential; calls of different episodes
// are concurrent.
type environment struct {
	settings struct {
		MaxActions int `json:"max_actions"`
	}
	mu    sync.Mutex
	games map[string]*castle // by episode ID
}

func newEnvironment(_ context.Context, setup sdk.Setup) (sdk.Environment, error) {
	e := &environment{games: map[string]*castle{}}
	return e, setup.Decode(&e.settings)
}

// Open builds the castle of a task. The samples of a group share one seed and explore the same castle.
func (e *environment) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	asked, err := readTask(req.Task)
	if err != nil {
		return nil, err
	}
	game, err := build(req.Seed^asked.Castle*0x9e3779b97f4a7c15, asked.Rooms, asked.Locks)
	if err != nil {
		return nil, fmt.Errorf("task %s: %w", req.Task.ID, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.games[req.EpisodeID] == nil && len(e.games) >= maxSessions {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Retryable: true,
			Detail: fmt.Sprintf("%d castles are open, and that is the most", maxSessions)}
	}
	e.games[req.EpisodeID] = game
	return &sdk.OpenResponse{
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: asked.Prompt + "\n\n" + game.look()}},
		Tools:    tools,
		MaxTurns: e.settings.MaxActions,
	}, nil
}

const (
	noArguments = `{"type":"object","properties":{},"additionalProperties":false}`
	toDirection = `{"type":"object","properties":{"direction":{"type":"string","enum":["north","east","south","west"]}},"required":["direction"],"additionalProperties":false}`
	ofItem      = `{"type":"object","properties":{"item":{"type":"string"}},"required":["item"],"additionalProperties":false}`
)

var tools = []sdk.Tool{
	{Name: "look", Description: "Describes the room that you are in.", Parameters: json.RawMessage(noArguments)},
	{Name: "walk", Description: "Goes through a door.", Parameters: json.RawMessage(toDirection)},
	{Name: "unlock", Description: "Unlocks a door with a key that you have.", Parameters: json.RawMessage(toDirection)},
	{Name: "take", Description: "Picks up what lies here.", Parameters: json.RawMessage(ofItem)},
	{Name: "inventory", Description: "Says what you have.", Parameters: json.RawMessage(noArguments)},
}

// Step runs the tool calls of a message. A message without a tool call gives up.
func (e *environment) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	game, err := e.game(req.EpisodeID)
	if err != nil {
		return nil, err
	}
	out := &sdk.StepResponse{Done: len(req.Message.ToolCalls) == 0}
	for _, call := range req.Message.ToolCalls {
		said, err := e.act(game, call)
		var no refusal
		if err != nil && !errors.As(err, &no) {
			return nil, err
		}
		if err != nil {
			said = no.Error()
			game.mistakes++
		}
		out.Messages = append(out.Messages, sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name,
			Content: said, IsError: err != nil})
	}
	switch {
	case game.won:
		one := 1.0
		out.Done, out.TurnReward = true, &one
	case game.actions >= e.settings.MaxActions:
		out.Done, out.Truncated = true, true
	}
	return out, nil
}

// act performs one action. A refusal is not a failure: the player gets it as the answer and continues.
func (e *environment) act(game *castle, call sdk.ToolCall) (string, error) {
	if game.won || game.actions >= e.settings.MaxActions {
		return "", refusal("The game is over.")
	}
	game.actions++
	var with struct {
		Direction direction `json:"direction"`
		Item      string    `json:"item"`
	}
	if err := json.Unmarshal([]byte(call.Arguments), &with); err != nil {
		return "", refusal("The arguments are no object of the tool's schema: " + err.Error())
	}
	switch call.Name {
	case "look":
		return game.look(), nil
	case "inventory":
		return game.carried(), nil
	case "walk":
		return game.walk(with.Direction)
	case "unlock":
		return game.unlock(with.Direction)
	case "take":
		return game.take(with.Item)
	}
	return "", refusal("There is no such tool. There are look, walk, unlock, take and inventory.")
}

func (e *environment) game(episode string) (*castle, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if game := e.games[episode]; game != nil {
		return game, nil
	}
	return nil, sdk.ErrSessionLost // the host retries with a new episode
}

// state is the content of a snapshot for rewards and users. It includes facts that the player does not see.
type state struct {
	Room      string   `json:"room"`
	Treasure  string   `json:"treasure"` // name of its room
	Inventory []string `json:"inventory"`
	Won       bool     `json:"won"`
	Doors     int      `json:"doors"`     // unlocked
	AllDoors  int      `json:"all_doors"` // with a lock
	Explored  int      `json:"explored"`  // visited rooms
	AllRooms  int      `json:"all_rooms"`
	Actions   int      `json:"actions"`
	Mistakes  int      `json:"mistakes"` // actions that were not possible
}

func (c *castle) state() state {
	open, all := c.doors()
	s := state{
		Room: c.rooms[c.here].name, Treasure: c.rooms[c.treasure].name, Inventory: append([]string{}, c.inventory...),
		Won:   c.won,
		Doors: open, AllDoors: all, AllRooms: len(c.rooms), Actions: c.actions, Mistakes: c.mistakes,
	}
	for _, r := range c.rooms {
		if r.seen {
			s.Explored++
		}
	}
	return s
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (e *environment) Snapshot(_ context.Context, episode string) (json.RawMessage, error) {
	game, err := e.game(episode)
	if err != nil {
		return nil, err
	}
	return json.Marshal(game.state())
}

// Close deletes the episode's game.
func (e *environment) Close(_ context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	e.mu.Lock()
	game := e.games[req.EpisodeID]
	delete(e.games, req.EpisodeID)
	e.mu.Unlock()
	if game == nil {
		return &sdk.CloseResponse{}, nil
	}
	last := game.state()
	text, err := json.Marshal(last)
	if err != nil {
		return nil, fmt.Errorf("write the last state: %w", err)
	}
	digest := sha256.Sum256(text)
	won := 0.0
	if last.Won {
		won = 1
	}
	return &sdk.CloseResponse{
		StateDigest: hex.EncodeToString(digest[:]),
		Metrics:     map[string]float64{"actions": float64(last.Actions), "mistakes": float64(last.Mistakes), "won": won},
	}, nil
}

var (
	_ sdk.EnvironmentWithSnapshot = (*environment)(nil)
	_ sdk.EnvironmentWithTasks    = (*environment)(nil)
)
