package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
)

// Report is the plan as JSON; docs/cli.md describes it.
type Report struct {
	Type      string                       `json:"type"` // "plan"
	Spec      string                       `json:"spec"`
	Train     string                       `json:"train"`
	Mode      event.Mode                   `json:"mode"`
	Why       string                       `json:"why"`
	Run       string                       `json:"run,omitempty"`
	Identity  string                       `json:"identity"`
	Summary   event.PlanSummary            `json:"summary"`
	Plugins   []event.PluginRef            `json:"plugins"`
	Effective []EffectiveKey               `json:"effective"`
	Knobs     []Knob                       `json:"knobs"`
	Failures  map[string]map[string]Choice `json:"on_failure"` // by stage and class
	Commands  [][]string                   `json:"commands,omitempty"`
	Files     []string                     `json:"files,omitempty"`
}

// EffectiveKey is one value of the trainer's configuration and where it came from.
type EffectiveKey struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Origin string          `json:"origin"`
}

// Knob is a setting of the spec and what the trainer calls it.
type Knob struct {
	Knob string `json:"knob"`
	Key  string `json:"key"`
}

// Choice is what follows from failures of a class: the actions that apply, in order.
type Choice struct {
	Actions []sdk.FailureAction `json:"actions"`
	Budget  int                 `json:"budget"`
}

// Report describes the plan.
func (p *Plan) Report() Report {
	r := Report{
		Type: "plan", Spec: p.Spec.Path, Train: p.Train.Name, Mode: p.Mode, Why: p.Why, Identity: p.Identity, Summary: p.Summary(),
		Plugins: p.Plugins(), Failures: map[string]map[string]Choice{},
	}
	if p.Existing != nil {
		r.Run = p.Existing.Ref()
	}
	for _, e := range p.Adapter.Effective {
		r.Effective = append(r.Effective, EffectiveKey{e.Key, e.ValueJSON, e.Origin})
	}
	for _, k := range p.Adapter.Knobs {
		r.Knobs = append(r.Knobs, Knob{k.Knob, k.Key})
	}
	for _, s := range p.Stages {
		r.Failures[s.Name] = map[string]Choice{}
		for class, policy := range s.Policy {
			r.Failures[s.Name][strings.ToLower(string(class))] = Choice{policy.Actions, policy.Budget}
		}
	}
	for _, c := range p.Adapter.Commands {
		r.Commands = append(r.Commands, c.Argv)
	}
	for _, f := range p.Adapter.Files {
		r.Files = append(r.Files, f.Path)
	}
	return r
}

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
		line("  stage     %s: %d steps of %d prompts × %d samples, %d episodes at a time", s.Name, s.Steps, pointer(s.Knobs.Batch.Prompts), pointer(s.Knobs.Batch.GroupSize), s.Concurrency)
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
	for _, note := range r.Summary.Notes {
		line("Note: %s.", note)
	}
	return b.String()
}

func (p *Plan) failureLines(s Stage, line func(string, ...any)) {
	var classes []string
	for class := range s.Policy {
		classes = append(classes, string(class))
	}
	slices.Sort(classes)
	for _, class := range classes {
		policy := s.Policy[sdk.FailureClass(class)]
		line("  %-12s %-16s %s (retry budget %d)", s.Name, strings.ToLower(class), join(policy.Actions), policy.Budget)
	}
}

func short(digest string) string {
	if len(digest) > 19 {
		return digest[:19] + "…"
	}
	return digest
}
