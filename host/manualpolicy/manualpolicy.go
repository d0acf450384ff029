// Package manualpolicy lets a user or a program act as the agent in an environment: assistant messages are the input,
// and the environment's responses are the output. Environment authors use it to see what the agent sees.
//
//	config := manualpolicy.Config{Catalog: c, Type: "calculator", Task: manualpolicy.Choice{ID: "add-17-25"}}
//	err := manualpolicy.Lines(ctx, config, in, out)
//
// It runs one episode with a real plugin process and the rules of a run: the environment receives the private part of
// the task only if it declares the need, a finished episode accepts no more messages, and a failure never becomes a
// number. Lines uses JSON; Prompt is interactive.
//
// A Policy lets a user or a program replace the policy for an agent or the members of a swarm: the episode requests
// messages from the Policy.
//
// The package manages these conversations and the choice of a task. It must not depend on runs, trainers, or the spec
// language.
package manualpolicy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/standalone"
	"github.com/awhost/awhost/sdk"
)

// Config configures an episode.
type Config struct {
	Catalog        *catalog.Catalog
	Type           string            // of the environment
	Settings       map[string]string // its configuration from --set
	Reward         string            // type of the reward that scores the episode; may be empty
	RewardSettings map[string]string // the reward's configuration
	Task           Choice
	Seed           uint64
	PassEnv        []string // environment variables that the plugins get in addition to the allow-list
	Guard          []string // see standalone.Config
}

// callTimeout limits each call to a plugin.
const callTimeout = 10 * time.Minute

// episodeID is the ID of the episode, of which there is one per process.
const episodeID = "play"

// episode is an open episode.
type episode struct {
	plugin *standalone.Plugin // the environment
	reward *standalone.Plugin // may be nil

	task       sdk.Task
	opened     *sdk.OpenResponse
	first      []sdk.Message // the agent's first messages
	tools      []sdk.Tool    // current tools
	transcript []sdk.Message
	sampled    []int // indices of the player's messages in transcript
	turns      int   // assistant messages so far
	rewards    []float64
	over       string // the reason for its end; empty while it is open
}

// Reasons for the end of an episode.
const (
	overDone      = "done"
	overTruncated = "truncated" // by the environment's limit
	overMaxTurns  = "max_turns" // the environment accepts no more messages
	overLeft      = "left"      // the agent left
)

// open starts the plugins, chooses the task, and opens the episode. The caller closes it.
func open(ctx context.Context, c Config) (_ *episode, err error) {
	e := &episode{}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if e.plugin, err = standalone.Start(ctx, standalone.Config{
		Catalog: c.Catalog, Kind: sdk.KindEnvironment, Type: c.Type, Settings: c.Settings, PassEnv: c.PassEnv, Guard: c.Guard,
		For: "play",
	}); err != nil {
		return nil, err
	}
	chosen, err := c.Task.find(ctx, e.plugin)
	if err != nil {
		return nil, err
	}
	if e.task = chosen.task; c.Reward != "" {
		if err = e.startReward(ctx, c); err != nil {
			return nil, err
		}
	}
	if err = e.begin(ctx, c, chosen); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *episode) startReward(ctx context.Context, c Config) (err error) {
	e.reward, err = standalone.Start(ctx, standalone.Config{
		Catalog: c.Catalog, Kind: sdk.KindReward, Type: c.Reward, Settings: c.RewardSettings, PassEnv: c.PassEnv,
		Guard: c.Guard, For: "play",
	})
	if err == nil && e.reward.Component.Reward.GroupRelative {
		return fmt.Errorf("reward %q compares the samples of a group, but only one episode is played: choose another "+
			"reward", c.Reward)
	}
	return err
}

