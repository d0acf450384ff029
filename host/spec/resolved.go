package spec

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// resolvedFormat is the version of the document that Resolved returns.
const resolvedFormat = 1

// resolvedTrain, resolvedStage and resolvedExpression are parts of that document.
type resolvedTrain struct {
	Adapter            string                         `json:"adapter"`
	Policy             string                         `json:"policy,omitempty"`
	Start              string                         `json:"start,omitempty"`
	HostAbsenceTimeout string                         `json:"host_absence_timeout"`
	MaxRestarts        int                            `json:"max_restarts"`
	DirMode            string                         `json:"dir_mode,omitempty"`
	Gateway            *Gateway                       `json:"gateway,omitempty"`
	Tracking           resolvedTracking               `json:"tracking"`
	Expect             map[string]*resolvedExpression `json:"expect,omitempty"`
	Stages             []resolvedStage                `json:"stages"`
}

type resolvedTracking struct {
	Tracking
	CloseTimeout string `json:"close_timeout"`
}

type resolvedStage struct {
	Name            string                                 `json:"name"`
	Agent           string                                 `json:"agent"`
	Trained         []string                               `json:"trained,omitempty"`
	Dataset         string                                 `json:"dataset"`
	Validation      string                                 `json:"validation,omitempty"`
	Adapter         string                                 `json:"adapter"`
	Reward          *resolvedExpression                    `json:"reward"`
	Success         *resolvedExpression                    `json:"success,omitempty"`
	AdvanceWhen     *resolvedExpression                    `json:"advance_when,omitempty"`
	Carry           Carry                                  `json:"carry"`
	Knobs           json.RawMessage                        `json:"knobs"`
	TemplateKwargs  map[string]any                         `json:"chat_template_kwargs,omitempty"`
	EpisodeTimeout  string                                 `json:"episode_timeout"`
	ReconnectGrace  string                                 `json:"reconnect_grace"`
	MinGroup        *int                                   `json:"min_group,omitempty"`
	OverlongPenalty float64                                `json:"overlong_penalty"`
	OnFailure       map[sdk.FailureClass]resolvedOnFailure `json:"on_failure"`
	CircuitBreaker  resolvedBreaker                        `json:"circuit_breaker"`
	Findings        map[string]FindingPolicy               `json:"findings,omitempty"`
	Masks           []string                               `json:"masks,omitempty"` // the rules that mask
}

type resolvedOnFailure struct {
	Action []sdk.FailureAction `json:"action"`
	Budget int                 `json:"budget"`
}

type resolvedBreaker struct {
	FailedFraction  float64 `json:"failed_fraction"`
	Window          int     `json:"window"`
	MinEpisodes     int     `json:"min_episodes"`
	ForeignFraction float64 `json:"foreign_fraction,omitempty"` // if it is not the default, so that older digests hold
}

// resolvedExpression is an expression's source and the values that it takes from the rest of the spec.
type resolvedExpression struct {
	Source  string         `json:"source"`
	Vars    map[string]any `json:"vars,omitempty"`
	Locals  map[string]any `json:"locals,omitempty"`
	Samples []float64      `json:"samples,omitempty"`
}

// Resolved returns the spec as canonical JSON: its meaning, independent of how it is written. Secrets are replaced with
// their origins, and paths below the spec's directory are relative. It is stored with the run.
func (s *Spec) Resolved() json.RawMessage {
	blocks := map[string]json.RawMessage{}
	for address, b := range s.Blocks {
		blocks[address] = redact(b.portable, b.Sensitive)
	}
	variables := map[string]any{}
	for _, v := range s.Variables {
		if v.Sensitive {
			variables[v.Name] = map[string]any{"$secret": "var:" + v.Name}
		} else {
			variables[v.Name] = v.Value
		}
	}
	trains := map[string]resolvedTrain{}
	for name, train := range s.Trains {
		trains[name] = train.resolved()
	}
	return canonical(map[string]any{"format": resolvedFormat, "variables": variables, "blocks": blocks, "trains": trains})
}

