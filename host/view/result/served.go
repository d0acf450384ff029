package result

import "github.com/awhost/awhost/host/view/text"

// Served is where a viewer can be opened, as `ui` prints it when it listens.
type Served struct {
	Type string `json:"type"`
	URL  string `json:"url"` // with the token of this start behind #: whoever has it sees the runs
	Dir  string `json:"dir"` // whose runs are shown
}

// ServedAt is the result about a viewer that listens.
func ServedAt(url, dir string) Served { return Served{"served", url, dir} }

// Text implements Result.
func (s Served) Text(out *text.Printer) {
	out.Line("the runs of " + text.Clean(text.Path(s.Dir)) + " are at")
	out.Line("  " + text.Clean(s.URL))
	out.Line("Whoever has this link sees them. Ctrl-C ends the viewer, and no run.")
}

var _ Result = Served{}
