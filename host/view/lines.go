package view

import (
	"fmt"
	"slices"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

func (h *Human) runStarted() {
	m := h.model
	plan := m.run.Plan
	h.write(text.Join("  ", m.Styles.Accent(text.Join(" ", "awhost", text.Clean(m.Version))), m.Styles.Title(m.id),
		text.Join(" · ", m.run.Spec, plan.Adapter)))
	start := "new run"
	if m.run.Mode == event.ModeResume {
		start = fmt.Sprintf("continues after step %s", text.Count(m.run.Step))
	}
	if m.run.Mode == event.ModeNoOp {
		start = "has finished before"
	}
	if m.isSmoke() {
		start = "smoke run"
	}
	shape := fmt.Sprintf("%s of %d × %d episodes", text.Plural(plan.TotalSteps, "step"), plan.Prompts, plan.GroupSize)
	tasks := fmt.Sprintf("%s, %s held out", text.Plural(plan.TrainTasks, "task"), text.Count(plan.ValidationTasks))
	h.write("  "+text.Join(" · ", start, shape, tasks, fmt.Sprintf("seed %d", plan.Seed)), "  "+m.run.Dir)
	for _, note := range plan.Notes {
		h.write("  " + text.Clean(note))
	}
}

func (h *Human) pluginState(p event.PluginState) {
	_, word, style := h.model.pluginLook(p.State)
	name := text.Clean(p.Instance)
	switch p.State {
	case event.PluginReady:
		what := text.Clean(text.Join(" ", p.Plugin, p.Version))
		h.line(fmt.Sprintf("plugin %s %s (%s, pid %d)", name, style(word), what, p.PID))
	case event.PluginRestarting, event.PluginCrashed:
		h.line(style(fmt.Sprintf("plugin %s %s", name, text.Clean(deathOf(p)))))
	default:
		if h.verbose {
			h.line(fmt.Sprintf("plugin %s %s", name, style(word)))
		}
	}
}

// phaseChanged announces a phase that may take a long time, and then its progress. Rollout and update are part of a
// step. They get a line only if they take longer than the interval between lines.
func (h *Human) phaseChanged(p event.Phase) {
	was := h.phase
	begins := was.Stage != p.Stage || was.Name != p.Name || was.Step != p.Step
	h.phase = p
	word, unit := phaseWord(p.Name)
	switch {
	case begins && p.Name == event.PhaseWarmStart:
		h.phases.due(h.age())
		h.line(fmt.Sprintf("%s, %s %s", word, text.Count(p.Total), unit))
	case p.Ended || h.age()-h.latest() < interval(h.age()):
	case h.phases.due(h.age()):
		h.line(text.Join(" ", fmt.Sprintf("%s %s/%s", word, text.Count(p.Done), text.Count(p.Total)), unit, h.ofStep(p)))
	}
}

func (h *Human) ofStep(p event.Phase) string {
	if p.Step == 0 {
		return ""
	}
	return fmt.Sprintf("of step %s/%s", text.Count(p.Step), text.Count(h.model.total))
}

// latest returns the run's age at the last progress line.
func (h *Human) latest() time.Duration { return max(h.steps.last, h.checks.last, h.phases.last) }

func (h *Human) stepLine(p event.StepFinished) string {
	m := h.model
	parts := []string{fmt.Sprintf("step %s/%s", text.Count(p.Step), text.Count(m.total))}
	add := func(name, value string) { parts = append(parts, m.Styles.Dim(name)+" "+value) }
	if reward, ok := p.Reward.Get(); ok {
		add("reward", m.Styles.Accent(text.Number(reward)))
	}
	if success, ok := p.Success.Get(); ok {
		add("success", text.Percent(success))
	}
	for _, r := range m.trained() {
		if slices.Contains(lineMetrics, r.label) || r.isBad {
			add(r.label, m.valueStyle(r)(r.value))
		}
	}
	if rate, ok := p.Rates.EpisodesPerSecond.Get(); ok {
		add("episodes/s", text.Number(rate))
	}
	if failures := failureLine(p.Failures); failures != "" {
		parts = append(parts, m.Styles.Warn(failures))
	}
	if p.Step < m.total {
		add("ETA", m.eta(m.now))
	}
	return text.Join("  ", parts...)
}

// lineMetrics lists the metrics that are shown in a step's line.
var lineMetrics = []string{"entropy", "KL", "grad norm"}

func (h *Human) checkLine(p event.ValidationFinished) string {
	m := h.model
	line := fmt.Sprintf("held-out success at step %s: ", text.Count(p.Step))
	if rate, ok := p.SuccessRate.Get(); ok {
		line += m.Styles.Good(text.Percent(rate))
	} else {
		line += "–"
	}
	line += fmt.Sprintf(" of %s", text.Plural(p.Episodes, "episode"))
	if p.Failed > 0 {
		line += m.Styles.Bad(text.Join(": ", fmt.Sprintf(", %s failed", text.Count(p.Failed)), failureLine(p.Failures)))
	}
	if p.IsBest {
		line += m.Styles.Good(" ★ best so far")
	}
	return line
}

func (h *Human) episode(p event.EpisodeFinished) {
	if !h.verbose {
		return
	}
	if _, ok := h.episodes.take(h.age()); !ok {
		return
	}
	reward := ""
	if value, ok := p.Reward.Get(); ok {
		reward = "reward " + text.Number(value)
	}
	h.line(h.model.Styles.Dim(text.Clean(text.Join("  ", "episode "+p.Episode, p.Task,
		string(p.Outcome), string(p.Failure), reward, text.Plural(p.Turns, "turn")))))
}

func (h *Human) log(p event.Log) {
	if p.Level == event.LevelDebug && !h.verbose {
		return
	}
	level := levelWord(p.Level)
	if level != "" {
		level = h.model.levelStyle(p.Level)(level)
	}
	source := text.Clean(p.Source)
	for _, message := range text.CleanLines(p.Message) {
		h.bounded(h.quote, source+string(p.Level), text.Join("  ", level, h.model.Styles.Dim(source), message))
	}
}

// bounded writes a line unless its source writes too many lines.
func (h *Human) bounded(write func(string), source, line string) {
	if h.sources[source] == nil {
		h.sources[source] = &budget{}
	}
	held, ok := h.sources[source].take(h.age())
	if !ok {
		return
	}
	if held > 0 {
		line += h.model.Styles.Dim(fmt.Sprintf("  (and %s before it, see the logs)", plural(held, "line", "lines")))
	}
	write(line)
}

func (h *Human) interrupted(p event.Interrupted) {
	if p.Stage == event.StopSecond {
		h.line(h.model.Styles.Bad("stopping now; the last checkpoint is kept"))
		return
	}
	again := "interrupt again to stop now"
	if h.model.Attached {
		again = "awhost stop --now" + h.model.whereFlag() + " stops now"
	}
	doing := "finishing the step, then a checkpoint; "
	if h.model.phase.Name == event.PhaseWarmStart {
		doing = "stopping in the warm start, which begins again when the run is resumed; "
	}
	h.line(h.model.Styles.Warn(doing + again))
}
