package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/host/view/text"
)

// Render returns the screen, which has at most height lines, none wider than width.
func (m *Model) Render(width, height int, now time.Time) string {
	if width < 1 || height < 1 {
		return ""
	}
	margin := " "
	if width < 40 {
		margin = ""
	}
	inner := width - 2*len(margin)
	lines := m.compose(inner, height, now)
	for i, line := range lines {
		lines[i] = strings.TrimRight(margin+text.Truncate(line, inner), " ")
	}
	return strings.Join(lines[:min(len(lines), height)], "\n")
}

func (m *Model) compose(width, height int, now time.Time) []string {
	head := m.header(width, now)
	if height <= len(head) {
		return head
	}
	body := m.body(width, height-len(head)-1)
	return append(append(head, body...), m.footer(width))
}

func (m *Model) body(width, height int) []string {
	switch {
	case m.Pane == PaneLog:
		return m.logPane(width, height)
	case m.Pane == PaneMetrics:
		return m.metricsPane(width, height)
	case width >= 108 && height >= 26:
		return m.wide(width, height)
	}
	return m.narrow(width, height)
}

// Scroll scrolls a pane whose content does not fit: down for a positive number of lines, up for a negative one. The log
// starts at its end.
func (m *Model) Scroll(lines int) {
	if m.Pane == PaneLog {
		lines = -lines
	}
	m.offset = max(0, m.offset+lines)
}

// visible returns the range of a pane's lines that are shown. It clamps the offset set by Scroll.
func (m *Model) visible(lines, rows int) (first, last int) {
	rows = max(0, rows)
	m.offset = min(m.offset, max(0, lines-rows))
	if m.Pane == PaneLog {
		last = lines - m.offset
		return max(0, last-rows), last
	}
	return m.offset, min(lines, m.offset+rows)
}

// position returns the shown range and the scroll keys, or "" if all lines are shown.
func (m *Model) position(first, last, lines int) string {
	if last-first >= lines {
		return ""
	}
	return m.Styles.Dim(fmt.Sprintf("%d–%d of %d, ↑ ↓ PgUp PgDn", first+1, last, lines))
}

func (m *Model) warningCount() string {
	if m.warnings == 0 {
		return ""
	}
	return m.Styles.Warn(text.Plural(m.warnings, "warning"))
}

const (
	gap        = 3
	leastChart = 5
)

// narrow stacks the panels. On a short terminal, the log is shortened first, then the chart, then the metrics.
func (m *Model) narrow(width, height int) []string {
	facts := m.facts(width)
	readings := append(m.trained(), m.speeds()...)
	metrics := m.grid(m.pick(readings, width), width, 3)
	free := height - len(facts) - len(metrics) - 1
	if free < leastChart {
		return m.low(facts, metrics, width, height)
	}
	log := min(max(free/3, 2), len(m.lines)+1)
	if free-log < leastChart+2 {
		log = 0
	}
	lines := m.charts(width, free-log)
	policy := "Policy"
	if len(metrics) == 0 {
		policy = "Run"
	}
	lines = append(lines, m.title(policy, "", width))
	lines = append(append(lines, metrics...), facts...)
	if log > 0 {
		lines = append(lines, m.panel("Log", m.warningCount(), m.logLines(log-1), width, log)...)
	}
	return text.NewBlock(lines, width, height)
}

// low returns the layout of narrow without charts. The log fills the remaining lines.
func (m *Model) low(facts, metrics []string, width, height int) []string {
	lines := append([]string{m.oneLine(width)}, facts...)
	if len(lines)+len(metrics) <= height {
		lines = append(lines, metrics...)
	}
	if rest := height - len(lines); rest > 1 {
		lines = append(lines, m.panel("Log", m.warningCount(), m.logLines(rest-1), width, rest)...)
	}
	return text.NewBlock(lines, width, height)
}

