package result

import (
	"fmt"

	"github.com/awhost/awhost/host/view/text"
)

// Validated is what `validate` prints of a spec that is right.
type Validated struct {
	Type  string   `json:"type"`
	Valid bool     `json:"valid" schema:"true"`
	Files []string `json:"files"`

	Path   string `json:"-"` // as the user gave it
	Blocks int    `json:"-"`
	Trains int    `json:"-"`
}

// Text implements Result.
func (v Validated) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("%s is valid: %d blocks, %d train", v.Path, v.Blocks, v.Trains))
}
