package rollout

import "github.com/awhost/awhost/sdk"

// Policy says what follows from a failure, by class. The actions are those of the spec that the adapter can
// express, in order of preference.
type Policy map[sdk.FailureClass]ClassPolicy

// ClassPolicy is what follows from the failures of one class.
type ClassPolicy struct {
	Actions []sdk.FailureAction
	Budget  int // most retries of one episode for this class
}

// DefaultPolicy is the table of docs/architecture.md. INFRASTRUCTURE is not in it: it is always retried, outside
// all budgets.
func DefaultPolicy() Policy {
	again := ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionRetry, sdk.ActionDropSample, sdk.ActionMask}, Budget: 2}
	return Policy{
		sdk.FailureEnvironment: again,
		sdk.FailureAgent:       again,
		sdk.FailureTimeout:     again,
		sdk.FailureModel:       again,
		sdk.FailureReward:      again,
		sdk.FailurePolicy:      {Actions: []sdk.FailureAction{sdk.ActionScore}},
	}
}

// question is what a policy needs to know of a failure.
type question struct {
	class      sdk.FailureClass
	retries    int  // of this class so far
	mayRetry   bool // there is time, and it makes sense
	mayScore   bool // there is something to score
	validation bool
}

// decide picks the first action that is possible; the last resort is to mask. In validation nothing is retried or
// left out: what failed stays in the denominator.
func (p Policy) decide(q question) sdk.FailureAction {
	class := p[q.class]
	for _, action := range class.Actions {
		switch action {
		case sdk.ActionRetry:
			if q.mayRetry && !q.validation && q.retries < class.Budget {
				return action
			}
		case sdk.ActionScore:
			if q.mayScore {
				return action
			}
		case sdk.ActionDropSample, sdk.ActionDropGroup:
			if !q.validation {
				return action
			}
		default:
			return action
		}
	}
	return sdk.ActionMask
}

// drops says whether some failure takes a whole group with it: whether drop_group comes before an action that always follows.
func (p Policy) drops() bool {
	for _, class := range p {
		for _, action := range class.Actions {
			if action == sdk.ActionDropGroup {
				return true
			}
			if action != sdk.ActionRetry && action != sdk.ActionScore {
				break
			}
		}
	}
	return false
}
