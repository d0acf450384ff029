package result

import (
	"fmt"

	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// Exported is the result of `export`.
type Exported struct {
	Type       string         `json:"type"`
	Run        string         `json:"run,omitempty"` // absent, like step, if the checkpoint does not belong to a run
	Step       *int           `json:"step,omitempty"`
	Checkpoint string         `json:"checkpoint"` // directory of the checkpoint
	Format     string         `json:"format"`
	Target     string         `json:"target"`
	Files      []ExportedFile `json:"files"`
	Notes      []string       `json:"notes" jsonschema:"nullable"`

	source *export.Source
}

// ExportedFile is an exported file.
type ExportedFile struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// ExportedOf returns the result of an export.
func ExportedOf(c export.Config, out *sdk.ExportResponse) Exported {
	e := Exported{
		Type: "exported", Run: c.Source.Run, Checkpoint: c.Source.Dir, Format: c.Format, Target: c.Target,
		Files: []ExportedFile{}, Notes: out.Notes, source: c.Source,
	}
	if c.Source.Run != "" {
		e.Step = &c.Source.Step
	}
	for _, f := range out.Files {
		e.Files = append(e.Files, ExportedFile{f.Name, f.Bytes})
	}
	return e
}

// Text implements Result.
func (e Exported) Text(out *text.Printer) {
	var bytes int64
	for _, f := range e.Files {
		bytes += f.Bytes
	}
	out.Line(text.Clean(fmt.Sprintf("exported %s to %s: %s, %s",
		sourceText(e.source), e.Target, text.Plural(len(e.Files), "file"), text.Bytes(bytes))))
	for _, note := range e.Notes {
		out.Bullet(note)
	}
}
