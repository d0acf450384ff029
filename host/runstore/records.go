package runstore

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk"
)

// Type is the type of a journal record.
type Type string

// The types of records. Their numbers in the journal's frames are their indexes in recordTypes.
const (
	TypeIncarnation Type = "incarnation" // IncarnationRecord
	TypeLaunch      Type = "launch"      // LaunchRecord
	TypeHandle      Type = "handle"      // HandleRecord
	TypeEpisode     Type = "episode"     // EpisodeRecord
	TypeStep        Type = "step"        // StepRecord
	TypeValidation  Type = "validation"  // ValidationRecord
	TypeMetrics     Type = "metrics"     // MetricRecord
	TypeEvent       Type = "event"       // EventRecord
	TypeCommit      Type = "commit"      // CommitRecord
	TypePrune       Type = "prune"       // PruneRecord
	TypeFinish      Type = "finish"      // FinishRecord
	TypeConsumed    Type = "consumed"    // ConsumedRecord
	TypeBoundary    Type = "boundary"    // BoundaryRecord
	TypeTrainerEnd  Type = "trainer_end" // TrainerEndRecord
	TypeCall        Type = "call"        // CallRecord
	TypeTokens      Type = "tokens"      // TokensRecord
	TypeFinding     Type = "finding"     // FindingRecord
)

// recordTypes may only ever be extended, because the indexes are stored on disk.
var recordTypes = []Type{"", TypeIncarnation, TypeLaunch, TypeHandle, TypeEpisode, TypeStep, TypeValidation,
	TypeMetrics, TypeEvent, TypeCommit, TypePrune, TypeFinish, TypeConsumed, TypeBoundary, TypeTrainerEnd,
	TypeCall, TypeTokens, TypeFinding}

// indexed are the kinds that the journal's index lists: all except those with most of its bytes.
var indexed = slices.DeleteFunc(kindsOf(recordTypes[1:]), func(k journal.Kind) bool {
	return slices.Contains(kindsOf([]Type{TypeEpisode, TypeCall, TypeTokens}), k)
})

func kindsOf(types []Type) []journal.Kind {
	kinds := []journal.Kind{}
	for _, t := range types {
		kinds = append(kinds, t.kind())
	}
	return kinds
}

func (t Type) kind() journal.Kind {
	for i, known := range recordTypes {
		if known == t {
			return journal.Kind(i)
		}
	}
	return 0
}

// envelope is the JSON form of a journal record.
type envelope struct {
	Type        Type            `json:"type"`
	Incarnation int             `json:"incarnation"`
	At          time.Time       `json:"at"`
	Data        json.RawMessage `json:"data"`
}

// encode returns the same JSON as json.Marshal, without parsing the data again, because it has just been encoded.
func (e envelope) encode() []byte {
	out := make([]byte, 0, len(e.Data)+128)
	out = append(append(out, `{"type":"`...), e.Type...)
	out = strconv.AppendInt(append(out, `","incarnation":`...), int64(e.Incarnation), 10)
	out = e.At.AppendFormat(append(out, `,"at":"`...), time.RFC3339Nano)
	out = append(append(out, `","data":`...), e.Data...)
	return append(out, '}')
}

// incarnationRecord begins the records of one process: it is the first record after each opening for writing. The
// counter in the envelope has just been incremented.
type incarnationRecord struct {
	Owner   Owner   `json:"owner"`
	Awhost  string  `json:"awhost"`
	Machine Machine `json:"machine"`
	Torn    int64   `json:"torn_bytes,omitempty"` // of the journal, cut off when it was opened
	// Files holds the hashes of run.json and the resolved spec as they were written; it is set only in the first record
	// of a run. Runs of earlier versions do not have them.
	Files []FileHash `json:"files,omitempty"`
	// Replaces is the run's previous build if this process uses an accepted build whose results may differ.
	Replaces *build.Build `json:"replaces_build,omitempty"`
}

// LaunchRecord reports that a trainer is about to be started or, with Reattached, that a trainer that outlived its host
// is being reattached. It is durable before that happens.
type LaunchRecord struct {
	LaunchID   string `json:"launch_id"` // deterministic; tags the trainer's job
	Stage      string `json:"stage"`
	StageIndex int    `json:"stage_index"`
	FirstStep  int    `json:"first_step"`
	Reattached bool   `json:"reattached,omitempty"`
	// Outlives reports that the trainer can outlive its adapter and its host, so it may be running without a recorded
	// handle.
	Outlives bool `json:"outlives,omitempty"`
	// Samples is the number of samples that the spec plans per step; 0 means unknown.
	Samples int `json:"samples,omitempty"`
	// From is the manifest digest of the checkpoint from which the trainer starts, or empty at the beginning. Earlier
	// records for steps after FromStep (-1 at the beginning) are superseded. Set by AppendLaunch.
	From     string `json:"from"`
	FromStep int    `json:"from_step"`
}

