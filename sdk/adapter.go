package sdk

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Adapter connects a training framework. The framework controls the loop: it requests episodes through Host, and
// answers the host's Generate calls with the policy that it trains.
type Adapter interface {
	// Plan describes Train's actions. It has no side effects: it does not start or write anything.
	Plan(ctx context.Context, req PlanRequest) (*PlanResponse, error)
	// Train runs one stage and reports through emit, in order. It returns when the stage has finished, ctx is canceled,
	// or it failed. emit blocks while the host cannot keep up, and fails when the host has exited. An error that wraps
	// ErrUnavailable reports that the trainer exited and that a new one may succeed: the host restarts it a few times.
	Train(ctx context.Context, req TrainRequest, host Host, emit func(TrainEvent) error) error
	// Generate samples one assistant message of an episode that the adapter requested. The SDK responds to a repeated
	// CallID from its record.
	Generate(ctx context.Context, req GenerateRequest) (*GenerateResponse, error)
	// Control changes the course of a running Train or Recover. If the launch is not being trained, the error wraps
	// ErrNoTrainer.
	Control(ctx context.Context, req ControlRequest) error
}

// AdapterWithEvaluate is an Adapter that can run a validation pass on demand.
type AdapterWithEvaluate interface {
	Adapter
	// Evaluate requests a validation pass at the next step boundary. If the launch is not being trained, the error wraps
	// ErrNoTrainer.
	Evaluate(ctx context.Context, launchID string) error
}

// AdapterWithRecover is an Adapter whose trainer can keep running after the adapter exits. It declares the capability
// Recover, emits a HandleEvent as soon as its trainer runs, and ends the trainer when Control sends abort. The trainer
// keeps running even after Train's ctx is done.
type AdapterWithRecover interface {
	Adapter
	// Recover re-attaches to the trainer of a launch and continues as Train would. It first re-emits the events after
	// AfterSeq, in order, because the host dropped them. Episodes that the trainer is still waiting for are requested
	// again with the same IDs, and run from the beginning: their earlier samples must not be trained. An unanswered
	// boundary is also requested again. An error that wraps ErrNoTrainer reports that the trainer does not exist or has
	// ended.
	Recover(ctx context.Context, req RecoverRequest, host Host, emit func(TrainEvent) error) error
}

// AdapterWithLoad is an Adapter whose policy can be used without training. It declares the capability Serve.
type AdapterWithLoad interface {
	Adapter
	// Load prepares a policy for use: afterward, Generate samples from it for any episode. It replaces the policy that
	// was loaded before. The SDK keeps Load and Train separate: a process does one or the other.
	Load(ctx context.Context, req LoadRequest) (*LoadResponse, error)
	// Release drops an episode's state after Load has been called. An unknown episode does not cause an error.
	Release(ctx context.Context, episodeID string) error
}

// AdapterWithExport is an Adapter that exports checkpoints for other programs. It declares ExportFormats.
type AdapterWithExport interface {
	Adapter
	// Export writes a checkpoint to a new directory, completely or not at all. If the target exists, the error wraps
	// fs.ErrExist.
	Export(ctx context.Context, req ExportRequest) (*ExportResponse, error)
}

// AdapterWithRemoteCheckpoints is an Adapter whose checkpoints have data outside of their directories, such as weights
// on a server. It declares RemoteCheckpoints.
type AdapterWithRemoteCheckpoints interface {
	Adapter
	// DeleteCheckpoint deletes the data that a checkpoint has outside of its directory, before the host removes the
	// directory. It changes neither the directory nor other checkpoints. It is idempotent: a checkpoint without such data
	// does not cause an error. After an error the host keeps the directory, and calls again later.
	DeleteCheckpoint(ctx context.Context, dir string) error
}

// LoadRequest names a policy.
type LoadRequest struct {
	Checkpoint string          // directory that a CheckpointEvent announced; empty: the base policy, before any warm start
	Seed       uint64          // draws a base policy that has no weights on disk
	Policy     json.RawMessage // the model block that the spec names as policy, or nil; only if Checkpoint is empty
}

