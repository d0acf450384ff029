package rollout

import (
	"fmt"
	"maps"
	"strings"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
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

// madness is what is looked for in the messages of a member; nil: nothing, as in those that are no part of the task.
func (s *stage) madness(member string) *MadnessBinding {
	if s.Auxiliary != nil && s.Auxiliary(member) {
		return nil
	}
	name, _, _ := strings.Cut(member, "/") // a part of a plugin's agent is checked as the agent
	return s.Madness[name]
}

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

// fault is the first finding of a turn as a failure; nil: there is none.
func fault(turn *TurnRecord) *sdk.Failure {
	if len(turn.Findings) == 0 {
		return nil
	}
	f := turn.Findings[0]
	return &sdk.Failure{Class: sdk.FailurePolicy, Detail: fmt.Sprintf(
		"a message of %s does not pass the check %s: %s at byte %d of its %s",
		turn.Agent, f.Check, f.Reason, f.Offset, f.Part)}
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

// masked is the failure because of which nothing of an attempt is trained; nil: there is none.
func (ep *episode) masked(r *AttemptRecord) *sdk.Failure {
	for i := range r.Turns {
		failure := fault(&r.Turns[i])
		if failure != nil && ep.stage.madness(r.Turns[i].Agent).Then == ThenMask && !ep.validation() {
			return failure
		}
	}
	return nil
}

// madReward is the reward of an episode with findings, the least where members have several; nil: that of the rewards.
func (ep *episode) madReward(r *AttemptRecord) *float64 {
	if ep.validation() {
		return nil
	}
	var least *float64
	for i := range r.Turns {
		if len(r.Turns[i].Findings) == 0 {
			continue
		}
		if by := ep.stage.madness(r.Turns[i].Agent); by.Reward != nil && (least == nil || *by.Reward < *least) {
			least = by.Reward
		}
	}
	return least
}

// MadnessFinding is a check that a message of an attempt has not passed.
type MadnessFinding struct {
	CallID string `json:"call_id"`
	Agent  string `json:"agent"` // "react.solver"
	Turn   int    `json:"turn"`  // of the episode, from 1
	madness.Finding
}

// Findings are those of all messages, in the order of the turns.
func (r *AttemptRecord) Findings() []MadnessFinding {
	var out []MadnessFinding
	for i := range r.Turns {
		t := &r.Turns[i]
		for _, f := range t.Findings {
			out = append(out, MadnessFinding{CallID: t.CallID, Agent: t.Agent, Turn: i + 1, Finding: f})
		}
	}
	return out
}

// countMadness writes down which checks an episode has not passed: 0 or 1, whose means are rates.
func (ep *episode) countMadness(r *EpisodeRecord) {
	if len(ep.stage.Madness) == 0 || r.Outcome == sdk.OutcomeCancelled {
		return
	}
	rates := map[string]float64{metric.MadnessRate: 0}
	for _, by := range ep.stage.Madness {
		for _, check := range by.Checks {
			rates[rateOf(check)] = 0
		}
	}
	for _, f := range r.Findings() {
		rates[metric.MadnessRate], rates[rateOf(f.Check)] = 1, 1
	}
	if r.Metrics == nil {
		r.Metrics = rates
		return
	}
	maps.Copy(r.Metrics, rates)
}

func rateOf(check madness.Check) string { return metric.MadnessRate + "/" + string(check) }

// digestFindings adds nothing where nothing is found, as before there were checks.
func digestFindings(d *digest.Digester, findings []madness.Finding) {
	for _, f := range findings {
		d.Text(string(f.Check))
		d.Text(string(f.Reason))
		d.Text(string(f.Part))
		d.Int(f.Call)
		d.Int(f.Offset)
	}
}
