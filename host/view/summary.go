package view

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

// Summary returns the lines that stay on the terminal after a run: the outcome, the gain, the location of the results,
// and the next commands. An error's diagnostic is last, where users look first.
func (m *Model) Summary(width int) []string {
	if m.finished == nil {
		return nil
	}
	end := *m.finished
	if m.isSmoke() {
		return m.smokeSummary(end, width)
	}
	lines := append([]string{"", m.headline(end)}, m.results(end, width)...)
	if len(end.Outputs) > 0 {
		lines = append(lines, "", m.Styles.Title("Outputs"))
		for _, name := range slices.Sorted(maps.Keys(end.Outputs)) {
			lines = append(lines, cut("  "+m.Styles.Dim(text.Fit(text.Clean(name), 18))+text.Clean(string(end.Outputs[name])),
				width))
		}
	}
	if len(m.findings) > 0 {
		lines = append(lines, "", m.Styles.Title("Findings"))
		lines = append(lines, Findings(m.findings, m.Styles, width)...)
	}
	if next := m.next(end, width); len(next) > 0 {
		lines = append(lines, "", m.Styles.Title("Next"))
		lines = append(lines, next...)
	}
	if end.Error != nil {
		lines = append(lines, "")
		lines = append(lines, diagnostic(*end.Error, width, m.Styles)...)
	}
	return lines
}

func (m *Model) headline(end event.RunFinished) string {
	took := m.sinceStart() + text.Clock(end.Seconds.Duration())
	steps := fmt.Sprintf("step %s of %s", text.Count(end.Step), text.Count(end.TotalSteps))
	name := m.Styles.Title(m.id)
	switch {
	case slices.ContainsFunc(end.Expected, func(e event.Expected) bool { return !e.Holds }):
		return m.Styles.Bad("✗ ") + name + " completed, and an expectation does not hold: " + m.stepsIn(end)
	case end.Unchanged:
		return m.Styles.Good("✓ ") + name + " has finished before; nothing to do"
	case end.Outcome == event.RunCompleted:
		return m.Styles.Good("✓ ") + name + " completed: " + m.stepsIn(end)
	case end.Outcome == event.RunStopped:
		return m.Styles.Warn("■ ") + name + fmt.Sprintf(" stopped after %s, %s", steps, took)
	case end.Outcome == event.RunAborted:
		return m.Styles.Bad("■ ") + name + fmt.Sprintf(" stopped at once; %s is kept, %s", steps, took)
	case m.id == "":
		return m.Styles.Bad("✗ ") + "nothing was run"
	}
	return m.Styles.Bad("✗ ") + name + fmt.Sprintf(" failed after %s, %s", steps, took)
}

// resumed reports whether the counts of this incarnation differ from the whole run's.
func (m *Model) resumed() bool { return m.run.Mode == event.ModeResume && m.run.Step > 0 }

// sinceStart returns the text that precedes the duration of a resumed run's incarnation.
func (m *Model) sinceStart() string {
	if !m.resumed() {
		return ""
	}
	return fmt.Sprintf("continued from step %s for ", text.Count(m.run.Step))
}

// sinceStep returns the text that follows the counts of a resumed run's incarnation.
func (m *Model) sinceStep() string {
	if !m.resumed() {
		return ""
	}
	return fmt.Sprintf("since step %s", text.Count(m.run.Step))
}

func (m *Model) stepsIn(end event.RunFinished) string {
	took := text.Clock(end.Seconds.Duration())
	if !m.resumed() {
		return fmt.Sprintf("%s in %s", text.Plural(end.Step, "step"), took)
	}
	return fmt.Sprintf("%s, %s of them since it was resumed, in %s", text.Plural(end.Step, "step"),
		text.Count(end.Step-m.run.Step), took)
}

func (m *Model) results(end event.RunFinished, width int) []string {
	var lines []string
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, cut("  "+m.Styles.Dim(text.Fit(key, 18))+value, width))
		}
	}
	if end.Reason != "" && end.Error == nil {
		add("because", m.typed(text.Clean(end.Reason)))
	}
	for _, e := range end.Expected {
		mark := m.Styles.Good("✓ ")
		if !e.Holds {
			mark = m.Styles.Bad("✗ ")
		}
		add("expect "+text.Clean(e.Name), mark+text.Clean(e.Condition)+m.Styles.Dim("  "+text.Clean(e.Detail)))
	}
	add("held-out success", m.gain(end))
	add("reward", m.rewardGain())
	if share, ok := end.Metrics[metric.TrainedFraction]; ok {
		add("trained share", text.Percent(share)+m.Styles.Dim(" of the tokens that could be trained, in the last step"))
	}
	whole := func(key, value string) { // values to be copied are never truncated
		if value != "" {
			lines = append(lines, "  "+m.Styles.Dim(text.Fit(key, 18))+text.Clean(value))
		}
	}
	whole("checkpoint", end.Checkpoint)
	whole("digest", end.Digest)
	add("episodes", m.episodes())
	if g := end.Gateway; g != nil {
		add("agents' requests", text.Join("  ", requests(*g), m.Styles.Dim(m.sinceStep())))
	}
	if m.warnings > 0 {
		add("warnings", m.Styles.Warn(text.Count(m.warnings)))
	}
	if !end.Exact && end.Outcome == event.RunCompleted {
		add("reproducible", text.Join(": ", "no", text.Clean(end.Reason)))
	}
	return lines
}

