package run

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// sink journals what the engine reports. It has no context: what has happened is written down, also during an abort, and
// the journal takes a record without waiting for anything but the operating system.
type sink struct{ l *launch }

// Call implements rollout.CallSink.
func (s sink) Call(c *rollout.CallRecord) error {
	return s.l.run.Writer.AppendCall(context.Background(), runstore.CallRecord{
		EpisodeID: c.EpisodeID, Attempt: c.Attempt, CallID: c.CallID, Agent: c.Agent, Chain: c.Chain, Length: c.Length,
		Seed: c.Seed, Message: c.Message, Finish: c.Finish, PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens,
	})
}

// Attempt implements rollout.Sink.
func (s sink) Attempt(a *rollout.AttemptRecord) error {
	s.l.run.asked.add(a.Metrics, true)
	if t := s.l.run.Telemetry; t != nil {
		t.AttemptOver(a)
	}
	fields := map[string]string{"episode": a.EpisodeID, "task": a.TaskID, "attempt": strconv.Itoa(a.Attempt)}
	message := a.LostDetail
	if a.LostPlugin != "" {
		fields["plugin"] = a.LostPlugin
	}
	if a.Failure != nil {
		fields["class"], message = string(a.Failure.Class), a.Failure.Detail
	}
	return s.l.run.Writer.AppendEvent(context.Background(), runstore.EventRecord{
		Kind: "attempt_given_up", Level: "warn", Message: s.l.run.secrets.Text(message), Stage: a.Slot.Stage, Step: a.Slot.Step, Fields: fields,
	})
}

// Episode implements rollout.Sink.
func (s sink) Episode(e *rollout.EpisodeRecord) error {
	s.l.run.asked.add(e.Metrics, e.Outcome == sdk.OutcomeCancelled)
	s.l.spent.beginRecord(time.Now())
	_, err := s.l.run.Writer.AppendEpisode(context.Background(), s.l.episodeRecord(e))
	s.l.spent.endRecord(time.Now())
	if err != nil {
		return err
	}
	if t := s.l.run.Telemetry; t != nil {
		t.EpisodeOver(e)
	}
	if s.l.run.Verbose {
		s.l.run.Bus.Publish(episodeEvent(e))
	}
	return nil
}

