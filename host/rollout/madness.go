package rollout

import (
	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/sdk"
)

// MadnessBinding holds the checks for a member's messages and the consequence of a finding.
type MadnessBinding struct {
	Rules  *madness.Rules
	Checks []madness.Check
	Then   Consequence
	Reward *float64 // of a training episode with a finding; nil: the rewards decide
}

// Consequence is the consequence of a finding.
type Consequence string

// The consequences.
const (
	ThenCount Consequence = "count" // the finding is only recorded
	ThenEnd   Consequence = "end"   // the episode ends with a failure of class POLICY
	ThenMask  Consequence = "mask"  // in training, the episode ends and is not trained
)

// findings returns the findings in a message sampled from the policy.
func (m *model) findings(req agent.Request, resp *sdk.GenerateResponse, scripted *sdk.Message) []madness.Finding {
	by := m.run.stage.madness(req.Member)
	if by == nil || scripted != nil {
		return nil
	}
	return by.Rules.Find(&resp.Message)
}

// endsWith returns the failure with which a turn ends its episode, or nil if the episode continues. The caller holds
// the lock.
func (m *model) endsWith(turn *TurnRecord) *sdk.Failure {
	failure := fault(turn)
	if failure == nil {
		return nil
	}
	switch by := m.run.stage.madness(turn.Agent); {
	case by.Then == ThenEnd, by.Then == ThenMask && !m.run.validation():
	default:
		return nil
	}
	if m.ended == nil {
		m.ended = failure
		m.record.Cut = m.asking > 0 // whether pending requests are answered depends on timing
	}
	return failure
}

// checkEnded returns the error for requests made after the conversation has ended, or nil if it has not ended.
func (m *model) checkEnded() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended == nil {
		return nil
	}
	return &agent.EndedError{Why: m.ended}
}
