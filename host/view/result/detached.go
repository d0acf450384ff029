package result

import (
	"fmt"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// Detached is the result of `apply --detach` and `resume --detach`: the run trains in the background.
type Detached struct {
	Type string `json:"type"`
	Run  string `json:"run"`
	Dir  string `json:"dir"`                        // the run directory
	PID  int    `json:"pid" jsonschema:"minimum=1"` // process id of the host
	Log  string `json:"log"`                        // the file with the host's output
}

// Text implements Result.
func (d Detached) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("%s runs in the background, pid %d; its output goes to %s", d.Run, d.PID, text.Path(d.Log)))
	where := runstore.WhereFlag(d.Dir)
	out.Pairs(
		text.Pair{Key: "look at it", Value: "awhost attach " + d.Run + where},
		text.Pair{Key: "end it", Value: "awhost stop " + d.Run + where},
	)
}
