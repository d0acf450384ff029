package event

import "time"

// Mode says why a run starts.
type Mode string

// The modes.
const (
	ModeNew    Mode = "new"
	ModeResume Mode = "resume" // an interrupted run goes on from its last commit
	ModeNoOp   Mode = "no_op"  // the run of this identity has finished; nothing is done
)

// RunStarted opens a run. Diagnostics of the plan may come before it.
type RunStarted struct {
	Dir     string      `json:"dir"`               // the run directory
	Spec    string      `json:"spec"`              // the file or directory as the user named it
	Mode    Mode        `json:"mode"`              // whether work begins, goes on, or was done before
	Step    int         `json:"step"`              // steps that are committed already; 0 for a new run
	Plan    PlanSummary `json:"plan"`              // what will be done, in numbers
	Plugins []PluginRef `json:"plugins,omitempty"` // which plugin serves which block
	// Earlier is what the lineage of a resumed run has reached, so that a view can draw the whole curve.
	Earlier History `json:"-"`
}

// History is the past of a resumed run.
type History struct {
	Rewards   []Point // mean reward by step
	Successes []Point // held-out success by step
	Best      Value   // step of the best validation of the stage to go on with
	// Metrics are the curves of all that the trainer measured, by name.
	Metrics map[string][]Point
	// Log is what was on the log, oldest first; the latest of it where it is long.
	Log []PastLine
	// Checkpoint is where the run goes on from: the folder of the last commit. Empty when there was none.
	Checkpoint string
}

// PastLine is a line of the log of an earlier start.
type PastLine struct {
	Time    time.Time
	Level   Level
	Source  string
	Message string
}

// Point is a number at a step.
type Point struct {
	Step  int
	Value float64
}

// PlanSummary is what will be done, in numbers.
type PlanSummary struct {
	Adapter         string         `json:"adapter"`          // type of the adapter block: "local"
	Stages          []StageSummary `json:"stages,omitempty"` // in order
	TotalSteps      int            `json:"total_steps"`      // of all stages, at most
	Prompts         int            `json:"prompts"`          // groups in a step
	GroupSize       int            `json:"group_size"`       // samples of one prompt
	TrainTasks      int            `json:"train_tasks"`
	ValidationTasks int            `json:"validation_tasks"`
	Seed            int64          `json:"seed"`            // the run's; all randomness comes from it
	Notes           []string       `json:"notes,omitempty"` // sentences for the user
	Smoke           []string       `json:"smoke,omitempty"` // of a smoke run, and of no other: what is different from the spec
}

// StageSummary is one stage of the plan.
type StageSummary struct {
	Name  string `json:"name"`  // label of the stage block
	Steps int    `json:"steps"` // at most
}

// PluginRef says which plugin serves a block of the spec.
type PluginRef struct {
	Instance  string `json:"instance"`  // address of the block: "environment.calculator.desk"
	Component string `json:"component"` // its type: "calculator"
	Plugin    string `json:"plugin"`    // name of the plugin
	Version   string `json:"version"`   // of the plugin
	Source    string `json:"source"`    // "bundled", a path, …
}

// Stop is how far an interrupt goes.
type Stop string

// The stages of an interrupt.
const (
	StopFirst  Stop = "first"  // the step is finished and committed
	StopSecond Stop = "second" // everything ends now
)

// Interrupted says that somebody asked the run to end: Ctrl-C, SIGTERM, `awhost stop`.
type Interrupted struct {
	Stage  Stop   `json:"stage"`            // first: the step is finished and committed; second: everything ends now
	Source string `json:"source,omitempty"` // "SIGINT", "SIGTERM", "SIGHUP", "Ctrl-C"
}

// RunOutcome is how a run ended.
type RunOutcome string

// The outcomes of a run.
const (
	RunCompleted RunOutcome = "completed"
	RunStopped   RunOutcome = "stopped" // after a commit, on request; can be resumed
	RunAborted   RunOutcome = "aborted" // at once, on request; can be resumed from the last commit
	RunFailed    RunOutcome = "failed"
)

// RunFinished is the last event. It is sent whatever happened, once a command has begun to work on a run.
type RunFinished struct {
	Outcome    RunOutcome `json:"outcome"`        // stopped and aborted are on request, after a commit and at once
	Dir        string     `json:"dir"`            // the run directory
	Checkpoint string     `json:"checkpoint"`     // path of the last committed checkpoint; empty when there is none
	Digest     string     `json:"digest"`         // of that checkpoint
	Step       int        `json:"step"`           // the last committed step
	TotalSteps int        `json:"total_steps"`    // of all stages, at most
	Metrics    Metrics    `json:"metrics"`        // the last value of each: "train/reward", "validation/success_rate"
	Before     Value      `json:"success_before"` // held-out success at the first validation on the dataset of the last one
	After      Value      `json:"success_after"`  // held-out success at the last validation
	Best       Value      `json:"best_step"`      // of the best validation of the last stage; null: none is, as where nothing was learned
	Seconds    Seconds    `json:"seconds"`        // of this incarnation
	// Exact says that the result does not depend on any clock; Reason says what it depended on otherwise, or why
	// the run did not complete.
	Exact     bool    `json:"exact"`
	Reason    string  `json:"reason,omitempty"`
	Resumable bool    `json:"resumable"`           // `awhost resume` can go on from the last commit
	Outputs   Outputs `json:"outputs,omitempty"`   // the spec's output blocks, those that are not sensitive
	Unchanged bool    `json:"unchanged,omitempty"` // nothing was done: the run had finished before
	// Gateway is what programs asked of the gateway since this start of the run; absent where none did.
	Gateway *Gateway    `json:"gateway,omitempty"`
	Exit    string      `json:"exit"`            // name of the exit code; see docs/cli.md
	Error   *Diagnostic `json:"error,omitempty"` // what went wrong, when it failed
}

// Gateway counts what programs asked of the gateway.
type Gateway struct {
	Calls    int `json:"calls"`    // messages that the policy was asked for
	Joined   int `json:"joined"`   // requests that got an earlier answer because of a retry mark or a cut connection
	Replayed int `json:"replayed"` // requests that got an answer which had arrived before
	// Siblings are calls that no later request continued although an equal one was made: candidates of best of n, or
	// responses that were lost on the way to a client that does not mark its retries.
	Siblings int `json:"sibling_leaves"`
	Dead     int `json:"dead"` // calls of attempts that were given up: nothing of them is trained
}

// Kind implements Payload.
func (RunStarted) Kind() Kind { return KindRunStarted }

// Kind implements Payload.
func (Interrupted) Kind() Kind { return KindInterrupted }

// Kind implements Payload.
func (RunFinished) Kind() Kind { return KindRunFinished }

var (
	_ Payload = RunStarted{}
	_ Payload = Interrupted{}
	_ Payload = RunFinished{}
)
