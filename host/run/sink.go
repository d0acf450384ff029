package run

import (
	"context"
	"sync"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run/record"
	"github.com/awhost/awhost/sdk"
)

// sink journals the engine's reports. It has no context: events are recorded even during an abort, and journal writes
// wait only for the operating system.
type sink struct{ l *trainCall }

// Call implements rollout.CallSink.
func (s sink) Call(c *rollout.CallRecord) error {
	return s.l.run.Writer.AppendCall(context.Background(), record.Call(c))
}

// Attempt implements rollout.Sink.
func (s sink) Attempt(a *rollout.AttemptRecord) error {
	s.l.run.asked.add(a.Metrics, true)
	if t := s.l.run.Telemetry; t != nil {
		t.AttemptEnded(a)
	}
	return s.l.run.Writer.AppendEvent(context.Background(), s.l.records().Attempt(a))
}

// Episode implements rollout.Sink.
func (s sink) Episode(e *rollout.EpisodeRecord) error {
	s.l.run.asked.add(e.Metrics, e.Outcome == sdk.OutcomeCancelled)
	s.l.timings.beginRecord(time.Now())
	kept := s.l.records().Episode(e)
	s.l.facts.add(&kept)
	s.l.run.scan.add(e, func() sdk.Task { return s.l.taskOf(e) })
	_, err := s.l.run.Writer.AppendEpisode(context.Background(), kept)
	s.l.timings.endRecord(time.Now())
	if err != nil {
		return err
	}
	if t := s.l.run.Telemetry; t != nil {
		t.EpisodeEnded(e)
	}
	if s.l.run.Verbose {
		s.l.run.Bus.Publish(episodeEvent(e))
	}
	return nil
}

// records returns the launch's record maker.
func (l *trainCall) records() record.Maker {
	return record.Maker{Launch: l.id, Redact: l.run.secrets.Text, Scan: l.run.Plan.Train.Scan.Rules, Private: l.privateOf}
}

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

// requestCount counts the requests that programs have sent to the gateway since this start of the run.
type requestCount struct {
	mu     sync.Mutex
	totals event.Gateway
}

// add adds an attempt's numbers.
func (a *requestCount) add(metrics map[string]float64, dead bool) {
	calls := int(metrics["gateway/calls"])
	a.mu.Lock()
	defer a.mu.Unlock()
	a.totals.Calls += calls
	a.totals.Joined += int(metrics["gateway/joined"])
	a.totals.Replayed += int(metrics["gateway/replayed"])
	a.totals.Siblings += int(metrics["gateway/sibling_leaves"])
	if dead {
		a.totals.Dead += calls
	}
}

// sum returns nil if no program has sent a request.
func (a *requestCount) sum() *event.Gateway {
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
