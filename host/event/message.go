package event

// Severity is the severity of a Diagnostic.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Diagnostic describes a problem for the user: its summary, location and remedy.
type Diagnostic struct {
	Severity Severity `json:"severity"`          // errors stop the command
	Summary  string   `json:"summary"`           // what happened, in one line
	Detail   string   `json:"detail,omitempty"`  // why, and what to do next
	Address  string   `json:"address,omitempty"` // address of the affected block: "reward.gaia.answer"
	Range    *Range   `json:"range,omitempty"`   // location in the source
	Snippet  string   `json:"snippet,omitempty"` // source lines that Range covers
}

// Range is a range in a source file.
type Range struct {
	File  string   `json:"file"`  // path as given by the user
	Start Position `json:"start"` // first character
	End   Position `json:"end"`   // character after the last
}

// Position is a position in a file.
type Position struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 1, in grapheme clusters
}

// Diagnostics holds problems that were found together, in file order.
type Diagnostics struct {
	Diagnostics []Diagnostic `json:"diagnostics"` // the problems
}

// MarshalJSON implements json.Marshaler. Without problems the list is empty, not null.
func (d Diagnostics) MarshalJSON() ([]byte, error) {
	type plain Diagnostics
	if d.Diagnostics == nil {
		d.Diagnostics = []Diagnostic{}
	}
	return encode(plain(d))
}

// PluginPhase is the state of a plugin process.
type PluginPhase string

// The states of a plugin process.
const (
	PluginStarting   PluginPhase = "starting"
	PluginReady      PluginPhase = "ready"
	PluginRestarting PluginPhase = "restarting" // it exited and is about to be restarted
	PluginStopped    PluginPhase = "stopped"    // on purpose
	PluginCrashed    PluginPhase = "crashed"    // it exited and is not restarted
)

// PluginState reports that a plugin process has changed its state.
type PluginState struct {
	Instance  string      `json:"instance"`         // address of the block: "environment.calculator.desk"
	Component string      `json:"component"`        // type of the block: "calculator"
	Plugin    string      `json:"plugin"`           // name of the plugin
	Version   string      `json:"version"`          // version of the plugin; empty until it reports one
	PID       int         `json:"pid"`              // 0 if the process does not exist
	State     PluginPhase `json:"state"`            // the new state
	Restarts  int         `json:"restarts"`         // restarts so far
	Detail    string      `json:"detail,omitempty"` // cause of the exit, or the awaited condition
}

// Level is the level of a Log.
type Level string

// The levels.
const (
	LevelDebug Level = "debug"
	LevelInfo  Level = "info"
	LevelWarn  Level = "warn"
	LevelError Level = "error"
)

// Log is a line for the user from a plugin, the trainer or the host.
type Log struct {
	Level   Level             `json:"level"`            // severity
	Source  string            `json:"source"`           // address of the block, or "host"
	Message string            `json:"message"`          // text; may have several lines
	Fields  map[string]string `json:"fields,omitempty"` // structured data
}

// FieldViewURL is the Log field that contains the URL at which users can watch a server that awhost has started.
const FieldViewURL = "view_url"

// Warning reports a condition that must not pass unnoticed: drift, a quarantined task, an ignored option.
type Warning struct {
	Code    string `json:"code"`             // stable identifier for scripts: "token_drift", "task_quarantined"
	Summary string `json:"summary"`          // what happened, in one line
	Detail  string `json:"detail,omitempty"` // cause and remedy
	Count   int    `json:"count,omitempty"`  // occurrences so far; 0 if not counted
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
