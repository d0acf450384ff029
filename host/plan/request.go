package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// request returns the input for planning an adapter block: the stages that it trains.
func (p *Plan) request(in Inputs, c *Component) (sdk.PlanRequest, error) {
	stages := p.stagesOf(c)
	first := stages[0]
	req := sdk.PlanRequest{
		Config: c.Block.Config, Actions: map[sdk.FailureClass][]sdk.FailureAction{},
		Data:  sdk.DataSummary{TrainTasks: p.Tasks(first.Dataset), ValidationTasks: p.Tasks(first.Validation)},
		Smoke: p.Smoke != nil, Elsewhere: in.Elsewhere,
	}
	if b := p.Spec.Blocks[p.Train.Policy]; b != nil {
		req.Policy = b.Config
	}
	actor, err := p.actor(first)
	if err != nil {
		return req, err
	}
	req.Agent = sdk.AgentSummary{
		Type: actor.Block.Type, MaxTurns: actor.Body.MaxTurns, HasTools: actor.Body.Environment != "",
		Members: len(actor.Agents()), DecodingConstraints: slices.ContainsFunc(actor.Agents(), appliesConstraints),
	}
	if kwargs := first.KwargsOf(actor.Agents()[0]); len(kwargs) > 0 {
		if req.Agent.ChatTemplateKwargs, err = json.Marshal(kwargs); err != nil {
			return req, err
		}
	}
	for _, stage := range stages {
		req.Stages = append(req.Stages, sdk.StagePlan{
			Name: stage.Name, Knobs: stage.Knobs,
			Data: sdk.DataSummary{TrainTasks: p.Tasks(stage.Dataset), ValidationTasks: p.Tasks(stage.Validation)},
		})
		req.GroupReward = req.GroupReward || p.groupReward(stage) != ""
		for class, policy := range stage.OnFailure {
			req.Actions[class] = policy.Actions
		}
	}
	return req, nil
}

// stagesOf returns the stages that an adapter block trains.
func (p *Plan) stagesOf(c *Component) []*spec.Stage {
	var out []*spec.Stage
	for _, stage := range p.Train.Stages {
		if stage.Adapter == c.Block.Address {
			out = append(out, stage)
		}
	}
	return out
}

// actor returns a stage's agent or swarm.
func (p *Plan) actor(s *spec.Stage) (*spec.Actor, error) { return p.Spec.Actor(s.Agent) }

// trained returns a stage's trained agents.
func trained(s *spec.Stage, actor *spec.Actor) []*spec.Actor {
	return slices.DeleteFunc(actor.Agents(), func(a *spec.Actor) bool { return !s.Trains(a) })
}

// requirementGPU is the requirement that a smoke run ignores.
const requirementGPU = "gpu"

// place maps the adapter's objections to locations in the user's source.
func (p *Plan) place(in Inputs, c *Component, answer *sdk.PlanResponse) diag.Diagnostics {
	var problems diag.Diagnostics
	for _, k := range answer.Knobs {
		if k.Refused != "" {
			path := strings.Split(k.Knob, ".")
			stage := p.stageWriting(c, path)
			if p.Smoke.adds(k.Knob) && !stage.Wrote(path...) {
				continue // only the smoke run set it: it continues without the knob
			}
			problems = append(problems, in.Spec.Diagnose(p.writer(stage, path), path, diag.Diagnostic{
				Severity: diag.Error, Plugin: c.Entry.Name, Summary: "Setting refused by adapter " + c.Block.Type,
				Detail: fmt.Sprintf("%s: %s. Change or remove it, or use another adapter.", k.Knob,
					strings.TrimSuffix(k.Refused, ".")),
			}))
		}
	}
	var missing []string
	for _, r := range answer.Requirements {
		switch {
		case r.Met || p.Smoke != nil && r.Kind == requirementGPU:
		case in.Elsewhere:
			missing = append(missing, r.Kind+": "+r.Detail)
		default:
			problems = append(problems, in.Spec.Diagnose(c.Block.Places, nil, diag.Diagnostic{
				Severity: diag.Error, Plugin: c.Entry.Name, Summary: "Requirement not met: " + r.Kind, Detail: r.Detail,
			}))
		}
	}
	if len(missing) > 0 {
		problems = append(problems, in.Spec.Diagnose(c.Block.Places, nil, diag.Diagnostic{
			Severity: diag.Warning, Plugin: c.Entry.Name, Summary: "Missing on this machine",
			Detail: "The machine that trains needs:\n" + strings.Join(missing, "\n"),
		}))
	}
	for _, d := range answer.Diagnostics {
		problems = append(problems, in.Spec.FromPlugin(p.placesOf(c, d.Path), c.Entry.Name, []sdk.Diagnostic{d})...)
	}
	return once(problems)
}

// placesOf returns the source location of the path in an adapter diagnostic: in the adapter's own block, or else at a
// knob set by train or a stage, or at the knob's block.
func (p *Plan) placesOf(c *Component, path []string) spec.Places {
	for n := len(path); n > 0; n-- {
		if c.Block.Wrote(path[:n]...) {
			return c.Block.Places
		}
	}
	for n := len(path); n > 0; n-- {
		if stage := p.stageWriting(c, path[:n]); stage.Wrote(path[:n]...) {
			return p.writer(stage, path[:n])
		}
	}
	return c.Block.Places
}

// stageWriting returns the first of an adapter's stages that sets a given knob, or else the adapter's first stage.
func (p *Plan) stageWriting(c *Component, path []string) *spec.Stage {
	stages := p.stagesOf(c)
	for _, stage := range stages {
		if stage.Wrote(path...) {
			return stage
		}
	}
	return stages[0]
}

// once removes diagnostics that have already been reported for an earlier stage or dataset.
func once(problems diag.Diagnostics) diag.Diagnostics {
	seen := map[string]bool{}
	var out diag.Diagnostics
	for _, d := range problems {
		if text := d.Error(); !seen[text] {
			seen[text] = true
			out = append(out, d)
		}
	}
	return out
}
