package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/event"
)

// Text is the plan for people. Settings that are defaults are listed with all only.
func (p *Plan) Text(all bool) string {
	r := p.Report()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch p.Mode {
	case event.ModeNew:
		line("Plan: a new run of %s (%s)", r.Train, p.Why)
	case event.ModeResume:
		line("Plan: go on with %s (%s)", r.Run, p.Why)
	case event.ModeNoOp:
		line("Plan: nothing to do (%s)", p.Why)
	}
	line("")
	line("  spec      %s", r.Spec)
	line("  identity  %s", short(r.Identity))
	line("  adapter   %s", r.Summary.Adapter)
	line("  data      %d tasks, %d held out", r.Summary.TrainTasks, r.Summary.ValidationTasks)
	for _, s := range p.Stages {
		line("  stage     %s: %s, %d episodes at a time", s.Name, s.size(), s.Concurrency)
		if s.Reward != nil {
			line("            reward = %s", s.Reward.Source())
		}
	}
	line("")
	line("Plugins")
	for _, c := range r.Plugins {
		line("  %-32s %s %s (%s)", c.Instance, c.Plugin, c.Version, c.Source)
	}
	line("")
	line("Failures: what follows, by class")
	for _, s := range p.Stages {
		p.failureLines(s, line)
	}
	line("")
	line("Settings%s", map[bool]string{true: "", false: " that differ from the defaults (--all lists all)"}[all])
	for _, e := range r.Effective {
		if all || e.Origin != "default" {
			line("  %-36s = %-12s (%s)", e.Key, e.Value, e.Origin)
		}
	}
	for _, f := range r.Files {
		line("File: %s", f)
	}
	for _, argv := range r.Commands {
		line("Command: %s", strings.Join(argv, " "))
	}
	for _, note := range r.Summary.Notes {
		line("Note: %s.", strings.TrimSuffix(note, "."))
	}
	return b.String()
}

// size is how much a stage does. What the spec leaves open the adapter chooses, and may say so.
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