// requests returns the gateway's counts of agent requests.
func requests(g event.Gateway) string {
	return fmt.Sprintf("%s, %s joined, %s replayed, %s sibling leaves, %s of dead attempts", text.Plural(g.Calls, "call"),
		text.Count(g.Joined), text.Count(g.Replayed), text.Count(g.Siblings), text.Count(g.Dead))
}

// episodes returns the outcomes of the episodes. For a resumed run, it counts only this incarnation.
func (m *Model) episodes() string {
	line := text.Join(" · ", m.tally.outcomeLine(), failureLine(m.tally.failures))
	if line == "" {
		return ""
	}
	return text.Join("  ", line, m.Styles.Dim(m.sinceStep()))
}

// gain returns the held-out success rate before and after the run.
func (m *Model) gain(end event.RunFinished) string {
	after, ok := end.After.Finite()
	if !ok {
		return ""
	}
	gain := m.Styles.Good(text.Percent(after))
	if before, ok := end.Before.Finite(); ok {
		gain = text.Percent(before) + " → " + gain
	}
	if best, ok := m.best(); ok {
		if rate, _ := best.SuccessRate.Finite(); rate > after {
			gain += m.Styles.Dim(fmt.Sprintf("  best %s at step %s", text.Percent(rate), text.Count(best.Step)))
		}
	}
	return gain
}

func (m *Model) rewardGain() string {
	points := m.rewards.points
	if len(points) == 0 {
		return ""
	}
	return text.Join("  ", text.Number(points[0].Y)+" → "+text.Number(points[len(points)-1].Y),
		m.Styles.Accent(text.Sparkline(m.rewards.values(), 24)))
}

// whereFlag returns the --dir flag that a command needs if the spec is not in the current directory.
func (m *Model) whereFlag() string {
	dir, ok := strings.CutSuffix(filepath.ToSlash(m.run.Dir), "/.awhost/runs/"+m.id)
	if !ok || dir == "" {
		return ""
	}
	return " --dir " + shellWord(text.Clean(filepath.FromSlash(dir)))
}

// shellWord quotes a word that a shell would split or expand.
func shellWord(word string) string {
	if strings.ContainsAny(word, " \t\"'\\$`&;|<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// typed returns one of awhost's messages with its commands in the form in which the user can type them.
func (m *Model) typed(s string) string {
	if m.Commands == nil {
		return s
	}
	return m.Commands(s)
}

// next returns the commands that a user probably needs next.
func (m *Model) next(end event.RunFinished, width int) []string {
	if m.id == "" {
		return nil
	}
	var commands, uses []string
	add := func(command, what string) { commands, uses = append(commands, m.typed(command)), append(uses, what) }
	where := m.whereFlag()
	if end.Resumable {
		what := "continue from the last checkpoint"
		if end.Checkpoint == "" {
			what = "start again: the run has no checkpoint yet"
		}
		add("awhost resume "+m.id+where, what)
	}
	add("awhost show "+m.id+where, "metrics, failures and episodes")
	add("awhost ui"+where, "the same in a browser")
	switch {
	case end.Outcome == event.RunFailed:
		add("awhost logs "+m.id+where, "what the plugins said")
	case m.Again != "" && (end.Unchanged || end.Outcome == event.RunCompleted):
		add(text.Clean(m.Again), "another run of the same spec")
	}
	return m.commandLines(commands, uses, width)
}

// commandLines returns the commands untruncated, with their descriptions in a second column if they fit. If lines may
// have any width, the description of a long command follows it directly, without shifting the column.
func (m *Model) commandLines(commands, uses []string, width int) []string {
	const least, usual = 33, 120
	column := least
	for i, command := range commands {
		if 2+text.Width(command)+2+text.Width(uses[i]) <= cmp.Or(width, usual) {
			column = max(column, text.Width(command))
		}
	}
	var lines []string
	for i, command := range commands {
		line := "  " + m.Styles.Accent(text.Fit(command, max(column, text.Width(command))))
		if width <= 0 || text.Width(line)+2+text.Width(uses[i]) <= width {
			line += "  " + m.Styles.Dim(uses[i])
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