// episodeRecord is an episode as the run directory keeps it. The environment's state is left out: it may hold what only
// rewards may see.
func (l *launch) episodeRecord(e *rollout.EpisodeRecord) runstore.EpisodeRecord {
	out := runstore.EpisodeRecord{
		EpisodeID: e.EpisodeID, LaunchID: l.id, GroupID: e.Slot.Group, GroupSize: e.GroupSize, Draw: e.Draw, Attempt: e.Attempt, TaskID: e.TaskID,
		Slot:    runstore.Slot{Stage: e.Slot.Stage, Split: e.Slot.Split, Step: e.Slot.Step, Group: e.Slot.Group, Sample: e.Slot.Sample},
		Outcome: e.Outcome, Reward: e.Reward, IsSuccess: e.IsSuccess, Failure: l.failureRecord(e.Failure), Masked: e.Masked, DropGroup: e.DropGroup, Lone: e.LoneSurvivor,
		NumTurns: len(e.Turns), Metrics: runstore.Numbers(maps.Clone(e.Metrics)), Metadata: e.Metadata, PolicyVersion: e.PolicyVersion,
		Drift: e.DriftCount, Started: e.Started, Components: components(e.Scores), FinalAnswer: e.FinalAnswer,
		Notes:        l.notes(e),
		Transcripts:  transcripts(e),
		Seeds:        runstore.Seeds{Environment: e.EnvironmentSeed},
		DatasetIndex: e.Slot.Index, Position: &e.Slot.Position, Repeat: e.Slot.Repeat, Retries: e.Retries, Redraws: e.Redraws, Malformed: e.MalformedCalls, Refused: e.RefusedCalls,
		WallClock: e.WallClock, Blamed: e.Blamed,
		Timings: runstore.Timings{
			QueueMillis: millis(e.Timings.Queue), ModelMillis: millis(e.Timings.Model), EnvironmentMillis: millis(e.Timings.Environment),
			RewardMillis: millis(e.Timings.Reward), SiblingsMillis: millis(e.Timings.Siblings), HostMillis: millis(e.Timings.Host),
		},
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
	out.Members, out.OwnSteps, out.Own, out.Rows = memberRecords(e), ownSteps(e), ownRewards(e), tokenRows(e)
	out.Madness = madnessRecords(e)
	for _, t := range e.TurnRewards {
		out.TurnRewards = append(out.TurnRewards, runstore.TurnReward{CallID: t.CallID, Reward: t.Reward})
	}
	return out
}

// madnessRecords are what of the messages did not pass the checks of their agents.
func madnessRecords(e *rollout.EpisodeRecord) (out []runstore.MadnessRecord) {
	for _, f := range e.Findings() {
		out = append(out, runstore.MadnessRecord{
			CallID: f.CallID, Agent: f.Agent, Turn: f.Turn, Check: string(f.Check), Reason: string(f.Reason),
			Part: string(f.Part), ToolCall: f.Call, Offset: f.Offset, Near: f.Near,
		})
	}
	return out
}

// memberRecords are what each agent has asked for, where several did.
func memberRecords(e *rollout.EpisodeRecord) (out []runstore.MemberRecord) {
	for _, m := range e.Members() {
		out = append(out, runstore.MemberRecord{
			Agent: m.Agent, Turns: m.Turns, PromptTokens: m.PromptTokens, OutputTokens: m.OutputTokens,
			ModelMillis: millis(m.Model), Model: m.Served, CostUSD: m.Cost,
		})
	}
	return out
}

// ownSteps are the steps that agents took with messages of their own.
func ownSteps(e *rollout.EpisodeRecord) (out []runstore.OwnStep) {
	for _, s := range e.OwnSteps {
		step := runstore.OwnStep{ID: s.ID, Messages: s.Messages}
		for _, c := range s.Calls {
			step.Calls = append(step.Calls, runstore.CarriedOut(c))
		}
		out = append(out, step)
	}
	return out
}

// ownRewards are what agents say that the episode is worth. Numbers that are not finite count nowhere, and JSON has
// none.
func ownRewards(e *rollout.EpisodeRecord) (out []runstore.OwnReward) {
	for _, name := range slices.Sorted(maps.Keys(e.Own)) {
		own := runstore.OwnReward{Agent: name, IsSuccess: e.Own[name].IsSuccess}
		if r := e.Own[name].Reward; r != nil && !math.IsNaN(*r) && !math.IsInf(*r, 0) {
			own.Reward = r
		}
		out = append(out, own)
	}
	return out
}

// tokenRows are the conversations with served models that give their tokens.
func tokenRows(e *rollout.EpisodeRecord) (out []runstore.TokenRow) {
	for _, row := range e.Rows {
		out = append(out, runstore.TokenRow{
			Chain: row.Chain, IDs: row.IDs, LossMask: row.LossMask, Logprobs: row.Logprobs, TurnIDs: row.TurnIDs,
			PromptLength: row.PromptLength,
		})
	}
	return out
}

// transcripts are what was said: in one piece, or in those of the members of a swarm.
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

func (l *launch) failureRecord(f *sdk.Failure) *sdk.Failure {
	if f == nil {
		return nil
	}
	out := *f
	out.Detail = l.run.secrets.Text(f.Detail)
	return &out
}

// components joins what the rewards say: "reward.gaia.answer" is a score, "reward.gaia.answer.exact" a component.
func components(scores []rollout.ScoreRecord) runstore.Numbers {
	out := runstore.Numbers{}
	for _, s := range scores {
		if s.Failure != nil {
			continue
		}
		out[s.Address] = s.Score
		for name, v := range s.Components {
			out[s.Address+"."+name] = v
		}
	}
	return out
}

// notes are what the rewards say in words, without the secrets of the spec.
func (l *launch) notes(e *rollout.EpisodeRecord) map[string]string {
	out := e.Notes()
	for name, note := range out {
		out[name] = l.run.secrets.Text(note)
	}
	return out
}

func millis(d time.Duration) float64 { return d.Seconds() * 1000 }

func episodeEvent(e *rollout.EpisodeRecord) event.EpisodeFinished {
	t := e.Timings
	out := event.EpisodeFinished{
		Episode: e.EpisodeID, Task: e.TaskID, Split: e.Slot.Split, Step: e.Slot.Step, Attempt: e.Attempt, Outcome: e.Outcome,
		Reward: event.Optional(e.Reward), Success: e.IsSuccess, Turns: len(e.Turns),
		Seconds: event.SecondsOf(t.Model + t.Environment + t.Reward + t.Siblings + t.Host),
	}
	if e.Failure != nil {
		out.Failure = e.Failure.Class
	}
	for _, t := range e.Turns {
		out.Tokens += t.OutputTokens
	}
	return out
}

// asked is what programs have asked of the gateway since this start of the run.
type asked struct {
	mu     sync.Mutex
	totals event.Gateway
}

// add takes the numbers of an attempt.
func (a *asked) add(metrics map[string]float64, dead bool) {
	calls := int(metrics["gateway/calls"])
	a.mu.Lock()
	defer a.mu.Unlock()
	a.totals.Calls += calls
	a.totals.Joined += int(metrics["gateway/joined"])
	a.totals.Replayed += int(metrics["gateway/replayed"])
	if dead {
		a.totals.Dead += calls
	}
}

// sum is nil where no program has asked for anything.
func (a *asked) sum() *event.Gateway {
	a.mu.Lock()
	defer a.mu.Unlock()
	if out := a.totals; out != (event.Gateway{}) {
		return &out
	}
	return nil
}

var (
	_ rollout.Sink     = sink{}
	_ rollout.CallSink = sink{}
)
