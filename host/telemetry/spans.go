package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// scene is the trace of one attempt, while it is written.
type scene struct {
	traces  *traces
	record  record
	attempt *rollout.AttemptRecord
	id      trace.TraceID
	turns   map[string]*rollout.TurnRecord // by call id
	members []string                       // who asked for messages, in the order of their first
	above   context.Context                // of the spans below the attempt's
	parents map[string]context.Context     // of those below a member's; nil: one agent acts alone
	began   time.Time
	ended   time.Time
}

func newScene(t *traces, r record) *scene {
	a := r.attempt
	s := &scene{
		traces: t, record: r, attempt: a, id: TraceID(a.EpisodeID, a.Attempt), began: a.Started, ended: a.Ended,
		turns: make(map[string]*rollout.TurnRecord, len(a.Turns)),
	}
	seen := map[string]bool{}
	for i := range a.Turns {
		turn := &a.Turns[i]
		s.turns[turn.CallID] = turn
		if !seen[turn.Agent] {
			seen[turn.Agent] = true
			s.members = append(s.members, turn.Agent)
		}
	}
	for _, w := range a.Waits {
		if w.Since.Before(s.began) { // in the queue
			s.began = w.Since
		}
		if w.Until.After(s.ended) {
			s.ended = w.Until
		}
	}
	return s
}

// write makes the spans: the attempt, the members of a swarm, and what they waited for.
func (s *scene) write() {
	root := s.begin(context.Background(), s.rootName(), trace.SpanKindInternal, spanID(s.id, rollout.Wait{}), s.began,
		trace.WithLinks(s.links()...))
	s.above = trace.ContextWithSpan(context.Background(), root)
	root.SetAttributes(s.rootAttributes()...)
	s.finish(root)
	if len(s.members) > 1 {
		s.writeMembers()
	}
	for i := range s.attempt.Waits {
		s.writeWait(&s.attempt.Waits[i])
	}
	root.End(trace.WithTimestamp(s.ended))
}

// begin starts a span with an id.
func (s *scene) begin(
	parent context.Context, name string, kind trace.SpanKind, id trace.SpanID, at time.Time, more ...trace.SpanStartOption,
) trace.Span {
	ctx := context.WithValue(parent, idKey{}, ids{s.id, id})
	_, span := s.traces.tracer.Start(ctx, name, append(more, trace.WithSpanKind(kind), trace.WithTimestamp(at))...)
	return span
}

// links lead from an attempt to the one that was given up for it.
func (s *scene) links() []trace.Link {
	if s.attempt.Attempt < 2 {
		return nil
	}
	before := TraceID(s.attempt.EpisodeID, s.attempt.Attempt-1)
	return []trace.Link{{SpanContext: trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: before, SpanID: spanID(before, rollout.Wait{}), TraceFlags: trace.FlagsSampled, Remote: true,
	})}}
}

func (s *scene) rootName() string {
	if len(s.members) > 1 {
		return operationWorkflow + " " + nameOf(s.attempt.Parties.Agent)
	}
	return operationAgent + " " + nameOf(s.attempt.Parties.Agent)
}

func (s *scene) rootAttributes() []attribute.KeyValue {
	a := s.attempt
	operation, name := keyOperation.String(operationAgent), keyAgent.String(nameOf(a.Parties.Agent))
	if len(s.members) > 1 {
		operation, name = keyOperation.String(operationWorkflow), keyWorkflow.String(nameOf(a.Parties.Agent))
	}
	return []attribute.KeyValue{
		operation, name, keyProvider.String(providerOf(a.Parties.Model)), keyConversation.String(a.EpisodeID),
		keyEpisode.String(a.EpisodeID), keyAttempt.Int(a.Attempt), keyTask.String(a.TaskID), keyStage.String(a.Slot.Stage),
		keySplit.String(string(a.Slot.Split)), keyStep.Int(a.Slot.Step), keyGroup.String(a.Slot.Group),
		keySample.Int(a.Slot.Sample),
	}
}

// finish adds what became of the attempt.
func (s *scene) finish(root trace.Span) {
	e := s.record.episode
	if e == nil {
		root.SetAttributes(keyGivenUp.Bool(true))
		lost := sdk.FailureClass("")
		if s.attempt.LostPlugin != "" {
			lost = sdk.FailureInfrastructure
		}
		fail(root, classOf(s.attempt.Failure, lost))
		return
	}
	root.SetAttributes(keyOutcome.String(string(e.Outcome)), keyVersion.Int64(e.PolicyVersion), keyMasked.Bool(e.Masked))
	if e.Reward != nil {
		root.SetAttributes(keyReward.Float64(*e.Reward))
	}
	if e.IsSuccess != nil {
		root.SetAttributes(keySuccess.Bool(*e.IsSuccess))
	}
	fail(root, classOf(e.Failure, ""))
	for i := range e.Scores {
		s.evaluate(root, &e.Scores[i])
	}
}

// fail marks a span with the class of a failure; empty: there is none. Its words stay in the run: they may quote a
// model.
func fail(span trace.Span, class string) {
	if class != "" {
		span.SetStatus(codes.Error, class)
		span.SetAttributes(keyError.String(class))
	}
}

// evaluate adds what a reward says as an event.
func (s *scene) evaluate(root trace.Span, score *rollout.ScoreRecord) {
	said := []attribute.KeyValue{keyEvaluation.String(score.Address)}
	if score.Failure != nil {
		said = append(said, keyError.String(classOf(score.Failure, "")))
	} else {
		said = append(said, keyScore.Float64(score.Score))
	}
	if score.IsSuccess != nil {
		label := labelFail
		if *score.IsSuccess {
			label = labelPass
		}
		said = append(said, keyLabel.String(label))
	}
	if note := explanation(score.Notes); s.traces.settings.Content && note != "" {
		said = append(said, keyExplanation.String(s.traces.redact(note)))
	}
	root.AddEvent(eventEvaluation, trace.WithTimestamp(s.ended), trace.WithAttributes(said...))
}

// writeMembers makes a span for each member of a swarm, from its first message to its last.
func (s *scene) writeMembers() {
	s.parents = map[string]context.Context{}
	for _, member := range s.members {
		began, ended := s.span(member)
		span := s.begin(s.above, operationAgent+" "+member,
			trace.SpanKindInternal, spanOf(s.id, operationAgent, member), began)
		span.SetAttributes(keyOperation.String(operationAgent), keyAgent.String(member),
			keyProvider.String(providerOf(s.attempt.Parties.Model)))
		s.parents[member] = trace.ContextWithSpan(context.Background(), span)
		span.End(trace.WithTimestamp(ended))
	}
}

// span is the time from the first call of a member to the end of its last.
func (s *scene) span(member string) (began, ended time.Time) {
	began, ended = s.ended, s.began
	for i := range s.attempt.Waits {
		w := &s.attempt.Waits[i]
		if turn := s.turns[w.ID]; turn != nil && turn.Agent == member {
			if w.Since.Before(began) {
				began = w.Since
			}
			if w.Until.After(ended) {
				ended = w.Until
			}
		}
	}
	if ended.Before(began) {
		return s.began, s.ended
	}
	return began, ended
}

// parentOf is what the span of a call belongs to.
func (s *scene) parentOf(w *rollout.Waited) context.Context {
	if turn := s.turns[w.ID]; turn != nil && s.parents[turn.Agent] != nil {
		return s.parents[turn.Agent]
	}
	return s.above
}
