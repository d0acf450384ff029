package result

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// Audit reports the overall state of a run, for `show --audit` and `checkpoints --verify`.
type Audit struct {
	Type       string   `json:"type"`
	Commits    int      `json:"commits"`
	Trained    int      `json:"trained"` // number of episodes, like the following fields
	Masked     int      `json:"masked"`
	Filtered   int      `json:"filtered"`
	Validated  int      `json:"validated"`
	Superseded int      `json:"superseded"`
	Problems   []string `json:"problems" jsonschema:"nullable"`

	// Steps that trained on fewer samples than planned.
	Short []runstore.IncompleteStep `json:"short,omitempty"`
	// Sentences about starts that accepted a different awhost build.
	Builds []string `json:"builds,omitempty"`
	// Files in the run directory whose SHA-256 is not in the journal, for example from earlier versions.
	Unrecorded []string `json:"unrecorded,omitempty"`
	// Files and directories in the run directory that no checksum covers. Directory names end in a slash.
	Uncovered []string `json:"uncovered,omitempty"`
}

// AuditOf returns the result of an audit.
func AuditOf(a *runstore.Audit) Audit {
	return Audit{
		Type: "audit", Commits: a.Commits, Trained: a.Trained, Masked: a.Masked, Filtered: a.Filtered,
		Validated: a.Validated, Superseded: a.Superseded, Problems: a.Problems, Short: a.Short, Builds: a.Builds,
		Unrecorded: a.Unrecorded, Uncovered: a.Uncovered,
	}
}

// Text implements Result.
func (a Audit) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("%d commits; episodes: %d trained, %d masked, %d filtered, %d validated, %d superseded",
		a.Commits, a.Trained, a.Masked, a.Filtered, a.Validated, a.Superseded))
	for _, s := range a.Short {
		out.Line(fmt.Sprint(s))
	}
	out.Lines(a.Builds)
	for _, name := range a.Unrecorded {
		out.Line(fmt.Sprintf("SHA-256 of %s: not recorded", name))
	}
	if len(a.Uncovered) > 0 {
		out.Line("no checksum covers: " + strings.Join(a.Uncovered, ", "))
	}
	for _, p := range a.Problems {
		out.Line("problem: " + p)
	}
}
