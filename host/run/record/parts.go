package record

import (
	"maps"
	"math"
	"slices"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
)

// madnessRecords returns the checks that messages failed.
func madnessRecords(e *rollout.EpisodeRecord) (out []runstore.MadnessRecord) {
	for _, f := range e.Findings() {
		out = append(out, runstore.MadnessRecord{
			CallID: f.CallID, Agent: f.Agent, Turn: f.Turn, Check: string(f.Check), Reason: string(f.Reason),
			Part: string(f.Part), ToolCall: f.Call, Offset: f.Offset, Near: f.Near,
		})
	}
	return out
}

// memberRecords returns the model requests of each agent, if there are several.
func memberRecords(e *rollout.EpisodeRecord) (out []runstore.MemberRecord) {
	for _, m := range e.Members() {
		out = append(out, runstore.MemberRecord{
			Agent: m.Agent, Turns: m.Turns, PromptTokens: m.PromptTokens, OutputTokens: m.OutputTokens,
			ModelMillis: millis(m.Model), Model: m.Served, CostUSD: m.Cost,
		})
	}
	return out
}

// unsampledSteps returns the steps that agents took with their own messages.
func unsampledSteps(e *rollout.EpisodeRecord) (out []runstore.UnsampledStep) {
	for _, s := range e.UnsampledSteps {
		step := runstore.UnsampledStep{ID: s.ID, Messages: s.Messages}
		for _, c := range s.Calls {
			step.Calls = append(step.Calls, runstore.CarriedOut(c))
		}
		out = append(out, step)
	}
	return out
}

// selfReports returns the agents' self-reported rewards. Numbers that are not finite are omitted: they are not counted
// anywhere, and JSON cannot represent them.
func selfReports(e *rollout.EpisodeRecord) (out []runstore.SelfReport) {
	for _, name := range slices.Sorted(maps.Keys(e.SelfReport)) {
		own := runstore.SelfReport{Agent: name, IsSuccess: e.SelfReport[name].IsSuccess}
		if r := e.SelfReport[name].Reward; r != nil && !math.IsNaN(*r) && !math.IsInf(*r, 0) {
			own.Reward = r
		}
		out = append(out, own)
	}
	return out
}

// tokenRows returns the conversations with served models that report their tokens.
func tokenRows(e *rollout.EpisodeRecord) (out []runstore.TokenRow) {
	for _, row := range e.Rows {
		out = append(out, runstore.TokenRow{
			Chain: row.Chain, IDs: row.IDs, LossMask: row.LossMask, Logprobs: row.Logprobs, TurnIDs: row.TurnIDs,
			PromptLength: row.PromptLength,
		})
	}
	return out
}

// transcripts returns the messages in one part or, for a swarm, in one part per member.
func transcripts(e *rollout.EpisodeRecord) []runstore.TranscriptPart {
	if len(e.Parts) == 0 {
		return []runstore.TranscriptPart{{Messages: e.Messages}}
	}
	out := make([]runstore.TranscriptPart, len(e.Parts))
	for i, p := range e.Parts {
		out[i] = runstore.TranscriptPart{Agent: p.Member, Depth: p.Depth, Messages: e.Messages[p.First : p.First+p.Len]}
	}
	return out
}