// HandleRecord contains the data that an adapter needs to find its trainer again.
type HandleRecord struct {
	LaunchID string `json:"launch_id"`
	Handle   []byte `json:"handle"`
	EventSeq uint64 `json:"event_seq"` // of the trainer's event stream
}

// BoundaryRecord ends a step for a trainer that may outlive its host: the trainer is reattached from here. The step's
// records precede it. Records after the last boundary belong to an interrupted step and are recorded again.
type BoundaryRecord struct {
	LaunchID  string        `json:"launch_id"`
	Stage     string        `json:"stage"`
	Step      int           `json:"step"`
	EventSeq  uint64        `json:"event_seq"` // the last event of the trainer's stream that is included
	Directive sdk.Directive `json:"directive"` // the response to the trainer
	Reason    string        `json:"reason,omitempty"`
	StageEnds bool          `json:"stage_ends,omitempty"`
	Ending    string        `json:"ending,omitempty"` // how the run ends, in the caller's words; empty: it continues
	// Commits reports that this step's checkpoint is committed next: the boundary counts once the checkpoint is in the
	// lineage.
	Commits bool `json:"commits,omitempty"`
	// State is the host's state for continuing exactly here, as in Manifest.Budgets. Any JSON.
	State json.RawMessage `json:"state,omitempty"`
}

// TrainerEndRecord reports that a trainer that could have outlived its host has exited, so no host needs to look for
// it.
type TrainerEndRecord struct {
	LaunchID string `json:"launch_id"`
	Reason   string `json:"reason,omitempty"`
}

// CallRecord is a response from the policy to a program that the host cannot stop, recorded before the program receives
// it. It does not count toward anything: the episode's result is in its own record, and an attempt ends with its host.
type CallRecord struct {
	EpisodeID    string           `json:"episode_id"`
	Attempt      int              `json:"attempt"`
	CallID       string           `json:"call_id"`
	Agent        string           `json:"agent"`
	Chain        string           `json:"chain"`
	Length       int              `json:"length"` // messages of the chain, including this one
	Seed         uint64           `json:"seed,string"`
	Message      sdk.Message      `json:"message"`
	Finish       sdk.FinishReason `json:"finish"`
	PromptTokens int              `json:"prompt_tokens"`
	OutputTokens int              `json:"output_tokens"`
}

// TokensRecord describes how an update used a chain's tokens, for inspection. It does not count toward anything. The
// lists have the same length as IDs or are absent.
type TokensRecord struct {
	LaunchID        string   `json:"launch_id"`
	EpisodeID       string   `json:"episode_id"`
	Step            int      `json:"step"` // step of the update
	Chain           string   `json:"chain,omitempty"`
	IDs             []int32  `json:"ids"`
	Texts           []string `json:"text,omitempty"`
	Trained         []bool   `json:"loss_mask,omitempty"`
	SamplerLogprobs Column   `json:"logprobs,omitempty"`
	TrainerLogprobs Column   `json:"trainer_logprobs,omitempty"`
	Advantages      Column   `json:"advantages,omitempty"`
	Total           int      `json:"total"` // tokens of the row
}

// Slot is a sample's position in a run. Each slot counts once in the lineage.
type Slot struct {
	Stage  string    `json:"stage"`
	Split  sdk.Split `json:"split"`
	Step   int       `json:"step"`   // optimizer step that the sample is for; validation: steps finished so far
	Group  string    `json:"group"`  // the same for all samples that are compared; the adapter's name
	Sample int       `json:"sample"` // within the group, from 0
}

