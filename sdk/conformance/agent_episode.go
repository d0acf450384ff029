package conformance

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// agentEpisode is an episode that an agent plays. The suite acts as its policy and its environment, and records the
// agent's requests.
type agentEpisode struct {
	lease, mark string // the mark appears in the question, and in all texts of policy and environment
	request     *awhostv1.RunRequest
	scripted    []*awhostv1.Message // of the policy, per conversation; later messages are plain text

	// Deviations of this episode; nil or 0: none.

	beforeSample func(ctx context.Context, n int) error // called before the n-th request to the policy is answered, from 1
	beforeStep   func(ctx context.Context, n int) error // called before the n-th step is taken, from 1
	lastStep     int                                    // the step that ends the episode; 0: the first step without a call
	maxTurns     int64                                  // maximum number of the policy's messages per conversation
	// changeMessage changes the policy's messages.
	changeMessage func(turn int, m *awhostv1.Message) *awhostv1.Message

	cancel context.CancelFunc // ends Run
	ctx    context.Context    // of the lease

	mu              sync.Mutex
	requests        []*awhostv1.AgentGenerateRequest
	stepRequests    []*awhostv1.AgentStepRequest
	chains          map[string]chain
	calls           map[string]*awhostv1.Message // of the policy, by call; nil: already used for a step
	arrived         map[string]int               // equal requests without a repeat number
	seen            map[string]bool              // requests with their repeat numbers
	sampledMessages []sampled
	environmentDone bool // the environment has ended the episode
	leaseEnded      bool // the lease has ended
	lateCalls       int  // calls after the lease has ended
	refusedCalls    int  // calls since a limit was reached
	stoppedBySuite  bool // the suite ended it
	problems        map[string][]string
}

// chain is a conversation: the positions after the policy's messages, and the length.
type chain struct {
	turns  []int64
	length int64
}

// sampled is a message of the policy.
type sampled struct {
	member, text string
}

// Limits of an agent in an episode of a few messages before the suite ends it.
const (
	maxAgentCalls   = 200
	maxRefusedCalls = 20
)

// The topics of mistakes in an agent's calls.
const (
	topicChains           = "chains"
	topicRepeatedMessages = "retold"
	topicSteps            = "steps"
	topicRepeatNumbers    = "repeats"
)

// mark returns the text that appears in all texts of an episode.
func mark(n int) string { return fmt.Sprintf("mark%dend", n) }

// newAgentEpisode returns the first of the playable episodes, with a new mark.
func (t *T) newAgentEpisode() *agentEpisode {
	t.suite.agentEpisodes++
	return t.newAgentEpisodeAs(t.suite.agentEpisodes, 0)
}

// newAgentEpisodeAs returns an episode of the fixtures, else the suite's own, with the n-th mark.
func (t *T) newAgentEpisodeAs(n, fixture int) *agentEpisode {
	s := &agentEpisode{
		lease: "lease-" + rand.Text(), mark: mark(n),
		chains: map[string]chain{}, calls: map[string]*awhostv1.Message{}, arrived: map[string]int{},
		seen: map[string]bool{}, problems: map[string][]string{},
	}
	task := TaskFixture{ID: s.mark, Public: json.RawMessage(
		fmt.Sprintf(`{"prompt":"Use a tool, then answer. %s"}`, s.mark),
	)}
	tools := []ToolFixture{{Name: "lookup", Description: "Looks a word up.", Parameters: json.RawMessage(
		`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`,
	)}}
	if list := t.component.fixture.Episodes; len(list) > 0 {
		f := list[fixture]
		for i, m := range f.Messages {
			s.scripted = append(s.scripted, m.wire(i))
		}
		task = f.Task
		if len(f.Tools) > 0 {
			tools = f.Tools
		}
	}
	s.request = &awhostv1.RunRequest{
		EpisodeId: "conformance/" + s.mark, Task: task.wire(), Lease: s.lease, HasEnvironment: true,
		Messages: []*awhostv1.Message{user(question(task) + " " + s.mark)},
	}
	s.request.Task.PrivateJson = nil
	for _, tool := range tools {
		s.request.OfferedTools = append(s.request.OfferedTools, tool.wire())
	}
	return s
}

// question returns the prompt of a task.
func question(task TaskFixture) string {
	var public struct {
		Prompt string `json:"prompt"`
	}
	_ = json.Unmarshal(task.Public, &public) // empty if the task has no prompt
	return public.Prompt
}

// runAgent runs an episode of an agent. When it returns, the lease has ended.
func (t *T) runAgent(p *client.Plugin, e *agentEpisode) (*awhostv1.RunResponse, error) {
	return t.runAgentWithin(t.ctx, t.suite.config.CallTimeout, p, e)
}

func (t *T) runAgentWithin(ctx context.Context, limit time.Duration, p *client.Plugin,
	e *agentEpisode) (*awhostv1.RunResponse, error) {
	ctx, e.cancel = context.WithTimeout(ctx, limit)
	defer e.cancel()
	e.ctx = ctx
	e.request.Deadline = durationpb.New(limit)
	t.suite.host.register(e)
	out, err := agentOf(p).Run(ctx, e.request)
	e.mu.Lock()
	e.leaseEnded = true
	e.mu.Unlock()
	return out, err
}

