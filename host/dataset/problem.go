package dataset

import (
	"fmt"
	"strings"
)

// maxBadRows is how many bad rows are collected before reading stops.
const maxBadRows = 20

// ConfigError says what is wrong with the configuration of a dataset.
type ConfigError struct {
	Attribute []string // where, from the block inwards: {"map", "prompt"}; empty: the block
	Problem   string
	Remedy    string
}

// Error implements error.
func (e *ConfigError) Error() string {
	where := ""
	if len(e.Attribute) > 0 {
		where = strings.Join(e.Attribute, ".") + ": "
	}
	return where + e.Problem + ": " + e.Remedy
}

// RowError says what is wrong with one row. It never quotes what may be private.
type RowError struct {
	Path   string
	Line   int // from 1
	Reason string
	Remedy string
}

// Error implements error: file:line, the reason and what to do.
func (e *RowError) Error() string {
	return fmt.Sprintf("%s:%d: %s: %s", e.Path, e.Line, e.Reason, e.Remedy)
}

// RowsError lists the bad rows of a dataset in the order of the file.
type RowsError struct {
	Rows    []*RowError
	Stopped bool // reading stopped at maxBadRows; there may be more
}

// Error implements error: one line for each row.
func (e *RowsError) Error() string {
	lines := make([]string, 0, len(e.Rows)+1)
	for _, row := range e.Rows {
		lines = append(lines, row.Error())
	}
	if e.Stopped {
		lines = append(lines, fmt.Sprintf("%d bad rows are enough; there may be more", len(e.Rows)))
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes the rows available to errors.As.
func (e *RowsError) Unwrap() []error {
	errs := make([]error, len(e.Rows))
	for i, row := range e.Rows {
		errs[i] = row
	}
	return errs
}

// problem is a RowError that does not know its place yet.
type problem struct{ reason, remedy string }

func (p *problem) at(path string, line int) *RowError {
	return &RowError{Path: path, Line: line, Reason: p.reason, Remedy: p.remedy}
}

func duplicateID(id string, line int) *problem {
	return &problem{
		reason: fmt.Sprintf("the id %q is taken by line %d", id, line),
		remedy: "give every row an id of its own, or drop the column to have ids made",
	}
}