func (e *episode) begin(ctx context.Context, c Config, chosen chosen) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var err error
	e.opened, err = e.plugin.Environment().Open(ctx, sdk.OpenRequest{
		EpisodeID: episodeID, Task: shown(e.task, e.plugin.Component.Environment.Needs), Seed: c.Seed, Split: chosen.split,
	})
	if err != nil && chosen.made {
		return fmt.Errorf("open environment %q without a task: %w; give it one by --task-json or --dataset", c.Type,
			e.plugin.Explain(err))
	}
	if err != nil {
		return fmt.Errorf("open environment %q: %w", c.Type, e.plugin.Explain(err))
	}
	e.tools, e.first = e.opened.Tools, e.opened.Messages
	if question, err := agent.TaskMessages(e.task); err == nil && len(e.first) == 0 {
		e.first = question
	}
	e.transcript, e.sampled = slices.Clone(e.first), []int{}
	return nil
}

// shown returns a task without the parts that a component does not need.
func shown(task sdk.Task, needs []sdk.Need) sdk.Task {
	if !slices.Contains(needs, sdk.NeedGroundTruth) {
		task.Private = nil
	}
	return task
}

// say sends an assistant message to the environment.
func (e *episode) say(ctx context.Context, message sdk.Message) (*sdk.StepResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	nameCalls(&message, e.turns+1)
	answer, err := e.plugin.Environment().Step(ctx, sdk.StepRequest{
		EpisodeID: episodeID, InstanceID: e.opened.InstanceID, StepID: strconv.Itoa(e.turns + 1), Message: message,
	})
	if err != nil {
		return nil, fmt.Errorf("step %d of the environment: %w", e.turns+1, e.plugin.Explain(err))
	}
	e.turns++
	e.sampled = append(e.sampled, len(e.transcript))
	e.transcript = append(append(e.transcript, message), answer.Messages...)
	if answer.TurnReward != nil {
		e.rewards = append(e.rewards, *answer.TurnReward)
	}
	if answer.ToolsChanged {
		e.tools = answer.Tools
	}
	switch {
	case answer.Truncated:
		e.over = overTruncated
	case answer.Done:
		e.over = overDone
	case e.opened.MaxTurns > 0 && e.turns >= e.opened.MaxTurns:
		e.over = overMaxTurns
	}
	return answer, nil
}

// nameCalls adds IDs to calls without one, so that results can be assigned to them.
func nameCalls(message *sdk.Message, turn int) {
	for i := range message.ToolCalls {
		if message.ToolCalls[i].ID == "" {
			message.ToolCalls[i].ID = fmt.Sprintf("call-%d-%d", turn, i+1)
		}
	}
}

// state returns the state for rewards, or nil if the environment does not provide a snapshot.
func (e *episode) state(ctx context.Context) (json.RawMessage, error) {
	environment, ok := e.plugin.Environment().(sdk.EnvironmentWithSnapshot)
	if !ok || !e.plugin.Component.Environment.Snapshot {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	state, err := environment.Snapshot(ctx, episodeID)
	if err != nil {
		return nil, fmt.Errorf("read the environment's state: %w", e.plugin.Explain(err))
	}
	return state, nil
}

// end is the result of an episode.
type end struct {
	state  json.RawMessage
	closed *sdk.CloseResponse
	scored *sdk.Scored // nil without a reward
}

// finish closes the episode and scores it.
func (e *episode) finish(ctx context.Context) (*end, error) {
	if e.over == "" {
		e.over = overLeft
	}
	state, err := e.state(ctx)
	if err != nil {
		return nil, err
	}
	out := &end{state: state}
	if out.closed, err = e.shut(ctx); err != nil {
		return nil, err
	}
	if e.reward == nil {
		return out, nil
	}
	out.scored, err = e.score(ctx, state)
	return out, err
}

func (e *episode) shut(ctx context.Context) (*sdk.CloseResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	closed, err := e.plugin.Environment().Close(ctx,
		sdk.CloseRequest{EpisodeID: episodeID, InstanceID: e.opened.InstanceID, Reason: e.over})
	if err != nil {
		return nil, fmt.Errorf("close the environment: %w", e.plugin.Explain(err))
	}
	return closed, nil
}

// close ends the processes.
func (e *episode) close() {
	if e.plugin != nil {
		e.plugin.Close()
	}
	if e.reward != nil {
		e.reward.Close()
	}
}
