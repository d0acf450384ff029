package telemetry

import (
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// attemptTrace writes one attempt's trace.
type attemptTrace struct {
	out     *encoder
	quoted  quoted
	content bool // the contents of messages are included

	attempt *rollout.AttemptRecord
	episode *rollout.EpisodeRecord // nil: the attempt was abandoned
	id      trace.TraceID
	root    trace.SpanID
	turns   map[string]*rollout.TurnRecord // by call id
	members []string                       // agents that requested messages, in the order of their first request
	parents map[string]trace.SpanID        // the spans of members; nil: there is a single agent
	began   time.Time
	ended   time.Time
}

func newAttemptTrace(t *traces, r record) *attemptTrace {
	a := r.attempt
	s := &attemptTrace{
		out: &t.spans, quoted: quoted{t.redact}, content: t.settings.Content, attempt: a, episode: r.episode,
		id: r.id, root: spanID(r.id, rollout.Wait{}), began: a.Started, ended: a.Ended,
		turns: make(map[string]*rollout.TurnRecord, len(a.Turns)), members: membersOf(a),
	}
	for i := range a.Turns {
		s.turns[a.Turns[i].CallID] = &a.Turns[i]
	}
	for i := range a.Waits {
		w := &a.Waits[i]
		if w.Since.Before(s.began) { // time in the queue
			s.began = w.Since
		}
		if w.Until.After(s.ended) {
			s.ended = w.Until
		}
	}
	return s
}

// membersOf returns the agents that requested messages, in order of their first request.
func membersOf(a *rollout.AttemptRecord) (members []string) {
	for i := range a.Turns {
		if member := a.Turns[i].Agent; !slices.Contains(members, member) {
			members = append(members, member)
		}
	}
	return members
}

// write writes the spans: the attempt, the members of a swarm, and their waits.
func (s *attemptTrace) write() {
	s.writeRoot()
	if len(s.members) > 1 {
		s.writeMembers()
	}
	for i := range s.attempt.Waits {
		s.writeWait(&s.attempt.Waits[i])
	}
}

// begin opens the span for a call or another wait.
func (s *attemptTrace) begin(id, above trace.SpanID, name string, kind uint64, w *rollout.Waited) {
	s.out.begin(span{trace: s.id, id: id, above: above, name: name, kind: kind, from: w.Since, until: w.Until})
}

// writeRoot writes the attempt's span.
func (s *attemptTrace) writeRoot() {
	a := s.attempt
	agent, operation, named := nameOf(a.Parties.Agent), operationAgent, keyAgent
	if len(s.members) > 1 {
		operation, named = operationWorkflow, keyWorkflow
	}
	s.out.begin(span{
		trace: s.id, id: s.root, name: operation + " " + agent, kind: kindInternal, from: s.began, until: s.ended,
	})
	if a.Attempt > 1 { // the preceding, abandoned attempt
		before := TraceID(a.EpisodeID, a.Attempt-1)
		s.out.link(before, spanID(before, rollout.Wait{}))
	}
	s.out.text(keyOperation, operation)
	s.out.text(named, agent)
	s.out.text(keyProvider, providerOf(a.Parties.Model))
	s.out.text(keyConversation, a.EpisodeID)
	s.out.text(keyEpisode, a.EpisodeID)
	s.out.integer(keyAttempt, int64(a.Attempt))
	s.out.text(keyTask, a.TaskID)
	s.out.text(keyStage, a.Slot.Stage)
	s.out.text(keySplit, string(a.Slot.Split))
	s.out.integer(keyStep, int64(a.Slot.Step))
	s.out.text(keyGroup, a.Slot.Group)
	s.out.integer(keySample, int64(a.Slot.Sample))
	s.finish()
	s.out.end()
}

// finish adds the attempt's result to its span.
func (s *attemptTrace) finish() {
	e := s.episode
	if e == nil {
		s.out.yes(keyGivenUp, true)
		s.out.fail(givenUpClass(s.attempt))
		return
	}
	s.out.text(keyOutcome, string(e.Outcome))
	s.out.integer(keyVersion, e.PolicyVersion)
	s.out.yes(keyMasked, e.Masked)
	if e.Reward != nil {
		s.out.number(keyReward, *e.Reward)
	}
	if e.IsSuccess != nil {
		s.out.yes(keySuccess, *e.IsSuccess)
	}
	s.out.fail(classOf(e.Failure, ""))
	for i := range e.Scores {
		s.evaluate(&e.Scores[i])
	}
}

// givenUpClass returns the class of the failure that caused an attempt to be abandoned.
func givenUpClass(a *rollout.AttemptRecord) string {
	lost := sdk.FailureClass("")
	if a.LostPlugin != "" {
		lost = sdk.FailureInfrastructure
	}
	return classOf(a.Failure, lost)
}

// evaluate adds a reward's score as an event.
func (s *attemptTrace) evaluate(score *rollout.ScoreRecord) {
	defer s.out.event(eventEvaluation, s.ended)()
	s.out.text(keyEvaluation, score.Address)
	if score.Failure != nil {
		s.out.text(keyError, classOf(score.Failure, ""))
	} else {
		s.out.number(keyScore, score.Score)
	}
	if score.IsSuccess != nil {
		label := labelFail
		if *score.IsSuccess {
			label = labelPass
		}
		s.out.text(keyLabel, label)
	}
	if note := explanation(score.Notes); s.content && note != "" {
		s.out.text(keyExplanation, s.quoted.redact(note))
	}
}

// writeMembers writes a span for each swarm member, from its first message to its last.
func (s *attemptTrace) writeMembers() {
	s.parents = map[string]trace.SpanID{}
	for _, member := range s.members {
		id := spanOf(s.id, operationAgent, member)
		s.parents[member] = id
		began, ended := s.span(member)
		s.out.begin(span{
			trace: s.id, id: id, above: s.root, name: operationAgent + " " + member, kind: kindInternal,
			from: began, until: ended,
		})
		s.out.text(keyOperation, operationAgent)
		s.out.text(keyAgent, member)
		s.out.text(keyProvider, providerOf(s.attempt.Parties.Model))
		s.out.end()
	}
}

// span returns the time from the start of a member's first call to the end of its last call.
func (s *attemptTrace) span(member string) (began, ended time.Time) {
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

// parentOf returns the parent span for a call.
func (s *attemptTrace) parentOf(w *rollout.Waited) trace.SpanID {
	if s.parents != nil {
		if turn := s.turns[w.ID]; turn != nil {
			return s.parents[turn.Agent]
		}
	}
	return s.root
}
