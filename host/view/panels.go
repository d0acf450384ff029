package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// title returns a heading with the value in the accent style and a rule that extends to the full width.
func (m *Model) title(name, value string, width int) string {
	head := m.Styles.Title(name)
	if value != "" {
		head += "  " + value
	}
	rest := width - text.Width(head) - 1
	if rest < 1 {
		return text.Fit(head, width)
	}
	return head + " " + m.Styles.Dim(strings.Repeat("─", rest))
}

// panel returns a titled block of fixed size.
func (m *Model) panel(name, value string, lines []string, width, height int) text.Block {
	return text.NewBlock(append([]string{m.title(name, value, width)}, lines...), width, height)
}

// rewardPanel returns a chart of the training reward by step.
func (m *Model) rewardPanel(width, height int) text.Block {
	value := ""
	if reward, ok := m.latest.Reward.Get(); ok {
		value = m.Styles.Accent(text.Number(reward)) + m.trend()
	}
	chart := text.Chart{
		Points: m.rewards.points, Format: axisNumber, Labels: m.stepLabels(m.rewards.points),
		Line: m.Styles.Accent, Axis: m.Styles.Dim,
	}
	return m.panel("Reward", value, m.chartOr(chart, m.rewards, m.planLines(width), width, height-1), width, height)
}

// trend compares the last tenth of the curve (at least three points) with the same number of points before it.
func (m *Model) trend() string {
	values := m.rewards.values()
	n := max(3, len(values)/10)
	if 2*n > len(values) {
		return ""
	}
	change := average(values[len(values)-n:]) - average(values[len(values)-2*n:len(values)-n])
	switch sign := fmt.Sprintf("%+.3f", change); {
	case change > 0:
		return m.Styles.Good("  ▲ " + sign)
	case change < 0:
		return m.Styles.Warn("  ▼ " + sign)
	}
	return ""
}

func average(values []float64) float64 {
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}

// successChart returns a chart of the held-out success by step.
func (m *Model) successChart(width, height int) text.Block {
	chart := text.Chart{
		Points: m.success.points, Format: axisPercent, Labels: m.stepLabels(m.success.points),
		Line: m.Styles.Good, Axis: m.Styles.Dim,
	}
	return m.panel("Held-out success", m.latestSuccess(),
		m.chartOr(chart, m.success, []string{m.Styles.Dim(noCheck)}, width, height-1), width, height)
}

func (m *Model) latestSuccess() string {
	if len(m.checks) == 0 {
		return ""
	}
	rate, ok := m.checks[len(m.checks)-1].SuccessRate.Get()
	if !ok {
		return ""
	}
	return m.Styles.Good(text.Percent(rate))
}

const (
	noStep  = "no step is finished yet"
	noCheck = "not validated yet"
)

// planLines describes the plan until the first step has a result.
func (m *Model) planLines(width int) []string {
	lines := []string{m.Styles.Dim(noStep), ""}
	plan := m.run.Plan
	if plan.TotalSteps > 0 {
		lines = append(lines, fmt.Sprintf("%s of %d × %d episodes", text.Plural(plan.TotalSteps, "step"), plan.Prompts,
			plan.GroupSize),
			fmt.Sprintf("%s, %s held out", text.Plural(plan.TrainTasks, "task"), text.Count(plan.ValidationTasks)))
	}
	for _, note := range plan.Notes {
		for _, line := range text.Wrap(note, width) {
			lines = append(lines, m.Styles.Dim(line))
		}
	}
	return lines
}

// chartOr returns a chart, or the given lines if the series is empty.
func (m *Model) chartOr(chart text.Chart, s series, nothing []string, width, height int) []string {
	if len(s.points) == 0 {
		return nothing
	}
	if height < 5 {
		chart.Labels = [2]string{}
	}
	return chart.Draw(width, height)
}

func (m *Model) stepLabels(points []text.Point) [2]string {
	if len(points) == 0 {
		return [2]string{}
	}
	last := fmt.Sprintf("step %s", text.Count(int(points[len(points)-1].X)))
	if len(points) == 1 {
		return [2]string{last, " "}
	}
	return [2]string{text.Count(int(points[0].X)), last}
}

