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

// Running is a run in progress, as printed by `top`.
type Running struct {
	Type       string         `json:"type"`
	Run        string         `json:"run,omitempty"` // absent if its host does not respond
	ID         string         `json:"id,omitempty"`
	Dir        string         `json:"dir,omitempty"`
	PID        int            `json:"pid,omitempty"`
	Since      time.Time      `json:"since,omitzero"` // start time of this host of the run
	Stage      string         `json:"stage,omitempty"`
	Phase      string         `json:"phase,omitempty"` // phase of the trainer
	Step       int            `json:"step"`            // the last finished step; -1: the host has just started
	TotalSteps int            `json:"total_steps"`
	Reward     *float64       `json:"reward,omitempty"`       // reward of the last step
	Success    *float64       `json:"success_rate,omitempty"` // held-out success rate of the last validation
	Checkpoint string         `json:"checkpoint,omitempty"`
	Stopping   bool           `json:"stopping"` // a stop was requested
	Waits      []control.Wait `json:"waits"`    // the cause of the delay first
	// Resources that its host, plugins and trainer use on this machine; absent if they cannot be measured.
	Processes     *int     `json:"processes,omitempty"`
	ResidentBytes *int64   `json:"resident_bytes,omitempty"`
	Processors    *float64 `json:"processors,omitempty"` // number of busy CPUs, measured over a short interval
	Problem       string   `json:"problem,omitempty"`    // why its host does not respond

	up time.Duration
}

// Top lists the runs that are in progress on this machine.
type Top []Running

// TopOf returns the result for running runs. uses holds their resource usage, keyed by the host process.
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

// numberOf returns a number that JSON can represent, or nil if it is missing or not finite.
func numberOf(v event.Value) *float64 {
	if number, finite := v.Finite(); finite {
		return &number
	}
	return nil
}

// Lines implements List.
func (top Top) Lines() []any { return linesOf(top) }

// Text implements Result.
func (top Top) Text(out *text.Printer) {
	if len(top) == 0 {
		out.Line("this user has no active run on this machine: list the runs of a directory with awhost runs")
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

// longWait is the duration from which a wait is reported as a delay.
const longWait = 10 * time.Second

// does returns the current activity of a run, or the cause of its delay.
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
