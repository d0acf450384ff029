package view

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// isSmoke reports whether the run is a smoke run, which only tries out a spec.
func (m *Model) isSmoke() bool { return len(m.run.Plan.Smoke) > 0 }

// smokeSummary returns the summary of a smoke run: the result of each stage, remarks for the user, and the failure.
func (m *Model) smokeSummary(end event.RunFinished, width int) []string {
	lines := []string{"", m.smokeHeadline(end)}
	if end.Reason != "" && end.Error == nil {
		lines = append(lines, "  "+text.Clean(end.Reason))
	}
	for _, stage := range m.smoke.Stages {
		lines = append(lines, m.smokeStage(stage, width)...)
	}
	if len(m.smoke.Remarks) > 0 {
		lines = append(lines, "", m.Styles.Title("Is this right?"))
		for _, remark := range m.smoke.Remarks {
			lines = append(lines, bullet(remark, width)...)
		}
	}
	if end.Outcome == event.RunFailed && m.id != "" {
		lines = append(lines, "", m.Styles.Title("Next"))
		lines = append(lines, m.next(end, width)...)
		lines = append(lines, "  "+m.Styles.Dim("The run is kept in "+m.run.Dir+" until the next smoke run."))
	}
	if end.Error != nil {
		lines = append(lines, "")
		lines = append(lines, diagnostic(*end.Error, width, m.Styles)...)
	}
	return lines
}

func (m *Model) smokeHeadline(end event.RunFinished) string {
	took := text.Clock(end.Seconds.Duration())
	name := m.Styles.Title(m.run.Spec)
	switch end.Outcome {
	case event.RunCompleted:
		episodes := 0
		for _, stage := range m.smoke.Stages {
			episodes += stage.Episodes
		}
		return m.Styles.Good("✓ ") + name + fmt.Sprintf(" passed the smoke run: %s and %s in %s; nothing of it is kept",
			text.Plural(end.Step, "step"), text.Plural(episodes, "episode"), took)
	case event.RunStopped, event.RunAborted:
		return m.Styles.Warn("■ ") + "the smoke run of " + name + " was ended after " + took + "; nothing of it is kept"
	}
	return m.Styles.Bad("✗ ") + name + fmt.Sprintf(" failed the smoke run, at step %s of %s, after %s",
		text.Count(end.Step), text.Count(end.TotalSteps), took)
}

// smokeKeys is the width of the first column.
const smokeKeys = 12

func (m *Model) smokeStage(s event.SmokeStage, width int) []string {
	lines := []string{"", m.Styles.Title("Stage " + text.Clean(s.Name))}
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, cut("  "+m.Styles.Dim(text.Fit(key, smokeKeys))+value, width))
		}
	}
	add("steps", fmt.Sprintf("%d of %d in %s, %s, %d of them in validations; %d trained", s.Steps, s.Planned,
		text.Clock(s.Seconds.Duration()),
		text.Plural(s.Episodes, "episode"), s.Validation, s.Trained))
	add("by script", m.smokeEpisodes(s.Scripted, s.Tools))
	add("by policy", m.smokeEpisodes(s.Sampled, s.Tools))
	if s.Misread > 0 {
		add("misread", m.Styles.Warn(fmt.Sprintf("%d of %d tool calls of the script", s.Misread, s.ScriptCalls)))
	}
	lines = append(lines, m.smokeRewards(s, width)...)
	for i, f := range s.Failures {
		key := ""
		if i == 0 {
			key = "failures"
		}
		lines = append(lines, m.smokeFailure(key, f, width)...)
	}
	return lines
}

// smokeFailure returns the text wrapped, not truncated, because its end often contains the remedy.
func (m *Model) smokeFailure(key string, f event.SmokeFailure, width int) []string {
	inner := 0
	if width > 0 {
		inner = max(20, width-smokeKeys-4)
	}
	said := fmt.Sprintf("%s in %s, first of task %s: %s", f.Class, text.Plural(f.Episodes, "episode"), f.Task, f.Detail)
	var lines []string
	for _, line := range text.Wrap(said, inner) {
		if rest, ok := strings.CutPrefix(line, string(f.Class)); ok && len(lines) == 0 {
			line = m.Styles.Bad(string(f.Class)) + rest
		}
		lines = append(lines, strings.TrimRight("  "+m.Styles.Dim(text.Fit(key, smokeKeys))+line, " "))
		key = ""
	}
	return lines
}

func (m *Model) smokeEpisodes(e event.SmokeEpisodes, tools int) string {
	if e.Episodes == 0 {
		return m.Styles.Dim("no episode")
	}
	calls := ""
	switch {
	case e.ToolCalls > 0:
		calls = fmt.Sprintf("%s, %s answered", text.Plural(e.ToolCalls, "tool call"), text.Count(e.Answers))
		if e.Errors > 0 {
			calls += fmt.Sprintf(", %s of them with an error", text.Count(e.Errors))
		}
	case tools > 0:
		calls = "no tool call"
	}
	malformed := ""
	if e.Malformed > 0 {
		malformed = fmt.Sprintf("%s malformed", text.Count(e.Malformed))
	}
	return text.Join(" · ", text.Plural(e.Episodes, "episode")+": "+tally{outcomes: e.Outcomes}.outcomeLine(),
		text.Plural(e.Turns, "turn"), calls, malformed)
}

// smokeRewards returns a table of the rewards: how many values each reward returned, and which ones.
func (m *Model) smokeRewards(s event.SmokeStage, width int) []string {
	names := 0
	for _, r := range s.Rewards {
		names = max(names, text.Width(text.Clean(r.Name)))
	}
	var lines []string
	for i, r := range s.Rewards {
		key := ""
		if i == 0 {
			key = "rewards"
		}
		value := m.Styles.Bad("no number")
		if low, ok := r.Min.Get(); ok {
			high, _ := r.Max.Get()
			mean, _ := r.Mean.Get()
			value = fmt.Sprintf("%s … %s, mean %s", text.Number(low), text.Number(high), text.Number(mean))
			if low == high {
				value = text.Number(low) + " always"
			}
		}
		of := m.Styles.Dim(fmt.Sprintf("in %s of %s", text.Count(r.Numbers), text.Plural(r.Episodes, "episode")))
		lines = append(lines, cut("  "+m.Styles.Dim(text.Fit(key, smokeKeys))+text.Fit(text.Clean(r.Name), names)+"  "+value+
			"  "+of, width))
	}
	return lines
}

// bullet returns wrapped text after a bullet.
func bullet(s string, width int) []string {
	inner := 0
	if width > 0 {
		inner = max(20, width-4)
	}
	var lines []string
	for i, line := range text.Wrap(s, inner) {
		lead := "    "
		if i == 0 {
			lead = "  • "
		}
		lines = append(lines, strings.TrimRight(lead+line, " "))
	}
	return lines
}