func axisNumber(y float64) string { return fmt.Sprintf("%.3g", y) }

func axisPercent(y float64) string { return fmt.Sprintf("%.4g %%", 100*y) }

// successPanel returns the validations as bars: the first validation and as many of the latest as fit.
func (m *Model) successPanel(width, height int) text.Block {
	rows := m.history(width, height-1)
	if len(rows) == 0 {
		rows = []string{m.Styles.Dim(noCheck)}
	}
	return m.panel("Held-out success", m.latestSuccess(), rows, width, height)
}

// historyPanel returns the same bars for use next to a chart, whose title already shows the latest value.
func (m *Model) historyPanel(width, height int) text.Block {
	return m.panel("Validations", "", m.history(width, height-1), width, height)
}

func (m *Model) history(width, rows int) []string {
	checks := m.checks
	if len(checks) > rows && rows > 1 {
		checks = append([]event.ValidationFinished{checks[0]}, checks[len(checks)-rows+1:]...)
	}
	best, hasBest := m.best()
	failed := 0 // width of the failure texts
	for _, check := range checks {
		failed = max(failed, text.Width(failedWord(check)))
	}
	lines := make([]string, 0, len(checks))
	for _, check := range checks {
		mark := "  "
		if hasBest && len(m.checks) > 1 && check.Step == best.Step {
			mark = " ★"
		}
		lines = append(lines, m.historyLine(check, mark, failed, width))
	}
	return lines
}

func (m *Model) historyLine(check event.ValidationFinished, mark string, failed, width int) string {
	rate, _ := check.SuccessRate.Get()
	shown := "–"
	if _, ok := check.SuccessRate.Get(); ok {
		shown = text.Percent(rate)
	}
	step := text.FitRight(text.Count(check.Step), 4) + "  "
	right := " " + text.FitRight(shown, 8) + m.Styles.Good(mark) + m.Styles.Bad(text.Fit(failedWord(check), failed))
	done, rest := text.Bar(rate, max(0, width-text.Width(step)-text.Width(right)))
	return m.Styles.Dim(step) + m.Styles.Good(done) + m.Styles.Dim(rest) + right
}

func failedWord(check event.ValidationFinished) string {
	if check.Failed == 0 {
		return ""
	}
	return " ✗" + text.Count(check.Failed)
}

// facts returns the lines about episodes, failures, plugins and the checkpoint.
func (m *Model) facts(width int) []string {
	const key = 12
	line := func(name, value string) string {
		return m.Styles.Dim(text.Fit(name, key)) + text.Truncate(value, width-key)
	}
	failures := failureLine(m.tally.failures)
	if failures == "" {
		failures = m.Styles.Dim("none")
	} else {
		failures = m.Styles.Warn(failures)
	}
	episodes := m.tally.outcomeLine()
	if episodes == "" {
		episodes = m.Styles.Dim("none yet")
	} else {
		episodes = text.Join("  ", episodes, m.Styles.Dim(m.sinceStep()))
	}
	lines := []string{line("Episodes", episodes), line("Failures", failures)}
	for i, row := range m.pluginChips(width - key) {
		name := ""
		if i == 0 {
			name = "Plugins"
		}
		lines = append(lines, line(name, row))
	}
	for _, w := range m.watch {
		if rest := []rune(w.url); len(rest) > width-key { // a truncated URL is of no use
			lines = append(lines, line("Watch", m.Styles.Dim(shortName(w.source))))
			for ; len(rest) > 0; rest = rest[min(width, len(rest)):] {
				lines = append(lines, string(rest[:min(width, len(rest))]))
			}
			continue
		}
		lines = append(lines, line("Watch", w.url+m.Styles.Dim("  "+shortName(w.source))))
	}
	return append(lines, line("Checkpoint", m.checkpointLine()))
}

