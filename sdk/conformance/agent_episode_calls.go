package conformance

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/toolargs"
)

// failureStatus returns a status with the detail Failure.
func failureStatus(class awhostv1.FailureClass, text string) error {
	return statusWithDetail(text, &awhostv1.Failure{Class: class, Detail: text})
}

// contextFullError returns the error of a call that sampled nothing because a limit is reached.
func contextFullError(text string) error {
	return statusWithDetail(text, &awhostv1.GenerateError{Kind: awhostv1.GenerateError_KIND_CONTEXT_FULL, Detail: text})
}

func statusWithDetail(text string, detail protoadapt.MessageV1) error {
	s, err := status.New(codes.Aborted, text).WithDetails(detail)
	if err != nil {
		return status.Error(codes.Internal, err.Error()) // never happens: the detail holds only texts
	}
	return s.Err()
}

// generate answers as the policy.
func (e *agentEpisode) generate(
	ctx context.Context, req *awhostv1.AgentGenerateRequest,
) (*awhostv1.AgentGenerateResponse, error) {
	if err := e.admitCall(); err != nil {
		return nil, err
	}
	ctx, leave := e.withLease(ctx)
	defer leave()
	e.mu.Lock()
	e.requests = append(e.requests, req)
	n := len(e.requests)
	from, turn, err := e.continuedChain(req)
	e.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if e.beforeSample != nil {
		if err := e.beforeSample(ctx, n); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	return e.sample(req, from, turn)
}

// continuedChain returns the chain that a request continues, and the index of the policy's next message. The caller
// holds mu. A mistake about chains is recorded, and the request is answered as far as possible, so that it causes no
// further mistakes.
func (e *agentEpisode) continuedChain(req *awhostv1.AgentGenerateRequest) (from chain, turn int, err error) {
	wrong := func(about, format string, args ...any) {
		e.problems[about] = append(e.problems[about], fmt.Sprintf(format, args...))
	}
	known, ok := e.chains[req.GetChain()]
	switch {
	case req.GetChain() != "" && !ok:
		wrong(topicChains, "a request continues the chain %q, which no response of this episode has "+
			"named", req.GetChain())
	case req.GetBase() < 0 || req.GetBase() > known.length:
		wrong(topicChains, "a request continues after %s of the chain %q, which has %d",
			plural(req.GetBase(), "message"), req.GetChain(), known.length)
	}
	var turns []int64
	for _, end := range known.turns {
		if end <= req.GetBase() {
			turns = append(turns, end)
		}
	}
	for _, m := range req.GetMessages() {
		if m.GetRole() == awhostv1.Role_ROLE_ASSISTANT &&
			slices.Contains(e.sampledMessages, sampled{req.GetMember(), comparableText(m)}) {
			wrong(topicRepeatedMessages, "a request repeats a message of the policy (%.80q) among "+
				"the new messages", comparableText(m))
			turn++
		}
	}
	turn += len(turns)
	if e.maxTurns > 0 && int64(len(turns)) >= e.maxTurns {
		e.refusedCalls++
		return from, turn, contextFullError(fmt.Sprintf("the conversation has reached its limit of %s of the policy",
			plural(e.maxTurns, "message")))
	}
	return chain{turns: turns, length: known.length}, turn, nil
}

// comparableText returns a message of the policy without the parts that a program may rewrite before it sends the
// message back.
func comparableText(m *awhostv1.Message) string {
	said := plain(&awhostv1.Message{Role: m.GetRole(), Content: m.GetContent()})
	for _, call := range m.GetToolCalls() {
		said += " " + call.GetName()
	}
	return said
}

// sample returns the next message: the same one for the same request, whenever it arrives.
func (e *agentEpisode) sample(
	req *awhostv1.AgentGenerateRequest, from chain, turn int,
) (*awhostv1.AgentGenerateResponse, error) {
	key := keyOf(req)
	e.mu.Lock()
	defer e.mu.Unlock()
	repeat := req.GetRepeat()
	if req.Repeat == nil {
		repeat = int64(e.arrived[key])
		e.arrived[key]++
	}
	id := fmt.Sprintf("%.12x", sha256.Sum256(fmt.Appendf(nil, "%s %d", key, repeat)))
	if e.seen[id] || req.Repeat == nil && repeat > 0 {
		e.problems[topicRepeatNumbers] = append(e.problems[topicRepeatNumbers], "two equal requests are not numbered")
		id += fmt.Sprintf("-%d", len(e.requests))
	}
	e.seen[id] = true
	m := e.next(turn, id, req.GetTools())
	if e.changeMessage != nil {
		m = e.changeMessage(turn, m)
	}
	name := req.GetChain()
	if name == "" || req.GetBase() < e.chains[name].length {
		name = "chain-" + id
	}
	length := req.GetBase() + int64(len(req.GetMessages())) + 1
	e.chains[name] = chain{turns: append(slices.Clone(from.turns), length), length: length}
	e.calls["call-"+id] = m
	if comparableText(m) != comparableText(&awhostv1.Message{Role: m.GetRole()}) {
		e.sampledMessages = append(e.sampledMessages, sampled{req.GetMember(), comparableText(m)})
	}
	return &awhostv1.AgentGenerateResponse{
		CallId: "call-" + id, Message: m, FinishReason: awhostv1.FinishReason_FINISH_REASON_STOP,
		PromptTokens: 8 * (length - 1), OutputTokens: 8,
		Chain: name, ChainLength: length,
	}, nil
}

// keyOf identifies a request without its lease and its repeat number.
func keyOf(req *awhostv1.AgentGenerateRequest) string {
	bare := proto.Clone(req).(*awhostv1.AgentGenerateRequest)
	bare.Lease, bare.Repeat = "", nil
	return deterministicBytes(bare)
}

// deterministicBytes returns a message as bytes, the same for equal messages.
func deterministicBytes(m proto.Message) string {
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// next returns the policy's message: from the fixtures, else first a tool call, then a text.
func (e *agentEpisode) next(turn int, id string, tools []*awhostv1.Tool) *awhostv1.Message {
	switch {
	case turn < len(e.scripted):
		m := proto.Clone(e.scripted[turn]).(*awhostv1.Message)
		for i, call := range m.GetToolCalls() {
			call.Id = fmt.Sprintf("%s-%d", id, i)
		}
		return m
	case turn == 0 && len(e.scripted) == 0 && len(tools) > 0:
		return toolCallMessage(id, tools[0])
	}
	return assistant("This is the answer. " + e.mark)
}

// toolCallMessage returns a message that calls a tool.
func toolCallMessage(id string, tool *awhostv1.Tool) *awhostv1.Message {
	return assistant("", &awhostv1.ToolCall{
		Id: id + "-0", Name: tool.GetName(), ArgumentsJson: toolargs.Generate(tool.GetParametersJson()),
	})
}

// step answers as the environment.
func (e *agentEpisode) step(ctx context.Context, req *awhostv1.AgentStepRequest) (*awhostv1.AgentStepResponse, error) {
	if err := e.admitCall(); err != nil {
		return nil, err
	}
	ctx, leave := e.withLease(ctx)
	defer leave()
	e.mu.Lock()
	e.stepRequests = append(e.stepRequests, req)
	n := len(e.stepRequests)
	m, err := e.message(req)
	e.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if e.beforeStep != nil {
		if err := e.beforeStep(ctx, n); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	out := &awhostv1.AgentStepResponse{Done: n == e.lastStep || len(m.GetToolCalls()) == 0}
	for _, call := range m.GetToolCalls() {
		text := fmt.Sprintf("This is what %s says in step %d. %s", call.GetName(), n, e.mark)
		offered := slices.ContainsFunc(e.request.GetOfferedTools(), func(tool *awhostv1.Tool) bool {
			return tool.GetName() == call.GetName()
		})
		if !offered {
			text = "There is no such tool. " + e.mark
		}
		result := user(text)
		result.Role, result.ToolCallId, result.Name = awhostv1.Role_ROLE_TOOL, call.GetId(), call.GetName()
		result.IsError = !offered
		out.Messages = append(out.Messages, result)
	}
	e.mu.Lock()
	e.environmentDone = e.environmentDone || out.GetDone()
	e.mu.Unlock()
	return out, nil
}

// message returns the message for the environment. The caller holds mu.
func (e *agentEpisode) message(req *awhostv1.AgentStepRequest) (*awhostv1.Message, error) {
	switch {
	case !e.request.GetHasEnvironment():
		return nil, e.addProblem(topicSteps, "the agent takes a step in an episode without an environment")
	case e.environmentDone:
		return nil, e.addProblem(topicSteps, "the agent takes a step after the environment has ended the episode")
	case req.GetCallId() == "" && req.GetMessage() == nil:
		return nil, e.addProblem(topicSteps, "a step names neither a call nor a message")
	case req.GetCallId() == "":
		return req.GetMessage(), nil
	}
	m, known := e.calls[req.GetCallId()]
	if !known {
		return nil, e.addProblem(topicSteps, "a step names the call %q, which was never made in this "+
			"episode", req.GetCallId())
	}
	if m == nil {
		return nil, e.addProblem(topicSteps, "a step gives the environment the message of the call %q a "+
			"second time", req.GetCallId())
	}
	e.calls[req.GetCallId()] = nil
	return m, nil
}
