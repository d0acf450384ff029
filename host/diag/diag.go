// Package diag reports problems in user input.
//
// A [Diagnostic] names a problem, its location and its remedy. It has two renderings: lines for a terminal and an
// object for programs. The package must not depend on the configuration language, plugins or runs. The code that finds
// a problem builds the diagnostic; the code that owns the terminal renders it.
//
//	sources := diag.Sources{"train.hcl": text}
//	d := diag.Diagnostic{
//		Severity: diag.Error,
//		Summary:  "Missing file",
//		Detail:   "data/train.jsonl does not exist. Create it, or correct the path.",
//		Range:    &where,
//	}
//	d.Snippet = sources.Snippet(where, `dataset "jsonl" "train"`)
//	diag.WriteHuman(os.Stderr, diag.Diagnostics{d}, diag.Style{Width: 80})
package diag

import (
	"fmt"
	"strings"
)

// Severity determines whether work can continue.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is a problem.
type Diagnostic struct {
	Severity Severity `json:"severity" jsonschema:"enum=error,enum=warning"`
	Summary  string   `json:"summary"`           // a few words, without a final period
	Detail   string   `json:"detail,omitempty"`  // sentences with cause and remedy
	Address  string   `json:"address,omitempty"` // address of the block: "dataset.jsonl.train"
	Plugin   string   `json:"plugin,omitempty"`  // the plugin that found it
	Range    *Range   `json:"range,omitempty"`   // location of the problem
	Snippet  *Snippet `json:"snippet,omitempty"` // the lines around it
}

// Error implements error. It returns the location, summary and detail on one line.
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

// Range is a range in a file.
type Range struct {
	File  string   `json:"file"` // as shown to the user
	Start Position `json:"start"`
	End   Position `json:"end"` // after the last character
}

// String returns file:line:column.
func (r Range) String() string { return fmt.Sprintf("%s:%d:%d", r.File, r.Start.Line, r.Start.Column) }

// Position is a position in a file.
type Position struct {
	Line   int `json:"line" jsonschema:"minimum=1"`   // from 1
	Column int `json:"column" jsonschema:"minimum=1"` // from 1, in characters
	Byte   int `json:"byte" jsonschema:"minimum=0"`   // from 0
}

// Diagnostics lists problems in the order in which they were found.
type Diagnostics []Diagnostic

// HasErrors reports whether any of them is an error.
func (ds Diagnostics) HasErrors() bool {
	for _, d := range ds {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Count returns the numbers of errors and warnings.
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

// Err returns the diagnostics as an error, or nil if they contain only warnings.
func (ds Diagnostics) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return ds
}

// Error implements error. It returns the first error and the number of further ones.
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