func (m *Model) checkpointLine() string {
	if m.committed.Path == "" {
		return m.Styles.Dim("none yet")
	}
	return fmt.Sprintf("step %s  %s", text.Count(m.committed.Step), m.committed.Path)
}

// pluginChips returns the plugins one after another. Lines wrap between plugins.
func (m *Model) pluginChips(width int) []string {
	var lines []string
	line := ""
	for _, plugin := range m.plugins {
		chip := m.chip(plugin)
		if line != "" && text.Width(line)+2+text.Width(chip) > width {
			lines = append(lines, line)
			line = ""
		}
		line = text.Join("  ", line, chip)
	}
	return append(lines, line)
}

func (m *Model) chip(plugin event.PluginState) string {
	mark, word, style := m.pluginLook(plugin.State)
	chip := style(mark) + " " + shortName(plugin.Instance)
	if plugin.State != event.PluginReady {
		chip += " " + style(word)
	} else if plugin.PID > 0 {
		chip += m.Styles.Dim(fmt.Sprintf(" %d", plugin.PID))
	}
	if plugin.Restarts > 0 {
		chip += m.Styles.Warn(fmt.Sprintf(" ↻%d", plugin.Restarts))
	}
	return chip
}

// pluginTable returns one line per plugin.
func (m *Model) pluginTable(width, rows int) []string {
	const word, pid, restarts = 10, 8, 13
	name := width - 3 - word - pid
	if slices.ContainsFunc(m.plugins, func(p event.PluginState) bool { return p.Restarts > 0 }) {
		name -= restarts
	}
	nameOf := func(instance string) string { return instance }
	if slices.ContainsFunc(m.plugins, func(p event.PluginState) bool { return text.Width(p.Instance) > name }) {
		nameOf = shortName
	}
	var lines []string
	for _, plugin := range m.plugins[:min(rows, len(m.plugins))] {
		mark, state, style := m.pluginLook(plugin.State)
		line := style(mark) + " " + text.Fit(nameOf(plugin.Instance), name) + " " + style(text.Fit(state, word))
		if plugin.PID > 0 {
			line += m.Styles.Dim(text.FitRight(fmt.Sprint(plugin.PID), pid))
		}
		if plugin.Restarts > 0 {
			line = text.Fit(line, width-restarts) + m.Styles.Warn(text.FitRight(text.Plural(plugin.Restarts, "restart"),
				restarts))
		}
		lines = append(lines, line)
	}
	return lines
}

// logLines returns the latest log lines.
func (m *Model) logLines(rows int) []string {
	lines := m.lines[max(0, len(m.lines)-max(0, rows)):]
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = m.Styles.Dim(line.at.Format(time.TimeOnly)) + " " + m.levelStyle(line.level)(line.words())
	}
	return shown
}

// words returns a log line without its time.
func (l logLine) words() string { return text.Join("  ", levelWord(l.level), l.source, l.message) }

// logPane returns the complete log, with long lines wrapped.
func (m *Model) logPane(width, height int) text.Block {
	const at = len(time.TimeOnly) + 1
	var lines []string
	for _, line := range m.lines {
		lead := m.Styles.Dim(line.at.Format(time.TimeOnly)) + " "
		for _, part := range text.Wrap(line.words(), max(at, width-at)) {
			lines = append(lines, lead+m.levelStyle(line.level)(part))
			lead = strings.Repeat(" ", at)
		}
	}
	first, last := m.visible(len(lines), height-1)
	return m.panel("Log", text.Join("  ", m.warningCount(), m.position(first, last, len(lines))), lines[first:last], width,
		height)
}

// levelWord returns the level as a word for warnings and errors, for terminals without colors.
func levelWord(level event.Level) string {
	if level == event.LevelWarn || level == event.LevelError {
		return string(level)
	}
	return ""
}

func (m *Model) levelStyle(level event.Level) text.Style {
	switch level {
	case event.LevelError:
		return m.Styles.Bad
	case event.LevelWarn:
		return m.Styles.Warn
	case event.LevelDebug:
		return m.Styles.Dim
	}
	return func(s string) string { return s }
}
