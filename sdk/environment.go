package sdk

import (
	"context"
	"encoding/json"
)

// Environment is what an agent acts in: a simulator, a set of tools, a user. One configured environment serves
// many episodes at a time; every method may be called concurrently for different episodes.
type Environment interface {
	// Open starts an episode. A repeated Open of an open episode starts it afresh.
	Open(ctx context.Context, req OpenRequest) (*OpenResponse, error)
	// Step takes the assistant's message and answers with tool results, the next user turn, or both. The SDK
	// answers a repeated StepID from its record, so Step sees each id once.
	Step(ctx context.Context, req StepRequest) (*StepResponse, error)
	// Close ends an episode. Closing an unknown or closed episode is no error.
	Close(ctx context.Context, req CloseRequest) (*CloseResponse, error)
}

// EnvironmentWithSnapshot is an Environment whose state rewards can look at.
type EnvironmentWithSnapshot interface {
	Environment
	// Snapshot returns the state of an open episode as JSON.
	Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error)
}

// EnvironmentWithTools is an Environment that offers the same tools in all episodes. The host finds patterns of agents
// that match none of them before the first episode; a Probe that knows them finds them in a plan.
type EnvironmentWithTools interface {
	Environment
	Tools() []Tool
}

// EnvironmentWithTasks is an Environment that brings its own data.
type EnvironmentWithTasks interface {
	Environment
	// Tasks calls yield for every task of a split from position cursor on, in a fixed order, until it returns false.
	Tasks(ctx context.Context, split Split, cursor int, yield func(Task) bool) error
}

// OpenRequest starts an episode.
type OpenRequest struct {
	EpisodeID string // unique within the run
	Task      Task   // Private only with NeedGroundTruth
	Seed      uint64 // all randomness of the episode comes from it; siblings of a group share it
	Split     Split
}

// OpenResponse is the start of the conversation.
type OpenResponse struct {
	InstanceID string    // the environment's own name for the episode; may equal EpisodeID
	Messages   []Message // what the agent sees first, after its own system prompt; empty: the task's own prompt
	Tools      []Tool    // names are unique within the episode
	MaxTurns   int       // most assistant messages that this episode takes; 0 means no limit
}

// StepRequest carries one assistant message.
type StepRequest struct {
	EpisodeID  string
	InstanceID string
	StepID     string // idempotency key
	Message    Message
}

// StepResponse is the environment's answer.
type StepResponse struct {
	Messages     []Message          // tool results in the order of the calls, then the next user turn, if any
	TurnReward   *float64           // finite, or nil
	Done         bool               // the episode is over
	Truncated    bool               // it is over because a limit was reached, not because it ended
	Tools        []Tool             // replaces the tools when ToolsChanged
	ToolsChanged bool               //
	Metrics      map[string]float64 // numbers about this step; summed over the episode
}

// CloseRequest ends an episode.
type CloseRequest struct {
	EpisodeID  string
	InstanceID string
	Reason     string // "done", "failed", "cancelled", …
}

// CloseResponse ends an episode.
type CloseResponse struct {
	StateDigest string             // of the final state; equal states have equal digests; may be empty
	Metrics     map[string]float64 // numbers about the whole episode
}

// EnvironmentCapabilities is what the host may expect of an environment.
type EnvironmentCapabilities struct {
	MaxSessions            int    // most episodes open at a time; 0 means any number
	DeterministicUnderSeed bool   // equal seed, task and messages give equal answers
	GroupSafe              bool   // episodes of one group may run at the same time
	Snapshot               bool   // it is an EnvironmentWithSnapshot
	Tasks                  bool   // it is an EnvironmentWithTasks
	MultiUserTurn          bool   // Step may answer with a user message
	Needs                  []Need // what it cannot work without
	ViewURL                string // where a person can watch it
	// GroundTruthAttribute is a boolean of its schema: where a block has it, it has NeedGroundTruth beside Needs.
	GroundTruthAttribute string
}

// Need is something that a component cannot work without.
type Need string

// The needs that a component can declare.
const (
	NeedGroundTruth      Need = "ground_truth"
	NeedTranscript       Need = "transcript"
	NeedEnvironmentState Need = "environment_state"
	NeedFiles            Need = "files"
	NeedNetwork          Need = "network"
)

// ErrSessionLost says that an episode is unknown, usually because the process that held it is gone. The host
// answers it with a fresh attempt.
var ErrSessionLost error = &sessionLost{}

type sessionLost struct{}

func (*sessionLost) Error() string { return "session lost" }
