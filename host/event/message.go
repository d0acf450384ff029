package event

// Severity of a Diagnostic.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Diagnostic is a problem, addressed to the user: what happened, where, and what to do next.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Summary  string   `json:"summary"`
	Detail   string   `json:"detail,omitempty"`
	Address  string   `json:"address,omitempty"` // of the block it is about: "reward.gaia.answer"
	Range    *Range   `json:"range,omitempty"`
	Snippet  string   `json:"snippet,omitempty"` // the lines of the source that Range covers
}

// Range is a place in a source file.
type Range struct {
	File  string   `json:"file"`
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Position is a place in a file; both count from 1, columns in grapheme clusters.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Diagnostics carries problems that were found together, in the order of the file.
type Diagnostics struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// PluginPhase is where a plugin process is in its life.
type PluginPhase string

// The states of a plugin process.
const (
	PluginStarting   PluginPhase = "starting"
	PluginReady      PluginPhase = "ready"
	PluginRestarting PluginPhase = "restarting" // it died and is about to be started again
	PluginStopped    PluginPhase = "stopped"    // on purpose
	PluginCrashed    PluginPhase = "crashed"    // it died and is not started again
)

// PluginState reports a change in the life of a plugin process.
type PluginState struct {
	Instance  string      `json:"instance"`  // address of the block: "environment.calculator.desk"
	Component string      `json:"component"` // its type: "calculator"
	Plugin    string      `json:"plugin"`
	Version   string      `json:"version"`
	PID       int         `json:"pid"` // 0 when there is no process
	State     PluginPhase `json:"state"`
	Restarts  int         `json:"restarts"` // so far
	Detail    string      `json:"detail,omitempty"`
}

// Level of a Log.
type Level string

// The levels.
const (
	LevelDebug Level = "debug"
	LevelInfo  Level = "info"
	LevelWarn  Level = "warn"
	LevelError Level = "error"
)

// Log is a line that a plugin, the trainer or the host wrote for the user.
type Log struct {
	Level   Level             `json:"level"`
	Source  string            `json:"source"` // address of the block, or "host"
	Message string            `json:"message"`
	Fields  map[string]string `json:"fields,omitempty"`
}

// Warning reports something that is not silent: drift, a quarantined task, an ignored option.
type Warning struct {
	Code    string `json:"code"` // stable, for scripts: "token_drift", "task_quarantined"
	Summary string `json:"summary"`
	Detail  string `json:"detail,omitempty"`
	Count   int    `json:"count,omitempty"` // how often so far; 0 where counting makes no sense
}

// Kind implements Payload.
func (Diagnostics) Kind() Kind { return KindDiagnostics }

// Kind implements Payload.
func (PluginState) Kind() Kind { return KindPluginState }

// Kind implements Payload.
func (Log) Kind() Kind { return KindLog }

// Kind implements Payload.
func (Warning) Kind() Kind { return KindWarning }

var (
	_ Payload = Diagnostics{}
	_ Payload = PluginState{}
	_ Payload = Log{}
	_ Payload = Warning{}
)
