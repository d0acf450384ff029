// Package result defines command output: it has a type for each line that a command prints with --json, which also has
// a text form for people. A command parses its flags, calls packages, and shows one of these types. It formats nothing
// itself.
//
// A result's JSON consists of its fields with tags, and docs/commands.schema.json is generated from them. Comments,
// including those on types in other packages, become descriptions. Fields without omitempty are required. Properties
// that Go's tags cannot express are in the tag jsonschema:
//
//	Step int `json:"step" jsonschema:"minimum=0"`
//
// and schema:"true" for a member that is always true.
//
// The function that returns a result sets the member named type. Its schema comes from [Kinds]. A field that is used
// only in the text is unexported or has the tag json:"-".
//
// Types that respond to a program line by line have no text form. They are defined in the package that reads the
// program's lines, such as host/manualpolicy and host/score. Kinds also lists these types.
//
// Member names and types are an interface for programs: members may be added, but existing ones do not change.
package result

import (
	"github.com/awhost/awhost/host/manualpolicy"
	"github.com/awhost/awhost/host/score"
	"github.com/awhost/awhost/host/view/text"
)

//go:generate go run ./internal/schemagen -root ../../..

// Result is one output of a command.
type Result interface {
	// Text writes the result in the form for people.
	Text(out *text.Printer)
}

// List is a result that is printed as zero or more JSON lines.
type List interface {
	Result
	// Lines returns values whose types are listed in Kinds.
	Lines() []any
}

// Kind is a kind of line that commands print with --json.
type Kind struct {
	Type     string   // the member type of the line; for score, whose lines have none, its name in the schema
	Of       any      // a value of its Go type: a Result, one of the Lines of a List, or a type for programs only
	Commands []string // commands that print it: "version", "plugin list"; empty: any command
}

// Kinds returns all kinds of lines that commands print with --json.
func Kinds() []Kind {
	return []Kind{
		{Type: "diagnostic", Of: Diagnostic{}},
		{Type: "validated", Of: Validated{}, Commands: []string{"validate"}},
		{Type: "version", Of: Version{}, Commands: []string{"version"}},
		{Type: "plan", Of: Plan{}, Commands: []string{"plan"}},
		{Type: "sweep", Of: Sweep{}, Commands: []string{"sweep"}},
		{Type: "audit", Of: Audit{}, Commands: []string{"show", "checkpoints"}},
		{Type: "episode", Of: Episode{}, Commands: []string{"show"}},
		{Type: "log", Of: Log{}, Commands: []string{"logs"}},
		{Type: "where", Of: Where{}, Commands: []string{"where"}},
		{Type: "detached", Of: Detached{}, Commands: []string{"apply", "resume"}},
		{Type: "checkpoint", Of: Checkpoint{}, Commands: []string{"checkpoints"}},
		{Type: "evaluation", Of: Evaluation{}, Commands: []string{"eval"}},
		{Type: "evaluated", Of: Evaluated{}, Commands: []string{"eval"}},
		{Type: "asked", Of: Asked{}, Commands: []string{"ask", "play"}},
		{Type: "debug_task", Of: DebugTask{}, Commands: []string{"debug"}},
		{Type: "debug_call", Of: DebugCall{}, Commands: []string{"debug"}},
		{Type: "debug_end", Of: DebugEnd{}, Commands: []string{"debug"}},
		{Type: "debugger", Of: Debugger{}, Commands: []string{"debug"}},
		{Type: "launch", Of: Launch{}, Commands: []string{"debug"}},
		{Type: "opened", Of: manualpolicy.Opened{}, Commands: []string{"play"}},
		{Type: "answer", Of: manualpolicy.Answer{}, Commands: []string{"play"}},
		{Type: "turn", Of: manualpolicy.Turn{}, Commands: []string{"play"}},
		{Type: "closed", Of: manualpolicy.Closed{}, Commands: []string{"play"}},
		{Type: "scored", Of: manualpolicy.Scored{}, Commands: []string{"play"}},
		{Type: "score", Of: score.Result{}, Commands: []string{"score"}},
		{Type: "exported", Of: Exported{}, Commands: []string{"export"}},
		{Type: "plugin", Of: Plugin{}, Commands: []string{"plugin list", "init"}},
		{Type: "description", Of: Description{}, Commands: []string{"plugin describe"}},
		{Type: "written", Of: Written{}, Commands: []string{"plugin new", "plugin sdk", "new spec", "new agent", "show"}},
		{Type: "called", Of: Called{}, Commands: []string{"plugin call"}},
		{Type: "check", Of: Check{}, Commands: []string{"plugin test"}},
		{Type: "conformance", Of: conformanceSums{}, Commands: []string{"plugin test"}},
		{Type: "transcript", Of: Recorded{}, Commands: []string{"plugin test"}},
		{Type: "change", Of: change{}, Commands: []string{"plugin test"}},
		{Type: "replay", Of: replay{}, Commands: []string{"plugin test"}},
		{Type: "run", Of: Run{}, Commands: []string{"runs", "runs set", "show", "stop"}},
		{Type: "removed", Of: Removed{}, Commands: []string{"runs rm", "runs gc"}},
		{Type: "comparison", Of: Comparison{}, Commands: []string{"compare"}},
		{Type: "served", Of: Served{}, Commands: []string{"ui"}},
		{Type: "stuck", Of: Stuck{}, Commands: []string{"stuck"}},
		{Type: "running", Of: Running{}, Commands: []string{"top"}},
		{Type: "doctor", Of: Doctor{}, Commands: []string{"doctor"}},
		{Type: "imported", Of: Imported{}, Commands: []string{
			"import ajet", "import areal", "import swift", "import trl", "import verl",
		}},
		{Type: "dataset", Of: Dataset{}, Commands: []string{"init"}},
		{Type: "initialised", Of: Initialised{}, Commands: []string{"init"}},
		{Type: "data", Of: Data{}, Commands: []string{"data check"}},
		{Type: "task", Of: Task{}, Commands: []string{"data head"}},
		{Type: "scan", Of: Scan{}, Commands: []string{"scan"}},
		{Type: "formatted", Of: Formatted{}, Commands: []string{"fmt"}},
	}
}

// linesOf returns a list's elements as the lines of a List.
func linesOf[T any](list []T) []any {
	lines := make([]any, len(list))
	for i, line := range list {
		lines[i] = line
	}
	return lines
}
