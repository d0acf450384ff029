package result

import "github.com/awhost/awhost/host/view/text"

// Log is one line from a plugin's log, as printed by `logs`.
type Log struct {
	Type   string `json:"type"`
	Plugin string `json:"plugin"` // address of the block
	Line   string `json:"line"`
}

// Text implements Result.
func (l Log) Text(out *text.Printer) { out.Quote(l.Plugin + " | " + text.Clean(l.Line)) }
