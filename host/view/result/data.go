package result

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/dataset/datacheck"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/view/text"
)

// Data is a dataset whose tasks `data check` has read, with their faults.
type Data struct {
	Type     string                  `json:"type"`
	Dataset  string                  `json:"dataset"` // address
	Tasks    int                     `json:"tasks" jsonschema:"minimum=0"`
	Findings []datacheck.TaskFinding `json:"findings" jsonschema:"nullable"` // errors first
}

// CheckedDatasets holds the datasets of a train block.
type CheckedDatasets []Data

// DataOf returns the result for checked datasets.
func DataOf(checked []plan.CheckedData) CheckedDatasets {
	out := make(CheckedDatasets, len(checked))
	for i, d := range checked {
		out[i] = Data{Type: "data", Dataset: d.Address, Tasks: d.Tasks, Findings: d.Findings}
	}
	return out
}

// Lines implements List.
func (c CheckedDatasets) Lines() []any { return linesOf(c) }

// Text implements Result.
func (c CheckedDatasets) Text(out *text.Printer) {
	width := out.Width // 0 or less: unlimited
	if width > 0 {
		width = max(20, width-4)
	}
	wrapped := func(style func(string) string, words string) {
		for _, line := range text.Wrap(words, width) {
			out.Line("    " + style(line))
		}
	}
	for _, d := range c {
		found := "no findings"
		if n := len(d.Findings); n > 0 {
			found = text.Plural(n, "finding")
		}
		out.Line(fmt.Sprintf("%s: %s, %s", out.Styles.Title(text.Clean(d.Dataset)), text.Plural(d.Tasks, "task"), found))
		for _, f := range d.Findings {
			style := out.Styles.Warn
			if f.Severity == "error" {
				style = out.Styles.Bad
			}
			out.Line("  " + style(text.Clean(string(f.Severity)+": "+f.ID)))
			plain := text.Plain().Title
			wrapped(plain, text.Clean(f.Summary))
			if len(f.Examples) > 0 && !strings.Contains(f.Summary, f.Examples[0]) {
				wrapped(plain, "for example "+text.Clean(strings.Join(f.Examples, ", ")))
			}
			wrapped(out.Styles.Dim, "remedy: "+text.Clean(f.Remedy))
		}
	}
}

var _ List = CheckedDatasets{}
