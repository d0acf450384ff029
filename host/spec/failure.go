package spec

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// failureClasses maps the labels of on_failure blocks to classes. INFRASTRUCTURE is not included: it is always
// retried, outside all budgets, up to max_restarts.
var failureClasses = map[string]sdk.FailureClass{
	"policy":      sdk.FailurePolicy,
	"model":       sdk.FailureModel,
	"environment": sdk.FailureEnvironment,
	"reward":      sdk.FailureReward,
	"agent":       sdk.FailureAgent,
	"timeout":     sdk.FailureTimeout,
}

var failureLabels = []string{"policy", "model", "environment", "reward", "agent", "timeout"}

var failureActions = []string{
	string(sdk.ActionRetry), string(sdk.ActionDropSample), string(sdk.ActionDropGroup),
	string(sdk.ActionMask), string(sdk.ActionScore), string(sdk.ActionFailRun),
}

// defaultBudget is the default number of times that an episode is retried.
const defaultBudget = 2

var defaultBreaker = CircuitBreaker{FailedFraction: 0.5, ForeignFraction: 0.5, Window: 200, MinEpisodes: 50}

func onFailureBlock() schema.NestedBlock {
	actions := schema.Strings("action", "Actions in order of preference; the plan shows the first one that the "+
		"adapter supports. drop_group drops all samples of the task in the step.").Enum(failureActions...)
	return labelledBlock("on_failure", "Handling of failures of a given class. Label: "+oneOf(failureLabels)+".",
		actions, schema.Integer("budget", "Maximum number of retries per "+
			"episode.").Default(defaultBudget).Range(0, 1000))
}

// defaultOnFailure returns the table in docs/explain/architecture.md.
func defaultOnFailure() map[sdk.FailureClass]FailurePolicy {
	policies := map[sdk.FailureClass]FailurePolicy{}
	for _, class := range failureClasses {
		policies[class] = FailurePolicy{
			Actions: []sdk.FailureAction{sdk.ActionRetry, sdk.ActionDropSample, sdk.ActionMask},
			Budget:  defaultBudget,
		}
	}
	policies[sdk.FailurePolicy] = FailurePolicy{Actions: []sdk.FailureAction{sdk.ActionScore}}
	return policies
}

// onFailure reads the on_failure blocks of a merged train body.
func (d *decoder) onFailure(b *body) map[sdk.FailureClass]FailurePolicy {
	policies := defaultOnFailure()
	for _, block := range b.blocks["on_failure"] {
		class, ok := failureClasses[block.label]
		if !ok {
			d.reportUnknownClass(block)
			continue
		}
		policies[class] = d.failurePolicy(block, policies[class])
	}
	return policies
}

func (d *decoder) reportUnknownClass(block *body) {
	if strings.EqualFold(block.label, string(sdk.FailureInfrastructure)) {
		d.fail(block.header, "Fixed failure policy", "Infrastructure failures are always retried with the same draw and do "+
			"not count toward any budget; max_restarts limits them.")
		return
	}
	d.fail(block.header, "Unknown failure class", "The label of on_failure is "+oneOf(quoteAll(failureLabels))+", not "+
		quote(block.label)+"."+didYouMean(strings.ToLower(block.label), failureLabels))
}

func (d *decoder) failurePolicy(block *body, fallback FailurePolicy) FailurePolicy {
	out := FailurePolicy{Actions: fallback.Actions, Budget: fallback.Budget, Set: true}
	if block.wrote("action") {
		out.Actions = nil
		for _, action := range unmarked(block.attrs["action"].value).AsValueSlice() {
			if !action.IsNull() {
				out.Actions = append(out.Actions, sdk.FailureAction(action.AsString()))
			}
		}
		where := block.attrs["action"].where
		d.checkActions(block.label, out.Actions, where)
		if slices.Contains(out.Actions, sdk.ActionRetry) && !block.wrote("budget") {
			out.Budget = defaultBudget
		}
	}
	if block.wrote("budget") {
		budget, _ := unmarked(block.attrs["budget"].value).AsBigFloat().Int64()
		out.Budget = int(budget)
	}
	return out
}

func (d *decoder) checkActions(class string, actions []sdk.FailureAction, where hcl.Range) {
	switch {
	case len(actions) == 0:
		d.fail(where, "Empty list of actions", "List at least one action: "+oneOf(quoteAll(failureActions))+".")
	case actions[len(actions)-1] == sdk.ActionRetry:
		d.warn(where, "No action after the last retry", `The episode is masked when its retries are exhausted. Add "mask", `+
			`"drop_sample", or "fail_run" after "retry".`)
	case class == "reward" && slices.Contains(actions, sdk.ActionScore):
		d.fail(where, "Score action for a reward "+
			"failure", `"score" requires a number, but a reward failure has none. To replace a `+
			"failed reward, use try() in the reward expression: try(reward.TYPE.NAME.score, 0).")
	}
	for i, action := range actions {
		if slices.Contains(actions[:i], action) {
			d.fail(where, "Duplicate action", quote(string(action))+" is listed twice.")
		}
	}
}
