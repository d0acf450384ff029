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

// failure returns a status with the detail Failure.
func failure(class awhostv1.FailureClass, text string) error {
	return detailed(text, &awhostv1.Failure{Class: class, Detail: text})
}

// full returns the error of a call that sampled nothing because a limit is reached.
func full(text string) error {
	return detailed(text, &awhostv1.GenerateError{Kind: awhostv1.GenerateError_KIND_CONTEXT_FULL, Detail: text})
}

func detailed(text string, detail protoadapt.MessageV1) error {
	s, err := status.New(codes.Aborted, text).WithDetails(detail)
	if err != nil {
		return status.Error(codes.Internal, err.Error()) // never happens: the detail holds only texts
	}
	return s.Err()
}

// generate answers as the policy.
func (s *scene) generate(
	ctx context.Context, req *awhostv1.AgentGenerateRequest,
) (*awhostv1.AgentGenerateResponse, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	ctx, leave := s.join(ctx)
	defer leave()
	s.mu.Lock()
	s.asked = append(s.asked, req)
	n := len(s.asked)
	from, turn, err := s.goesOn(req)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if s.answers != nil {
		if err := s.answers(ctx, n); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	return s.sample(req, from, turn)
}

// goesOn returns the chain that a request continues, and the index of the policy's next message. The caller holds mu.
// A mistake about chains is recorded, and the request is answered as far as possible, so that it causes no further
// mistakes.
func (s *scene) goesOn(req *awhostv1.AgentGenerateRequest) (from chain, turn int, err error) {
	wrong := func(about, format string, args ...any) {
		s.problems[about] = append(s.problems[about], fmt.Sprintf(format, args...))
	}
	known, ok := s.chains[req.GetChain()]
	switch {
	case req.GetChain() != "" && !ok:
		wrong(aboutChains, "a request continues the chain %q, which no response of this episode has "+
			"named", req.GetChain())
	case req.GetBase() < 0 || req.GetBase() > known.length:
		wrong(aboutChains, "a request continues after %s of the chain %q, which has %d",
			plural(req.GetBase(), "message"), req.GetChain(), known.length)
	}
	var turns []int64
	for _, end := range known.turns {
		if end <= req.GetBase() {
			turns = append(turns, end)
		}
	}
	for _, m := range req.GetMessages() {
		if m.GetRole() == awhostv1.Role_ROLE_ASSISTANT && slices.Contains(s.said, sampled{req.GetMember(), spoken(m)}) {
			wrong(aboutRetold, "a request repeats a message of the policy (%.80q) among "+
				"the new messages", spoken(m))
			turn++
		}
	}
	turn += len(turns)
	if s.turns > 0 && int64(len(turns)) >= s.turns {
		s.refused++
		return from, turn, full(fmt.Sprintf("the conversation has reached its limit of %s of the policy",
			plural(s.turns, "message")))
	}
	return chain{turns: turns, length: known.length}, turn, nil
}

// spoken returns a message of the policy without the parts that a program may rewrite before it sends the message
// back.
func spoken(m *awhostv1.Message) string {
	said := plain(&awhostv1.Message{Role: m.GetRole(), Content: m.GetContent()})
	for _, call := range m.GetToolCalls() {
		said += " " + call.GetName()
	}
	return said
}

// sample returns the next message: the same one for the same request, whenever it arrives.
func (s *scene) sample(
	req *awhostv1.AgentGenerateRequest, from chain, turn int,
) (*awhostv1.AgentGenerateResponse, error) {
	key := keyOf(req)
	s.mu.Lock()
	defer s.mu.Unlock()
	repeat := req.GetRepeat()
	if req.Repeat == nil {
		repeat = int64(s.arrived[key])
		s.arrived[key]++
	}
	id := fmt.Sprintf("%.12x", sha256.Sum256(fmt.Appendf(nil, "%s %d", key, repeat)))
	if s.seen[id] || req.Repeat == nil && repeat > 0 {
		s.problems[aboutRepeats] = append(s.problems[aboutRepeats], "two equal requests are not numbered")
		id += fmt.Sprintf("-%d", len(s.asked))
	}
	s.seen[id] = true
	m := s.next(turn, id, req.GetTools())
	if s.says != nil {
		m = s.says(turn, m)
	}
	name := req.GetChain()
	if name == "" || req.GetBase() < s.chains[name].length {
		name = "chain-" + id
	}
	length := req.GetBase() + int64(len(req.GetMessages())) + 1
	s.chains[name] = chain{turns: append(slices.Clone(from.turns), length), length: length}
	s.calls["call-"+id] = m
	if spoken(m) != spoken(&awhostv1.Message{Role: m.GetRole()}) {
		s.said = append(s.said, sampled{req.GetMember(), spoken(m)})
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
	return written(bare)
}

// written returns a message as bytes, the same for equal messages.
func written(m proto.Message) string {
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// next returns the policy's message: from the fixtures, else first a tool call, then a text.
func (s *scene) next(turn int, id string, tools []*awhostv1.Tool) *awhostv1.Message {
	switch {
	case turn < len(s.scripted):
		m := proto.Clone(s.scripted[turn]).(*awhostv1.Message)
		for i, call := range m.GetToolCalls() {
			call.Id = fmt.Sprintf("%s-%d", id, i)
		}
		return m
	case turn == 0 && len(s.scripted) == 0 && len(tools) > 0:
		return calling(id, tools[0])
	}
	return assistant("This is the answer. " + s.mark)
}

// calling returns a message that calls a tool.
func calling(id string, tool *awhostv1.Tool) *awhostv1.Message {
	return assistant("", &awhostv1.ToolCall{
		Id: id + "-0", Name: tool.GetName(), ArgumentsJson: toolargs.Fitting(tool.GetParametersJson()),
	})
}

// step answers as the environment.
func (s *scene) step(ctx context.Context, req *awhostv1.AgentStepRequest) (*awhostv1.AgentStepResponse, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	ctx, leave := s.join(ctx)
	defer leave()
	s.mu.Lock()
	s.acted = append(s.acted, req)
	n := len(s.acted)
	m, err := s.message(req)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if s.steps != nil {
		if err := s.steps(ctx, n); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	out := &awhostv1.AgentStepResponse{Done: n == s.ends || len(m.GetToolCalls()) == 0}
	for _, call := range m.GetToolCalls() {
		text := fmt.Sprintf("This is what %s says in step %d. %s", call.GetName(), n, s.mark)
		offered := slices.ContainsFunc(s.request.GetOfferedTools(), func(tool *awhostv1.Tool) bool {
			return tool.GetName() == call.GetName()
		})
		if !offered {
			text = "There is no such tool. " + s.mark
		}
		result := user(text)
		result.Role, result.ToolCallId, result.Name = awhostv1.Role_ROLE_TOOL, call.GetId(), call.GetName()
		result.IsError = !offered
		out.Messages = append(out.Messages, result)
	}
	s.mu.Lock()
	s.done = s.done || out.GetDone()
	s.mu.Unlock()
	return out, nil
}

// message returns the message for the environment. The caller holds mu.
func (s *scene) message(req *awhostv1.AgentStepRequest) (*awhostv1.Message, error) {
	switch {
	case !s.request.GetHasEnvironment():
		return nil, s.complain(aboutSteps, "the agent takes a step in an episode without an environment")
	case s.done:
		return nil, s.complain(aboutSteps, "the agent takes a step after the environment has ended the episode")
	case req.GetCallId() == "" && req.GetMessage() == nil:
		return nil, s.complain(aboutSteps, "a step names neither a call nor a message")
	case req.GetCallId() == "":
		return req.GetMessage(), nil
	}
	m, known := s.calls[req.GetCallId()]
	if !known {
		return nil, s.complain(aboutSteps, "a step names the call %q, which was never made in this "+
			"episode", req.GetCallId())
	}
	if m == nil {
		return nil, s.complain(aboutSteps, "a step gives the environment the message of the call %q a "+
			"second time", req.GetCallId())
	}
	s.calls[req.GetCallId()] = nil
	return m, nil
}
