// Package findings reports what goes wrong in a run, from the metrics of its steps and the facts of its episodes.
//
//	engine := findings.NewEngine()
//	numbers := findings.Numbers(episodes)              // metrics about the episodes of a step
//	for _, f := range engine.Step(step) { warn(f) }    // new findings, and known ones with new evidence
//
//	findings.go  a finding, a rule, the engine
//	rules.go     the table of all rules
//	learning.go  rules about learning; rollouts.go: about episodes; policy.go: about the policy that samples
//	episode.go   the facts of an episode, and a step's metrics about them
//	series.go    metrics over the steps
//	tasks.go     tasks over the episodes of a run
//	data.go      rules about tasks, which package datacheck evaluates; scans.go: about conversations
//
// All rules read metrics, so that a resumed run and a later reader of the metrics get the same findings. The facts of
// episodes only add examples. The package must not know where runs are stored, or who displays findings.
package findings

import (
	"cmp"
	"math"
	"slices"

	"github.com/awhost/awhost/host/event"
)

// Finding is something that goes wrong in a run.
type Finding = event.Finding

const (
	fault = event.FindingError
	doubt = event.FindingWarning
)

// Page is the page with a section for each rule.
const Page = "guides/when-it-does-not-learn"

// Rule is a rule of the engine.
type Rule struct {
	ID       string
	Severity event.FindingSeverity
	Title    string   // what it finds, in general
	Needs    []string // metrics without which it is not checked
	Any      []string // metrics of which it needs one
	Causes   []string
	Remedy   string
	Masks    string                 // the episodes that action = "mask" excludes; empty: it cannot mask
	Shows    func(*Episode) bool    // reports whether an episode is one of them
	check    func(*history) []found // nil: its evidence comes by Report
}

// OnSteps reports whether the rule is evaluated after each step. A run reports the other rules at its end, and a plan
// those about tasks, so that no step can end with them.
func (r *Rule) OnSteps() bool { return r.check != nil }

// Checked reports whether a stage with these metrics has the ones that the rule needs.
func (r *Rule) Checked(has func(metric string) bool) bool {
	lacks := func(name string) bool { return !has(name) }
	return !slices.ContainsFunc(r.Needs, lacks) && (len(r.Any) == 0 || slices.ContainsFunc(r.Any, has))
}

// found is evidence for a finding.
type found struct {
	subject  string
	summary  string
	numbers  event.Metrics
	examples func(*Episode) bool   // selects episodes that show it; nil: no single one does
	causes   []string              // replace the rule's
	severity event.FindingSeverity // replaces the rule's
	remedy   string                // replaces the rule's
}

// Step holds the metrics of a step, including a validation pass after it.
type Step struct {
	Stage    string
	Launch   string // of the trainer that made it: another one than before has resumed the stage
	Step     int
	Values   map[string]float64 // of all metrics at this step
	Episodes []Episode          // optional: training episodes, for examples
	Worst    Worst              // optional
}

// Engine evaluates the steps of a run in their order.
type Engine struct {
	rules   []Rule
	stages  map[string]*history
	known   map[string]*Finding
	streaks map[ruleOf]map[string]streak // by subject
}

// ruleOf is a rule in a stage.
type ruleOf struct{ stage, id string }

// streak counts the consecutive steps in which a finding holds.
type streak struct {
	steps, last int
	summary     string
}

// NewEngine returns an engine with all rules.
func NewEngine() *Engine {
	return &Engine{
		rules: Rules(), stages: map[string]*history{}, known: map[string]*Finding{}, streaks: map[ruleOf]map[string]streak{},
	}
}

// mostExamples limits the episodes that a finding names.
const mostExamples = 5

