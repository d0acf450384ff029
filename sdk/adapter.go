package sdk

import (
	"context"
	"encoding/json"
	"time"
)

// Adapter connects a training framework. The framework drives: it asks the host for episodes through Host and
// answers the host's Generate calls with the policy that it trains.
type Adapter interface {
	// Plan says what Train would do. It is pure: nothing is started or written.
	Plan(ctx context.Context, req PlanRequest) (*PlanResponse, error)
	// Train runs one stage and reports through emit, in order. It returns when the stage has finished, ctx is
	// cancelled, or it failed. emit blocks while the host cannot keep up and fails when the host is gone. An error that
	// wraps ErrUnavailable says that the trainer died, and that another one may do better: the host starts it a few times.
	Train(ctx context.Context, req TrainRequest, host Host, emit func(TrainEvent) error) error
	// Generate samples one assistant message of an episode that the adapter asked for. The SDK answers a repeated
	// CallID from its record.
	Generate(ctx context.Context, req GenerateRequest) (*GenerateResponse, error)
	// Control changes the course of a running Train or Recover. For a launch that is not being trained the error wraps
	// ErrNoTrainer.
	Control(ctx context.Context, req ControlRequest) error
}

// AdapterWithEvaluate is an Adapter that can run a validation pass on demand.
type AdapterWithEvaluate interface {
	Adapter
	// Evaluate asks for a validation pass at the next step boundary. For a launch that is not being trained the error
	// wraps ErrNoTrainer.
	Evaluate(ctx context.Context, launchID string) error
}

// AdapterWithRecover is an Adapter whose trainer can outlive it. It declares the capability Recover, emits a
// HandleEvent as soon as its trainer runs, and ends it when Control says abort. The end of Train's ctx leaves the
// trainer alone.
type AdapterWithRecover interface {
	Adapter
	// Recover re-attaches to the trainer of a launch and goes on as Train would. It emits first the events after
	// AfterSeq once more, in order: the host forgot them. Episodes that the trainer still waits for are asked for again,
	// by the same ids, and run from their beginning: nothing that was sampled for them before may be trained. So is a
	// boundary that was not answered. An error that wraps ErrNoTrainer says that there is none, or none any more.
	Recover(ctx context.Context, req RecoverRequest, host Host, emit func(TrainEvent) error) error
}

// AdapterWithLoad is an Adapter whose policy can be asked without training. It declares the capability Serve.
type AdapterWithLoad interface {
	Adapter
	// Load makes a policy ready: afterwards Generate answers for any episode from it. It replaces what was loaded
	// before. The SDK keeps it and Train apart: a process does one or the other.
	Load(ctx context.Context, req LoadRequest) (*LoadResponse, error)
	// Release forgets an episode after a Load. An unknown one is no error.
	Release(ctx context.Context, episodeID string) error
}

// AdapterWithExport is an Adapter that writes checkpoints for the programs of others. It declares ExportFormats.
type AdapterWithExport interface {
	Adapter
	// Export writes a checkpoint as a directory that is not there yet, all or nothing. Where something of that name
	// exists the error wraps fs.ErrExist.
	Export(ctx context.Context, req ExportRequest) (*ExportResponse, error)
}

// LoadRequest names a policy.
type LoadRequest struct {
	Checkpoint string          // directory that a CheckpointEvent announced; empty: what training would start from, before any warm start
	Seed       uint64          // draws a base policy that has no weights on disk
	Policy     json.RawMessage // the model block that the spec names as policy, or nil; only where Checkpoint is empty
}

// LoadResponse says what was loaded.
type LoadResponse struct {
	Policy        string // for people and reports: "local tiny"
	Step          int    // the last finished step of the checkpoint; 0 for a base policy
	MaxContext    int    // tokens; 0 means unknown
	PolicyVersion int64  // what Generate will report
	Digest        string // as in CheckpointEvent; empty when none was computed
}