// EpisodeRecord is one finished episode. It never contains the task's private part.
type EpisodeRecord struct {
	EpisodeID string `json:"episode_id"`
	LaunchID  string `json:"launch_id"` // of the trainer that requested it
	Slot      Slot   `json:"slot"`
	GroupID   string `json:"group_id,omitempty"` // the adapter's name for the group
	GroupSize int    `json:"group_size,omitempty"`
	Draw      int    `json:"draw"`
	Attempt   int    `json:"attempt"` // from 1
	TaskID    string `json:"task_id"`

	Outcome        sdk.Outcome       `json:"outcome"`
	Reward         *float64          `json:"reward,omitempty"` // absent unless scored
	Components     Numbers           `json:"components,omitempty"`
	Notes          map[string]string `json:"notes,omitempty"` // textual notes of the rewards, by name
	IsSuccess      *bool             `json:"is_success,omitempty"`
	TurnRewards    []TurnReward      `json:"turn_rewards,omitempty"`
	SelfReports    []SelfReport      `json:"own_rewards,omitempty"` // own results of plugins' agents, sorted
	Failure        *sdk.Failure      `json:"failure,omitempty"`
	Limit          *Limit            `json:"limit,omitempty"` // the limit that cut the conversation
	Masked         bool              `json:"masked,omitempty"`
	DropGroup      bool              `json:"drop_group,omitempty"`
	Lone           bool              `json:"lone_survivor,omitempty"` // masked or dropped as the only survivor
	NumTurns       int               `json:"num_turns"`
	Metrics        Numbers           `json:"metrics,omitempty"`
	Chains         []Chain           `json:"chains,omitempty"`
	Transcripts    []TranscriptPart  `json:"transcripts,omitempty"`
	UnsampledSteps []UnsampledStep   `json:"own_steps,omitempty"` // with messages that the policy did not write
	Members        []MemberRecord    `json:"members,omitempty"`   // only of several, in the order of their requests
	Callers        []Caller          `json:"callers,omitempty"`   // of calls for which a program identifies the caller
	Madness        []MadnessRecord   `json:"madness,omitempty"`   // failed checks of the messages
	Scanned        bool              `json:"scanned,omitempty"`   // by rules
	Scan           []scan.Hit        `json:"scan,omitempty"`      // hits of a scan by rules
	FinalAnswer    string            `json:"final_answer,omitempty"`
	State          json.RawMessage   `json:"environment_state,omitempty"`
	Metadata       json.RawMessage   `json:"metadata,omitempty"` // from the agent

	PolicyVersion int64      `json:"policy_version"`
	Seeds         Seeds      `json:"seeds"`
	PromptTokens  int        `json:"prompt_tokens,omitempty"`
	OutputTokens  int        `json:"output_tokens,omitempty"`
	Drift         int        `json:"drift,omitempty"` // how often the conversation was not a plain extension
	Timings       Timings    `json:"timings"`
	Spans         *Spans     `json:"spans,omitempty"` // absent in records of earlier versions
	Started       time.Time  `json:"started,omitzero"`
	Rows          []TokenRow `json:"rows,omitempty"` // only if the host owns tokens

	// The following fields contribute to a step's numbers.
	DatasetIndex int  `json:"dataset_index"`      // in the host's order; -1 if the trainer supplied the task
	Position     *int `json:"position,omitempty"` // of the group within its step, for seeds; absent: dataset_index
	Repeat       int  `json:"repeat,omitempty"`   // of the groups of a step at this position, from 0
	Retries      int  `json:"retries,omitempty"`
	Redraws      int  `json:"redraws,omitempty"`
	Malformed    int  `json:"malformed_calls,omitempty"`
	Refused      int  `json:"refused_calls,omitempty"`
	// Tools counts the calls of tools by name, and as one the calls of tools that the environment does not offer.
	Tools map[string]findings.ToolUse `json:"tools,omitempty"`

	Text      *findings.Text `json:"text,omitempty"`       // the policy's messages
	WallClock bool           `json:"wall_clock,omitempty"` // the outcome depends on how long an operation took
	Blamed    string         `json:"blamed,omitempty"`     // the plugin that the task killed

	// Replaces is the hash of an earlier record with this ID whose result did not reach a trainer that was then
	// reattached, or reached it too late. Set by AppendEpisode.
	Replaces string `json:"replaces,omitempty"`
}

// Limit is the limit that cut off a conversation.
type Limit struct {
	Name   string `json:"name"`             // "message_tokens"; docs/reference/run-directory.md has the list
	Value  int    `json:"value,omitempty"`  // in tokens or assistant messages; absent: unknown
	Of     string `json:"of,omitempty"`     // the block that sets it: "agent.react.solver"
	Detail string `json:"detail,omitempty"` // description by the model's owner
}

