// Package record converts the engine's episode records to the records in a run directory.
//
//	records := record.Maker{Launch: id, Redact: spec.Redactor().Text}
//	_, err := writer.AppendEpisode(ctx, records.Episode(e))
//
// It must not depend on the storage of records, or on the purpose of the episodes.
package record

import (
	"encoding/json"
	"maps"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk"
)

// Maker creates records that do not contain the spec's secrets.
type Maker struct {
	Launch string                   // the trainer launch in which the episodes run; may be empty
	Redact func(text string) string // removes secrets
	Scan   *scan.Scanner            // nil: conversations are not scanned
	// Private returns the private part of an episode's task, for Scan.
	Private func(*rollout.EpisodeRecord) json.RawMessage
}

// Call returns the record of a response that a program receives before its episode ends.
func Call(c *rollout.CallRecord) runstore.CallRecord {
	return runstore.CallRecord{
		EpisodeID: c.EpisodeID, Attempt: c.Attempt, CallID: c.CallID, Agent: c.Agent, Chain: c.Chain, Length: c.Length,
		Seed: c.Seed, Message: c.Message, Finish: c.Finish, PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens,
	}
}

// Attempt returns the record of an attempt that was abandoned in favor of another one.
func (m Maker) Attempt(a *rollout.AttemptRecord) runstore.EventRecord {
	fields := map[string]string{"episode": a.EpisodeID, "task": a.TaskID, "attempt": strconv.Itoa(a.Attempt)}
	message := a.LostDetail
	if a.LostPlugin != "" {
		fields["plugin"] = a.LostPlugin
	}
	if a.Failure != nil {
		fields["class"], message = string(a.Failure.Class), a.Failure.Detail
	}
	return runstore.EventRecord{
		Kind: "attempt_given_up", Level: "warn", Message: m.Redact(message), Stage: a.Slot.Stage, Step: a.Slot.Step,
		Fields: fields,
	}
}

// Episode returns an episode in the format used in the run directory. The environment's state is omitted because it may
// contain data that only rewards are allowed to see.
func (m Maker) Episode(e *rollout.EpisodeRecord) runstore.EpisodeRecord {
	out := runstore.EpisodeRecord{
		EpisodeID: e.EpisodeID, LaunchID: m.Launch, GroupID: e.Slot.Group, GroupSize: e.GroupSize, Draw: e.Draw,
		Attempt: e.Attempt, TaskID: e.TaskID,
		Slot: runstore.Slot{
			Stage: e.Slot.Stage, Split: e.Slot.Split, Step: e.Slot.Step, Group: e.Slot.Group, Sample: e.Slot.Sample,
		},
		Outcome: e.Outcome, Reward: e.Reward, IsSuccess: e.IsSuccess, Failure: m.failure(e.Failure), Masked: e.Masked,
		DropGroup: e.DropGroup, Lone: e.LoneSurvivor, NumTurns: len(e.Turns),
		Metrics: runstore.Numbers(maps.Clone(e.Metrics)), Metadata: e.Metadata, PolicyVersion: e.PolicyVersion,
		Drift: e.DriftCount, Started: e.Started, Components: runstore.Numbers(e.Scored()), FinalAnswer: e.FinalAnswer,
		Notes:        m.notes(e),
		Transcripts:  transcripts(e),
		Seeds:        runstore.Seeds{Environment: e.EnvironmentSeed},
		DatasetIndex: e.Slot.Index, Position: &e.Slot.Position, Repeat: e.Slot.Repeat, Retries: e.Retries,
		Redraws: e.Redraws, Malformed: e.MalformedCalls, Refused: e.RefusedCalls,
		WallClock: e.WallClock, Blamed: e.Blamed, Limit: m.limit(e),
		Timings: timings(e.Timings),
	}
	for name, v := range e.RewardMetrics {
		if out.Metrics == nil {
			out.Metrics = runstore.Numbers{}
		}
		out.Metrics[name] = v
	}
	for _, c := range e.Chains {
		out.Chains = append(out.Chains, runstore.Chain{Chain: c.Chain, Agent: c.Agent, Digest: c.Digest, Train: c.Train})
	}
	for _, t := range e.Turns {
		out.PromptTokens, out.OutputTokens = max(out.PromptTokens, t.PromptTokens), out.OutputTokens+t.OutputTokens
		out.Seeds.Calls = append(out.Seeds.Calls, runstore.CallSeed{CallID: t.CallID, Seed: t.Seed})
		if t.Caller != nil {
			out.Callers = append(out.Callers, runstore.Caller{CallID: t.CallID, Headers: t.Caller})
		}
	}
	if m.Scan != nil {
		out.Scan, out.Scanned = m.scan(e), true
	}
	out.Tools, out.Text = toolsOf(&e.AttemptRecord), textOf(&e.AttemptRecord)
	out.Members, out.UnsampledSteps = memberRecords(e), unsampledSteps(e)
	out.SelfReports, out.Rows = selfReports(e), tokenRows(e)
	out.Madness, out.Spans = madnessRecords(e), spansOf(e)
	for _, t := range e.TurnRewards {
		out.TurnRewards = append(out.TurnRewards, runstore.TurnReward{CallID: t.CallID, Reward: t.Reward})
	}
	return out
}

func (m Maker) failure(f *sdk.Failure) *sdk.Failure {
	if f == nil {
		return nil
	}
	out := *f
	out.Detail = m.Redact(f.Detail)
	return &out
}

// limit returns the limit that cut off the conversation, or nil.
func (m Maker) limit(e *rollout.EpisodeRecord) *runstore.Limit {
	l := e.Limit
	if l == nil {
		return nil
	}
	return &runstore.Limit{Name: string(l.Name), Value: l.Value, Of: l.Of, Detail: m.Redact(l.Detail)}
}

// notes returns the rewards' notes without the spec's secrets.
func (m Maker) notes(e *rollout.EpisodeRecord) map[string]string {
	out := e.Notes()
	for name, note := range out {
		out[name] = m.Redact(note)
	}
	return out
}

func timings(t sdk.Timings) runstore.Timings {
	return runstore.Timings{
		QueueMillis: millis(t.Queue), ModelMillis: millis(t.Model), EnvironmentMillis: millis(t.Environment),
		RewardMillis: millis(t.Reward), SiblingsMillis: millis(t.Siblings), HostMillis: millis(t.Host),
	}
}

func millis(d time.Duration) float64 { return d.Seconds() * 1000 }
