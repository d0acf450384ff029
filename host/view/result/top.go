package result

import (
	"cmp"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/internal/processes"
)

// Running is a run that goes on, as `top` prints it.
type Running struct {
	Type       string         `json:"type"`
	Run        string         `json:"run,omitempty"` // missing where its host does not answer
	ID         string         `json:"id,omitempty"`
	Dir        string         `json:"dir,omitempty"`
	PID        int            `json:"pid,omitempty"`
	Since      time.Time      `json:"since,omitzero"` // when this host of the run began
	Stage      string         `json:"stage,omitempty"`
	Phase      string         `json:"phase,omitempty"` // of the trainer
	Step       int            `json:"step"`            // the last that is finished; -1: the host has just begun
	TotalSteps int            `json:"total_steps"`
	Reward     *float64       `json:"reward,omitempty"`       // of the last step
	Success    *float64       `json:"success_rate,omitempty"` // held out, of the last validation
	Checkpoint string         `json:"checkpoint,omitempty"`
	Stopping   bool           `json:"stopping"` // it was asked to end
	Waits      []control.Wait `json:"waits"`    // what holds it up first
	// What its host, plugins and trainer on this machine use; missing where nobody sees it.
	Processes     *int     `json:"processes,omitempty"`
	ResidentBytes *int64   `json:"resident_bytes,omitempty"`
	Processors    *float64 `json:"processors,omitempty"` // how many it keeps busy, over the last moment
	Problem       string   `json:"problem,omitempty"`    // why its host says nothing

	up time.Duration
}

// Top is the runs that go on on this machine.
type Top []Running

// TopOf is the result about runs; uses has what they use, by the process of their host.
func TopOf(runs []control.Running, uses map[int]processes.Use, now time.Time) Top {
	top := Top{}
	for _, r := range runs {
		s := r.Status
		line := Running{
			Type: "running", Run: s.Run, ID: r.ID, Dir: s.Dir, PID: s.PID, Since: s.Since, Stage: s.Stage, Phase: s.Phase,
			Step: s.Step, TotalSteps: s.TotalSteps, Reward: numberOf(s.Reward), Success: numberOf(s.Success),
			Checkpoint: s.Checkpoint, Stopping: s.Stopping != "", Waits: r.Waits, up: now.Sub(s.Since),
		}
		if line.Waits == nil {
			line.Waits = []control.Wait{}
		}
		if use, known := uses[s.PID]; known {
			line.Processes, line.ResidentBytes, line.Processors = &use.Processes, &use.RSS, use.Busy
		}
		if r.Problem != nil {
			line.Problem = r.Problem.Error()
		}
		top = append(top, line)
	}
	return top
}

// numberOf is a number that JSON has; nil where it is missing.
func numberOf(v event.Value) *float64 {
	if number, finite := v.Finite(); finite {
		return &number
	}
	return nil
}

// Lines implements List.
func (top Top) Lines() []any {
	lines := make([]any, len(top))
	for i, line := range top {
		lines[i] = line
	}
	return lines
}

// Text implements Result.
func (top Top) Text(out *text.Printer) {
	if len(top) == 0 {
		out.Line("no run of yours goes on on this machine: awhost runs lists those of a directory")
		return
	}
	table := text.Table{Columns: []text.Column{
		{Title: "RUN", Shrink: true}, {Title: "STEP", Right: true}, {Title: "REWARD", Right: true},
		{Title: "SUCCESS", Right: true}, {Title: "CPU", Right: true}, {Title: "MEMORY", Right: true},
		{Title: "UP", Right: true}, {Title: "DOES", Shrink: true}, {Title: "WHERE", Shrink: true},
	}}
	for _, line := range top {
		if line.Problem == "" {
			table.Rows = append(table.Rows, line.row())
		}
	}
	if len(table.Rows) > 0 {
		out.Table(table)
	}
	for _, line := range top {
		if line.Problem != "" {
			who := fmt.Sprintf("%s, process %d: ", cmp.Or(line.Run, "a run"), line.PID)
			out.Paragraph(text.Clean(who + line.Problem))
		}
	}
}

func (line Running) row() []string {
	step := fmt.Sprint(max(0, line.Step))
	if line.TotalSteps > 0 {
		step += fmt.Sprintf("/%d", line.TotalSteps)
	}
	reward, success, cpu, memory := "", "", "", ""
	if line.Reward != nil {
		reward = text.Number(*line.Reward)
	}
	if line.Success != nil {
		success = text.Percent(*line.Success)
	}
	if line.Processors != nil {
		cpu = fmt.Sprintf("%.0f %%", 100*(*line.Processors))
	}
	if line.ResidentBytes != nil {
		memory = text.Bytes(*line.ResidentBytes)
	}
	return []string{
		line.Run, step, reward, success, cpu, memory, line.up.Round(time.Second).String(), line.does(),
		text.Path(line.Dir),
	}
}

// longWait is how long something takes before it is more than work.
const longWait = 10 * time.Second

// does says what a run does, or what holds it up.
func (line Running) does() string {
	stopping := ""
	if line.Stopping {
		stopping = "stopping"
	}
	if len(line.Waits) > 0 {
		if w := line.Waits[0]; w.Seconds >= longWait.Seconds() {
			verb := "waits"
			if w.Who == control.WaiterEpisodes && w.Episodes != 1 {
				verb = "wait"
			}
			held := fmt.Sprintf("%s %s %s for %s", whoWaits(w), verb, agoText(w.Seconds), waitsFor(w))
			return text.Join(", ", stopping, held)
		}
	}
	return text.Join(", ", stopping, line.Stage, line.Phase)
}
