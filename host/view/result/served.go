package result

import "github.com/awhost/awhost/host/view/text"

// Served is a viewer's address, as printed by `ui` when it starts listening.
type Served struct {
	Type string `json:"type"`
	URL  string `json:"url"` // with a token of this viewer after #, which grants access to the runs
	Dir  string `json:"dir"` // directory of the runs
}

// ServedAt returns the result for a viewer that is listening.
func ServedAt(url, dir string) Served { return Served{"served", url, dir} }

// Text implements Result.
func (s Served) Text(out *text.Printer) {
	out.Line("the runs of " + text.Clean(text.Path(s.Dir)) + " are at")
	out.Line("  " + text.Clean(s.URL))
	out.Line("Any user with this link can see them. Ctrl-C ends the viewer, but no run.")
}

var _ Result = Served{}