// UnsampledStep is an environment step with the agent's own message, such as the steps that programs take over MCP.
type UnsampledStep struct {
	ID       string        `json:"id"`              // as in turn rewards
	Messages []sdk.Message `json:"messages"`        // the agent's, and the environment's unless the step failed
	Calls    []CarriedOut  `json:"calls,omitempty"` // the policy's calls that it executes, if known
}

// CarriedOut is a call by the policy that the agent's own step executes.
type CarriedOut struct {
	ID         string `json:"id"`           // in the step's message
	CallID     string `json:"call_id"`      // of the policy's message
	ToolCallID string `json:"tool_call_id"` // in that message
}

// TurnReward is the environment's reward for the turn that a call produced.
type TurnReward struct {
	CallID string  `json:"call_id"`
	Reward float64 `json:"reward"`
}

// SelfReport is an agent's own reward for an episode. It counts if the spec's expressions reference it.
type SelfReport struct {
	Agent     string   `json:"agent"` // "python.mine"
	Reward    *float64 `json:"reward,omitempty"`
	IsSuccess *bool    `json:"is_success,omitempty"`
}

// Chain is a conversation as seen by the owner of the tokens. The reward is bound to Digest, which identifies the
// sampled tokens.
type Chain struct {
	Chain  string   `json:"chain"`
	Agent  string   `json:"agent,omitempty"`
	Digest string   `json:"digest"`
	Train  bool     `json:"train"`
	Reward *float64 `json:"reward,omitempty"` // if a member of a swarm has its own
}

// TranscriptPart contains one agent's messages: the whole episode or, in a swarm, part of it. Parts are in
// chronological order.
type TranscriptPart struct {
	Agent    string        `json:"agent,omitempty"`
	Depth    int           `json:"depth,omitempty"` // number of members that wait for this one's answer
	Messages []sdk.Message `json:"messages"`
}

// MemberRecord summarizes the model requests of a swarm member in an episode.
type MemberRecord struct {
	Agent        string  `json:"agent"` // "react.planner"
	Turns        int     `json:"turns"`
	PromptTokens int     `json:"prompt_tokens,omitempty"` // over all turns
	OutputTokens int     `json:"output_tokens,omitempty"`
	ModelMillis  float64 `json:"model_ms,omitempty"`
	Model        string  `json:"model,omitempty"`    // the block of the served model that answers
	CostUSD      float64 `json:"cost_usd,omitempty"` // of its answers, by the prices of that block
}

// Caller is how a program that requested a message describes itself. It is informational only.
type Caller struct {
	CallID  string            `json:"call_id"`
	Headers map[string]string `json:"headers"` // headers that identify the caller, never credentials
}

// MadnessRecord describes a message that failed one of its agent's `checks "madness"`.
type MadnessRecord struct {
	CallID   string `json:"call_id"`
	Agent    string `json:"agent"`               // "react.solver"
	Turn     int    `json:"turn"`                // of the episode, from 1
	Check    string `json:"check"`               // "nonsense"
	Reason   string `json:"reason"`              // "repeated_words"
	Part     string `json:"part"`                // of the message: content, reasoning, arguments
	ToolCall int    `json:"tool_call,omitempty"` // index of the message's call, from 0, if the part is arguments
	Offset   int    `json:"offset"`              // start in the part, in bytes
	Near     string `json:"near,omitempty"`      // text at the offset
}

// Seeds holds the sources of an episode's randomness. They are strings because JSON readers round large numbers.
type Seeds struct {
	Environment uint64     `json:"environment,string" jsonschema:"type=string"`
	Calls       []CallSeed `json:"calls,omitempty"`
}

// CallSeed is the seed of one Generate call.
type CallSeed struct {
	CallID string `json:"call_id"`
	Seed   uint64 `json:"seed,string" jsonschema:"type=string"`
}

// Timings holds the parts of an episode's time, in milliseconds.
type Timings struct {
	QueueMillis       float64 `json:"queue_ms"`
	ModelMillis       float64 `json:"model_ms"`
	EnvironmentMillis float64 `json:"environment_ms"`
	RewardMillis      float64 `json:"reward_ms"`
	SiblingsMillis    float64 `json:"siblings_ms"`
	HostMillis        float64 `json:"host_ms"`
}

// TokenRow is one row of tokens that the host stored because the model is available only through an endpoint.
type TokenRow struct {
	Chain        string        `json:"chain"`
	IDs          []int32       `json:"ids"`
	LossMask     []bool        `json:"loss_mask"`          // as long as IDs
	Logprobs     []float32     `json:"logprobs,omitempty"` // as long as IDs
	Versions     []VersionSpan `json:"versions,omitempty"`
	TurnIDs      []int32       `json:"turn_ids,omitempty"` // as long as IDs, -1 outside assistant turns
	PromptLength int           `json:"prompt_length"`
}