// LoadResponse describes the loaded policy.
type LoadResponse struct {
	Policy        string // for people and reports: "local tiny"
	Step          int    // the last finished step of the checkpoint; 0 for a base policy
	MaxContext    int    // tokens; 0 means unknown
	PolicyVersion int64  // reported by Generate
	Digest        string // as in CheckpointEvent; empty when none was computed
}

// ExportRequest describes an export.
type ExportRequest struct {
	Checkpoint string // directory that a CheckpointEvent announced
	Format     string // one of ExportFormats
	Target     string // the directory to create; its parent exists
}

// ExportResponse lists the files that were written.
type ExportResponse struct {
	Files []ExportedFile // by name
	Notes []string       // sentences for its users
}

// ExportedFile is one file in an export.
type ExportedFile struct {
	Name  string // below the target, with slashes
	Bytes int64
}

// Host is the host's interface for adapters.
type Host interface {
	// RunEpisode runs one episode and returns its result. It blocks while the episode is queued and running. The ID is
	// the idempotency key: a repeated request joins the running episode or returns its stored result.
	RunEpisode(ctx context.Context, req EpisodeRequest) (*EpisodeResult, error)
	// CancelEpisode ends an episode that is no longer needed.
	CancelEpisode(ctx context.Context, episodeID, reason string) error
	// Tasks calls yield with the rows of a dataset in the host's order, starting at cursor, until yield returns false.
	// Private parts are never included.
	Tasks(ctx context.Context, req TasksRequest, yield func(Task) bool) error
	// StepBoundary reports a finished step and returns how to continue. The host decides here, and only here, about
	// stages, circuit breakers and stops, so that the decision does not depend on timing.
	StepBoundary(ctx context.Context, req StepBoundaryRequest) (*StepBoundaryResponse, error)
}

// TasksRequest names the rows to read: of a split of the current stage, or of a dataset by its address.
type TasksRequest struct {
	Split   Split
	Dataset string // "dataset.jsonl.demonstrations"; empty: by Split
	Stage   string
	Cursor  int // position of the first row
}

// EpisodeRequest asks for one sample.
type EpisodeRequest struct {
	EpisodeID     string // chosen by the caller, unique per run
	GroupID       string // of episodes that are compared with one another; may be random: nothing is derived from it
	GroupSize     int
	GroupIndex    *int   // position within the step, from 0; seeds are derived from it; nil: from its task's position
	SampleIndex   int    // within the group, from 0; SampleByArrival: numbered by the host
	Draw          int    // raised only when the caller wants another sample of the same slot
	Task          *Task  // or DatasetIndex
	DatasetIndex  int    // position in the host's seeded order of the split; past the end means the next epoch
	Stage         string //
	Split         Split
	Step          int           // optimizer step that the sample is for, from 1; validation: number of finished steps
	PolicyVersion int64         // the snapshot that all calls of this episode sample from
	ActiveBudget  time.Duration // 0: the spec's
	HardDeadline  time.Duration // 0: none
	Endpoint      *Endpoint     // for frameworks that keep token custody behind an OpenAI-style server
}

// SampleByArrival is the SampleIndex for a trainer that does not number the samples in a group. The host numbers them
// in the order in which they are requested.
const SampleByArrival = -1

// Endpoint is an OpenAI-compatible server that belongs to one episode.
type Endpoint struct {
	BaseURL string
	APIKey  string
	Model   string
}

// Outcome classifies how an episode ended.
type Outcome string

// The outcomes of an episode.
const (
	OutcomeScored    Outcome = "SCORED"
	OutcomeTruncated Outcome = "TRUNCATED" // scored, but cut by a limit
	OutcomeFailed    Outcome = "FAILED"    // no number; the row is masked
	OutcomeDropped   Outcome = "DROPPED"   // no number; the row leaves the batch
	OutcomeCancelled Outcome = "CANCELLED"
)

// EpisodeResult is the result of an episode. Adapters build training rows only from the listed chains.
type EpisodeResult struct {
	EpisodeID   string
	Attempt     int // from 1; chains of earlier attempts are not listed
	Draw        int
	Outcome     Outcome
	Reward      *float64 // nil unless scored
	Components  map[string]float64
	TurnRewards []TurnReward
	IsSuccess   *bool
	Chains      []ChainResult
	Failure     *Failure
	Masked      bool // keep the row, but do not train it
	DropGroup   bool // leave out the row: with its group, which the host marks too, or as the only one with a number
	NumTurns    int
	TaskID      string
	Timings     Timings
	DriftCount  int
	Metrics     map[string]float64
	Rows        []TokenRow // only if the host owns tokens
}

