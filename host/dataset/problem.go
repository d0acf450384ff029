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

// Place is where a row stands in a file.
type Place struct {
	Path     string
	Line     int // of a text file, from 1; 0: the file has no lines
	Row      int // of a file without lines, from 1
	RowGroup int // of a Parquet file, from 1
}

// String names the place as people look for it.
func (p Place) String() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d", p.Path, p.Line)
	}
	return p.Path + ": " + p.inFile()
}

func (p Place) inFile() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("line %d", p.Line)
	case p.RowGroup > 0:
		return fmt.Sprintf("row %d (row group %d)", p.Row, p.RowGroup)
	}
	return fmt.Sprintf("row %d", p.Row)
}

// seenFrom names the place for somebody who is at another one.
func (p Place) seenFrom(other Place) string {
	if p.Path != other.Path {
		return p.String()
	}
	return p.inFile()
}

// RowError says what is wrong with one row. It never quotes what may be private.
type RowError struct {
	Place
	Reason string
	Remedy string
}

// Error implements error: the place, the reason and what to do.
func (e *RowError) Error() string { return fmt.Sprintf("%s: %s: %s", e.Place, e.Reason, e.Remedy) }

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

func (p *problem) at(place Place) *RowError {
	return &RowError{Place: place, Reason: p.reason, Remedy: p.remedy}
}

func duplicateID(id string, earlier, here Place) *problem {
	return &problem{
		reason: fmt.Sprintf("the id %q is taken by %s", id, earlier.seenFrom(here)),
		remedy: "give every row an id of its own, or drop the column to have ids made",
	}
}
