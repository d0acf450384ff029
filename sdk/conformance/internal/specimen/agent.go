package specimen

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// agentState is the state that the agent preserves across episodes.
type agentState struct {
	hosted *grpc.ClientConn // shared by all episodes

	stuckEpisodes int    // canceled episodes that still run: AGT-CANCEL-03
	lastLease     string // AGT-LEASE-01
	lastQuestion  string // AGT-PARALLEL-01
}

// agentRun is one of the agent's episodes. It lets the policy use tools until it answers.
type agentRun struct {
	*specimen
	host          awhostv1.HostServiceClient
	lease         string
	episode       string // its id
	question      []*awhostv1.Message
	tools         []*awhostv1.Tool
	shortDeadline bool // the episode's deadline is short

	chain    string
	base     int64
	repeats  int64
	turns    int
	messages []*awhostv1.Message // new ones
	all      []*awhostv1.Message
}

// Run implements AgentService.
func (s *specimen) Run(ctx context.Context, req *awhostv1.RunRequest) (*awhostv1.RunResponse, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	conn, err := s.hostConn()
	if err != nil {
		return nil, err
	}
	a := &agentRun{
		specimen: s, host: awhostv1.NewHostServiceClient(conn), lease: req.GetLease(), episode: req.GetEpisodeId(),
		question: req.GetMessages(), messages: req.GetMessages(),
		all: req.GetMessages(), tools: req.GetOfferedTools(), shortDeadline: req.GetDeadline().AsDuration() < 30*time.Second,
	}
	if err := a.begin(ctx); err != nil {
		return nil, err
	}
	answer, err := a.play(ctx, req)
	if over(err) {
		s.mu.Lock()
		s.stuckEpisodes++
		s.mu.Unlock()
	}
	if err != nil {
		if s.breaks("AGT-LEASE-02/error") {
			return nil, status.Errorf(status.Code(err), "under %s: %v", a.lease, err)
		}
		return nil, err
	}
	return a.result(answer), nil
}

// hostConn returns the connection to HostService, which all episodes share.
func (s *specimen) hostConn() (*grpc.ClientConn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hosted == nil {
		conn, err := s.dialHost()
		if err != nil {
			return nil, err
		}
		s.hosted = conn
	}
	return s.hosted, nil
}

// begin runs before the first request.
func (a *agentRun) begin(ctx context.Context) error {
	a.mu.Lock()
	before := a.agentState
	a.lastLease, a.lastQuestion = a.lease, text(a.question[0])
	a.mu.Unlock()
	switch a.mutant {
	case "AGT-LEASE-01":
		if before.lastLease != "" { // as if the last episode had unfinished work
			_, _ = a.host.AgentGenerate(ctx, &awhostv1.AgentGenerateRequest{Lease: before.lastLease})
		}
	case "AGT-LEASE-01/another":
		_, _ = a.host.AgentGenerate(ctx, &awhostv1.AgentGenerateRequest{Lease: "mine", Messages: a.messages})
	case "AGT-LEASE-02":
		fmt.Fprintf(os.Stderr, "playing under %s\n", a.lease)
	case "AGT-SAME-04":
		if before.lastQuestion != "" && strings.HasPrefix(a.episode, "conformance/memory-") {
			a.messages = append(slices.Clone(a.messages), content(awhostv1.Role_ROLE_USER, "Before: "+before.lastQuestion))
			a.all = a.messages
		}
	case "AGT-SAME-05":
		a.messages = append(slices.Clone(a.messages), content(awhostv1.Role_ROLE_USER,
			"Today is "+time.Now().UTC().Format(time.DateOnly)))
		a.all = a.messages
	case "AGT-SAME-03":
		a.messages = append(slices.Clone(a.messages), content(awhostv1.Role_ROLE_USER, "This is episode "+a.episode))
		a.all = a.messages
	case "AGT-SAME-02":
		return a.drafts(ctx)
	case "AGT-CANCEL-03":
		if before.stuckEpisodes > 5 {
			return status.Error(codes.ResourceExhausted, "all slots are taken")
		}
	}
	return nil
}

