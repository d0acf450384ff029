package rollout

import "github.com/awhost/awhost/sdk"

// Policy defines how to react to a failure, by class. The actions are those actions in the spec that the adapter can
// express, in order of preference.
type Policy map[sdk.FailureClass]ClassPolicy

// ClassPolicy defines how to react to failures of one class.
type ClassPolicy struct {
	Actions []sdk.FailureAction
	Budget  int // most retries of one episode for this class
}

// DefaultPolicy returns the policy in the table in docs/explain/architecture.md. INFRASTRUCTURE is not included: it is
// always retried and counts toward no budget.
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

// question describes a failure to a policy.
type question struct {
	class      sdk.FailureClass
	retries    int  // of this class so far
	mayRetry   bool // a retry is possible in time and useful
	mayScore   bool // the attempt can be scored
	validation bool
}

// decide returns the first possible action, or mask if none are possible. In validation, episodes are neither retried
// nor dropped: failures remain in the denominator.
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

// drops reports whether a failure can drop a whole group, that is, whether drop_group precedes an action that always
// applies.
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