// TurnReward is the environment's reward for the turn that a call produced.
type TurnReward struct {
	CallID string
	Reward float64
}

// ChainResult reports whether a chain is trained.
type ChainResult struct {
	Chain  string
	Agent  string
	Train  bool
	Reward *float64 // a swarm member's own reward; nil: the episode's
}

// Timings breaks down an episode's duration.
type Timings struct {
	Queue, Model, Environment, Reward, Siblings, Host time.Duration
}

// TokenRow is one row of tokens, which the host keeps if there is only an endpoint.
type TokenRow struct {
	Chain        string
	IDs          []int32
	LossMask     []bool    // len(IDs)
	Logprobs     []float32 // len(IDs), 0 where the mask is false
	Versions     []VersionSpan
	TurnIDs      []int32 // len(IDs), -1 outside assistant turns
	PromptLength int
}

// VersionSpan names the policy version that sampled a sequence of tokens.
type VersionSpan struct {
	Version int64
	Tokens  int
}

// Sampling holds the sampling parameters for a message. Nil and zero fields select the adapter's default.
type Sampling struct {
	Temperature *float64
	TopP        *float64
	TopK        int
	MaxTokens   int
	Stop        []string
}

// GenerateRequest asks for the next assistant message in an episode.
type GenerateRequest struct {
	EpisodeID  string
	Attempt    int
	CallID     string    // idempotency key
	Agent      string    // the member of a swarm that sends the request
	Chain      string    // the conversation's id at the token owner; empty starts one
	Base       int       // number of messages in the chain before Messages
	Messages   []Message // the new messages
	Tools      []Tool
	Sampling   Sampling
	Trainable  bool
	Seed       uint64
	Deadline   time.Duration // from now; 0: none
	Validation bool
	// ChatTemplateKwargs holds arguments of the chat template as a JSON object. Nil: none.
	ChatTemplateKwargs json.RawMessage
	// Constraints restricts the sampled message. Nil: none.
	Constraints *DecodingConstraints
	Scripted    *Message // in a smoke run: the policy's message, not sampled; see adapter.proto. Nil: it samples
}

// FinishReason is the reason why a message ended.
type FinishReason string

// The finish reasons.
const (
	FinishStop      FinishReason = "stop"
	FinishLength    FinishReason = "length" // the token limit cut the message
	FinishToolCalls FinishReason = "tool_calls"
)

// GenerateResponse is the sampled message.
type GenerateResponse struct {
	Message         Message
	Finish          FinishReason
	PromptTokens    int
	OutputTokens    int
	RemainingTokens int // tokens left in the context
	Versions        []VersionSpan
	Chain           string    // pass it, with Base, to continue
	ChainLength     int       // messages in the chain, the sampled one included: the next Base
	ChainDigest     string    // of all tokens of the chain so far
	Drift           string    // CLEAN, REALIGN or FORK when the conversation was not a plain extension; else empty
	TokenIDs        []int32   // only if the host owns tokens
	Logprobs        []float32 //
	// Codec names what read the message, with its version. CodecDigest covers it and its evidence, the chat template. A
	// run keeps one codec: another digest ends it. Both are empty if the adapter does not report them.
	Codec, CodecDigest string
}

// GenerateErrorKind is the reason why no message was sampled.
type GenerateErrorKind string

// The kinds of generate errors.
const (
	GenerateContextFull GenerateErrorKind = "context_full" // the chain is unchanged
	GenerateAborted     GenerateErrorKind = "aborted"
	GenerateEngine      GenerateErrorKind = "engine"
	GeneratePaused      GenerateErrorKind = "paused"
	// GenerateRefused rejects a request that the adapter can never serve because it contains stop strings, an image, or
	// a conversation that no chat template can render. The chain is unchanged, and the agent may send a different
	// request.
	GenerateRefused GenerateErrorKind = "refused"
)

// GenerateError is the typed error returned by Generate.
type GenerateError struct {
	Kind   GenerateErrorKind
	Detail string
}

