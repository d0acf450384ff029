package conformance

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func checkAgentDeadline(t *T) {
	p := t.shared()
	asked := 0
	for limit := time.Second; asked == 0; limit *= 2 { // on a slow machine the first request to the policy takes a while
		if limit > maxDeadlineTried {
			t.fatalf("the agent did not call the policy in an episode of at most %s", limit/2)
		}
		s := t.newAgentEpisode()
		s.beforeSample = blockUntilDone
		if _, err := t.runAgentWithin(t.ctx, limit, p, s); err == nil {
			t.errorf("an episode without a response of the policy has a result")
		}
		t.checkNoLateCalls(s, "an episode whose deadline has passed")
		asked, _, _ = s.counts()
	}
	t.checkNextEpisode("after an episode whose deadline had passed")
}

// maxDeadlineTried is the longest deadline that a check tries.
const maxDeadlineTried = 8 * time.Second

// blockUntilDone blocks until ctx ends.
func blockUntilDone(ctx context.Context, _ int) error {
	<-ctx.Done()
	return nil
}

// checkNextEpisode checks that a process can play another episode after a disruption.
func (t *T) checkNextEpisode(when string) {
	s := t.newAgentEpisode()
	_, err := t.runAgent(t.shared(), s)
	t.checkAgentEnded(s, "the next episode "+when)
	if err != nil {
		t.errorf("the next episode %s: %v", when, err)
	}
}

// policyFailures lists the ways in which a request to the policy can fail, except for limits.
var policyFailures = []struct {
	what string
	err  error
}{
	{"failed with class MODEL", failureStatus(awhostv1.FailureClass_FAILURE_CLASS_MODEL, "the engine has failed")},
	{"was interrupted", status.Error(codes.Unavailable, "the engine has exited")},
	{"was aborted", statusWithDetail("engine stopped",
		&awhostv1.GenerateError{Kind: awhostv1.GenerateError_KIND_ABORTED})},
}

// failFrom makes requests to the policy fail, beginning with the given one.
func (s *agentEpisode) failFrom(first int, err error) {
	s.beforeSample = func(_ context.Context, n int) error {
		if n < first {
			return nil
		}
		s.mu.Lock()
		s.refusedCalls++
		s.mu.Unlock()
		return err
	}
}

func checkAgentModelFails(t *T) {
	for _, b := range policyFailures {
		for _, first := range []int{1, 2} {
			s := t.newAgentEpisode()
			s.failFrom(first, b.err)
			out, err := t.runAgent(t.shared(), s)
			if asked, _, _ := s.counts(); err == nil && asked >= first {
				t.errorf("request %d to the policy %s, but Run returned a result: %s", first, b.what, out)
			}
		}
	}
	t.checkNextEpisode("after episodes whose policy failed")
}

func checkAgentGivesUp(t *T) {
	s := t.newAgentEpisode()
	s.failFrom(1, failureStatus(awhostv1.FailureClass_FAILURE_CLASS_MODEL, "the engine has failed"))
	_, err := t.runAgent(t.shared(), s)
	t.checkAgentEnded(s, "an episode whose policy failed")
	t.checkResponds(err, "an episode whose policy failed")
}

// newSteppingEpisode returns an episode in which the agent is known to take a step.
func (t *T) newSteppingEpisode() *agentEpisode {
	s := t.newAgentEpisode()
	t.runAgentToEnd(t.shared(), s)
	if _, acted, _ := s.counts(); acted == 0 {
		t.skipf("%s takes no step in the suite's episode: provide tools and messages in the fixtures' `episodes` with which "+
			"it does", t.component.address())
	}
	return t.newAgentEpisode()
}

func checkAgentEnvironmentFails(t *T) {
	s := t.newSteppingEpisode()
	s.beforeStep = func(context.Context, int) error {
		s.mu.Lock()
		s.refusedCalls++
		s.mu.Unlock()
		return failureStatus(awhostv1.FailureClass_FAILURE_CLASS_ENVIRONMENT, "the tool's server is broken")
	}
	out, err := t.runAgent(t.shared(), s)
	t.checkAgentEnded(s, "an episode whose environment failed")
	if err == nil {
		t.errorf("a step failed, but Run returned a result: %s", out)
	}
	t.checkNextEpisode("after one whose environment failed")
}