// Identity returns the part of Resolved that identifies a train block's run: the train block and the blocks that it
// needs, without the settings that may change when a run is resumed (concurrency, which checkpoints are kept, and
// attributes that a plugin declares as resumable).
func (s *Spec) Identity(train string) json.RawMessage {
	blocks := map[string]json.RawMessage{}
	for _, address := range s.Reachable(train) {
		blocks[address] = s.Blocks[address].Identity()
	}
	root := map[string]any{"format": resolvedFormat, "blocks": blocks}
	if t, ok := s.Trains[train]; ok {
		root["train"] = t.identity()
	}
	return canonical(root)
}

// WithLength returns a copy of the spec in which the last stage of a train block has another length.
func (s *Spec) WithLength(train string, steps *int, epochs *float64) *Spec {
	out, changed := *s, *s.Trains[train]
	stages := slices.Clone(changed.Stages)
	last := *stages[len(stages)-1]
	last.Knobs.Steps, last.Knobs.Epochs = steps, epochs
	last.Knobs.Set = slices.DeleteFunc(slices.Clone(last.Knobs.Set), func(path string) bool {
		return path == "steps" || path == "epochs"
	})
	if steps != nil {
		last.Knobs.Set = append(last.Knobs.Set, "steps")
	}
	if epochs != nil {
		last.Knobs.Set = append(last.Knobs.Set, "epochs")
	}
	stages[len(stages)-1] = &last
	changed.Stages, out.Trains = stages, maps.Clone(s.Trains)
	out.Trains[train] = &changed
	return &out
}

// Identity returns the meaning of a block: its body without secrets or settings that may change on resume.
func (b *Block) Identity() json.RawMessage {
	return removeAt(redact(b.portable, b.Sensitive), b.resumable)
}

func (t *Train) identity() any {
	paths := [][]string{{"gateway"}, {"tracking"}, {"expect"}, {"start"}} // without effect on the results
	for _, a := range runAttributes() {
		if a.OnChange == schema.Resume {
			paths = append(paths, []string{a.Name})
		}
	}
	for i := range t.Stages {
		paths = append(paths, []string{"stages", strconv.Itoa(i), "findings"}) // unlike masks
		for _, path := range resumable(stageSchema, nil) {
			stage := []string{"stages", strconv.Itoa(i)}
			paths = append(paths, extend(stage, path...), extend(extend(stage, "knobs"), path...))
		}
	}
	return removeAt(mustJSON(t.resolved()), paths)
}

// resumable lists the attributes that may change when a run is resumed.
func resumable(sch schema.Block, prefix []string) [][]string {
	var paths [][]string
	for _, a := range sch.Attributes {
		if a.OnChange == schema.Resume {
			paths = append(paths, extend(prefix, a.Name))
		}
	}
	for _, n := range sch.Blocks {
		paths = append(paths, resumable(n.Block, extend(prefix, n.Name))...)
	}
	return paths
}

// canonical sorts all keys, including keys of structs.
func canonical(v any) json.RawMessage { return mustJSON(parseCanonical(mustJSON(v))) }

func (t *Train) resolved() resolvedTrain {
	out := resolvedTrain{Adapter: t.Adapter, Policy: t.Policy, Start: t.Start,
		HostAbsenceTimeout: t.HostAbsenceTimeout.String(),
		MaxRestarts:        t.MaxRestarts, DirMode: t.DirMode,
		Gateway: t.Gateway, Tracking: resolvedTracking{t.Tracking, t.Tracking.CloseTimeout.String()}}
	for _, stage := range t.Stages {
		out.Stages = append(out.Stages, stage.resolved())
	}
	for _, e := range t.Expectations {
		if out.Expect == nil {
			out.Expect = map[string]*resolvedExpression{}
		}
		out.Expect[e.Name] = e.Condition.resolved()
	}
	return out
}

func (s *Stage) resolved() resolvedStage {
	knobs := s.Knobs
	knobs.Set = nil // explicit values and defaults are equivalent
	policies := map[sdk.FailureClass]resolvedOnFailure{}
	for class, policy := range s.OnFailure {
		policies[class] = resolvedOnFailure{Action: policy.Actions, Budget: policy.Budget}
	}
	return resolvedStage{
		Name: s.Name, Agent: s.Agent, Trained: s.Trained, Dataset: s.Dataset, Validation: s.Validation, Adapter: s.Adapter,
		Reward: s.Reward.resolved(), Success: s.Success.resolved(), AdvanceWhen: s.AdvanceWhen.resolved(), Carry: s.Carry,
		Knobs:          redact(canonical(knobs), s.Sensitive),
		TemplateKwargs: s.TemplateKwargs,
		EpisodeTimeout: s.EpisodeTimeout.String(), ReconnectGrace: s.ReconnectGrace.String(),
		MinGroup: s.MinGroup, OverlongPenalty: s.OverlongPenalty, OnFailure: policies,
		CircuitBreaker: s.CircuitBreaker.resolved(), Findings: s.Findings, Masks: s.Masks(),
	}
}