// ExportRequest says what to write where.
type ExportRequest struct {
	Checkpoint string // directory that a CheckpointEvent announced
	Format     string // one of ExportFormats
	Target     string // the directory to make; its parent exists
}

// ExportResponse says what was written.
type ExportResponse struct {
	Files []ExportedFile // by name
	Notes []string       // sentences for the person who will use it
}

// ExportedFile is one file of an export.
type ExportedFile struct {
	Name  string // below the target, with slashes
	Bytes int64
}

// Host is what an adapter may ask of the host.
type Host interface {
	// RunEpisode runs one episode and returns its result. It blocks while the episode is queued and running; the
	// id is the idempotency key: a repeat joins the running episode or gets its stored result.
	RunEpisode(ctx context.Context, req EpisodeRequest) (*EpisodeResult, error)
	// CancelEpisode ends an episode that nobody waits for any more.
	CancelEpisode(ctx context.Context, episodeID, reason string) error
	// Tasks calls yield with the rows of a dataset in the host's order, from cursor on, until it returns false.
	// Private parts are never included.
	Tasks(ctx context.Context, req TasksRequest, yield func(Task) bool) error
	// StepBoundary reports a finished step and asks how to go on. The host decides here, and only here, about
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
	GroupID       string // of episodes that are compared with one another; may be drawn, for nothing else comes from it
	GroupSize     int
	GroupIndex    *int   // position of the group within its step, from 0: seeds come from it; nil: from the position of its task
	SampleIndex   int    // within the group, from 0; SampleByArrival: the host numbers
	Draw          int    // raised only when the caller wants another sample of the same slot
	Task          *Task  // or DatasetIndex
	DatasetIndex  int    // position in the host's seeded order of the split; past the end means the next epoch
	Stage         string //
	Split         Split
	Step          int           // optimiser step that the sample is for, from 1; validation: steps finished so far
	PolicyVersion int64         // the snapshot that all calls of this episode sample from
	ActiveBudget  time.Duration // 0: the spec's
	HardDeadline  time.Duration // 0: none
	Endpoint      *Endpoint     // for frameworks that keep token custody behind an OpenAI-style server
}

// SampleByArrival is the SampleIndex of a trainer that does not number the samples of a group: the host does, in the
// order in which it first hears of them.
const SampleByArrival = -1

// Endpoint is an OpenAI-compatible server that belongs to one episode.
type Endpoint struct {
	BaseURL string
	APIKey  string
	Model   string
}

// Outcome is how an episode ended.
type Outcome string

// The outcomes of an episode.
const (
	OutcomeScored    Outcome = "SCORED"
	OutcomeTruncated Outcome = "TRUNCATED" // scored, but cut by a limit
	OutcomeFailed    Outcome = "FAILED"    // no number; the row is masked
	OutcomeDropped   Outcome = "DROPPED"   // no number; the row leaves the batch
	OutcomeCancelled Outcome = "CANCELLED"
)

// EpisodeResult is what became of an episode. Adapters build training rows from the listed chains only.
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
	Masked      bool // keep the row, train nothing of it
	DropGroup   bool // leave it out: with all others of its group, which the host marks as well, or as the only one with a number
	NumTurns    int
	TaskID      string
	Timings     Timings
	DriftCount  int
	Metrics     map[string]float64
	Rows        []TokenRow // only where the host owns tokens
}

// TurnReward is the environment's reward for the turn that a call produced.
type TurnReward struct {
	CallID string
	Reward float64
}

// ChainResult says whether a chain is trained.
type ChainResult struct {
	Chain  string
	Agent  string
	Train  bool
	Reward *float64 // where a member of a swarm has its own; nil: the episode's
}

// Timings says where an episode's time went.
type Timings struct {
	Queue, Model, Environment, Reward, Siblings, Host time.Duration
}

