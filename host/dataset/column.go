package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// column is a place in a row: a name, or names joined by dots that lead into nested objects. A column whose own name
// has dots wins over a nested one.
type column string

func (c column) parts() []string { return strings.Split(string(c), ".") }

// valid says whether every part has a name.
func (c column) valid() bool { return !slices.Contains(c.parts(), "") }

// covers says whether other is c or lies inside it.
func (c column) covers(other column) bool {
	return c == other || strings.HasPrefix(string(other), string(c)+".")
}

// in finds the column's value.
func (c column) in(row map[string]any) (any, bool) {
	object, name, ok := c.find(row)
	if !ok {
		return nil, false
	}
	return object[name], true
}

// find returns the object that holds the column, and its name there.
func (c column) find(row map[string]any) (object map[string]any, name string, ok bool) {
	if _, ok := row[string(c)]; ok {
		return row, string(c), true
	}
	parts := c.parts()
	last := len(parts) - 1
	for _, part := range parts[:last] {
		if row, ok = row[part].(map[string]any); !ok {
			return nil, "", false
		}
	}
	_, ok = row[parts[last]]
	return row, parts[last], ok
}

// takeFrom removes the column and returns its value. Objects that are left empty go with it.
func (c column) takeFrom(row map[string]any) (any, bool) {
	if value, ok := row[string(c)]; ok {
		delete(row, string(c))
		return value, true
	}
	first, rest, nested := strings.Cut(string(c), ".")
	inner, isObject := row[first].(map[string]any)
	if !nested || !isObject {
		return nil, false
	}
	value, ok := column(rest).takeFrom(inner)
	if ok && len(inner) == 0 {
		delete(row, first)
	}
	return value, ok
}

// dropFrom removes the column under whatever spelling the row has it.
func (c column) dropFrom(row map[string]any) {
	for ok := true; ok; {
		_, ok = c.takeFrom(row)
	}
}

// putInto sets the column's value, in nested objects where it has dots.
func (c column) putInto(row map[string]any, value any) {
	parts := c.parts()
	last := len(parts) - 1
	for _, part := range parts[:last] {
		inner, ok := row[part].(map[string]any)
		if !ok {
			inner = map[string]any{}
			row[part] = inner
		}
		row = inner
	}
	row[parts[last]] = value
}

// maxNamedColumns bounds how many columns an error names.
const maxNamedColumns = 12

// columnNames lists the columns of a row for an error.
func columnNames(row map[string]any) string {
	names := slices.Sorted(maps.Keys(row))
	if len(names) == 0 {
		return "the row is empty"
	}
	more := ""
	if len(names) > maxNamedColumns {
		more = fmt.Sprintf(" and %d more", len(names)-maxNamedColumns)
		names = names[:maxNamedColumns]
	}
	return "the row has " + strings.Join(names, ", ") + more
}
