package record

import (
	"iter"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk"
)

// ofPolicy yields the messages that the policy wrote.
func ofPolicy(e *rollout.AttemptRecord) iter.Seq[*sdk.Message] {
	return func(yield func(*sdk.Message) bool) {
		for i, at := range e.Sampled {
			served := len(e.Turns) == len(e.Sampled) && e.Turns[i].Served != ""
			if !served && !yield(&e.Messages[at]) {
				return
			}
		}
	}
}

// toolsOf counts the policy's calls of tools. A policy can write any name: names that no tool has are counted as one.
func toolsOf(e *rollout.AttemptRecord) map[string]findings.ToolUse {
	var calls []sdk.ToolCall
	for m := range ofPolicy(e) {
		calls = append(calls, m.ToolCalls...)
	}
	if calls == nil {
		return nil
	}
	failed, answered := map[string]bool{}, map[string]bool{} // by the call's id
	for i := range e.Messages {
		if m := &e.Messages[i]; m.Role == sdk.RoleTool {
			failed[m.ToolCallID] = m.IsError
			answered[m.ToolCallID] = !m.IsError
		}
	}
	known := map[string]bool{}
	for _, t := range e.Tools {
		known[t.Name] = true
	}
	for _, call := range calls { // members of a swarm have other tools
		known[call.Name] = known[call.Name] || answered[call.ID]
	}
	out := map[string]findings.ToolUse{}
	for _, call := range calls {
		name := call.Name
		if !known[name] {
			name = findings.UnknownTool
		}
		use := out[name]
		use.Calls++
		if failed[call.ID] {
			use.Errors++
		}
		out[name] = use
	}
	return out
}

// wholeOf returns the hash of a conversation.
func wholeOf(e *rollout.AttemptRecord) uint64 {
	whole := findings.HashOf("")
	for i := range e.Messages {
		m := &e.Messages[i]
		whole = findings.HashOn(whole, string(m.Role))
		whole = findings.HashOn(whole, m.Content)
		for k := range m.ToolCalls {
			whole = findings.HashOn(findings.HashOn(whole, m.ToolCalls[k].Name), m.ToolCalls[k].Arguments)
		}
	}
	return whole
}

// textOf describes the policy's messages, or returns nil without any.
func textOf(e *rollout.AttemptRecord) *findings.Text {
	var texts []string
	for m := range ofPolicy(e) {
		texts = append(texts, m.Content)
	}
	if texts == nil {
		return nil
	}
	out := findings.TextOf(texts)
	out.Whole = wholeOf(e)
	return &out
}

// scan returns the hits in an episode.
func (m Maker) scan(e *rollout.EpisodeRecord) []scan.Hit {
	out := m.Scan.Scan(scan.Conversation{
		Messages: e.Messages, Sampled: e.Sampled, Private: m.Private(e), Success: e.IsSuccess,
	})
	for i := range out {
		out[i].Quote = m.Redact(out[i].Quote)
	}
	return out
}

// Mask returns a function that returns the first of the rules that masks an attempt, or an empty string. It returns
// nil without rules.
func Mask(ids []string) func(*rollout.AttemptRecord) string {
	var masking []findings.Rule
	for _, rule := range findings.Rules() {
		if slices.Contains(ids, rule.ID) {
			masking = append(masking, rule)
		}
	}
	if masking == nil {
		return nil
	}
	return func(a *rollout.AttemptRecord) string {
		e := findings.Episode{Malformed: a.MalformedCalls, Tools: toolsOf(a)}
		if a.Limit != nil {
			e.Limit = string(a.Limit.Name)
		}
		for _, rule := range masking {
			if rule.Shows(&e) {
				return rule.ID
			}
		}
		return ""
	}
}

// Facts returns what rules read of a recorded episode.
func Facts(e *runstore.EpisodeRecord) findings.Episode {
	out := findings.Episode{
		ID: e.EpisodeID, Group: e.Slot.Group, Task: e.TaskID, Reward: e.Reward, Success: e.IsSuccess, Tokens: e.OutputTokens,
		Malformed: e.Malformed, Tools: e.Tools, Scanned: e.Scanned,
	}
	if e.FinalAnswer != "" {
		out.Answer = findings.HashOf(e.FinalAnswer)
	}
	t := &e.Timings
	out.Times = findings.Times{
		Model: t.ModelMillis, Environment: t.EnvironmentMillis, Reward: t.RewardMillis, Tools: toolMillis(e),
	}
	if e.Text != nil {
		out.Text = *e.Text
	}
	for _, hit := range e.Scan {
		if out.Hits == nil {
			out.Hits = map[string]int{}
		}
		out.Hits[hit.Rule] = hit.Message
	}
	if e.Limit != nil {
		out.Limit = e.Limit.Name
	}
	if e.Failure != nil && (e.Outcome == sdk.OutcomeFailed || e.Outcome == sdk.OutcomeDropped) {
		out.Failure = string(e.Failure.Class)
	}
	return out
}

// toolMillis returns the environment's time by tool. A step that calls several tools counts for each of them in equal
// parts. Names that no tool has are left out, because a policy can write any name.
func toolMillis(e *runstore.EpisodeRecord) map[string]float64 {
	if e.Spans == nil || len(e.Tools) == 0 {
		return nil
	}
	out, part := map[string]float64{}, runstore.TimeParts()[partOf(rollout.PartEnvironment)][0]
	for i, names := range e.Spans.Name {
		if e.Spans.Part[i] != part {
			continue
		}
		tools := strings.Split(names, ", ")
		for _, name := range tools {
			if _, known := e.Tools[name]; known {
				out[name] += float64(e.Spans.Took[i]) / 1000 / float64(len(tools))
			}
		}
	}
	return out
}
