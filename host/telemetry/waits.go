package telemetry

import (
	"math"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// spansOf is how many spans are made of an attempt.
func spansOf(a *rollout.AttemptRecord) int {
	n, members := 1, map[string]bool{}
	for i := range a.Turns {
		members[a.Turns[i].Agent] = true
	}
	if len(members) > 1 {
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

// shown reports whether there is a span for a wait. An agent at work is what all others are below of, and the disk is
// not worth one.
func shown(w *rollout.Waited) bool {
	return w.For != rollout.WaitAgent && w.For != rollout.WaitRecord
}

// writeWait makes the span of something that the attempt waited for.
func (s *scene) writeWait(w *rollout.Waited) {
	switch {
	case !shown(w):
	case w.For == rollout.WaitGenerate:
		s.writeChat(w)
	case w.For == rollout.WaitEnvironment && len(toolCalls(w)) == 1:
		s.writeTool(w, &toolCalls(w)[0], s.parentOf(w), spanID(s.id, w.Wait))
	case w.For == rollout.WaitEnvironment:
		s.writeStep(w)
	case w.For == rollout.WaitReward:
		span := s.begin(s.above, spanScore+" "+w.Address, trace.SpanKindInternal, spanID(s.id, w.Wait), w.Since)
		span.SetAttributes(keyAddress.String(w.Address), keyCall.String(w.Call))
		span.End(trace.WithTimestamp(w.Until))
	default:
		id := spanOf(s.id, spanWait, string(w.For), strconv.FormatInt(w.Since.UnixNano(), 10))
		span := s.begin(s.above, spanWait+" "+string(w.For), trace.SpanKindInternal, id, w.Since)
		span.SetAttributes(keyWaitFor.String(string(w.For)))
		if w.Address != "" {
			span.SetAttributes(keyAddress.String(w.Address))
		}
		span.End(trace.WithTimestamp(w.Until))
	}
}

// writeChat makes the span of a message of a model.
func (s *scene) writeChat(w *rollout.Waited) {
	model := modelOf(w, s.turns[w.ID])
	span := s.begin(s.parentOf(w), operationChat+" "+model, trace.SpanKindClient, spanID(s.id, w.Wait), w.Since)
	said := append(make([]attribute.KeyValue, 0, chatAttributes), // all at once: the SDK copies them each time
		keyOperation.String(operationChat), keyProvider.String(providerOf(w.Address)), keyRequestModel.String(model),
		keyConversation.String(s.attempt.EpisodeID))
	if turn := s.turns[w.ID]; turn != nil {
		said = append(said, keyAgent.String(turn.Agent), keyResponseID.String(turn.CallID),
			keyFinishReasons.StringSlice([]string{string(turn.Finish)}),
			keyInputTokens.Int(turn.PromptTokens), keyOutputTokens.Int(turn.OutputTokens))
		if turn.Seed <= math.MaxInt64 { // OTLP has no larger integers
			said = append(said, keyRequestSeed.Int64(int64(turn.Seed)))
		}
		if n := len(turn.Versions); n > 0 {
			said = append(said, keyVersion.Int64(turn.Versions[n-1].Version))
		}
	}
	x := exchangeOf(w)
	if s.traces.settings.Content && x != nil {
		said = append(said, keyInput.String(messagesJSON(x.Asked, "")))
		if x.Err == nil {
			said = append(said, keyOutput.String(messagesJSON(x.Answered, finishOf(s.turns[w.ID]))))
		}
	}
	span.SetAttributes(said...)
	if x != nil && x.Err != nil {
		fail(span, string(sdk.FailureModel))
	}
	span.End(trace.WithTimestamp(w.Until))
}

// chatAttributes is how many attributes the span of a message has at most.
const chatAttributes = 13

// writeStep makes the span of a call of the environment. The tool calls of a message that has several are carried out
// in one step: their spans have its times.
func (s *scene) writeStep(w *rollout.Waited) {
	id := spanID(s.id, w.Wait)
	span := s.begin(s.parentOf(w), spanEnvironment+" "+strings.ToLower(w.Call), trace.SpanKindInternal, id, w.Since)
	span.SetAttributes(keyAddress.String(w.Address), keyCall.String(w.Call))
	if x := exchangeOf(w); x != nil && x.Err != nil {
		fail(span, string(sdk.FailureEnvironment))
	}
	below := trace.ContextWithSpan(s.above, span)
	calls := toolCalls(w)
	for i := range calls {
		s.writeTool(w, &calls[i], below, spanOf(s.id, operationTool, w.ID, calls[i].ID, calls[i].Name))
	}
	span.End(trace.WithTimestamp(w.Until))
}