// TokenRow is one row of tokens that the host kept because only an endpoint exists.
type TokenRow struct {
	Chain        string
	IDs          []int32
	LossMask     []bool    // len(IDs)
	Logprobs     []float32 // len(IDs), 0 where the mask is false
	Versions     []VersionSpan
	TurnIDs      []int32 // len(IDs), -1 outside assistant turns
	PromptLength int
}

// VersionSpan says which policy version sampled a run of tokens.
type VersionSpan struct {
	Version int64
	Tokens  int
}

// Sampling is how a message is drawn. Nil and zero fields mean the adapter's default.
type Sampling struct {
	Temperature *float64
	TopP        *float64
	TopK        int
	MaxTokens   int
	Stop        []string
}

// GenerateRequest asks for the next assistant message of an episode.
type GenerateRequest struct {
	EpisodeID  string
	Attempt    int
	CallID     string    // idempotency key
	Agent      string    // which member of a swarm asks
	Chain      string    // the conversation as the token owner knows it; empty starts one
	Base       int       // how many messages the chain holds before Messages
	Messages   []Message // what is new
	Tools      []Tool
	Sampling   Sampling
	Trainable  bool
	Seed       uint64
	Deadline   time.Duration // from now; 0: none
	Validation bool
	Scripted   *Message // in a smoke run: what the policy says instead of sampling; adapter.proto says how. Nil: it samples
}

// FinishReason says why a message ended.
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
	RemainingTokens int // how many tokens the context still takes
	Versions        []VersionSpan
	Chain           string    // pass it, with Base, to go on
	ChainLength     int       // messages in the chain, the sampled one included: the next Base
	ChainDigest     string    // of all tokens of the chain so far
	Drift           string    // CLEAN, REALIGN or FORK when the conversation was not a plain extension; else empty
	TokenIDs        []int32   // only where the host owns tokens
	Logprobs        []float32 //
}

// GenerateErrorKind says why no message was sampled.
type GenerateErrorKind string

// The kinds of generate errors.
const (
	GenerateContextFull GenerateErrorKind = "context_full" // the chain is unchanged
	GenerateAborted     GenerateErrorKind = "aborted"
	GenerateEngine      GenerateErrorKind = "engine"
	GeneratePaused      GenerateErrorKind = "paused"
	// GenerateRefused rejects a request that the adapter cannot serve, however often it is sent: with stop strings, an
	// image, or a conversation that no chat template renders. The chain is unchanged, and the agent may ask differently.
	GenerateRefused GenerateErrorKind = "refused"
)

// GenerateError is the typed error of Generate.
type GenerateError struct {
	Kind   GenerateErrorKind
	Detail string
}

// Error implements error.
func (e *GenerateError) Error() string { return "generate: " + string(e.Kind) + ": " + e.Detail }

// PlanRequest is everything that a plan may depend on.
type PlanRequest struct {
	Config      json.RawMessage // of the adapter block
	Stages      []StagePlan
	Policy      json.RawMessage // the model block that the spec names as policy, or nil
	Agent       AgentSummary
	Data        DataSummary
	GroupReward bool                             // a reward compares the samples of a group
	Actions     map[FailureClass][]FailureAction // on_failure, in order of preference
	RunDir      string
	Smoke       bool // a smoke run is meant: see TrainRequest
}

// StagePlan is one stage with its resolved training knobs.
type StagePlan struct {
	Name  string
	Knobs Knobs
	Data  DataSummary // of this stage
}

// AgentSummary is what an adapter may need to know about the agent.
type AgentSummary struct {
	Type     string
	MaxTurns int
	HasTools bool
	Members  int
}

// DataSummary counts the tasks.
type DataSummary struct {
	TrainTasks      int
	ValidationTasks int
}

// FailureAction is what follows from a failure.
type FailureAction string

// The failure actions, in the words of the spec.
const (
	ActionRetry      FailureAction = "retry"
	ActionMask       FailureAction = "mask"
	ActionDropSample FailureAction = "drop_sample"
	ActionDropGroup  FailureAction = "drop_group"
	ActionScore      FailureAction = "score"
	ActionFailRun    FailureAction = "fail_run"
)