// VersionSpan is the policy version that sampled a sequence of tokens.
type VersionSpan struct {
	Version int64 `json:"version"`
	Tokens  int   `json:"tokens"`
}

// StepRecord is a trainer's report of a finished step. The step counts once a manifest lists its episodes.
type StepRecord struct {
	LaunchID     string     `json:"launch_id"`
	Stage        string     `json:"stage"`
	Step         int        `json:"step"`
	VersionAfter int64      `json:"version_after"`
	EventSeq     uint64     `json:"event_seq,omitempty"`
	Consumed     []Consumed `json:"consumed"` // in slot order; the caller sets EpisodeID and Use
}

// ValidationRecord ends a validation pass.
type ValidationRecord struct {
	LaunchID string  `json:"launch_id"`
	Stage    string  `json:"stage"`
	Step     int     `json:"step"` // steps finished so far
	Metrics  Numbers `json:"metrics,omitempty"`
	// AppendValidation sets these fields: the episodes in the pass in slot order, and the manifest digest of the last
	// checkpoint before it.
	Consumed []Consumed `json:"consumed"`
	After    string     `json:"after"`
}

// UseValidated is the use of validation episodes. The adapter reports the use of training episodes.
const UseValidated sdk.Consumption = "VALIDATED"

// Consumed describes the use of an episode, whether it counts or not, with the hash of its record.
type Consumed struct {
	EpisodeID string          `json:"episode_id"`
	Use       sdk.Consumption `json:"use"`
	Slot      Slot            `json:"slot"`
	Step      int             `json:"step"`             // step that used it; in async training not always the slot's
	Record    string          `json:"record,omitempty"` // SHA-256 of the episode's record; absent only for LOST
	Why       string          `json:"why,omitempty"`    // why it is not trained: a failure class or one of incomplete.go
}

// MetricRecord contains a step's numbers by field name: "train/loss", "validation/success_rate", ….
type MetricRecord struct {
	LaunchID string  `json:"launch_id,omitempty"`
	Stage    string  `json:"stage"`
	Step     int     `json:"step"`
	EventSeq uint64  `json:"event_seq,omitempty"` // of the trainer's event stream; 0 for the host's own numbers
	Values   Numbers `json:"values"`
}

// EventRecord is a notable event that is not a number, such as a restart, a skipped checkpoint, or an opened breaker.
type EventRecord struct {
	Kind    string            `json:"kind"`  // "checkpoint_skipped", "plugin_restarted", …
	Level   string            `json:"level"` // debug, info, warn, error
	Message string            `json:"message"`
	Stage   string            `json:"stage,omitempty"`
	Step    int               `json:"step,omitempty"`
	Fields  map[string]string `json:"fields,omitempty"`
}

// FindingRecord is a finding, recorded at each step in which it holds.
type FindingRecord struct {
	LaunchID string `json:"launch_id,omitempty"`
	event.Finding
}

// consumedRecord is a manifest's list, recorded so that it outlives the checkpoint.
type consumedRecord struct {
	Digest   string     `json:"digest"` // of the manifest
	Consumed []Consumed `json:"consumed"`
}

// commitRecord is the rest of a manifest, recorded so that the lineage outlives its checkpoints. It follows its list.
type commitRecord struct {
	Digest   string   `json:"digest"`   // of the manifest
	Manifest Manifest `json:"manifest"` // without Consumed
}

// pruneRecord lists the checkpoints that are about to be removed, so that they are not reported as missing.
type pruneRecord struct {
	Digests []string `json:"digests"` // of their manifests
}

// FinishRecord ends the records of a process that ended properly.
type FinishRecord struct {
	Outcome  Status  `json:"outcome"` // finished, failed or stopped
	Reason   string  `json:"reason,omitempty"`
	Exact    bool    `json:"exact"` // false: an outcome that counts depended on the wall clock
	Inexact  string  `json:"inexact,omitempty"`
	Digest   string  `json:"digest,omitempty"` // of the last checkpoint's content
	Metrics  Numbers `json:"metrics,omitempty"`
	ExitCode int     `json:"exit_code"`
	// Final reports that resuming the run would end it the same way.
	Final bool `json:"final,omitempty"`
}
