package telemetry

import (
	"math"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/traceparent"
)

// spansOf returns the number of spans in an attempt.
func spansOf(a *rollout.AttemptRecord) int {
	n := 1
	if members := membersOf(a); len(members) > 1 {
		n += len(members)
	}
	for i := range a.Waits {
		w := &a.Waits[i]
		if !shown(w) {
			continue
		}
		n++
		if calls := len(toolCalls(w)); calls > 1 {
			n += calls
		}
	}
	return n
}

// shown reports whether a wait has a span. The agent's work is covered by its parent span, and disk writes are too
// minor for a span.
func shown(w *rollout.Waited) bool {
	return w.For != rollout.WaitAgent && w.For != rollout.WaitRecord
}

// writeWait writes the span for one of the attempt's waits.
func (s *attemptTrace) writeWait(w *rollout.Waited) {
	switch {
	case !shown(w):
	case w.For == rollout.WaitGenerate:
		s.writeChat(w)
	case w.For == rollout.WaitEnvironment && len(toolCalls(w)) == 1:
		s.writeTool(w, &toolCalls(w)[0], s.parentOf(w), spanID(s.id, w.Wait))
	case w.For == rollout.WaitEnvironment:
		s.writeStep(w)
	case w.For == rollout.WaitReward:
		s.writeScore(w)
	default:
		id := spanOf(s.id, spanWait, string(w.For), strconv.FormatInt(w.Since.UnixNano(), 10))
		s.begin(id, s.root, spanWait+" "+string(w.For), kindInternal, w)
		s.out.text(keyWaitFor, string(w.For))
		if w.Address != "" {
			s.out.text(keyAddress, w.Address)
		}
		s.out.end()
	}
}

// writeChat writes the span for a model message.
func (s *attemptTrace) writeChat(w *rollout.Waited) {
	turn, x := s.turns[w.ID], exchangeOf(w)
	if x != nil && len(x.Answered) == 0 { // it belongs to another call for the same message
		turn = nil
	}
	model := modelOf(w, turn)
	s.begin(spanID(s.id, w.Wait), s.parentOf(w), operationChat+" "+model, kindClient, w)
	s.out.text(keyOperation, operationChat)
	s.out.text(keyProvider, providerOf(w.Address))
	s.out.text(keyRequestModel, model)
	s.out.text(keyConversation, s.attempt.EpisodeID)
	if turn != nil {
		s.out.text(keyAgent, turn.Agent)
		s.out.text(keyResponseID, turn.CallID)
		s.out.texts(keyFinishReasons, string(turn.Finish))
		s.out.integer(keyInputTokens, int64(turn.PromptTokens))
		s.out.integer(keyOutputTokens, int64(turn.OutputTokens))
		if turn.Seed <= math.MaxInt64 { // the maximum integer of OTLP
			s.out.integer(keyRequestSeed, int64(turn.Seed))
		}
		if n := len(turn.Versions); n > 0 {
			s.out.integer(keyVersion, turn.Versions[n-1].Version)
		}
	}
	if s.content && x != nil {
		s.out.whole(keyInput, s.quoted.messages(x.Asked, ""))
		if len(x.Answered) > 0 {
			s.out.whole(keyOutput, s.quoted.messages(x.Answered, finishOf(turn)))
		}
	}
	if x != nil && x.Err != nil {
		s.out.fail(string(sdk.FailureModel))
	}
	s.out.end()
}

// writeStep writes the span for an environment call. If a message has several tool calls, they are executed in one
// step, and their spans have that step's times.
func (s *attemptTrace) writeStep(w *rollout.Waited) {
	id := spanID(s.id, w.Wait)
	s.begin(id, s.parentOf(w), spanEnvironment+" "+strings.ToLower(w.Call), kindInternal, w)
	s.out.text(keyAddress, w.Address)
	s.out.text(keyCall, w.Call)
	if x := exchangeOf(w); x != nil && x.Err != nil {
		s.out.fail(string(sdk.FailureEnvironment))
	}
	s.out.end()
	calls := toolCalls(w)
	for i := range calls {
		s.writeTool(w, &calls[i], id, spanOf(s.id, operationTool, w.ID, calls[i].ID, calls[i].Name, strconv.Itoa(i)))
	}
}

// writeScore writes the span for a reward call. A call for several episodes has a span in each episode's trace. All but
// one of them link to the span whose ID the reward received.
func (s *attemptTrace) writeScore(w *rollout.Waited) {
	id := spanID(s.id, w.Wait)
	s.begin(id, s.root, spanScore+" "+w.Address, kindInternal, w)
	s.out.text(keyAddress, w.Address)
	s.out.text(keyCall, w.Call)
	if x := exchangeOf(w); x != nil {
		if to, under, told := parsed(x.Under); told && to != s.id {
			s.out.link(to, under)
		}
		if x.Err != nil {
			s.out.fail(string(sdk.FailureReward))
		}
	}
	s.out.end()
}

// parsed returns the IDs in a traceparent. ok is false if the traceparent is invalid.
func parsed(text string) (of trace.TraceID, id trace.SpanID, ok bool) {
	if !traceparent.Valid(text) {
		return of, id, false
	}
	of, errTrace := trace.TraceIDFromHex(text[3:35])
	id, errSpan := trace.SpanIDFromHex(text[36:52])
	return of, id, errTrace == nil && errSpan == nil
}