// Step evaluates a step. It returns the findings that are new or hold again, the severest first.
func (e *Engine) Step(step Step) []Finding {
	h := e.stages[step.Stage]
	if h == nil {
		h = newHistory()
		e.stages[step.Stage] = h
	}
	h.add(step)
	var out []Finding
	for i := range e.rules {
		rule := &e.rules[i]
		if rule.check == nil || !h.suffices(rule) {
			continue
		}
		if !h.has(rule.Needs...) {
			continue // this step has no evidence for or against it
		}
		known, holds := e.streaks[ruleOf{step.Stage, rule.ID}], map[string]streak{}
		for _, evidence := range rule.check(h) {
			s := known[evidence.subject]
			if s.last != step.Step {
				s.steps, s.last = s.steps+1, step.Step
			}
			s.summary = evidence.summary
			holds[evidence.subject] = s
			out = append(out, e.keep(rule, &step, evidence))
		}
		e.streaks[ruleOf{step.Stage, rule.ID}] = holds
	}
	event.SortFindings(out)
	return out
}

// Streak returns the number of consecutive steps in which a rule has held until now, and what it found last.
func (e *Engine) Streak(stage, id string) (steps int, summary string) {
	for _, s := range e.streaks[ruleOf{stage, id}] {
		if s.steps > steps {
			steps, summary = s.steps, s.summary
		}
	}
	return steps, summary
}

// ResetStreaks sets the counts of consecutive steps to 0.
func (e *Engine) ResetStreaks() { clear(e.streaks) }

// Report adds evidence for a rule that is evaluated elsewhere.
func (e *Engine) Report(id string, step Step, summary string) Finding {
	return e.keep(e.rule(id), &step, found{summary: summary})
}

func (e *Engine) rule(id string) *Rule {
	return &e.rules[slices.IndexFunc(e.rules, func(r Rule) bool { return r.ID == id })]
}

// keep merges evidence into the finding that it belongs to.
func (e *Engine) keep(rule *Rule, step *Step, evidence found) Finding {
	now := Finding{
		ID: rule.ID, Subject: evidence.subject, Severity: cmp.Or(evidence.severity, rule.Severity), Stage: step.Stage,
		First: step.Step, Last: step.Step,
		Summary: evidence.summary, Causes: rule.Causes, Remedy: cmp.Or(evidence.remedy, rule.Remedy),
		Docs: Page + "#" + rule.ID, Numbers: evidence.numbers,
	}
	if evidence.causes != nil {
		now.Causes = evidence.causes
	}
	known := e.known[now.Key()]
	if now.New = known == nil; !now.New {
		now.First, now.Episodes, now.Messages = known.First, known.Episodes, known.Messages
	}
	if evidence.examples != nil && len(now.Episodes) < mostExamples {
		for i := range step.Episodes {
			if len(now.Episodes) == mostExamples {
				break
			}
			if episode := &step.Episodes[i]; evidence.examples(episode) && !slices.Contains(now.Episodes, episode.ID) {
				now.Episodes = append(slices.Clip(now.Episodes), episode.ID)
				if message, ok := episode.Hits[rule.ID]; ok {
					now.Messages = append(slices.Clip(now.Messages), message)
				}
			}
		}
	}
	e.known[now.Key()] = &now
	return now
}

// Recall adds a finding of an earlier process of the run, so that its first step and its examples are kept.
func (e *Engine) Recall(f Finding) {
	f.New = false
	e.known[f.Key()] = &f
}

// Findings returns all findings, the severest first, then in the order of their first steps.
func (e *Engine) Findings() []Finding {
	out := make([]Finding, 0, len(e.known))
	for _, f := range e.known {
		out = append(out, *f)
	}
	event.SortFindings(out)
	return out
}

// Reported collects the metrics of a run's last stage.
type Reported struct {
	stage string
	names map[string]bool
}

// Add adds a step's values.
func (r *Reported) Add(stage string, values map[string]float64) {
	if r.names == nil || stage != r.stage {
		r.stage, r.names = stage, map[string]bool{}
	}
	for name, value := range values {
		r.names[name] = r.names[name] || isFinite(value)
	}
}

// NotChecked returns the rules for which the stage lacks metrics, in the order of the table. It returns nil before the
// first step.
func (r *Reported) NotChecked() []Rule {
	if r.names == nil {
		return nil
	}
	has := func(name string) bool { return r.names[name] }
	return slices.DeleteFunc(Rules(), func(rule Rule) bool { return rule.Checked(has) })
}

func isFinite(value float64) bool { return !math.IsNaN(value) && !math.IsInf(value, 0) }
