package telemetry

import (
	"strings"

	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// exchangeOf is what a call was about; nil: nothing is known.
func exchangeOf(w *rollout.Waited) *rollout.Exchange {
	x, _ := w.About.(*rollout.Exchange)
	return x
}

// toolCalls are those of the message that a step was taken with.
func toolCalls(w *rollout.Waited) []sdk.ToolCall {
	x := exchangeOf(w)
	if w.For != rollout.WaitEnvironment || x == nil || len(x.Asked) == 0 {
		return nil
	}
	return x.Asked[len(x.Asked)-1].ToolCalls
}

// writeTool makes the span of a tool call.
func (s *scene) writeTool(w *rollout.Waited, call *sdk.ToolCall, above, id trace.SpanID) {
	s.begin(id, above, operationTool+" "+call.Name, kindInternal, w)
	s.out.text(keyOperation, operationTool)
	s.out.text(keyTool, call.Name)
	s.out.text(keyToolType, toolTypeFunction)
	s.out.text(keyToolCall, call.ID)
	s.out.text(keyAddress, w.Address)
	x := exchangeOf(w)
	result := resultOf(x, call)
	if s.content {
		s.out.text(keyArguments, s.quoted.redact(call.Arguments))
		if result != nil {
			s.out.text(keyResult, s.quoted.redact(result.Content))
		}
	}
	switch {
	case x.Err != nil:
		s.out.fail(string(sdk.FailureEnvironment))
	case result != nil && result.IsError: // of the tool, which the model is told of
		s.out.fail(errorOther)
	}
	s.out.end()
}

// errorOther is the convention's word for errors that have no class.
const errorOther = "_OTHER"

// resultOf is the answer to a tool call; nil: there is none.
func resultOf(x *rollout.Exchange, call *sdk.ToolCall) *sdk.Message {
	for i := range x.Answered {
		if m := &x.Answered[i]; m.Role == sdk.RoleTool && m.ToolCallID == call.ID {
			return m
		}
	}
	return nil
}

// modelOf names the model that a call was for.
func modelOf(w *rollout.Waited, turn *rollout.TurnRecord) string {
	if turn != nil && turn.Served == "" {
		return modelPolicy
	}
	if turn == nil && strings.HasPrefix(w.Address, "adapter.") {
		return modelPolicy
	}
	return w.Address
}

func finishOf(turn *rollout.TurnRecord) string {
	if turn == nil {
		return ""
	}
	return string(turn.Finish)
}

// nameOf is the name in the address of a block: "solver" of "agent.react.solver".
func nameOf(address string) string {
	return address[strings.LastIndexByte(address, '.')+1:]
}

// providerOf is who samples: the type in the address of an adapter, or of a model block.
func providerOf(address string) string {
	if parts := strings.Split(address, "."); len(parts) == 3 {
		return parts[1]
	}
	return "awhost"
}
