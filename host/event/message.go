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
	Severity Severity `json:"severity"`          // errors stop the command
	Summary  string   `json:"summary"`           // what happened, in a line
	Detail   string   `json:"detail,omitempty"`  // why, and what to do next
	Address  string   `json:"address,omitempty"` // of the block it is about: "reward.gaia.answer"
	Range    *Range   `json:"range,omitempty"`   // where
	Snippet  string   `json:"snippet,omitempty"` // the lines of the source that Range covers
}

// Range is a place in a source file.
type Range struct {
	File  string   `json:"file"`  // as the user named it
	Start Position `json:"start"` // the first character
	End   Position `json:"end"`   // the character after the last
}

// Position is a place in a file.
type Position struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 1, in grapheme clusters
}

// Diagnostics carries problems that were found together, in the order of the file.
type Diagnostics struct {
	Diagnostics []Diagnostic `json:"diagnostics"` // the problems
}

// MarshalJSON implements json.Marshaler: no problems are an empty list.
func (d Diagnostics) MarshalJSON() ([]byte, error) {
	type plain Diagnostics
	if d.Diagnostics == nil {
		d.Diagnostics = []Diagnostic{}
	}
	return encode(plain(d))
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
	Instance  string      `json:"instance"`         // address of the block: "environment.calculator.desk"
	Component string      `json:"component"`        // its type: "calculator"
	Plugin    string      `json:"plugin"`           // name of the plugin
	Version   string      `json:"version"`          // of the plugin; empty until it said so
	PID       int         `json:"pid"`              // 0 when there is no process
	State     PluginPhase `json:"state"`            // where it is in its life now
	Restarts  int         `json:"restarts"`         // so far
	Detail    string      `json:"detail,omitempty"` // how it died, what it waits for
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
	Level   Level             `json:"level"`            // how much it matters
	Source  string            `json:"source"`           // address of the block, or "host"
	Message string            `json:"message"`          // may have several lines
	Fields  map[string]string `json:"fields,omitempty"` // its structured part
}

// FieldViewURL is the field of a Log by which a server that awhost has started says where people can watch it.
const FieldViewURL = "view_url"

// Warning reports something that is not silent: drift, a quarantined task, an ignored option.
type Warning struct {
	Code    string `json:"code"`             // stable, for scripts: "token_drift", "task_quarantined"
	Summary string `json:"summary"`          // what happened, in a line
	Detail  string `json:"detail,omitempty"` // why, and what to do
	Count   int    `json:"count,omitempty"`  // how often so far; 0 where counting makes no sense
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
