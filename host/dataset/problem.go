package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// maxBadRows is the number of bad rows that are collected before reading stops.
const maxBadRows = 20

// ConfigError describes a mistake in a dataset's configuration.
type ConfigError struct {
	Attribute []string // the path from the block inwards: {"map", "prompt"}; empty: the block
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

// Place is the location of a row.
type Place struct {
	Path     string
	Line     int // of a text file, from 1; 0: the file has no lines
	Row      int // of a file without lines, from 1
	RowGroup int // of a Parquet file, from 1
}

// String returns the place in the usual format.
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

// seenFrom returns the place relative to another one.
func (p Place) seenFrom(other Place) string {
	if p.Path != other.Path {
		return p.String()
	}
	return p.inFile()
}

// RowError describes a mistake in one row. It never quotes values, which may be private.
type RowError struct {
	Place
	Reason    string
	Remedy    string
	Attribute []string // attribute of the configuration that does not match the row: {"map", "prompt"}; empty: none
}

// Error implements error. The text has the place, the reason and the remedy.
func (e *RowError) Error() string { return fmt.Sprintf("%s: %s: %s", e.Place, e.Reason, e.Remedy) }

// RowsError lists a dataset's bad rows in file order.
type RowsError struct {
	Rows    []*RowError
	Stopped bool // reading stopped at maxBadRows; there may be more
}

// Attribute returns the configuration attribute that no bad row matches, or nil.
func (e *RowsError) Attribute() []string {
	for _, row := range e.Rows {
		if !slices.Equal(row.Attribute, e.Rows[0].Attribute) {
			return nil
		}
	}
	return e.Rows[0].Attribute
}

// Error implements error. The text has one line for each kind of mistake, which lists the affected rows.
func (e *RowsError) Error() string {
	type wrong struct{ path, reason, remedy string }
	var order []wrong
	rows := map[wrong][]*RowError{}
	for _, row := range e.Rows {
		key := wrong{row.Path, row.Reason, row.Remedy}
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], row)
	}
	lines := make([]string, 0, len(order)+1)
	for _, key := range order {
		lines = append(lines, rows[key][0].Error()+also(rows[key]))
	}
	if e.Stopped {
		lines = append(lines, fmt.Sprintf("reading stopped after %d invalid rows; more may follow", len(e.Rows)))
	}
	return strings.Join(lines, "\n")
}

// mostAlike is the number of rows, not counting the first, that are listed for one mistake.
const mostAlike = 3

// also lists the rows that follow the first one.
func also(rows []*RowError) string {
	var names []string
	for _, row := range rows[1:min(len(rows), 1+mostAlike)] {
		names = append(names, row.seenFrom(rows[0].Place))
	}
	if more := len(rows) - 1 - mostAlike; more > 0 {
		names = append(names, fmt.Sprintf("%d more rows", more))
	}
	if len(names) == 0 {
		return ""
	}
	return " (also " + strings.Join(names, ", ") + ")"
}

// Unwrap makes the rows available to errors.As.
func (e *RowsError) Unwrap() []error {
	errs := make([]error, len(e.Rows))
	for i, row := range e.Rows {
		errs[i] = row
	}
	return errs
}

// problem is a RowError without its place.
type problem struct {
	reason, remedy string
	attribute      []string
}

func (p *problem) at(place Place) *RowError {
	return &RowError{Place: place, Reason: p.reason, Remedy: p.remedy, Attribute: p.attribute}
}

func duplicateID(id string, earlier, here Place) *problem {
	return &problem{
		reason: fmt.Sprintf("the id %q is already used by %s", id, earlier.seenFrom(here)),
		remedy: "give every row a unique id, or drop the column to generate ids",
	}
}