// pick returns the readings that fit in three rows. Speeds are always included.
func (m *Model) pick(readings []reading, width int) []reading {
	room := 3 * max(1, (width+2)/(readingWidth+2))
	speeds := len(m.speeds())
	if len(readings) <= room {
		return readings
	}
	trained := readings[:max(0, room-speeds)]
	return append(trained[:len(trained):len(trained)], readings[len(readings)-speeds:]...)
}

// oneLine returns a single line to replace the charts if they do not fit.
func (m *Model) oneLine(width int) string {
	line := "Reward  " + m.Styles.Accent(text.Sparkline(m.rewards.values(), max(8, width/3)))
	if reward, ok := m.latest.Reward.Get(); ok {
		line += " " + text.Number(reward)
	}
	if success := m.latestSuccess(); success != "" {
		line += "   held-out success " + success
	}
	return line
}

// charts returns the reward chart, with the held-out success rate to its right if both fit.
func (m *Model) charts(width, height int) []string {
	right := max(28, width*2/5)
	left := width - right - gap
	if left < 24 {
		return m.rewardPanel(width, height)
	}
	return text.Beside("   ", m.rewardPanel(left, height), m.successPanel(right, height))
}

// wide returns the layout with curves on the left, numbers on the right, and the log below.
func (m *Model) wide(width, height int) []string {
	log := max(6, min(height/4, len(m.lines)+1))
	top := height - log
	right := max(46, width*3/8)
	left := width - right - gap
	reward := (top + 1) / 2
	curves := append(m.rewardPanel(left, reward), m.held(left, top-reward)...)
	lines := text.Beside("   ", curves, m.numbers(right, top))
	return append(lines, m.panel("Log", m.warningCount(), m.logLines(log-1), width, log)...)
}

// held returns the curve of the held-out success rate, with the validations to its right.
func (m *Model) held(width, height int) text.Block {
	right := 34
	left := width - right - gap
	if left < 30 {
		return m.successPanel(width, height)
	}
	return text.Beside("   ", m.successChart(left, height), m.historyPanel(right, height))
}

// numbers returns the panels on the right of a wide screen. Metrics are shortened first.
func (m *Model) numbers(width, height int) text.Block {
	speeds := m.speeds()
	plugins := m.pluginTable(width, height/3)
	failures := m.failureRows(width)
	fixed := 1 + len(speeds) + 2 + len(failures) + 1 + len(plugins) + 2 + 4
	trained := m.trained()
	rows := min(len(trained), max(0, height-fixed-1))

	lines := []string{m.title("Policy", "", width)}
	if len(trained) == 0 {
		lines = append(lines, m.Styles.Dim(noStep))
	}
	lines = append(lines, m.list(trained, width, rows)...)
	lines = append(lines, "", m.title("Speed", "", width))
	lines = append(lines, m.list(speeds, width, len(speeds))...)
	lines = append(lines, "", m.title("Episodes", text.Join("  ", text.Count(m.tally.episodes),
		m.Styles.Dim(m.sinceStep())), width))
	lines = append(lines, failures...)
	lines = append(lines, "", m.title("Plugins", "", width))
	lines = append(lines, plugins...)
	lines = append(lines, "", m.title("Checkpoint", "", width), m.checkpointLine())
	return text.NewBlock(lines, width, height)
}

// failureRows returns the outcomes, and one line for each failure class.
func (m *Model) failureRows(width int) []string {
	rows := []string{m.tally.outcomeLine()}
	for _, class := range byCount(m.tally.failures) {
		count := m.tally.failures[class]
		share := float64(count) / float64(max(1, m.tally.episodes))
		rows = append(rows, m.Styles.Warn(text.Fit(text.Clean(string(class)), 16))+text.FitRight(text.Count(count), 10)+
			"  "+m.Styles.Dim(shareOf(share)))
	}
	return rows
}

// shareOf formats a percentage. A small positive share is shown as "<0.1 %" instead of 0.
func shareOf(fraction float64) string {
	if fraction > 0 && fraction < 0.0005 {
		return "<0.1 %"
	}
	return text.Percent(fraction)
}
