package result

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/view/text"
)

// Task is a task after its row was mapped, as printed by `data head`.
type Task struct {
	Type string `json:"type"`
	plan.HeadTask
}

// Tasks lists the first tasks of datasets.
type Tasks []Task

// TasksOf returns the result for the first tasks of datasets.
func TasksOf(tasks []plan.HeadTask) Tasks {
	out := make(Tasks, len(tasks))
	for i, t := range tasks {
		out[i] = Task{"task", t}
	}
	return out
}

// Lines implements List.
func (t Tasks) Lines() []any { return linesOf(t) }

// Text implements Result.
func (t Tasks) Text(out *text.Printer) {
	for _, task := range t {
		out.Heading(strings.TrimSpace(task.Dataset+" "+task.Place) + "  " + task.ID)
		out.Pairs(fieldsOf(task.Public)...)
		if len(task.Private) == 0 {
			continue
		}
		seen := "private: only rewards, and environments that need it, get this"
		if len(task.AgentPrivate) > 0 {
			seen += "; agents get " + strings.Join(task.AgentPrivate, ", ")
		}
		out.Line("  " + out.Styles.Warn(text.Clean(seen)))
		out.Pairs(fieldsOf(task.Private)...)
	}
}

// fieldsOf returns the fields of an object.
func fieldsOf(object json.RawMessage) (out []text.Pair) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(object, &fields) // an object, as Dataset.Task returns it
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := string(fields[name])
		_ = json.Unmarshal(fields[name], &value) // other values are shown as JSON
		out = append(out, text.Pair{Key: text.Clean(name), Value: text.Clean(value)})
	}
	return out
}

var _ List = Tasks{}