func (c CircuitBreaker) resolved() resolvedBreaker {
	out := resolvedBreaker{FailedFraction: c.FailedFraction, Window: c.Window, MinEpisodes: c.MinEpisodes}
	if c.ForeignFraction != defaultBreaker.ForeignFraction {
		out.ForeignFraction = c.ForeignFraction
	}
	return out
}

func (e *Expression) resolved() *resolvedExpression {
	if e == nil {
		return nil
	}
	out := &resolvedExpression{Source: e.source, Vars: map[string]any{}, Locals: map[string]any{}}
	for _, p := range e.program.all() {
		if vars, ok := p.constants.Variables["var"]; ok {
			for name, v := range vars.AsValueMap() {
				out.Vars[name] = toJSON(unmarked(v))
			}
		}
		for name, v := range p.constLocal {
			out.Locals[name] = toJSON(unmarked(v))
		}
		for _, l := range p.locals {
			out.Locals[l.name] = l.source
		}
	}
	if hidesIterator(e.program.expr) {
		out.Samples = e.samples()
	}
	return out
}

// hidesIterator reports whether an expression in a dynamic block refers to the block's iterator. Only the result of the
// expression is accessible here, not the iterator's value.
func hidesIterator(expr hcl.Expression) bool {
	return len(hcl.UnwrapExpression(expr).Variables()) != len(expr.Variables())
}

// samples evaluates an expression at fixed points to distinguish expressions that have the same text but different
// meanings.
func (e *Expression) samples() []float64 {
	var out []float64
	for i := range 4 {
		in := Inputs{
			Rewards: map[string]sdk.Scored{}, Agents: map[string]SelfReport{}, NumTurns: i + 1, Truncated: i%2 == 1,
			Validation: map[string]float64{},
		}
		for j, use := range e.program.allUses() {
			solved := (i+j)%2 == 0
			scored := sdk.Scored{Score: float64((i*7+j*3)%11) / 10, IsSuccess: &solved, Components: map[string]float64{}}
			for k, name := range use.components {
				scored.Components[name] = float64((i*5+k*2)%7) / 6
			}
			in.Rewards[use.address] = scored
		}
		for j, use := range e.program.selfReportUses() {
			reward, solved := float64((i*5+j*3)%13)/12, (i+j)%2 == 1
			in.Agents[use.address] = SelfReport{Reward: &reward, IsSuccess: &solved}
		}
		for j, metric := range validationMetrics {
			in.Validation[metric] = float64((i*3+j)%5) / 4
		}
		out = append(out, e.sample(in))
	}
	return out
}

func (e *Expression) sample(in Inputs) float64 {
	if number, err := e.Number(in); err == nil {
		return number
	}
	if yes, err := e.Bool(in); err == nil && yes {
		return 1
	}
	return 0
}

// Secrets lists the spec's secret strings, longest first, for redacting logs.
func (s *Spec) Secrets() []string { return slices.Clone(s.secrets) }

// Reachable returns the sorted addresses of the blocks that a train block needs, directly or indirectly.
func (s *Spec) Reachable(train string) []string {
	t, ok := s.Trains[train]
	if !ok {
		return nil
	}
	found := map[string]bool{}
	var visit func(address string)
	visit = func(address string) {
		b, ok := s.Blocks[address]
		if !ok || found[address] {
			return
		}
		found[address] = true
		for _, next := range b.Refs {
			visit(next)
		}
	}
	visit(t.Policy)
	visit(t.Scan.Judge)
	for _, stage := range t.Stages {
		for _, address := range append([]string{stage.Agent, stage.Dataset, stage.Validation, stage.Adapter},
			stage.Rewards()...) {
			visit(address)
		}
	}
	return slices.Sorted(maps.Keys(found))
}