// unusualMessages returns unusual policy messages.
func unusualMessages() map[string]*awhostv1.Message {
	call := func(tool, arguments string) *awhostv1.Message {
		return assistant("", &awhostv1.ToolCall{Id: "odd", Name: tool, ArgumentsJson: arguments})
	}
	malformed := assistant(`<tool_call>{"name": look`)
	malformed.Malformed = []*awhostv1.MalformedCall{{Text: `<tool_call>{"name": look`, Reason: "it is cut"}}
	two := call("lookup", `{"word":"a"}`)
	two.ToolCalls = append(two.ToolCalls, &awhostv1.ToolCall{Id: "odd", Name: "lookup", ArgumentsJson: `{"word":"b"}`})
	return map[string]*awhostv1.Message{
		"a tool that does not exist":         call("no_such_tool", `{}`),
		"a tool without a name":              call("", `{}`),
		"arguments that are a list":          call("lookup", `[1, null, "x"]`),
		"arguments that are null":            call("lookup", `null`),
		"arguments without required members": call("lookup", `{"wrod":"x"}`),
		"arguments of another type":          call("lookup", `{"word":{"word":[1e400]}}`),
		"an empty message":                   assistant(""),
		"a call that cannot be parsed":       malformed,
		"two calls with one id":              two,
		"a text of 64 KiB":                   assistant(strings.Repeat("\\boxed{ \u202e\x00\n", 1<<12)),
		"a text of brackets only":            assistant(strings.Repeat("{[(<", 1<<10)),
	}
}

// runUnusualMessages plays one episode for each oddity.
func (t *T) runUnusualMessages(see func(what string, s *agentEpisode, err error)) {
	list := unusualMessages()
	for _, what := range slices.Sorted(maps.Keys(list)) {
		s := t.newAgentEpisode()
		s.changeMessage = func(turn int, m *awhostv1.Message) *awhostv1.Message {
			if turn == 0 {
				return list[what]
			}
			return m
		}
		_, err := t.runAgent(t.shared(), s)
		see(what, s, err)
	}
}

func checkAgentOdd(t *T) {
	t.runUnusualMessages(func(what string, s *agentEpisode, err error) {
		t.checkAgentEnded(s, what)
		t.checkResponds(err, what)
	})
	t.checkNextEpisode("after odd messages of the policy")
}

func checkAgentOddIsNoFailure(t *T) {
	t.runUnusualMessages(func(what string, _ *agentEpisode, err error) {
		if err != nil {
			t.errorf("the policy generates %s: Run returned %s (%s)", what,
				name(status.Code(err)), status.Convert(err).Message())
		}
	})
}

// cancelledIn cancels an episode while one of its calls is pending.
func (t *T) cancelledIn(s *agentEpisode, what string) {
	var came atomic.Bool
	stop := func(ctx context.Context, _ int) error {
		came.Store(true)
		s.cancel()
		return blockUntilDone(ctx, 0)
	}
	if s.beforeStep == nil {
		s.beforeSample = stop
	} else {
		s.beforeStep = stop
	}
	_, err := t.runAgent(t.shared(), s)
	if !came.Load() {
		t.fatalf("%s: the episode ended before: %v", what, err)
	}
	t.checkNoLateCalls(s, what)
	t.checkNextEpisode("after a canceled one")
}

func checkAgentCancelled(t *T) {
	t.cancelledIn(t.newAgentEpisode(), "an episode canceled during a call to the policy")
}

func checkAgentCancelledInStep(t *T) {
	s := t.newSteppingEpisode()
	s.beforeStep = blockUntilDone
	t.cancelledIn(s, "an episode canceled during a tool call")
}

func checkAgentAfterCancelled(t *T) {
	p := t.shared()
	episodes := make([]*agentEpisode, abandonedEpisodes)
	for i := range episodes {
		episodes[i] = t.newAgentEpisode()
	}
	most := len(episodes)
	if n := int(t.component.GetAgent().GetMaxConcurrent()); n > 0 {
		most = min(most, n)
	}
	var all sync.WaitGroup
	free := make(chan struct{}, most)
	for i, s := range episodes {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			ctx, cancel := context.WithTimeout(t.ctx, time.Millisecond<<(i%12)/2)
			defer cancel()
			s.beforeSample = func(ctx context.Context, n int) error {
				if n == 1+i%2 {
					return blockUntilDone(ctx, n)
				}
				return nil
			}
			_, _ = t.runAgentWithin(ctx, t.suite.config.CallTimeout, p, s)
		})
	}
	all.Wait()
	if p.Exit() != nil {
		t.fatalf("it ended: %v", p.Exit())
	}
	t.checkNextEpisode("after " + plural(abandonedEpisodes, "episode") + " that were canceled")
}

// abandonedEpisodes is the number of episodes that are started and canceled: after 0.5, 1, 2, 4 … 1024 ms.
const abandonedEpisodes = 64

func checkAgentKilled(t *T) {
	own := t.ownDir()
	p := t.startIn(own, 1)
	s := t.newAgentEpisode()
	middle := make(chan struct{})
	var once sync.Once
	s.beforeSample = func(ctx context.Context, n int) error {
		once.Do(func() { close(middle) })
		return blockUntilDone(ctx, n)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := t.runAgent(p, s)
		ended <- err
	}()
	select {
	case <-middle:
	case err := <-ended:
		t.fatalf("the episode ended before the first call to the policy: %v", err)
	}
	t.killProcess(p)
	<-ended
	next := t.newAgentEpisode()
	_, err := t.runAgent(t.startIn(own, 2), next)
	t.checkAgentEnded(next, "an episode in another process after kill -9")
	t.need(err, "Run in another process after kill -9")
}