// Error implements error.
func (e *GenerateError) Error() string { return "generate: " + string(e.Kind) + ": " + e.Detail }

// PlanRequest holds all inputs of a plan.
type PlanRequest struct {
	Config      json.RawMessage // of the adapter block
	Stages      []StagePlan
	Policy      json.RawMessage // the model block that the spec names as policy, or nil
	Agent       AgentSummary
	Data        DataSummary
	GroupReward bool                             // a reward compares the samples of a group
	Actions     map[FailureClass][]FailureAction // on_failure, in order of preference
	RunDir      string
	Smoke       bool // true for a smoke run: see TrainRequest
	Elsewhere   bool // true if training happens on another machine, whose files may be others
}

// StagePlan is one stage with its resolved training knobs.
type StagePlan struct {
	Name  string
	Knobs Knobs
	Data  DataSummary // of this stage
}

// AgentSummary is the information that an adapter receives about the agent.
type AgentSummary struct {
	Type     string
	MaxTurns int
	HasTools bool
	Members  int
	// ChatTemplateKwargs holds the first agent's arguments of the chat template as a JSON object. Nil: none.
	ChatTemplateKwargs json.RawMessage
	// DecodingConstraints is true if an agent applies decoding constraints to the policy's messages.
	DecodingConstraints bool
}

// DataSummary counts the tasks.
type DataSummary struct {
	TrainTasks      int
	ValidationTasks int
}

// FailureAction specifies the reaction to a failure.
type FailureAction string

// The failure actions, as named in the spec.
const (
	ActionRetry      FailureAction = "retry"
	ActionMask       FailureAction = "mask"
	ActionDropSample FailureAction = "drop_sample"
	ActionDropGroup  FailureAction = "drop_group"
	ActionScore      FailureAction = "score"
	ActionFailRun    FailureAction = "fail_run"
)

// PlanResponse describes Train's actions.
type PlanResponse struct {
	Files        []PlannedFile
	Commands     []PlannedCommand
	Effective    []EffectiveKey
	Knobs        []KnobMapping
	Requirements []Requirement
	Diagnostics  []Diagnostic
	Capabilities AdapterCapabilities // for the installed framework version
	Notes        []string            // sentences for the human plan
}

// PlannedFile is a file that Train would write.
type PlannedFile struct {
	Path    string
	Content []byte
}

// PlannedCommand is a process that Train would start.
type PlannedCommand struct {
	Argv []string
	Env  map[string]string // without secrets
}

// EffectiveKey is one value in the framework's configuration and its origin.
type EffectiveKey struct {
	Key       string
	ValueJSON json.RawMessage
	Origin    string // "batch.prompts", "config:grpo_trainer.yaml", "default", …
}

// KnobMapping maps a knob that the spec sets. For steps, batch.prompts and batch.group_size, an adapter also names the
// key if the spec leaves them unset and it can determine their values, because the host uses them in calculations.
type KnobMapping struct {
	Knob    string // "optimizer.learning_rate"
	Key     string // the framework's key; empty when refused
	Refused string // the reason; empty when mapped
}

// Requirement is a precondition of Train.
type Requirement struct {
	Kind   string // "gpu", "python", "package", "port"
	Detail string
	Met    bool
}

// TrainRequest starts one stage.
type TrainRequest struct {
	LaunchID        string // deterministic; journaled before the call; tags the job
	Stage           string
	StageIndex      int
	Config          json.RawMessage
	Policy          json.RawMessage // the model block that the spec names as policy, or nil
	Knobs           Knobs
	FirstStep       int    // the first step to run, counted over all stages from 1
	StepsDone       int    // finished steps of this stage; schedules continue from there
	Resumed         bool   // FromCheckpoint belongs to this stage: its start, including validation, is done
	FromCheckpoint  string // directory of the checkpoint to start from; empty: from scratch
	CheckpointDir   string // parent of the checkpoint directories; empty: the adapter's own place
	CarryOptimizer  bool   // keep the optimizer state of FromCheckpoint
	TrainTasks      int
	ValidationTasks int
	Incarnation     int
	// Smoke requests a smoke run: on a CPU, with a tiny random policy, and with half of the episodes driven by a
	// script. adapter.proto lists the adapter's duties.
	Smoke bool
}

