package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// Text returns the plan as human-readable text. Default settings are listed only if all is true.
func (p *Plan) Text(all bool) string {
	r := p.Report()
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(text.Clean(fmt.Sprintf(format, args...)) + "\n") }
	p.headLines(r, line)
	line("")
	line("  spec      %s", r.Spec)
	line("  identity  %s", short(r.Identity))
	line("  adapter   %s", r.Summary.Adapter)
	line("  data      %d tasks, %d held out", r.Summary.TrainTasks, r.Summary.ValidationTasks)
	line("  example   %s", p.example())
	for _, t := range r.Tracking {
		line("  tracking  %s", t)
	}
	if len(r.Telemetry) > 0 {
		var shown []string
		for _, s := range r.Telemetry {
			shown = append(shown, s.String())
		}
		line("  telemetry %s", strings.Join(shown, "; "))
	}
	p.stageLines(r, line)
	line("")
	line("Plugins")
	for _, c := range r.Plugins {
		line("  %-32s %s %s (%s)", c.Instance, c.Plugin, c.Version, c.Source)
	}
	line("")
	line("Failures: actions by class")
	for _, s := range p.Stages {
		p.failureLines(s, line)
	}
	line("")
	line("Settings%s", map[bool]string{true: "", false: " that differ from the defaults (--all lists all)"}[all])
	for _, setting := range settingLines(r.Effective, all) {
		line("%s", setting)
	}
	for _, f := range r.Files {
		line("File: %s", f.Path)
	}
	for _, argv := range r.Commands {
		line("Command: %s", strings.Join(argv, " "))
	}
	for _, note := range r.Summary.Notes {
		line("Note: %s.", strings.TrimSuffix(note, "."))
	}
	return b.String()
}

// example returns the public part of the first task and the names of its private members, whose values stay hidden.
func (p *Plan) example() string {
	task, err := p.Data[p.Stages[0].Dataset].Task(0)
	if err != nil {
		return "none: " + err.Error()
	}
	shown := text.Truncate(string(clean(task.Public, p.Spec.Redactor())), 240)
	var private map[string]json.RawMessage
	if json.Unmarshal(task.Private, &private) == nil && len(private) > 0 {
		shown += " (private: " + strings.Join(slices.Sorted(maps.Keys(private)), ", ") + ")"
	}
	return shown
}

// headLines writes a summary of the actions that apply takes.
func (p *Plan) headLines(r Report, line func(string, ...any)) {
	switch {
	case p.Smoke != nil:
		line("Plan: a smoke run of %s (%s)", r.Train, p.Why)
		for _, change := range p.Smoke.Changes {
			line("  - %s", change)
		}
	case p.Mode == event.ModeNew:
		line("Plan: a new run of %s (%s)", r.Train, p.Why)
	case p.Mode == event.ModeResume:
		line("Plan: continue %s (%s)", r.Run, p.Why)
	case p.Mode == event.ModeNoOp:
		line("Plan: nothing to do (%s)", p.Why)
	}
}

// stageLines writes each stage's size, agents, and rewards.
func (p *Plan) stageLines(r Report, line func(string, ...any)) {
	for _, s := range p.Stages {
		line("  stage     %s: %s, %d episodes at a time", s.Name, s.size(), s.Concurrency)
		if s.Reward != nil {
			line("            reward = %s", s.Reward.Source())
		}
		if members := r.Members[s.Name]; len(members) > 0 {
			line("            %s: %s", s.Agent, memberList(members))
		}
	}
}

// mostValue is the maximum column width for values, so that a long value, such as a list of paths, does not widen the
// column.
const mostValue = 24

// settingLines returns "key = value (origin)" in columns. A framework's keys are longer than awhost's.
func settingLines(settings []EffectiveKey, all bool) []string {
	shown := slices.DeleteFunc(slices.Clone(settings), func(s EffectiveKey) bool { return !all && s.Origin == "default" })
	key, value := 36, 12
	for _, s := range shown {
		key = max(key, len(s.Key))
		if n := utf8.RuneCount(s.Value); n <= mostValue {
			value = max(value, n)
		}
	}
	lines := make([]string, len(shown))
	for i, s := range shown {
		lines[i] = fmt.Sprintf("  %-*s = %-*s (%s)", key, s.Key, value, s.Value, s.Origin)
	}
	return lines
}

// size describes a stage's size. The adapter chooses numbers that the spec does not set and may not report them.
func (s Stage) size() string {
	if s.Prompts == 0 || s.GroupSize == 0 {
		return fmt.Sprintf("%d steps", s.Steps)
	}
	return fmt.Sprintf("%d steps of %d prompts × %d samples", s.Steps, s.Prompts, s.GroupSize)
}

func (p *Plan) failureLines(s Stage, line func(string, ...any)) {
	for _, class := range slices.Sorted(maps.Keys(s.Policy)) {
		policy := s.Policy[class]
		budget := ""
		if slices.ContainsFunc(policy.Actions, isRetry) {
			budget = fmt.Sprintf(" (retry budget %d)", policy.Budget)
		}
		line("  %-12s %-16s %s%s", s.Name, strings.ToLower(string(class)), join(policy.Actions), budget)
	}
}

func short(digest string) string {
	if len(digest) > 19 {
		return digest[:19] + "…"
	}
	return digest
}
