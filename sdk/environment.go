package sdk

import (
	"context"
	"encoding/json"
)

// Environment is an agent's environment: a simulator, a set of tools, or a user. One configured environment serves many
// episodes at a time, and every method may be called concurrently for different episodes.
type Environment interface {
	// Open starts an episode. Repeating Open for an open episode restarts it.
	Open(ctx context.Context, req OpenRequest) (*OpenResponse, error)
	// Step takes the assistant's message and returns tool results, the next user turn, or both. The SDK responds to a
	// repeated StepID from its record, so Step receives each ID only once.
	Step(ctx context.Context, req StepRequest) (*StepResponse, error)
	// Close ends an episode. Closing an episode that is unknown or already closed is not an error.
	Close(ctx context.Context, req CloseRequest) (*CloseResponse, error)
}

// EnvironmentWithSnapshot is an Environment whose state is available to rewards.
type EnvironmentWithSnapshot interface {
	Environment
	// Snapshot returns the state of an open episode as JSON.
	Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error)
}

// EnvironmentWithTools is an Environment that has the same tools in all episodes. Before the first episode, the host
// reports agents' patterns that match none of the tools. If a Probe returns the tools, a plan reports such patterns.
type EnvironmentWithTools interface {
	Environment
	Tools() []Tool
}

// EnvironmentWithTasks is an Environment that provides its own data.
type EnvironmentWithTasks interface {
	Environment
	// Tasks calls yield for every task in a split, starting at position cursor and in a fixed order, until yield
	// returns false.
	Tasks(ctx context.Context, split Split, cursor int, yield func(Task) bool) error
}

// OpenRequest starts an episode.
type OpenRequest struct {
	EpisodeID string // unique within the run
	Task      Task   // Private only with NeedGroundTruth
	Seed      uint64 // source of all randomness of the episode; shared by the siblings of a group
	Split     Split
}

// OpenResponse is the start of the conversation.
type OpenResponse struct {
	InstanceID string    // the environment's own name for the episode; may equal EpisodeID
	Messages   []Message // the agent's first messages, after its own system prompt; empty: the task's own prompt
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

// StepResponse is the environment's response.
type StepResponse struct {
	Messages     []Message          // tool results in the order of the calls, then the next user turn, if any
	TurnReward   *float64           // finite, or nil
	Done         bool               // the episode has ended
	Truncated    bool               // it has ended because a limit was reached; implies Done
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

// EnvironmentCapabilities describes an environment's capabilities and limits.
type EnvironmentCapabilities struct {
	MaxSessions            int    // most episodes open at a time; 0 means any number
	DeterministicUnderSeed bool   // equal seed, task and messages give equal answers
	GroupSafe              bool   // episodes of one group may run at the same time
	Snapshot               bool   // it is an EnvironmentWithSnapshot
	Tasks                  bool   // it is an EnvironmentWithTasks
	MultiUserTurn          bool   // Step may answer with a user message
	Needs                  []Need // its requirements
	ViewURL                string // for watching it in a browser
	// GroundTruthAttribute is a boolean attribute in its schema: a block that sets it needs NeedGroundTruth in addition
	// to Needs.
	GroundTruthAttribute string
}

// Need is something that a component requires.
type Need string

// The needs that a component can declare.
const (
	NeedGroundTruth      Need = "ground_truth"
	NeedTranscript       Need = "transcript"
	NeedEnvironmentState Need = "environment_state"
	NeedFiles            Need = "files"
	NeedNetwork          Need = "network"
)

// ErrSessionLost reports that an episode is unknown, usually because its process has exited. The host starts a new
// attempt.
var ErrSessionLost error = &sessionLost{}

type sessionLost struct{}

func (*sessionLost) Error() string { return "session lost" }
