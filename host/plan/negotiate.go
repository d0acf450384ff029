package plan

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// expressible says what an adapter can do with an episode that has no number.
func expressible(action sdk.FailureAction, c sdk.AdapterCapabilities) bool {
	switch action {
	case sdk.ActionMask:
		return c.Unscorable == "exact" || c.Unscorable == "in_baseline"
	case sdk.ActionDropSample:
		return c.Unscorable == "exact"
	case sdk.ActionDropGroup:
		return c.Unscorable == "exact" || c.Unscorable == "group_lost"
	}
	return true // retry, score and fail_run are the host's own
}

// negotiate holds what the spec wants against what the adapter can express.
func (p *Plan) negotiate() diag.Diagnostics {
	var problems diag.Diagnostics
	if p.groupReward() && !p.Adapter.Capabilities.GroupSemantics {
		problems = append(problems, p.Spec.Diagnose(p.Train.Places, []string{"reward"}, diag.Diagnostic{
			Severity: diag.Error, Summary: "The adapter cannot group",
			Detail: "A reward compares the samples of a group, and this adapter does not keep them together. Use another reward or another adapter.",
		}))
	}
	for _, s := range p.Train.Stages {
		policy, found := p.policy(s)
		problems = append(problems, found...)
		problems = append(problems, p.checkConcurrency(s)...)
		p.Stages = append(p.Stages, Stage{Stage: s, Policy: policy, Steps: p.steps(s)})
	}
	return problems
}

// steps is how long a stage is, at most.
func (p *Plan) steps(s *spec.Stage) int {
	if s.Knobs.Steps != nil {
		return *s.Knobs.Steps
	}
	if s.Knobs.Epochs == nil {
		return 0
	}
	prompts := max(1, pointer(s.Knobs.Batch.Prompts))
	return max(1, int(math.Ceil(*s.Knobs.Epochs*float64(p.Tasks(s.Dataset))/float64(prompts))))
}

func (p *Plan) policy(s *spec.Stage) (rollout.Policy, diag.Diagnostics) {
	policy := rollout.DefaultPolicy()
	var problems diag.Diagnostics
	for _, class := range classesOf(s.OnFailure) {
		wanted := s.OnFailure[class]
		var can []sdk.FailureAction
		for _, action := range wanted.Actions {
			if expressible(action, p.Adapter.Capabilities) {
				can = append(can, action)
			}
		}
		final := slices.ContainsFunc(can, func(a sdk.FailureAction) bool { return a != sdk.ActionRetry })
		if !final && wanted.Set {
			problems = append(problems, p.Spec.Diagnose(s.Places, nil, diag.Diagnostic{
				Severity: diag.Error, Summary: "No action for failures that the adapter can express",
				Detail: fmt.Sprintf("on_failure %q names %s, and this adapter can express none of it for an episode without a number (its rows are %q). Add \"fail_run\", or an action that it has: %s.",
					strings.ToLower(string(class)), join(wanted.Actions), p.Adapter.Capabilities.Unscorable, join(possible(p.Adapter.Capabilities))),
			}))
			continue
		}
		if !final {
			can = append(can, sdk.ActionFailRun)
		}
		policy[class] = rollout.ClassPolicy{Actions: can, Budget: wanted.Budget}
	}
	return policy, problems
}

func classesOf(m map[sdk.FailureClass]spec.FailurePolicy) []sdk.FailureClass {
	classes := make([]sdk.FailureClass, 0, len(m))
	for class := range m {
		classes = append(classes, class)
	}
	sort.Slice(classes, func(i, j int) bool { return classes[i] < classes[j] })
	return classes
}

func possible(c sdk.AdapterCapabilities) []sdk.FailureAction {
	var out []sdk.FailureAction
	for _, action := range []sdk.FailureAction{sdk.ActionMask, sdk.ActionDropSample, sdk.ActionDropGroup, sdk.ActionFailRun} {
		if expressible(action, c) {
			out = append(out, action)
		}
	}
	return out
}

func join(actions []sdk.FailureAction) string {
	words := make([]string, len(actions))
	for i, a := range actions {
		words[i] = string(a)
	}
	return strings.Join(words, ", ")
}

// checkConcurrency refuses settings under which a group could never be complete.
func (p *Plan) checkConcurrency(s *spec.Stage) diag.Diagnostics {
	if s.Concurrency >= 1 {
		return nil
	}
	return diag.Diagnostics{p.Spec.Diagnose(s.Places, []string{"concurrency"}, diag.Diagnostic{
		Severity: diag.Error, Summary: "Impossible concurrency", Detail: "concurrency must be at least 1.",
	})}
}
