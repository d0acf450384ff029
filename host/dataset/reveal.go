package dataset

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// Reveal returns a task without its private part, except for the named columns, which become public under these names.
// A name is a column in the data or a field in the private part. missing lists names that the private part does not
// have.
func Reveal(task sdk.Task, names []string) (out sdk.Task, missing []string) {
	public, _ := parseRow(task.Public) // canonical objects, as returned by Task
	private, _ := parseRow(task.Private)
	for _, name := range names {
		value, ok := column(name).in(private)
		for field, from := range task.Columns {
			if from == name && !ok {
				value, ok = column(field).in(private)
			}
		}
		if ok {
			column(name).putInto(public, value)
		} else {
			missing = append(missing, name)
		}
	}
	task.Private = nil
	if len(missing) < len(names) {
		task.Public = canonical(public)
	}
	return task, missing
}

// PrivateColumns lists the names that Reveal accepts for a task, together with the corresponding names in the data.
func PrivateColumns(task sdk.Task) []string {
	private, _ := parseRow(task.Private)
	var out []string
	for field := range private {
		if from, ok := task.Columns[field]; ok {
			field = fmt.Sprintf("%s (%s)", from, field)
		}
		out = append(out, field)
	}
	slices.Sort(out)
	return out
}
