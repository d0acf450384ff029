package result

import (
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// Stuck lists a run's waits.
type Stuck struct {
	Type   string `json:"type"`
	Run    string `json:"run"`
	Status string `json:"status"`
	Live   bool   `json:"live"` // its host has responded; if not, waits is empty and reason explains why
	Reason string `json:"reason,omitempty"`
	Next   string `json:"next,omitempty"` // commands that apply to a run that is not running
	control.Activity
	Step *int `json:"step,omitempty"` // the last finished step; -1: the host has just started
	// The causes of the delay come first, followed by the waits that only result from them.
	Waits []control.Wait `json:"waits"`

	call string // the run, as named in a command
}

// StuckOf returns the result for a run before its host has been asked.
func StuckOf(s runstore.Summary) Stuck {
	return Stuck{
		Type: "stuck", Run: s.Ref(), Status: string(s.Status), Waits: []control.Wait{},
		call: s.Ref() + runstore.WhereFlag(s.Dir),
	}
}

// Answered adds the host's response.
func (line *Stuck) Answered(w control.Waits) {
	line.Live, line.Activity, line.Step, line.Waits = true, w.Activity, &w.Step, w.Waits
}

// Text implements Result: it lists the waits and a remedy for the first one.
func (line Stuck) Text(out *text.Printer) {
	if !line.Live {
		out.Paragraph(text.Clean(fmt.Sprintf("%s: %s", line.Run, line.Reason)))
		if line.Next != "" {
			out.Paragraph(text.Clean(line.Next))
		}
		return
	}
	where := []string{line.Run}
	if line.Stage != "" {
		where = append(where, "stage "+line.Stage)
	}
	if line.Phase != "" {
		where = append(where, "phase "+line.Phase)
	}
	out.Line(text.Clean(text.Join(", ", append(where, text.Plural(max(0, *line.Step), "step")+" done")...)))
	if len(line.Waits) == 0 {
		out.Paragraph("The host has no recorded waits: it is starting or ending.")
		return
	}
	out.Blank()
	table := text.Table{Columns: []text.Column{
		{Title: "WHO"}, {Title: "WAITS FOR"}, {Title: "SINCE", Right: true}, {Title: "DETAIL", Shrink: true},
	}}
	for _, w := range line.Waits {
		table.Rows = append(table.Rows, []string{whoWaits(w), waitsFor(w), agoText(w.Seconds), waitDetail(w)})
	}
	out.Table(table)
	out.Blank()
	out.Paragraph(text.Clean(waitAdvice(line.Waits[0], line.call)))
}

func agoText(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(100 * time.Millisecond).String()
}

func whoWaits(w control.Wait) string {
	switch w.Who {
	case control.WaiterEpisodes:
		return text.Plural(w.Episodes, "episode")
	case control.WaiterTrainer:
		return "the trainer"
	case control.WaiterRun:
		return "the run"
	}
	return string(w.Who)
}

func waitDetail(w control.Wait) string {
	longest := ""
	if w.Episode != "" {
		longest = fmt.Sprintf("longest: %s of task %s", w.Episode, w.Task)
	}
	return text.Join("; ", longest, w.Detail)
}

// waitsFor describes what a wait is for.
func waitsFor(w control.Wait) string {
	switch w.For {
	case "slot":
		return "a slot"
	case "session":
		return "a session of " + w.Address
	case "generate":
		return "a message of " + w.Address
	case "place":
		return "a turn to ask " + w.Address
	case "paused":
		return w.Address + ", which has paused"
	case "environment", "reward":
		return w.Address + ", " + w.Call
	case "agent":
		return w.Address
	case "repeat":
		return "the next try of " + w.Address
	case "restart":
		return w.Address + ", which died"
	case "trial":
		return w.Address + ", in a trial"
	case "siblings":
		return "siblings of their group"
	case "record":
		return "the disk"
	case "host":
		return "the host"
	case "episodes":
		return text.Plural(w.Episodes, "episode")
	case "commit":
		return "a commit"
	case "trainer":
		return "the trainer " + w.Address
	case "start":
		return w.Address + ", which starts"
	case "answer":
		return w.Address + ", which is silent"
	}
	return text.Join(" ", w.For, w.Address, w.Call)
}

// waitAdvice returns the remedy for a wait that takes too long.
func waitAdvice(w control.Wait, call string) string {
	logs := fmt.Sprintf("awhost logs %s --plugin %s shows what it wrote", call, w.Address)
	switch w.For {
	case "generate":
		if strings.HasPrefix(w.Address, "model.") { // a served model has no plugin and no log
			return fmt.Sprintf("If this is longer than its work takes, the server of %s hangs: timeout of the block limits "+
				"the time of a message.", w.Address)
		}
		return fmt.Sprintf("If this is longer than its work takes, the trainer hangs: %s.", logs)
	case "slot":
		return "Running episodes use all slots: train.concurrency sets their number."
	case "session":
		return fmt.Sprintf("Episodes at work hold all sessions of %s.", w.Address)
	case "place":
		return fmt.Sprintf("Running requests use all slots of %s: max_concurrent sets their number.", w.Address)
	case "paused", "trainer":
		return fmt.Sprintf("If this is longer than its work takes, the trainer hangs: %s.", logs)
	case "environment", "reward", "agent", "repeat":
		return fmt.Sprintf("If this is longer than its work takes, it hangs: %s. "+
			"An episode that waits too long fails by episode_timeout.", logs)
	case "restart", "start":
		return fmt.Sprintf("It continues automatically when the plugin serves: %s.", logs)
	case "answer":
		return fmt.Sprintf("If it stays silent the host ends it and starts it again: %s.", logs)
	case "trial":
		return fmt.Sprintf("A task that killed %s is tried alone in a fresh process; it continues automatically.", w.Address)
	case "siblings":
		return "The group continues when the trainer has requested all its samples, or after ten minutes without them."
	case "record", "commit":
		return "If this takes long the disk does: see whether it is full, or a network file system that hangs."
	}
	return fmt.Sprintf("awhost attach %s shows the run, awhost logs %s what its plugins wrote.", call, call)
}