// RecoverRequest requests that the adapter re-attach to a trainer.
type RecoverRequest struct {
	LaunchID string
	Handle   []byte // as emitted; nil when it was lost
	AfterSeq uint64 // the last event that the host processed: the last answered boundary's, or 0
}

// TrainEvent is one report from a trainer. Exactly one of the pointers is set.
type TrainEvent struct {
	Seq        uint64 // set by the SDK
	Phase      *PhaseEvent
	Metrics    *MetricsEvent
	Consumed   *ConsumedEvent
	Checkpoint *CheckpointEvent
	Log        *LogEvent
	Handle     *HandleEvent
	Finished   *FinishedEvent
	Tokens     *TokensEvent
}

// TokensEvent describes how an update uses the tokens of some of its episodes, for inspection. It is optional, covers
// selected steps and episodes, and precedes the step's boundary. The host keeps 128 rows per step, and 4,096 tokens per
// row.
type TokensEvent struct {
	Step int
	Rows []TokensRow
}

// TokensRow is a row of tokens. The lists are as long as IDs, or nil if the trainer does not have the data. If a value
// is unknown for a single token, it is NaN.
type TokensRow struct {
	EpisodeID       string
	Chain           string // as in Generate; empty if the trainer does not report it
	IDs             []int32
	Texts           []string // the text of each token
	Trained         []bool
	SamplerLogprobs []float32
	TrainerLogprobs []float32 // before the first update of the step
	Advantages      []float32
	Total           int // tokens of the row, if IDs has only the first of them
}

// PhaseEvent reports the trainer's current phase.
type PhaseEvent struct {
	Name  string // "warm_start", "rollout", "update", "validation"
	Step  int
	Done  int // progress within the phase
	Total int
	Ended bool
}

// MetricsEvent carries a step's values, by metric name: "train/loss", "train/entropy", …. A value that the trainer
// computed as NaN or infinity arrives as NaN.
type MetricsEvent struct {
	Step      int
	Values    map[string]float64
	PolicyGap *PolicyGap // optional
}

// PolicyGap compares the log-probabilities of a step's trained tokens at sampling and in training, before the first
// update of the step, in nats.
type PolicyGap struct {
	Mean, P99, Max float64 // of the absolute differences
	Bias           float64 // mean of sampler minus trainer
	EpisodeID      string  // of the token with the largest difference; empty: unknown
	Token          int     // its index in the row, as in TokensRow
}

// Consumption describes how a trainer uses an episode.
type Consumption string

// The kinds of consumption.
const (
	ConsumedTrained  Consumption = "TRAINED"
	ConsumedMasked   Consumption = "MASKED"
	ConsumedFiltered Consumption = "FILTERED" // no variance in its group, or dropped
	ConsumedStale    Consumption = "STALE"
	ConsumedLost     Consumption = "LOST"
)

// ConsumedEvent reports the episodes that a step used.
type ConsumedEvent struct {
	Step         int
	VersionAfter int64
	Episodes     []ConsumedEpisode
}

// ConsumedEpisode is one of these episodes; they are in slot order.
type ConsumedEpisode struct {
	EpisodeID string
	Use       Consumption
}

// CheckpointEvent announces a checkpoint whose files are complete and synced.
type CheckpointEvent struct {
	Step int
	Path string
	// Digest covers the tensors, the optimizer's state and its step number. That number counts updates, so a run step
	// without an update leaves it unchanged.
	Digest string
}

// LogEvent is a line for the user.
type LogEvent struct {
	Level   string // debug, info, warn, error
	Message string
	Fields  map[string]string
}

// HandleEvent carries the handle for Recover. It is opaque to the host and versioned by the adapter.
type HandleEvent struct{ Handle []byte }

// FinishedEvent ends the stream.
type FinishedEvent struct {
	Outcome FinishedOutcome
	Reason  string
	Step    int // the last finished step
}

// FinishedOutcome classifies how a stage ended.
type FinishedOutcome string

// The outcomes of a stage.
const (
	FinishedCompleted FinishedOutcome = "completed"
	FinishedStopped   FinishedOutcome = "stopped"
	FinishedFailed    FinishedOutcome = "failed"
	FinishedHalted    FinishedOutcome = "halted" // a health check of the trainer ended it; Reason names the check
)