// PlanResponse says what Train would do.
type PlanResponse struct {
	Files        []PlannedFile
	Commands     []PlannedCommand
	Effective    []EffectiveKey
	Knobs        []KnobMapping
	Requirements []Requirement
	Diagnostics  []Diagnostic
	Capabilities AdapterCapabilities // for the framework version at hand
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

// EffectiveKey is one value of the framework's configuration and where it came from.
type EffectiveKey struct {
	Key       string
	ValueJSON json.RawMessage
	Origin    string // "batch.prompts", "config:grpo_trainer.yaml", "default", …
}

// KnobMapping says what became of a knob that the spec sets. Of steps, batch.prompts and batch.group_size an adapter
// names the key also where the spec leaves them open, if it can tell their values: the host counts with them.
type KnobMapping struct {
	Knob    string // "optimizer.learning_rate"
	Key     string // the framework's key; empty when refused
	Refused string // the reason; empty when mapped
}

// Requirement is something that must be there before Train can work.
type Requirement struct {
	Kind   string // "gpu", "python", "package", "port"
	Detail string
	Met    bool
}

// TrainRequest starts one stage.
type TrainRequest struct {
	LaunchID        string // deterministic; journalled before the call; tags the job
	Stage           string
	StageIndex      int
	Config          json.RawMessage
	Policy          json.RawMessage // the model block that the spec names as policy, or nil
	Knobs           Knobs
	FirstStep       int    // the first step to run, counted over all stages from 1
	StepsDone       int    // steps of this stage that are finished already; schedules go on from there
	Resumed         bool   // FromCheckpoint is of this stage: its start, validation included, is behind us
	FromCheckpoint  string // directory of the checkpoint to start from; empty: from scratch
	CheckpointDir   string // where checkpoints go, one directory each; empty: the adapter's own place
	CarryOptimizer  bool   // keep the optimiser's state of FromCheckpoint
	TrainTasks      int
	ValidationTasks int
	Incarnation     int
	// Smoke asks for a smoke run: on CPU, with a tiny random policy, half of the episodes by a script. adapter.proto says
	// what an adapter has to do.
	Smoke bool
}

// RecoverRequest re-attaches to a trainer.
type RecoverRequest struct {
	LaunchID string
	Handle   []byte // as emitted; nil when it was lost
	AfterSeq uint64 // the last event that the host acted on: that of the last boundary it answered, or 0
}

// TrainEvent is one report of a trainer. Exactly one of the pointers is set.
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

// TokensEvent says what an update made of the tokens of some of its episodes, for people who look at them. Optional: of
// chosen steps and episodes, before the boundary of the step. The host keeps 128 rows of a step, 4,096 tokens of each.
type TokensEvent struct {
	Step int
	Rows []TokensRow
}

// TokensRow is a row of tokens. The lists are as long as IDs, or nil where the trainer does not know. A number that is
// not known of one token is NaN.
type TokensRow struct {
	EpisodeID       string
	Chain           string // as in Generate; empty where the trainer does not say
	IDs             []int32
	Texts           []string // what each token says
	Trained         []bool
	SamplerLogprobs []float32
	TrainerLogprobs []float32 // before the first update of the step
	Advantages      []float32
	Total           int // tokens of the row, where IDs has only the first of them
}

// PhaseEvent says what the trainer does now.
type PhaseEvent struct {
	Name  string // "warm_start", "rollout", "update", "validation"
	Step  int
	Done  int // progress within the phase
	Total int
	Ended bool
}

// MetricsEvent carries numbers of a step, by the field's names: "train/loss", "train/entropy", ….
type MetricsEvent struct {
	Step   int
	Values map[string]float64
}

// Consumption says how a trainer used an episode.
type Consumption string

// The kinds of consumption.
const (
	ConsumedTrained  Consumption = "TRAINED"
	ConsumedMasked   Consumption = "MASKED"
	ConsumedFiltered Consumption = "FILTERED" // no variance in its group, or dropped
	ConsumedStale    Consumption = "STALE"
	ConsumedLost     Consumption = "LOST"
)

// ConsumedEvent says which episodes a step used.
type ConsumedEvent struct {
	Step         int
	VersionAfter int64
	Episodes     []ConsumedEpisode
}

// ConsumedEpisode is one of them, in slot order.
type ConsumedEpisode struct {
	EpisodeID string
	Use       Consumption
}

// CheckpointEvent announces a checkpoint whose files are complete and synced.
type CheckpointEvent struct {
	Step int
	Path string
	// Digest is over tensors, the optimiser's state and its step, which counts updates: a step of the run without one
	// leaves it as it was.
	Digest string
}

// LogEvent is a line for the user.
type LogEvent struct {
	Level   string // debug, info, warn, error
	Message string
	Fields  map[string]string
}

// HandleEvent gives the host what Recover needs. Opaque and versioned by the adapter.
type HandleEvent struct{ Handle []byte }

// FinishedEvent ends the stream.
type FinishedEvent struct {
	Outcome FinishedOutcome
	Reason  string
	Step    int // the last finished step
}

// FinishedOutcome is how a stage ended.
type FinishedOutcome string

// The outcomes of a stage.
const (
	FinishedCompleted FinishedOutcome = "completed"
	FinishedStopped   FinishedOutcome = "stopped"
	FinishedFailed    FinishedOutcome = "failed"
	FinishedHalted    FinishedOutcome = "halted" // a health check of the trainer ended it; Reason says which
)

// ControlAction changes the course of a trainer.
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
	AfterSeq  uint64 // the last event emitted before; set by the SDK. The host waits until it has seen it.
}

