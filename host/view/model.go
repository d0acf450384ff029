package view

import (
	"fmt"
	"slices"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// Model is a run's state as shown on the screen. It is a pure function of the events. Apply consumes the events in
// order, and Render draws the state. All text from other sources is sanitized on input. The model's size does not
// depend on the run's length.
type Model struct {
	Styles  text.Styles
	Version string // version of awhost
	Pane    Pane
	offset  int // number of lines that the pane is scrolled by
	// Attached is set for a view of a run in another process.
	Attached bool
	// RunDir is the run's path from the viewer's directory. If it is empty, the path in RunStarted is used.
	RunDir string
	// Again is the command that starts another run like this one. Empty: unknown.
	Again string
	// Commands rewrites the commands in a text so that the user can type them. It is called before the text is laid
	// out. Nil: unchanged.
	Commands func(string) string

	id          string
	incarnation int
	begun       bool      // RunStarted was applied
	started     time.Time // start time of this incarnation
	now         time.Time // time of the latest event
	run         event.RunStarted

	stage     event.StageStarted
	phase     event.Phase
	step      int // last finished step
	total     int
	pace      pace
	isWorking bool      // the trainer has reported a phase, a validation or a step
	waiting   time.Time // since when the run waits only for the trainer
	latest    event.StepFinished
	rewards   series
	success   series // held-out success
	checks    []event.ValidationFinished
	metrics   map[string]*series
	tally     tally
	plugins   []event.PluginState
	watch     []watch
	lines     []logLine
	warnings  int
	findings  []event.Finding

	committed event.CheckpointCommitted
	stopping  event.Stop
	smoke     event.SmokeReport // result of a smoke run that was not interrupted
	finished  *event.RunFinished
}

// Pane is the content that fills the screen.
type Pane int

// The panes.
const (
	PaneOverview Pane = iota
	PaneLog
	PaneMetrics
)

const (
	mostLines  = 500 // maximum number of lines of the log pane
	mostChecks = 200 // maximum number of validations of the history; the first is always kept
)

// logLine is a sanitized line of the log.
type logLine struct {
	at      time.Time
	level   event.Level
	source  string
	message string
}

// watch is a server with a page that the user can open.
type watch struct{ source, url string }

// logged adds a log line. The URL of a server's page remains on the screen after the line has scrolled away.
func (m *Model) logged(p event.Log) {
	m.log(p.Level, p.Source, p.Message)
	url := text.Clean(p.Fields[event.FieldViewURL])
	if url == "" {
		return
	}
	w := watch{source: text.Clean(p.Source), url: url}
	for i, known := range m.watch {
		if known.source == w.source {
			m.watch[i] = w
			return
		}
	}
	m.watch = append(m.watch, w)
}

// NewModel returns the state before the first event.
func NewModel(version string, styles text.Styles) *Model {
	return &Model{Styles: styles, Version: version, metrics: map[string]*series{}}
}

// Apply applies the next event.
func (m *Model) Apply(e event.Event) {
	m.now = e.Time
	if m.started.IsZero() {
		m.started = e.Time
	}
	m.id, m.incarnation = text.Clean(e.Run), e.Incarnation
	switch p := e.Payload.(type) {
	case event.RunStarted:
		m.runStarted(p)
	case event.StageStarted:
		m.stageStarted(p)
	case event.Phase:
		m.phaseChanged(p)
	case event.StepFinished:
		m.stepFinished(p)
	case event.ValidationFinished:
		m.validationFinished(p)
	case event.CheckpointCommitted:
		m.checkpointCommitted(p)
	case event.PluginState:
		m.pluginChanged(p)
	case event.Log:
		m.logged(p)
	case event.Warning:
		m.warnings++
		if p.Code == "trainer_gone" { // a new trainer is started
			m.trainerStarts()
		}
		m.log(event.LevelWarn, "host", text.Join(": ", p.Summary, p.Detail))
	case event.Finding:
		m.found(p)
	case event.Diagnostics:
		m.diagnosed(p)
	case event.Interrupted:
		m.interrupted(p)
	case event.SmokeReport:
		m.smoke = p
	case event.RunFinished:
		m.finished = &p
		m.ended(p)
	}
}

func (m *Model) runStarted(p event.RunStarted) {
	p.Spec, p.Dir, p.Plan.Adapter = text.Clean(p.Spec), text.Clean(p.Dir), text.Clean(p.Plan.Adapter)
	if m.RunDir != "" { // the run's host may have another working directory
		p.Dir = text.Clean(m.RunDir)
	}
	m.run, m.begun = p, true
	m.findings = slices.Clone(p.Earlier.Findings)
	m.step, m.total = p.Step, p.Plan.TotalSteps
	m.trainerStarts()
	m.committed.Step, m.committed.Path = p.Step, text.Clean(p.Earlier.Checkpoint)
	for _, point := range p.Earlier.Rewards {
		m.rewards.add(float64(point.Step), point.Value)
	}
	for _, point := range p.Earlier.Successes {
		m.success.add(float64(point.Step), point.Value)
		best, isBest := p.Earlier.Best.Get()
		m.check(event.ValidationFinished{Step: point.Step, SuccessRate: event.Known(point.Value), IsBest: isBest &&
			int(best) == point.Step})
	}
	for name, points := range p.Earlier.Metrics {
		for _, point := range points {
			m.measure(name, point.Step, point.Value)
		}
	}
	m.recall(p)
	for _, plugin := range p.Plugins {
		m.expectPlugin(plugin)
	}
}

// recall adds the logs of earlier incarnations before the first line of this one.
func (m *Model) recall(p event.RunStarted) {
	now := m.now
	for _, line := range p.Earlier.Log {
		m.now = line.Time
		m.log(line.Level, line.Source, line.Message)
	}
	m.now = now
	for _, point := range p.Earlier.Successes {
		m.log(event.LevelInfo, "run", fmt.Sprintf("held-out success %s at step %d, before this start",
			text.Percent(point.Value), point.Step))
	}
	if p.Mode == event.ModeResume && p.Earlier.Checkpoint != "" {
		m.log(event.LevelInfo, "run", fmt.Sprintf("continues from step %d", p.Step))
	}
}

// measure adds a point to a metric's curve.
func (m *Model) measure(name string, step int, value float64) {
	name = text.Clean(name)
	if m.metrics[name] == nil {
		m.metrics[name] = &series{}
	}
	m.metrics[name].add(float64(step), value)
}

func (m *Model) stageStarted(p event.StageStarted) {
	p.Name = text.Clean(p.Name)
	if m.stage.Name != "" && p.Name != m.stage.Name {
		m.forgetBest()
	}
	m.stage = p
	m.trainerStarts()
	if p.Total > 1 {
		m.log(event.LevelInfo, "run", fmt.Sprintf("stage %d of %d, %s, begins", p.Index+1, p.Total, p.Name))
	}
}

// trainerStarts clears the previous trainer's state.
func (m *Model) trainerStarts() {
	m.phase, m.pace, m.isWorking, m.waiting = event.Phase{}, pace{}, false, m.now
}

func (m *Model) checkpointCommitted(p event.CheckpointCommitted) {
	p.Path = text.Clean(p.Path)
	m.committed = p
	if p.IsKept {
		m.log(event.LevelInfo, "run", fmt.Sprintf("checkpoint of step %d kept", p.Step))
	}
}

func (m *Model) interrupted(p event.Interrupted) {
	m.stopping = p.Stage
	asked := text.Join(" by ", "asked to stop", p.Source)
	if p.Stage == event.StopSecond {
		asked = text.Join(" by ", "asked to stop now", p.Source)
	}
	m.log(event.LevelWarn, "run", asked)
}

func (m *Model) phaseChanged(p event.Phase) {
	p.Name = event.PhaseName(text.Clean(string(p.Name)))
	if p.Step > m.step && !m.pace.isKnown() {
		m.pace.begin(m.now) // the first step begins now; earlier work does not count as step time
	}
	m.phase, m.isWorking = p, true
}

func (m *Model) stepFinished(p event.StepFinished) {
	m.step, m.latest = p.Step, p
	if p.Total > 0 {
		m.total = p.Total
	}
	if m.pace.isKnown() {
		m.pace.add(m.now)
	} else { // the start of the step is unknown
		m.pace.begin(m.now)
	}
	m.isWorking = true
	m.tally.add(p)
	if reward, ok := p.Reward.Finite(); ok {
		m.rewards.add(float64(p.Step), reward)
	}
	for name, value := range p.Metrics {
		m.measure(name, p.Step, value)
	}
}

func (m *Model) validationFinished(p event.ValidationFinished) {
	if rate, ok := p.SuccessRate.Finite(); ok {
		m.success.add(float64(p.Step), rate)
		m.log(event.LevelInfo, "run", fmt.Sprintf("held-out success %s at step %d", text.Percent(rate), p.Step))
	}
	m.isWorking = true
	m.check(p)
}

func (m *Model) check(p event.ValidationFinished) {
	if n := len(m.checks); n > 0 && m.checks[n-1].Step == p.Step {
		m.checks[n-1] = p
		return
	}
	m.checks = append(m.checks, p)
	if len(m.checks) > mostChecks {
		m.checks = append(m.checks[:1], m.checks[2:]...)
	}
}

func (m *Model) diagnosed(p event.Diagnostics) {
	for _, d := range p.Diagnostics {
		level := event.LevelError
		if d.Severity == event.SeverityWarning {
			level = event.LevelWarn
			m.warnings++
		}
		m.log(level, "plan", d.Summary)
	}
}

func (m *Model) log(level event.Level, source, message string) {
	for _, line := range text.CleanLines(message) {
		m.lines = append(m.lines, logLine{at: m.now, level: level, source: text.Clean(source), message: line})
	}
	if extra := len(m.lines) - mostLines; extra > 0 {
		m.lines = append(m.lines[:0], m.lines[extra:]...)
	}
}

// best returns the stage's best validation so far, as reported by the run.
func (m *Model) best() (best event.ValidationFinished, ok bool) {
	for _, check := range slices.Backward(m.checks) {
		if check.IsBest {
			return check, true
		}
	}
	return best, false
}

// ended takes the final best validation from the run's result.
func (m *Model) ended(p event.RunFinished) {
	if p.Outcome != event.RunCompleted || p.Unchanged {
		return // it may be resumed, or nothing was done
	}
	step, ok := p.Best.Get()
	for i := range m.checks {
		m.checks[i].IsBest = ok && m.checks[i].Step == int(step)
	}
}

// forgetBest clears the mark for the best validation, which belongs to one stage.
func (m *Model) forgetBest() {
	for i := range m.checks {
		m.checks[i].IsBest = false
	}
}
