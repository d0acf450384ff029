package view

import (
	"fmt"
	"sync"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// Human writes plain lines: changes are written at once, routine lines at growing intervals. Each line begins with the
// run's age.
type Human struct {
	mu      sync.Mutex // held while Handle writes
	out     *text.Output
	options Options
	width   int // for wrapped text; 0: unlimited
	verbose bool
	model   *Model
	err     error

	steps, phases, checks, bests, checkpoints cadence
	sources                                   map[string]*budget
	episodes                                  budget
	phase                                     event.Phase // the last announced phase
	blank                                     bool        // the last line was empty
	summed                                    bool
}

// NewHuman returns the view.
func NewHuman(o Options) *Human {
	terminal := terminalOf(o)
	h := &Human{
		out: text.NewOutput(o.Out), options: o, width: terminal.Width, verbose: o.Verbose,
		model: NewModel(o.Version, terminal.Styles), sources: map[string]*budget{},
	}
	h.out.Commands = o.Commands
	h.model.Attached, h.model.RunDir, h.model.Again = o.Attached, o.RunDir, o.Again
	h.model.Commands = o.Commands
	return h
}

// Handle implements event.Handler.
func (h *Human) Handle(e event.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.model.Apply(e)
	h.show(e)
}

// Close implements View: it writes the summary.
func (h *Human) Close() error {
	if !h.mu.TryLock() {
		return errStuck
	}
	defer h.mu.Unlock()
	if !h.summed {
		h.summed = true
		h.write(h.model.Summary(h.width)...)
	}
	err := h.err
	h.err = nil
	return err
}

// learn applies an event that another view is showing.
func (h *Human) learn(e event.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.model.Apply(e)
}

// draw renders the screen.
func (h *Human) draw(width, height int, now time.Time) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.model.Render(width, height, now)
}

// turnTo shows another pane on the screen, or the overview if that pane is already shown.
func (h *Human) turnTo(pane Pane) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.model.Pane == pane {
		pane = PaneOverview
	}
	h.model.Pane, h.model.offset = pane, 0
}

// scroll scrolls the current pane.
func (h *Human) scroll(lines int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.model.Scroll(lines)
}

// takeOver continues with plain lines after the screen has ended. hidden holds the events that the screen did not
// show.
func (h *Human) takeOver(hidden []event.Event, problem error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.model.finished == nil {
		h.runStarted()
	}
	if problem != nil {
		h.line(h.model.Styles.Warn(fmt.Sprintf("the live screen ended: %v; continuing with plain lines", problem)))
	}
	for _, e := range hidden {
		h.show(e)
	}
	h.width = terminalOf(h.options).Width // it may have changed
}

// show writes the lines for an event that the model has already applied.
func (h *Human) show(e event.Event) {
	switch p := e.Payload.(type) {
	case event.RunStarted:
		h.runStarted()
	case event.Diagnostics:
		h.write("")
		h.write(diagnostics(p.Diagnostics, h.width, h.model.Styles)...)
		h.write("")
	case event.PluginState:
		h.pluginState(p)
	case event.StageStarted:
		if p.Total > 1 {
			h.line(fmt.Sprintf("stage %d of %d, %s: %s", p.Index+1, p.Total, text.Clean(p.Name), text.Plural(p.Steps, "step")))
		}
	case event.Phase:
		h.phaseChanged(p)
	case event.StepFinished:
		if h.steps.due(h.age()) || h.verbose || p.Step == h.model.total {
			h.line(h.stepLine(p))
		}
	case event.ValidationFinished:
		if h.checks.due(h.age()) || p.IsBest && h.bests.due(h.age()) || h.model.step == h.model.total {
			h.line(h.checkLine(p))
		}
	case event.CheckpointCommitted:
		if p.IsKept && h.checkpoints.due(h.age()) {
			h.line(fmt.Sprintf("checkpoint of step %s  %s", text.Count(p.Step), text.Clean(p.Path)))
		}
	case event.EpisodeFinished:
		h.episode(p)
	case event.Log:
		h.log(p)
	case event.Warning:
		what := text.Clean(text.Join(": ", p.Summary, p.Detail))
		h.bounded(h.line, "warning "+p.Code, h.model.Styles.Warn("warning")+"  "+what)
	case event.Finding:
		if p.New {
			h.line(findingHead(p, h.model.Styles) + "  " + text.Clean(p.Summary))
		}
	case event.Interrupted:
		h.interrupted(p)
	case event.SmokeReport, event.RunFinished: // shown in the summary
	}
}

func (h *Human) age() time.Duration { return h.model.elapsed(h.model.now) }

// line writes a line with the run's age.
func (h *Human) line(line string) { h.put(h.out.Line, h.timed(line)) }

// quote writes text from another source in the same way as line, but leaves commands in it unchanged.
func (h *Human) quote(line string) { h.put(h.out.Quote, h.timed(line)) }

func (h *Human) timed(line string) string {
	return h.model.Styles.Dim(text.FitRight(text.Clock(h.age()), max(7, len(text.Clock(h.age()))))) + "  " + line
}

func (h *Human) write(lines ...string) {
	for _, line := range lines {
		h.put(h.out.Line, line)
	}
}

// put writes a line. It skips a blank line that follows another.
func (h *Human) put(write func(string) error, line string) {
	if h.err != nil || line == "" && h.blank {
		return
	}
	h.blank = line == ""
	if err := write(line); err != nil {
		h.err = fmt.Errorf("write progress: %w", err)
	}
}

var _ View = (*Human)(nil)
