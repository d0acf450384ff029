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

// scene is an episode that an agent plays. The suite acts as its policy and its environment, and records the agent's
// requests.
type scene struct {
	lease, mark string // the mark appears in the question, and in all texts of policy and environment
	request     *awhostv1.RunRequest
	scripted    []*awhostv1.Message // of the policy, per conversation; later messages are plain text

	// Deviations of this episode; nil or 0: none.

	answers func(ctx context.Context, n int) error // called before the n-th request to the policy is answered, from 1
	steps   func(ctx context.Context, n int) error // called before the n-th step is taken, from 1
	ends    int                                    // the step that ends the episode; 0: the first step without a call
	turns   int64                                  // maximum number of the policy's messages per conversation
	// says changes the policy's messages.
	says func(turn int, m *awhostv1.Message) *awhostv1.Message

	cancel context.CancelFunc // ends Run
	ctx    context.Context    // of the lease

	mu       sync.Mutex
	asked    []*awhostv1.AgentGenerateRequest
	acted    []*awhostv1.AgentStepRequest
	chains   map[string]chain
	calls    map[string]*awhostv1.Message // of the policy, by call; nil: already used for a step
	arrived  map[string]int               // equal requests without a repeat number
	seen     map[string]bool              // requests with their repeat numbers
	said     []sampled
	done     bool // the environment has ended the episode
	over     bool // the lease has ended
	late     int  // calls after the lease has ended
	refused  int  // calls since a limit was reached
	endless  bool // the suite ended it
	problems map[string][]string
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
	mostCalls   = 200
	mostRefused = 20
)

// The topics of mistakes in an agent's calls.
const (
	aboutChains  = "chains"
	aboutRetold  = "retold"
	aboutSteps   = "steps"
	aboutRepeats = "repeats"
)

// mark returns the text that appears in all texts of an episode.
func mark(n int) string { return fmt.Sprintf("mark%dend", n) }

// scene returns the first of the playable episodes, with a new mark.
func (t *T) scene() *scene {
	t.suite.scenes++
	return t.sceneAs(t.suite.scenes, 0)
}

// sceneAs returns an episode of the fixtures, else the suite's own, with the n-th mark.
func (t *T) sceneAs(n, fixture int) *scene {
	s := &scene{
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

// act runs an episode of an agent. When it returns, the lease has ended.
func (t *T) act(p *client.Plugin, s *scene) (*awhostv1.RunResponse, error) {
	return t.actIn(t.ctx, t.suite.config.Patience, p, s)
}

func (t *T) actIn(ctx context.Context, limit time.Duration, p *client.Plugin, s *scene) (*awhostv1.RunResponse, error) {
	ctx, s.cancel = context.WithTimeout(ctx, limit)
	defer s.cancel()
	s.ctx = ctx
	s.request.Deadline = durationpb.New(limit)
	t.suite.host.plays(s)
	out, err := agentOf(p).Run(ctx, s.request)
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	return out, err
}

// acted runs an episode of the agent to its end, and requires success.
func (t *T) acted(p *client.Plugin, s *scene) *awhostv1.RunResponse {
	out, err := t.act(p, s)
	t.ended(s, "the episode")
	t.need(err, "Run")
	return out
}

// ended checks that the agent ended by itself.
func (t *T) ended(s *scene, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.endless {
		t.fatalf("%s: the episode does not end: the suite ended it after %s of the policy and %s", what,
			plural(int64(len(s.asked)), "request"), plural(int64(len(s.acted)), "step"))
	}
}

// enter counts a call of the agent, and checks the limits.
func (s *scene) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.ctx.Err() != nil {
		s.late++
		return status.Error(codes.PermissionDenied, "the lease has expired")
	}
	if len(s.asked)+len(s.acted) >= mostCalls || s.refused >= mostRefused {
		s.endless = true
		s.cancel()
		return status.Error(codes.PermissionDenied, "the lease has expired: the agent does not finish")
	}
	return nil
}

// join returns the context of a call, which ends with the lease.
func (s *scene) join(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(s.ctx, cancel)
	return ctx, func() {
		release()
		cancel()
	}
}

// complain records a mistake. The caller holds mu. It returns the host's error for it, which ends the episode.
func (s *scene) complain(about, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	s.problems[about] = append(s.problems[about], text)
	return failure(awhostv1.FailureClass_FAILURE_CLASS_AGENT, text)
}

// wrong reports the agent's mistakes in the episode about one topic.
func (t *T) wrong(s *scene, about string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range s.problems[about] {
		t.errorf("%s", text)
	}
}

// record returns the agent's requests in the episode, without the parts that differ per episode. It is sorted,
// because concurrent requests have no order.
func (s *scene) record() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, req := range s.asked {
		bare := proto.Clone(req).(*awhostv1.AgentGenerateRequest)
		bare.Lease = ""
		all = append(all, "the request "+bare.String()+endOfText+written(bare))
	}
	for _, req := range s.acted {
		bare := proto.Clone(req).(*awhostv1.AgentStepRequest)
		bare.Lease = ""
		all = append(all, "the step "+bare.String()+endOfText+written(bare))
	}
	slices.Sort(all)
	return all
}

// endOfText separates the readable part of a record entry from the exact one.
const endOfText = "\x00"

// texts returns all output of the agent in the episode.
func (s *scene) texts(out *awhostv1.RunResponse) string {
	return strings.Join(s.record(), "\n") + "\n" + out.String()
}

// counts returns the numbers of requests, steps and late calls.
func (s *scene) counts() (asked, acted, late int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked), len(s.acted), s.late
}

// quiet waits until an agent makes no more calls with an ended lease. It reports an error if the calls never stop.
func (t *T) quiet(s *scene, what string) {
	const silence, patience = time.Second, 10
	_, _, before := s.counts()
	for range patience {
		for begun := time.Now(); time.Since(begun) < silence; time.Sleep(silence / 20) {
			if _, _, late := s.counts(); late > mostRefused {
				t.errorf("%s: the agent has made %d calls with an expired lease and continues", what, late)
				return
			}
		}
		_, _, late := s.counts()
		if late == before {
			return
		}
		before = late
	}
	t.errorf("%s: after %s the agent still makes calls with an expired lease", what, patience*silence)
}

// plays registers an episode with the host.
func (h *host) plays(s *scene) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.scenes == nil {
		h.scenes = map[string]*scene{}
	}
	h.scenes[s.lease] = s
}

// sceneOf returns the episode of a lease.
func (h *host) sceneOf(lease string) (*scene, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.scenes[lease]; s != nil {
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
	s, err := h.sceneOf(req.GetLease())
	if err != nil {
		return nil, err
	}
	return s.generate(ctx, req)
}

// AgentStep implements HostService.
func (h *host) AgentStep(ctx context.Context, req *awhostv1.AgentStepRequest) (*awhostv1.AgentStepResponse, error) {
	s, err := h.sceneOf(req.GetLease())
	if err != nil {
		return nil, err
	}
	return s.step(ctx, req)
}
