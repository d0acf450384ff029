package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// Evaluation selects what an evaluation evaluates, if it is not the spec's own stage and validation dataset.
type Evaluation struct {
	Agent   string // address of the agent or swarm; empty: the stage's
	Dataset string // address, "validation" or "train"; empty: the validation dataset of the stage
	NoData  bool   // the tasks come from elsewhere
	Adapter bool   // the adapter samples; otherwise its plugin is not needed
	Model   string // address of the served model that replaces the policy; empty: none, or not of the spec
}

// AllServed reports whether an evaluation needs no policy because served models respond to all of its agents.
func AllServed(in Inputs) bool {
	train, _ := chooseTrain(in)
	if train == nil {
		return false
	}
	actor, err := in.Spec.Actor(train.Stages[len(train.Stages)-1].Agent)
	return err == nil && actor.AllServed()
}

// ForEvaluation returns the plan for an evaluation: a dataset, and the agent, environment, and rewards of the train
// block's last stage, as used in its validation. The plan has a single stage. It does not request or negotiate anything
// related to training.
func ForEvaluation(ctx context.Context, in Inputs, e Evaluation) (*Plan, diag.Diagnostics) {
	p := &Plan{Spec: in.Spec, Data: map[string]*dataset.Dataset{}, Adapters: map[string]*sdk.PlanResponse{},
		evaluation: true}
	var problems diag.Diagnostics
	if p.Train, problems = chooseTrain(in); p.Train == nil {
		return p, problems
	}
	last := *p.Train.Stages[len(p.Train.Stages)-1]
	if e.Agent != "" {
		if b := in.Spec.Blocks[e.Agent]; b == nil || b.Kind != "agent" && b.Kind != "swarm" {
			return p, problem("Unknown agent", fmt.Sprintf("The spec has no %s. It has %s.", e.Agent, players(in.Spec)))
		}
		last.Agent, last.Trained = e.Agent, nil
	}
	if last.Validation, problems = p.chooseData(in, &last, e); problems.HasErrors() {
		return p, problems
	}
	actor, err := p.actor(&last)
	if err != nil {
		return p, problem("Cannot plan the evaluation", err.Error())
	}
	addresses := append([]string{actor.Body.Environment, last.Validation}, last.Rewards()...)
	for _, a := range actor.Agents() {
		addresses = append(addresses, a.Block.Address)
	}
	if e.Adapter {
		addresses = append(addresses, last.Adapter)
	}
	for _, address := range addresses {
		if address != "" {
			problems = append(problems, p.take(ctx, in, in.Spec.Blocks[address])...)
		}
	}
	if problems.HasErrors() {
		return p, problems
	}
	if problems = append(problems, p.consult(ctx, in)...); problems.HasErrors() {
		return p, problems
	}
	p.Stages = []Stage{{Stage: &last, Policy: policyAsWritten(&last)}}
	problems = append(append(problems, p.checkGateway()...), p.checkAgent(&last)...)
	for _, a := range actor.Agents() {
		if !a.Served() {
			problems = append(problems, p.checkServedKwargs(a, e.Model, last.KwargsOf(a))...)
		}
	}
	problems = append(problems, p.checkState(&last)...)
	return p, once(append(problems, p.checkTasks(&last)...))
}

// chooseData returns the address of the evaluation dataset.
func (p *Plan) chooseData(in Inputs, stage *spec.Stage, e Evaluation) (string, diag.Diagnostics) {
	address := e.Dataset
	switch {
	case e.NoData:
		return "", nil
	case (address == "" || address == "validation") && stage.Validation == "":
		return "", p.refuse(stage, []string{"validation"}, "No validation dataset", "The train block has no "+
			"validation dataset. Choose the tasks with a flag such as --dataset train or --dataset "+
			"dataset.jsonl.test.")
	case address == "", address == "validation":
		address = stage.Validation
	case address == "train":
		address = stage.Dataset
	}
	if b := in.Spec.Blocks[address]; b != nil && b.Kind == "dataset" {
		return address, nil
	}
	return "", problem("Unknown dataset", fmt.Sprintf("The spec has no %q. It has "+
		"%s.", e.Dataset, strings.Join(datasets(in.Spec), ", ")))
}

func datasets(s *spec.Spec) []string { return addresses(s, "dataset") }

// players returns the agents and swarms in a spec, for use in messages.
func players(s *spec.Spec) string { return strings.Join(addresses(s, "agent", "swarm"), ", ") }

func addresses(s *spec.Spec, kinds ...string) []string {
	var out []string
	for _, address := range s.Order {
		if slices.Contains(kinds, s.Blocks[address].Kind) {
			out = append(out, address)
		}
	}
	return out
}

// policyAsWritten returns on_failure independently of any adapter: an evaluation trains nothing, so a failed episode
// need not be expressible in rows.
func policyAsWritten(s *spec.Stage) rollout.Policy {
	policy := rollout.DefaultPolicy()
	for class, wanted := range s.OnFailure {
		policy[class] = rollout.ClassPolicy{Actions: append(wanted.Actions[:len(wanted.Actions):len(wanted.Actions)],
			sdk.ActionMask), Budget: wanted.Budget}
	}
	return policy
}
