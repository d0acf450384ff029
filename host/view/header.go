package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// header returns three lines: the run's name and state, its progress, and the step's progress.
func (m *Model) header(width int, now time.Time) []string {
	name := text.Join("  ", m.Styles.Accent("awhost"), m.Styles.Title(m.id),
		text.Join(" · ", m.run.Spec, m.run.Plan.Adapter))
	step, phase := m.stepMeter(now), m.phaseMeter(now)
	label := max(text.Width(step.label), text.Width(phase.label)) + 2
	room := width - label - leastBar - 2
	step.fit(room)
	phase.fit(room)
	right := max(text.Width(step.right), text.Width(phase.right))
	return []string{
		text.Spread(name, text.Join("  ", m.stageTitle(), m.state()), width),
		m.draw(step, label, right, width),
		m.draw(phase, label, right, width),
	}
}

func (m *Model) stageTitle() string {
	if m.stage.Total < 2 {
		return ""
	}
	return fmt.Sprintf("stage %d/%d %s", m.stage.Index+1, m.stage.Total, m.stage.Name)
}

// state returns the run's state in a few words.
func (m *Model) state() string {
	switch {
	case m.finished != nil && m.finished.Outcome == event.RunCompleted:
		return m.Styles.Good("completed")
	case m.finished != nil:
		return m.Styles.Bad(text.Clean(string(m.finished.Outcome)))
	case m.stopping == event.StopSecond:
		return m.Styles.Bad("stopping now")
	case m.stopping == event.StopFirst:
		return m.Styles.Warn("stopping after this step")
	case !m.begun:
		return m.Styles.Dim("starting")
	case m.incarnation > 1:
		return m.Styles.Good("running") + m.Styles.Dim(fmt.Sprintf(", start %d", m.incarnation))
	case m.isSmoke():
		return m.Styles.Warn("smoke run")
	}
	return m.Styles.Good("running")
}

// meter is a line with a bar.
type meter struct {
	label    string
	fraction float64
	right    string
	shorter  []string // shorter alternatives for right, each shorter than the previous one
}

// leastBar is the minimum width of a bar while the text next to it can be shortened.
const leastBar = 8

// fit replaces the text on the right with shorter versions until it fits into the columns or none is left.
func (m *meter) fit(columns int) {
	for _, shorter := range m.shorter {
		if text.Width(m.right) <= columns {
			return
		}
		m.right = shorter
	}
}

func (m *Model) draw(what meter, label, right, width int) string {
	bar := max(0, width-label-right-2)
	done, rest := text.Bar(what.fraction, bar)
	return text.Fit(what.label, label) + m.Styles.Accent(done) + m.Styles.Dim(rest) + "  " +
		text.FitRight(what.right, right)
}

func (m *Model) stepMeter(now time.Time) meter {
	what := meter{label: fmt.Sprintf("step %s/%s", text.Count(m.step), text.Count(m.total))}
	if m.total > 0 {
		what.fraction = float64(m.step) / float64(m.total)
	}
	percent := fmt.Sprintf("%3.0f %%", 100*what.fraction)
	what.right = fmt.Sprintf("%s   elapsed %s   ETA %s", percent, text.Clock(m.elapsed(now)), m.eta(now))
	what.shorter = []string{fmt.Sprintf("%s   ETA %s", percent, m.eta(now)), percent}
	return what
}

func (m *Model) elapsed(now time.Time) time.Duration {
	if m.started.IsZero() {
		return 0
	}
	return now.Sub(m.started)
}

func (m *Model) eta(now time.Time) string {
	left, ok := m.pace.remaining(m.total-m.step, now)
	if !ok || m.finished != nil {
		return "–"
	}
	return text.Clock(left)
}

// phaseWords names the phases that every adapter has.
var phaseWords = map[event.PhaseName]struct{ word, unit string }{
	event.PhaseWarmStart:  {"warm start", "steps"},
	event.PhaseRollout:    {"rollout", "episodes"},
	event.PhaseUpdate:     {"update", "batches"},
	event.PhaseValidation: {"validation", "episodes"},
}