// ControlAction selects how to change the course of a trainer.
type ControlAction string

// The control actions.
const (
	ControlPause         ControlAction = "pause"
	ControlResume        ControlAction = "resume"
	ControlDrain         ControlAction = "drain" // finish the step, checkpoint, end the stage
	ControlCheckpointNow ControlAction = "checkpoint_now"
	ControlAbort         ControlAction = "abort"
)

// ControlRequest carries one action.
type ControlRequest struct {
	LaunchID string
	Action   ControlAction
	Reason   string
}

// StepBoundaryRequest reports a finished step, or the state before the first one.
type StepBoundaryRequest struct {
	LaunchID  string
	Stage     string
	Step      int
	Validated bool   // a validation pass has just ended at this step
	AfterSeq  uint64 // the last event emitted before; set by the SDK. The host waits until it has processed this event.
}

// Directive is the host's decision after a step.
type Directive string

// The directives.
const (
	DirectiveContinue    Directive = "continue"
	DirectiveFinishStage Directive = "finish_stage" // checkpoint and end this stage as completed
	DirectiveStop        Directive = "stop"         // checkpoint and end as stopped
	DirectiveAbort       Directive = "abort"        // end as failed, without a checkpoint
)

// StepBoundaryResponse answers a StepBoundaryRequest.
type StepBoundaryResponse struct {
	Directive Directive
	Reason    string
}

// AdapterCapabilities describes what the installed version of the framework can do.
type AdapterCapabilities struct {
	TokenCustody      string   // "trainer", "shim", "host"
	RowsPerEpisode    string   // "one", "many"
	BehaviourLogprobs bool     //
	PerTokenVersions  bool     //
	Unscorable        string   // "exact", "in_baseline", "group_lost", "none"
	GroupSemantics    bool     // the trainer keeps groups together: it requests all samples before it waits for any
	GroupOfOne        string   // "zero", "raw": use of the only sample of a group that has a number; empty: as "zero"
	Credit            []string // "episode", "turn"
	SamplingOwned     []string // fields of Sampling, "chat_template_kwargs", "decoding_constraints"
	Modalities        []string // "text", "image"
	MaxContext        int      // tokens; 0 means unknown
	MaxEpisode        time.Duration
	Interruptible     bool
	Resume            bool
	LiveMetrics       bool
	Evaluate          bool
	TrainsAll         bool     // every message that was sampled for an episode is trained, and attempts cannot be repeated
	StepBarrier       bool     // it calls StepBoundary after each step; otherwise a CheckpointEvent is the steps' boundary
	Smoke             bool     // TrainRequest.Smoke works
	Scale             []string // "process", "ray", "slurm", "kubernetes"
	Serve             bool     // a checkpoint can be used without training: AdapterWithLoad
	ExportFormats     []string // formats of Export: "hf"; needs AdapterWithExport
	Recover           bool     // the trainer can keep running after the adapter exits: AdapterWithRecover
	RemoteCheckpoints bool     // checkpoints have data outside of their directories: AdapterWithRemoteCheckpoints
}

// SupportsStop reports whether requests may have stop strings. It returns true if the adapter does not declare its
// sampling parameters.
func (c *AdapterCapabilities) SupportsStop() bool { return supports(c.SamplingOwned, "stop") }

// SupportsTemplateKwargs reports whether requests may have arguments of the chat template.
func (c *AdapterCapabilities) SupportsTemplateKwargs() bool {
	return slices.Contains(c.SamplingOwned, "chat_template_kwargs")
}

// SupportsConstraints reports whether requests may restrict the sampled message. The adapter then masks forced tokens.
func (c *AdapterCapabilities) SupportsConstraints() bool {
	return slices.Contains(c.SamplingOwned, "decoding_constraints")
}

// SupportsImages reports whether messages may have images. It returns true if the adapter does not declare its
// modalities.
func (c *AdapterCapabilities) SupportsImages() bool { return supports(c.Modalities, "image") }

func supports(declared []string, what string) bool {
	return len(declared) == 0 || slices.Contains(declared, what)
}
