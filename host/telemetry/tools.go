package telemetry

import (
	"strings"

	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// exchangeOf returns a call's request and response, or nil if they are unknown.
func exchangeOf(w *rollout.Waited) *rollout.Exchange {
	x, _ := w.About.(*rollout.Exchange)
	return x
}

// toolCalls returns the tool calls in the message that triggered an environment step.
func toolCalls(w *rollout.Waited) []sdk.ToolCall {
	x := exchangeOf(w)
	if w.For != rollout.WaitEnvironment || x == nil || len(x.Asked) == 0 {
		return nil
	}
	return x.Asked[len(x.Asked)-1].ToolCalls
}

// writeTool writes the span for a tool call.
func (s *attemptTrace) writeTool(w *rollout.Waited, call *sdk.ToolCall, above, id trace.SpanID) {
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
	case result != nil && result.IsError: // an error of the tool, which the model receives
		s.out.fail(errorOther)
	}
	s.out.end()
}

// errorOther is the convention's value for an error without a class.
const errorOther = "_OTHER"

// resultOf returns the result of a tool call, or nil if it is missing.
func resultOf(x *rollout.Exchange, call *sdk.ToolCall) *sdk.Message {
	for i := range x.Answered {
		if m := &x.Answered[i]; m.Role == sdk.RoleTool && m.ToolCallID == call.ID {
			return m
		}
	}
	return nil
}

// modelOf returns the name of a call's model.
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

// nameOf returns the name in a block's address: "solver" for "agent.react.solver".
func nameOf(address string) string {
	return address[strings.LastIndexByte(address, '.')+1:]
}

// providerOf returns a model's provider: the type in the address of an adapter or model block.
func providerOf(address string) string {
	if parts := strings.Split(address, "."); len(parts) == 3 {
		return parts[1]
	}
	return "awhost"
}
