package result

import (
	"fmt"

	"github.com/awhost/awhost/host/view/text"
)

// Initialised is the last line of `init`, after one `plugin` for each that was accepted.
type Initialised struct {
	Type    string   `json:"type"`
	Spec    string   `json:"spec"`
	Asks    []string `json:"environment"`       // variables that the spec asks for
	Example string   `json:"example,omitempty"` // the file that lists them
}

// Text implements Result.
func (i Initialised) Text(out *text.Printer) {
	if i.Example == "" {
		out.Line(fmt.Sprintf("%s is ready: run awhost apply %s", i.Spec, i.Spec))
		return
	}
	out.Line(i.Example + " lists the variables that the spec asks for: copy it to .env and fill it in")
}
