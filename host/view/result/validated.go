package result

import (
	"fmt"

	"github.com/awhost/awhost/host/view/text"
)

// Validated is the result of `validate` for a valid spec.
type Validated struct {
	Type  string   `json:"type"`
	Valid bool     `json:"valid" schema:"true"`
	Files []string `json:"files"`

	Path   string `json:"-"` // as given by the user
	Blocks int    `json:"-"`
	Trains int    `json:"-"`
}

// Text implements Result.
func (v Validated) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("%s is valid: %d blocks, %d train", v.Path, v.Blocks, v.Trains))
}