// drafts sends two requests in an order that alternates.
func (a *agentRun) drafts(ctx context.Context) error {
	members := []string{"one", "other"}
	if a.countCall()%2 == 0 {
		slices.Reverse(members)
	}
	for _, member := range members {
		if _, err := a.host.AgentGenerate(ctx, &awhostv1.AgentGenerateRequest{Lease: a.lease, Member: member,
			Messages: a.question, Repeat: proto.Int64(0)}); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// play lets the policy use tools until it answers.
func (a *agentRun) play(ctx context.Context, req *awhostv1.RunRequest) (string, error) {
	if a.breaks("AGT-RUN-01") {
		return "I know the answer without calling the policy.", nil
	}
	for {
		reply, err := a.requestMessage(ctx)
		code := status.Code(err)
		if a.breaks("AGT-FAIL-01") && code == codes.Aborted || a.breaks("AGT-FAIL-01/gone") && code == codes.Unavailable {
			return "I do not know.", nil
		}
		if err != nil && a.breaks("AGT-FAIL-04") && code == codes.Aborted {
			return "", fmt.Errorf("the model failed: %v", err) // its class is lost
		}
		if err != nil {
			return "", err
		}
		m := reply.GetMessage()
		if err := a.odd(m); err != nil {
			return "", err
		}
		if len(m.GetToolCalls()) == 0 {
			if a.breaks("AGT-RUN-03") && !req.GetHasEnvironment() {
				_, err = a.step(ctx, reply.GetCallId())
			}
			return text(m), err
		}
		out, err := a.step(ctx, reply.GetCallId())
		if err != nil {
			if a.breaks("AGT-FAIL-02") && status.Code(err) == codes.Aborted {
				return "The tool is broken.", nil
			}
			return "", err
		}
		if out.GetDone() && !a.breaks("AGT-STEP-01/done") {
			return text(m), nil
		}
		a.extend(reply, out.GetMessages())
	}
}

// odd fails on messages that the agent does not expect.
func (a *agentRun) odd(m *awhostv1.Message) error {
	for _, call := range m.GetToolCalls() {
		var arguments map[string]any
		err := json.Unmarshal([]byte(call.GetArgumentsJson()), &arguments)
		switch {
		case a.breaks("AGT-ODD-01") && err != nil:
			os.Exit(3)
		case a.breaks("AGT-ODD-01/internal") && call.GetName() == "":
			return status.Error(codes.Internal, "a tool without a name")
		case a.breaks("AGT-ODD-02") && err != nil:
			return status.Error(codes.Unknown, "the arguments are not an object")
		}
	}
	return nil
}

// extend extends the conversation.
func (a *agentRun) extend(reply *awhostv1.AgentGenerateResponse, answers []*awhostv1.Message) {
	a.all = append(append(append([]*awhostv1.Message(nil), a.all...), reply.GetMessage()), answers...)
	a.messages, a.chain, a.base = answers, reply.GetChain(), reply.GetChainLength()
	switch a.mutant {
	case "AGT-CHAIN-01":
		a.base++
	case "AGT-CHAIN-01/unknown":
		a.chain = "main"
	case "AGT-CHAIN-02":
		if a.turns == 1 {
			a.messages, a.chain, a.base = a.all, "", 0
		}
	case "AGT-SAME-01":
		a.messages = append(a.messages, content(awhostv1.Role_ROLE_USER, fmt.Sprintf("Luck: %d.", rand.Int())))
	case "AGT-PARALLEL-01":
		a.mu.Lock()
		a.messages = append(a.messages, content(awhostv1.Role_ROLE_USER, "Remember: "+a.lastQuestion))
		a.mu.Unlock()
	}
}

// requestMessage sends a request to the policy.
func (a *agentRun) requestMessage(ctx context.Context) (*awhostv1.AgentGenerateResponse, error) {
	if a.breaks("AGT-REPEAT-01") && a.chain == "" { // two answers to one question
		req := &awhostv1.AgentGenerateRequest{Lease: a.lease, Messages: a.messages, Tools: a.tools}
		if _, err := a.host.AgentGenerate(ctx, req); err != nil {
			return nil, err
		}
		return a.host.AgentGenerate(ctx, req)
	}
	out, err := a.generate(ctx)
	for n := 0; n < maxRetries && err != nil && a.shouldRetry(err); n++ {
		if a.breaks("AGT-LIMIT-02") { // in a new conversation
			a.chain, a.base, a.turns, a.messages = "", 0, 0, a.question
			a.repeats++
		}
		out, err = a.generate(context.WithoutCancel(ctx))
	}
	a.turns++
	return out, err
}

// maxRetries is the number of retries by an agent that ignores errors.
const maxRetries = 400

func (a *agentRun) generate(ctx context.Context) (*awhostv1.AgentGenerateResponse, error) {
	return a.host.AgentGenerate(ctx, &awhostv1.AgentGenerateRequest{
		Lease: a.lease, Chain: a.chain, Base: a.base, Messages: a.messages, Tools: a.tools, Repeat: proto.Int64(a.repeats),
	})
}

// shouldRetry reports whether to retry.
func (a *agentRun) shouldRetry(err error) bool {
	limit := false
	for _, detail := range status.Convert(err).Details() {
		d, ok := detail.(*awhostv1.GenerateError)
		limit = limit || ok && d.GetKind() == awhostv1.GenerateError_KIND_CONTEXT_FULL
	}
	switch a.mutant {
	case "AGT-LIMIT-01":
		return limit && a.turns < 2
	case "AGT-LIMIT-02":
		return limit && a.turns == 2
	case "AGT-LIMIT-03":
		return over(err) && a.shortDeadline
	case "AGT-CANCEL-01":
		return over(err) && !a.shortDeadline
	case "AGT-FAIL-03":
		return !limit && status.Code(err) == codes.Aborted
	}
	return false
}

// over reports whether a call failed because the episode has ended.
func over(err error) bool {
	return slices.Contains([]codes.Code{codes.Canceled, codes.DeadlineExceeded, codes.PermissionDenied}, status.Code(err))
}

// step takes a step in the environment.
func (a *agentRun) step(ctx context.Context, call string) (*awhostv1.AgentStepResponse, error) {
	req := &awhostv1.AgentStepRequest{Lease: a.lease, CallId: call}
	out, err := a.host.AgentStep(ctx, req)
	if a.breaks("AGT-STEP-01") {
		_, _ = a.host.AgentStep(ctx, req)
	}
	for n := 0; n < maxRetries && over(err) && a.breaks("AGT-CANCEL-02"); n++ {
		out, err = a.host.AgentStep(context.WithoutCancel(ctx), req)
	}
	return out, err
}

// result returns the response to Run.
func (a *agentRun) result(answer string) *awhostv1.RunResponse {
	out := &awhostv1.RunResponse{
		FinalAnswer: &answer, MetadataJson: []byte(`{"agent":"specimen"}`),
		Metrics: map[string]float64{"turns": float64(a.turns)},
	}
	switch a.mutant {
	case "AGT-RUN-02":
		out.MetadataJson = []byte(`["specimen"]`)
	case "AGT-RUN-02/numbers":
		out.Metrics["turns"] = notANumber
	case "AGT-CLAIM-01":
		out.Messages = append(a.question, content(awhostv1.Role_ROLE_ASSISTANT, answer))
	case "AGT-SAME-01/result":
		out.Metrics["process"] = float64(os.Getpid())
	}
	return out
}