func phaseWord(name event.PhaseName) (word, unit string) {
	if known, ok := phaseWords[name]; ok {
		return known.word, known.unit
	}
	return text.Clean(strings.ReplaceAll(string(name), "_", " ")), ""
}

func (m *Model) phaseMeter(now time.Time) meter {
	switch {
	case m.finished != nil:
		return meter{label: "over", fraction: 1}
	case !m.isWorking:
		return m.startMeter(now)
	case m.phase.Name == "":
		return m.workMeter(now)
	}
	word, unit := phaseWord(m.phase.Name)
	what := meter{label: word, right: strings.TrimRight(text.Count(m.phase.Done)+" "+unit, " ")}
	if m.phase.Total > 0 {
		what.fraction = float64(m.phase.Done) / float64(m.phase.Total)
		what.right = strings.TrimRight(fmt.Sprintf("%s/%s %s", text.Count(m.phase.Done), text.Count(m.phase.Total), unit),
			" ")
		what.shorter = []string{text.Count(m.phase.Done) + "/" + text.Count(m.phase.Total)}
	}
	return what
}

// workMeter returns the duration of the current step and the usual duration, for trainers that do not report phases.
func (m *Model) workMeter(now time.Time) meter {
	what := meter{label: "training"}
	if m.step >= m.total {
		return what
	}
	what.right = fmt.Sprintf("step %s", text.Count(m.step+1))
	if !m.pace.isKnown() {
		return what
	}
	spent := max(0, now.Sub(m.pace.last()))
	what.shorter = []string{text.Clock(spent)}
	what.right += " for " + text.Clock(spent)
	if each := m.pace.perStep(); each > 0 {
		what.right += ", usually " + text.Clock(each)
		what.fraction = min(1, float64(spent)/float64(each))
	}
	return what
}

// startMeter returns the number of ready plugins, then the time spent waiting for the trainer's first event.
func (m *Model) startMeter(now time.Time) meter {
	ready := 0
	for _, plugin := range m.plugins {
		if plugin.State == event.PluginReady {
			ready++
		}
	}
	what := meter{label: "starting", right: fmt.Sprintf("%d/%d plugins", ready, len(m.plugins))}
	if len(m.plugins) > 0 {
		what.fraction = float64(ready) / float64(len(m.plugins))
	}
	what.shorter = []string{what.right}
	if waited := now.Sub(m.waiting); ready > 0 && ready == len(m.plugins) && waited >= time.Second {
		what.right += ", the trainer starts: " + text.Clock(waited)
	}
	return what
}

// footer returns the available keys and what an interrupt does.
func (m *Model) footer(width int) string {
	keys, hint, brief, least, again := "l log  m metrics  q plain",
		"Ctrl-C once: finish the step and checkpoint; twice: stop now",
		"Ctrl-C finish step, checkpoint · twice: stop now", "Ctrl-C: finish step, stop", "Ctrl-C again: stop now."
	if m.Attached {
		keys, hint, brief, least = "s stop  "+keys, "Attached; d or Ctrl-C leaves, and the run continues", "d or Ctrl-C: "+
			"leave; the run continues", "d or Ctrl-C: leave"
		again = m.typed("awhost stop --now" + m.whereFlag() + ": stop now.")
	}
	if m.Pane != PaneOverview {
		keys = "o overview  " + keys
	}
	switch {
	case m.finished != nil:
		return ""
	case m.stopping == event.StopSecond:
		return text.Fit(m.Styles.Bad("Stopping now; the last checkpoint is kept."), width)
	case m.stopping == event.StopFirst && m.phase.Name == event.PhaseWarmStart:
		return text.Fit(m.Styles.Warn("Stopping in the warm start, which begins again on resume. "+again), width)
	case m.stopping == event.StopFirst:
		return text.Fit(m.Styles.Warn("Finishing this step, then a checkpoint. "+again), width)
	}
	if width < text.Width(hint)+text.Width(keys)+2 {
		hint = brief
	}
	if width < text.Width(hint)+text.Width(keys)+2 {
		hint = least
	}
	return m.Styles.Dim(text.Spread(hint, keys, width))
}
