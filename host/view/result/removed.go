package result

import (
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// Removed is a run that `runs rm` or `runs gc` removes, would remove, or must keep.
type Removed struct {
	Type    string          `json:"type"`
	Run     string          `json:"run"`
	Dir     string          `json:"dir"`
	Status  runstore.Status `json:"status"`
	Updated time.Time       `json:"updated"` // last record
	Bytes   int64           `json:"bytes"`
	Reason  string          `json:"reason"`            // why it was selected
	Kept    string          `json:"kept,omitempty"`    // why it must remain
	Removed bool            `json:"removed"`           // false: it is only listed
	Remains []string        `json:"remains,omitempty"` // checkpoints outside of the run directory, which are not removed
}

// Removal lists runs to remove.
type Removal []Removed

// RemovalOf returns the result for runs that are not removed yet. kept has the runs that must remain, with the reasons.
func RemovalOf(runs Runs, reason string, kept map[string]string) Removal {
	out := Removal{}
	for _, r := range runs {
		removed := Removed{
			Type: "removed", Run: r.Ref(), Dir: r.Dir, Status: r.Status, Updated: r.Updated, Reason: reason, Kept: kept[r.Ref()],
		}
		for i, part := range r.Parts {
			if i == 0 {
				removed.Bytes = part.Bytes
			} else if strings.HasPrefix(part.Name, "checkpoints/") {
				removed.Remains = append(removed.Remains, part.Path)
			}
		}
		out = append(out, removed)
	}
	return out
}

// Lines implements List.
func (r Removal) Lines() []any { return linesOf(r) }

// Total returns the number of runs to remove and their size.
func (r Removal) Total() string {
	count, bytes := 0, int64(0)
	for _, run := range r {
		if run.Kept == "" {
			count, bytes = count+1, bytes+run.Bytes
		}
	}
	if count == 0 {
		return "nothing"
	}
	return text.Plural(count, "run") + ", " + text.Bytes(bytes)
}

// Text implements Result.
func (r Removal) Text(out *text.Printer) {
	table := text.Table{Columns: []text.Column{
		{Title: "RUN"}, {Title: "STATUS"}, {Title: "AGE", Right: true}, {Title: "SIZE", Right: true},
		{Title: "REASON", Shrink: true}, {Title: ""},
	}}
	for _, run := range r {
		state := "listed"
		switch {
		case run.Kept != "":
			state = "kept"
		case run.Removed:
			state = "deleted"
		}
		table.Rows = append(table.Rows, []string{
			run.Run, string(run.Status), text.Clock(time.Since(run.Updated)), text.Bytes(run.Bytes), run.Reason, state,
		})
	}
	out.Table(table)
	for _, run := range r {
		if run.Kept != "" {
			out.Line(fmt.Sprintf("%s is kept: %s", run.Run, text.Clean(run.Kept)))
		}
		for _, path := range run.Remains {
			out.Line(fmt.Sprintf("%s: the trainer's data in %s remain", run.Run, text.Clean(text.Path(path))))
		}
	}
	out.Line("in total: " + r.Total())
}

var _ List = Removal{}
