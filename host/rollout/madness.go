package rollout

import (
	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/sdk"
)

// MadnessBinding is what is looked for in the messages of a member, and what follows.
type MadnessBinding struct {
	Rules  *madness.Rules
	Checks []madness.Check
	Then   Consequence
	Reward *float64 // of an episode with a finding, in training; nil: what the rewards say
}

// Consequence says what follows from a finding.
type Consequence string

// The consequences.
const (
	ThenCount Consequence = "count" // nothing but that it is on record
	ThenEnd   Consequence = "end"   // the episode ends, with a failure of class POLICY
	ThenMask  Consequence = "mask"  // in training it ends, and nothing of it is trained
)

// findings are those of a message that the policy has sampled.
func (m *model) findings(req agent.Request, resp *sdk.GenerateResponse, scripted *sdk.Message) []madness.Finding {
	by := m.run.stage.madness(req.Member)
	if by == nil || scripted != nil {
		return nil
	}
	return by.Rules.Find(&resp.Message)
}

// endsWith is the failure with which an episode ends because of a turn; nil: it goes on. The caller holds the lock.
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
		m.record.Cut = m.asking > 0 // whether they get an answer is a matter of who is faster
	}
	return failure
}

// over is the error of whoever asks after the end; nil: there was none.
func (m *model) over() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended == nil {
		return nil
	}
	return &agent.EndedError{Why: m.ended}
}
