// Package diag is how awhost tells a person what is wrong with something they wrote.
//
// A Diagnostic names what happened, where, and what to do next. It is one model with two renderings: lines for a
// terminal and an object for machines. The package knows no language, no plugin and no run; whoever finds a problem
// builds the diagnostic, whoever owns the terminal renders it.
//
//	sources := diag.Sources{"train.hcl": text}
//	d := diag.Diagnostic{
//		Severity: diag.Error,
//		Summary:  "Missing file",
//		Detail:   "There is no data/train.jsonl beside the spec. Create it, or correct the path.",
//		Range:    &where,
//	}
//	d.Snippet = sources.Snippet(where, `dataset "jsonl" "train"`)
//	diag.WriteHuman(os.Stderr, diag.Diagnostics{d}, diag.Style{Width: 80})
package diag

import (
	"fmt"
	"strings"
)

// Severity says whether work can go on.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is one problem.
type Diagnostic struct {
	Severity Severity `json:"severity" jsonschema:"enum=error,enum=warning"`
	Summary  string   `json:"summary"`           // a few words, no full stop
	Detail   string   `json:"detail,omitempty"`  // sentences: why, and what to do
	Address  string   `json:"address,omitempty"` // of the block: "dataset.jsonl.train"
	Plugin   string   `json:"plugin,omitempty"`  // the plugin that found it
	Range    *Range   `json:"range,omitempty"`   // what is wrong
	Snippet  *Snippet `json:"snippet,omitempty"` // the lines around it
}

// Error implements error: place, summary and detail in one line.
func (d Diagnostic) Error() string {
	var b strings.Builder
	if d.Range != nil {
		fmt.Fprintf(&b, "%s: ", d.Range)
	}
	b.WriteString(d.Summary)
	if d.Detail != "" {
		b.WriteString(": " + d.Detail)
	}
	return b.String()
}

// Range is a stretch of a file.
type Range struct {
	File  string   `json:"file"` // as it is shown to the user
	Start Position `json:"start"`
	End   Position `json:"end"` // behind the last character
}

// String is file:line:column.
func (r Range) String() string { return fmt.Sprintf("%s:%d:%d", r.File, r.Start.Line, r.Start.Column) }

// Position is a place in a file.
type Position struct {
	Line   int `json:"line" jsonschema:"minimum=1"`   // from 1
	Column int `json:"column" jsonschema:"minimum=1"` // from 1, in characters
	Byte   int `json:"byte" jsonschema:"minimum=0"`   // from 0
}

// Diagnostics are the problems that were found, in the order of their discovery.
type Diagnostics []Diagnostic

// HasErrors says whether one of them is an error.
func (ds Diagnostics) HasErrors() bool {
	for _, d := range ds {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Count returns how many are errors and how many are warnings.
func (ds Diagnostics) Count() (failures, warnings int) {
	for _, d := range ds {
		if d.Severity == Error {
			failures++
		} else {
			warnings++
		}
	}
	return failures, warnings
}

// Err returns the diagnostics as an error, or nil when none of them is one.
func (ds Diagnostics) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return ds
}

// Error implements error: the first error and how many follow.
func (ds Diagnostics) Error() string {
	failures, _ := ds.Count()
	for _, d := range ds {
		if d.Severity != Error {
			continue
		}
		if failures > 1 {
			return fmt.Sprintf("%s (and %d more)", d.Error(), failures-1)
		}
		return d.Error()
	}
	return "no errors"
}

var (
	_ error = Diagnostic{}
	_ error = Diagnostics(nil)
)
