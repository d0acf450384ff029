package event

import "time"

// Mode is the reason why a run starts.
type Mode string

// The modes.
const (
	ModeNew    Mode = "new"
	ModeResume Mode = "resume" // an interrupted run is resumed from its last commit
	ModeNoOp   Mode = "no_op"  // the run of this identity has finished; nothing is done
)

// RunStarted reports the start of a run. Diagnostics of the plan may precede it.
type RunStarted struct {
	Dir     string      `json:"dir"`               // the run directory
	Spec    string      `json:"spec"`              // the file or directory as given by the user
	Mode    Mode        `json:"mode"`              // whether the run is new, resumed, or already finished
	Step    int         `json:"step"`              // committed steps; 0 for a new run
	Plan    PlanSummary `json:"plan"`              // summary of the plan
	Plugins []PluginRef `json:"plugins,omitempty"` // plugins and the blocks that they serve
	// Earlier is the history of a resumed run's lineage, so that a view can draw the whole curve.
	Earlier History `json:"-"`
}

// History is the history of a resumed run.
type History struct {
	Rewards   []Point // mean reward by step
	Successes []Point // held-out success by step
	Best      Value   // step of the best validation of the stage to resume
	// Metrics holds the curves of all the trainer's metrics, by name.
	Metrics map[string][]Point
	// Findings holds the findings so far.
	Findings []Finding
	// Log holds the log, oldest line first. Only the latest lines of a long log are kept.
	Log []PastLine
	// Checkpoint is the directory of the last commit, from which the run resumes. It is empty without a commit.
	Checkpoint string
}

// PastLine is a log line from an earlier incarnation.
type PastLine struct {
	Time    time.Time
	Level   Level
	Source  string
	Message string
}

// Point is a value at a step.
type Point struct {
	Step  int
	Value float64
}

// PlanSummary summarizes the plan of a run.
type PlanSummary struct {
	Adapter         string         `json:"adapter"`          // type of the adapter block: "local"
	Stages          []StageSummary `json:"stages,omitempty"` // stages in order
	TotalSteps      int            `json:"total_steps"`      // maximum steps of all stages
	Prompts         int            `json:"prompts"`          // groups per step
	GroupSize       int            `json:"group_size"`       // samples per prompt
	TrainTasks      int            `json:"train_tasks"`
	ValidationTasks int            `json:"validation_tasks"`
	Seed            int64          `json:"seed"`            // seed of the run, from which all randomness is derived
	Notes           []string       `json:"notes,omitempty"` // sentences for the user
	Smoke           []string       `json:"smoke,omitempty"` // differences from the spec; set for smoke runs only
}

// StageSummary summarizes a stage of the plan.
type StageSummary struct {
	Name  string `json:"name"`  // label of the stage block
	Steps int    `json:"steps"` // maximum steps
}

// PluginRef names the plugin that serves a block in the spec.
type PluginRef struct {
	Instance  string `json:"instance"`  // address of the block: "environment.calculator.desk"
	Component string `json:"component"` // type of the block: "calculator"
	Plugin    string `json:"plugin"`    // name of the plugin
	Version   string `json:"version"`   // version of the plugin
	Source    string `json:"source"`    // origin of the plugin: "bundled", a path, …
}

// Stop describes how far an interrupt goes.
type Stop string

// Levels of an interrupt.
const (
	StopFirst  Stop = "first"  // the current step is finished and committed
	StopSecond Stop = "second" // the run ends immediately
)

// Interrupted reports a request to end the run: Ctrl-C, SIGTERM, `awhost stop`.
type Interrupted struct {
	Stage  Stop   `json:"stage"`            // first: the step is finished and committed; second: the run ends immediately
	Source string `json:"source,omitempty"` // "SIGINT", "SIGTERM", "SIGHUP", "Ctrl-C"
}

// RunOutcome is the outcome of a run.
type RunOutcome string

// The outcomes of a run.
const (
	RunCompleted RunOutcome = "completed"
	RunStopped   RunOutcome = "stopped" // after a commit, on request; can be resumed
	RunAborted   RunOutcome = "aborted" // immediately, on request; can be resumed from the last commit
	RunFailed    RunOutcome = "failed"
)

// Expected is a condition on a run's last validation that decides the exit code.
type Expected struct {
	Name      string `json:"name"`
	Condition string `json:"condition"` // as in the spec
	Holds     bool   `json:"holds"`
	Detail    string `json:"detail,omitempty"` // the numbers of the last validation, or why it has no value
}

// RunFinished is the last event. It is always sent once a command has started work on a run.
type RunFinished struct {
	Outcome    RunOutcome `json:"outcome"`        // stopped on request, after a commit; aborted on request, at once
	Dir        string     `json:"dir"`            // the run directory
	Checkpoint string     `json:"checkpoint"`     // path of the last committed checkpoint; empty without a commit
	Digest     string     `json:"digest"`         // digest of that checkpoint
	Step       int        `json:"step"`           // last committed step
	TotalSteps int        `json:"total_steps"`    // maximum steps of all stages
	Metrics    Metrics    `json:"metrics"`        // last value of each metric: "train/reward", "validation/success_rate"
	Before     Value      `json:"success_before"` // held-out success at the first validation on the last one's dataset
	After      Value      `json:"success_after"`  // held-out success at the last validation
	Best       Value      `json:"best_step"`      // step of the last stage's best validation, or null
	Seconds    Seconds    `json:"seconds"`        // duration of this incarnation

	Exact     bool        `json:"exact"`               // the result is independent of any clock
	Reason    string      `json:"reason,omitempty"`    // why the run is not exact or did not complete
	Resumable bool        `json:"resumable"`           // `awhost resume` can resume from the last commit
	Outputs   Outputs     `json:"outputs,omitempty"`   // values of the spec's output blocks that are not sensitive
	Unchanged bool        `json:"unchanged,omitempty"` // nothing was done: the run had already finished
	Gateway   *Gateway    `json:"gateway,omitempty"`   // requests to the gateway; absent without requests
	Expected  []Expected  `json:"expected,omitempty"`  // conditions of expect blocks on a completed run
	Exit      string      `json:"exit"`                // name of the exit code; see docs/reference/cli.md
	Error     *Diagnostic `json:"error,omitempty"`     // the error of a failed run
}

// Gateway counts the requests that programs send to the gateway.
type Gateway struct {
	Calls    int `json:"calls"`          // messages requested from the policy
	Joined   int `json:"joined"`         // requests that joined an earlier call after a retry mark or a cut connection
	Replayed int `json:"replayed"`       // requests answered with a response that had already arrived
	Siblings int `json:"sibling_leaves"` // calls that equal another call and were not continued
	Dead     int `json:"dead"`           // calls of abandoned attempts, which are not trained
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
