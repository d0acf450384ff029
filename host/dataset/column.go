package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// column is a path in a row: a name, or names joined by dots that lead into nested objects. In a list, a number selects
// an element, counting from 0, or from -1 backward. A column whose own name has dots takes precedence over a nested
// one.
type column string

func (c column) parts() []string { return strings.Split(string(c), ".") }

// valid reports whether every part has a name.
func (c column) valid() bool { return !slices.Contains(c.parts(), "") }

// covers reports whether other is c or lies inside it.
func (c column) covers(other column) bool {
	return c == other || strings.HasPrefix(string(other), string(c)+".")
}

// in returns the column's value.
func (c column) in(row map[string]any) (any, bool) {
	if value, ok := row[string(c)]; ok {
		return value, true
	}
	var value any = row
	for _, part := range c.parts() {
		var ok bool
		if value, ok = step(value, part); !ok {
			return nil, false
		}
	}
	return value, true
}

// step follows one part of the path.
func step(value any, part string) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		inner, ok := v[part]
		return inner, ok
	case []any:
		if i, ok := position(part, len(v)); ok {
			return v[i], true
		}
	}
	return nil, false
}

// position parses a list index.
func position(part string, length int) (int, bool) {
	i, err := strconv.Atoi(part)
	if i < 0 {
		i += length
	}
	return i, err == nil && 0 <= i && i < length
}

// replace sets the value of an existing column.
func (c column) replace(row map[string]any, value any) {
	if _, ok := row[string(c)]; ok {
		row[string(c)] = value
		return
	}
	outer, last := column(""), string(c)
	if i := strings.LastIndexByte(string(c), '.'); i >= 0 {
		outer, last = c[:i], string(c[i+1:])
	}
	holder, _ := outer.in(row)
	switch h := holder.(type) {
	case map[string]any:
		h[last] = value
	case []any:
		if i, ok := position(last, len(h)); ok {
			h[i] = value
		}
	}
}

// upToList returns the column without the part that lies inside a list, because a list is removed as a whole.
func (c column) upToList(row map[string]any) column {
	if _, ok := row[string(c)]; ok {
		return c
	}
	first, rest, nested := strings.Cut(string(c), ".")
	switch inner := row[first].(type) {
	case map[string]any:
		if nested {
			return column(first) + "." + column(rest).upToList(inner)
		}
	case []any:
		return column(first)
	}
	return c
}

// takeFrom removes the column and returns its value. It also removes objects that become empty. It does not enter
// lists.
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

// dropFrom removes the column, or the list that contains it, in every spelling that occurs in the row.
func (c column) dropFrom(row map[string]any) {
	for ok := true; ok; {
		_, ok = c.upToList(row).takeFrom(row)
	}
}

// putInto sets the column's value, in nested objects if its name contains dots.
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

// maxNamedColumns limits the number of columns listed in an error.
const maxNamedColumns = 12

// columnNames lists a row's columns for an error.
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
