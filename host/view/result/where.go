package result

import (
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// Where lists the paths of a run on disk and their sizes.
type Where struct {
	Type  string      `json:"type"`
	Run   string      `json:"run"`
	Dir   string      `json:"dir"`   // the run directory
	Bytes int64       `json:"bytes"` // size of all files in it
	Parts []WherePart `json:"parts"` // parts that the run has, in the order of docs/reference/run-directory.md
}

// WherePart is a file or directory of a run.
type WherePart struct {
	// In the run directory: journal, answers, attachments, metrics.jsonl, checkpoints, logs, or plugins.
	// checkpoints/step-000010 is a checkpoint that its framework stores elsewhere.
	Name    string `json:"name"`
	Path    string `json:"path"`
	Bytes   int64  `json:"bytes"`             // size of its files
	Missing bool   `json:"missing,omitempty"` // recorded by the run, but missing on this machine
}

// WhereOf returns the result for a run's parts. The first part is its directory.
func WhereOf(run string, parts []runstore.Part) Where {
	out := Where{Type: "where", Run: run, Dir: parts[0].Path, Bytes: parts[0].Bytes, Parts: []WherePart{}}
	for _, p := range parts[1:] {
		out.Parts = append(out.Parts, WherePart(p))
	}
	return out
}

// Text implements Result.
func (w Where) Text(out *text.Printer) {
	table := text.Table{Columns: []text.Column{{Title: "PART"}, {Title: "SIZE", Right: true}, {Title: "PATH"}}}
	table.Rows = append(table.Rows, []string{w.Run, text.Bytes(w.Bytes), text.Path(w.Dir)})
	for _, p := range w.Parts {
		size := text.Bytes(p.Bytes)
		switch {
		case p.Missing:
			size = "MISSING"
		case p.Bytes == 0:
			size = "empty"
		}
		table.Rows = append(table.Rows, []string{p.Name, size, text.Path(p.Path)})
	}
	out.Table(table)
}