// Directive says how to go on.
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

// AdapterCapabilities is what a framework, in the version at hand, can express.
type AdapterCapabilities struct {
	TokenCustody      string   // "trainer", "shim", "host"
	RowsPerEpisode    string   // "one", "many"
	BehaviourLogprobs bool     //
	PerTokenVersions  bool     //
	Unscorable        string   // "exact", "in_baseline", "group_lost", "none"
	GroupSemantics    bool     // the trainer keeps the samples of a group together: it asks for all, and waits for none before it asks for another
	GroupOfOne        string   // "zero", "raw": what becomes of the only sample of a group with a number; empty: as "zero"
	Credit            []string // "episode", "turn"
	SamplingOwned     []string // which sampling fields it honours: "temperature", "top_p", "top_k", "max_tokens", "seed", "stop"
	Modalities        []string // "text", "image"
	MaxContext        int      // tokens; 0 means unknown
	MaxEpisode        time.Duration
	Interruptible     bool
	Resume            bool
	LiveMetrics       bool
	Evaluate          bool
	TrainsAll         bool     // every message that was sampled for an episode is trained, and no attempt can be repeated
	StepBarrier       bool     // it asks StepBoundary after each step; without it a CheckpointEvent is the boundary of the steps before
	Smoke             bool     // TrainRequest.Smoke works
	Scale             []string // "process", "ray", "slurm", "kubernetes"
	Serve             bool     // a checkpoint can be asked without training: AdapterWithLoad
	ExportFormats     []string // what Export writes: "hf"; needs AdapterWithExport
	Recover           bool     // the trainer can outlive the adapter's process: AdapterWithRecover
}

// TakesStop reports whether requests may have stop strings, as far as the adapter declares its sampling.
func (c *AdapterCapabilities) TakesStop() bool { return takes(c.SamplingOwned, "stop") }

// TakesImages reports whether messages may have images, as far as the adapter declares its modalities.
func (c *AdapterCapabilities) TakesImages() bool { return takes(c.Modalities, "image") }

func takes(declared []string, what string) bool {
	return len(declared) == 0 || contains(declared, what)
}
