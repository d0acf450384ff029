package result

import "github.com/awhost/awhost/host/view/text"

// Formatted is a file whose formatting was not canonical, as listed by `fmt`. Standard input is always listed.
type Formatted struct {
	Type    string `json:"type"`
	File    string `json:"file"`           // - for standard input
	Written bool   `json:"written"`        // the file was rewritten; false with --check
	Content string `json:"text,omitempty"` // the formatted text of standard input
}

// Text implements Result.
func (f Formatted) Text(out *text.Printer) { out.Line(f.File) }