// runAgentToEnd runs an episode of the agent to its end, and requires success.
func (t *T) runAgentToEnd(p *client.Plugin, e *agentEpisode) *awhostv1.RunResponse {
	out, err := t.runAgent(p, e)
	t.checkAgentEnded(e, "the episode")
	place := "the suite, as the fixtures have none"
	if len(t.component.fixture.Episodes) > 0 {
		place = t.component.fixture.at("episodes", 0, "task")
	}
	t.need(err, fmt.Sprintf("Run with the task %.200s of %s", e.request.GetTask().GetPublicJson(), place))
	return out
}

// checkAgentEnded checks that the agent ended by itself.
func (t *T) checkAgentEnded(e *agentEpisode, what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stoppedBySuite {
		t.fatalf("%s: the episode does not end: the suite ended it after %s of the policy and %s", what,
			plural(int64(len(e.requests)), "request"), plural(int64(len(e.stepRequests)), "step"))
	}
}

// admitCall counts a call of the agent, and checks the limits.
func (e *agentEpisode) admitCall() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leaseEnded || e.ctx.Err() != nil {
		e.lateCalls++
		return status.Error(codes.PermissionDenied, "the lease has expired")
	}
	if len(e.requests)+len(e.stepRequests) >= maxAgentCalls || e.refusedCalls >= maxRefusedCalls {
		e.stoppedBySuite = true
		e.cancel()
		return status.Error(codes.PermissionDenied, "the lease has expired: the agent does not finish")
	}
	return nil
}

// withLease returns the context of a call, which ends with the lease.
func (e *agentEpisode) withLease(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(e.ctx, cancel)
	return ctx, func() {
		release()
		cancel()
	}
}

// addProblem records a mistake. The caller holds mu. It returns the host's error for it, which ends the episode.
func (e *agentEpisode) addProblem(about, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	e.problems[about] = append(e.problems[about], text)
	return failureStatus(awhostv1.FailureClass_FAILURE_CLASS_AGENT, text)
}

// reportProblems reports the agent's mistakes in the episode about one topic.
func (t *T) reportProblems(e *agentEpisode, about string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, text := range e.problems[about] {
		t.errorf("%s", text)
	}
}

// record returns the agent's requests in the episode, without the parts that differ per episode. It is sorted,
// because concurrent requests have no order.
func (e *agentEpisode) record() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []string
	for _, req := range e.requests {
		bare := proto.Clone(req).(*awhostv1.AgentGenerateRequest)
		bare.Lease = ""
		all = append(all, "the request "+bare.String()+endOfText+deterministicBytes(bare))
	}
	for _, req := range e.stepRequests {
		bare := proto.Clone(req).(*awhostv1.AgentStepRequest)
		bare.Lease = ""
		all = append(all, "the step "+bare.String()+endOfText+deterministicBytes(bare))
	}
	slices.Sort(all)
	return all
}

// endOfText separates the readable part of a record entry from the exact one.
const endOfText = "\x00"

// texts returns all output of the agent in the episode.
func (e *agentEpisode) texts(out *awhostv1.RunResponse) string {
	return strings.Join(e.record(), "\n") + "\n" + out.String()
}

// counts returns the numbers of requests, steps and late calls.
func (e *agentEpisode) counts() (asked, acted, late int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.requests), len(e.stepRequests), e.lateCalls
}

// checkNoLateCalls waits until an agent makes no more calls with an ended lease. It reports an error if the calls never
// stop.
func (t *T) checkNoLateCalls(e *agentEpisode, what string) {
	const silence, patience = time.Second, 10
	_, _, before := e.counts()
	for range patience {
		for begun := time.Now(); time.Since(begun) < silence; time.Sleep(silence / 20) {
			if _, _, late := e.counts(); late > maxRefusedCalls {
				t.errorf("%s: the agent has made %d calls with an expired lease and continues", what, late)
				return
			}
		}
		_, _, late := e.counts()
		if late == before {
			return
		}
		before = late
	}
	t.errorf("%s: after %s, the agent is still making calls with an expired lease", what, patience*silence)
}

// register registers an episode with the host.
func (h *host) register(e *agentEpisode) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.agentEpisodes == nil {
		h.agentEpisodes = map[string]*agentEpisode{}
	}
	h.agentEpisodes[e.lease] = e
}

// agentEpisode returns the episode of a lease.
func (h *host) agentEpisode(lease string) (*agentEpisode, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.agentEpisodes[lease]; s != nil {
		return s, nil
	}
	h.unknown++
	return nil, status.Error(codes.PermissionDenied, "the lease is invalid: it was never issued to this "+
		"plugin")
}

// unknownLeases returns the number of calls with an unknown lease.
func (h *host) unknownLeases() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.unknown
}

// AgentGenerate implements HostService.
func (h *host) AgentGenerate(
	ctx context.Context, req *awhostv1.AgentGenerateRequest,
) (*awhostv1.AgentGenerateResponse, error) {
	s, err := h.agentEpisode(req.GetLease())
	if err != nil {
		return nil, err
	}
	return s.generate(ctx, req)
}

// AgentStep implements HostService.
func (h *host) AgentStep(ctx context.Context, req *awhostv1.AgentStepRequest) (*awhostv1.AgentStepResponse, error) {
	s, err := h.agentEpisode(req.GetLease())
	if err != nil {
		return nil, err
	}
	return s.step(ctx, req)
}
