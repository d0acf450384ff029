package result

import "github.com/awhost/awhost/host/view/text"

// Formatted is a file that was not in the canonical layout, as `fmt` names it; standard input always.
type Formatted struct {
	Type    string `json:"type"`
	File    string `json:"file"`           // - for standard input
	Written bool   `json:"written"`        // it is now; false with --check
	Content string `json:"text,omitempty"` // of standard input, formatted
}

// Text implements Result.
func (f Formatted) Text(out *text.Printer) { out.Line(f.File) }
