package bridge_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

// testTimeout ends a test that hangs, also on a busy machine that checks for races.
const testTimeout = 15 * time.Minute

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	t.Cleanup(cancel)
	return ctx
}

// host runs episodes like the real one: a number of turns each, and the number of answers as the reward.
type host struct {
	turns  int
	bound  chan struct{} // closed when server is set: workers of an earlier adapter do not wait for it
	server *bridge.Server

	mu     sync.Mutex
	runs   map[string]int // of each episode
	causes map[string]error
	events []sdk.TrainEvent
	steps  []int // of boundaries
	joined []string
	left   []string
}

func newHost(turns int) *host {
	return &host{turns: turns, bound: make(chan struct{}), runs: map[string]int{}, causes: map[string]error{}}
}

func (h *host) bind(s *bridge.Server) {
	h.server = s
	close(h.bound)
}

func (h *host) RunEpisode(ctx context.Context, _ bridge.Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	<-h.bound
	h.mu.Lock()
	h.runs[req.EpisodeID]++
	h.mu.Unlock()
	reward := 0.0
	chain := ""
	for turn := range h.turns {
		call := fmt.Sprintf("%s/c%d", req.EpisodeID, turn)
		response, err := h.server.Generate(ctx, sdk.GenerateRequest{
			EpisodeID: req.EpisodeID, Attempt: 1, CallID: call, Chain: chain, Base: 2 * turn, Trainable: true,
			Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "question of " + call}},
		})
		if err != nil {
			h.mu.Lock()
			h.causes[req.EpisodeID] = context.Cause(ctx)
			h.mu.Unlock()
			return nil, err
		}
		if response.Message.Content != "answer to "+call {
			return nil, fmt.Errorf("call %s got %q", call, response.Message.Content)
		}
		chain = response.Chain
		reward++
	}
	return &sdk.EpisodeResult{EpisodeID: req.EpisodeID, Attempt: 1, Outcome: sdk.OutcomeScored, Reward: &reward,
		NumTurns: h.turns}, nil
}

func (h *host) Boundary(_ context.Context, _ bridge.Worker, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse,
	error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steps = append(h.steps, req.Step)
	return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue,
		Reason: fmt.Sprintf("after %d events", len(h.events))}, nil
}

func (h *host) Event(_ context.Context, _ bridge.Worker, event sdk.TrainEvent) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, event)
	return nil
}

func (h *host) Joined(w bridge.Worker) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined = append(h.joined, w.Framework)
}

func (h *host) Left(_ bridge.Worker, reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, reason)
}

func (h *host) seen(of func(*host) bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return of(h)
}

// sampler counts the executions of each call.
type sampler struct {
	mu    sync.Mutex
	calls map[string]int
}

func newSampler() *sampler { return &sampler{calls: map[string]int{}} }

func (s *sampler) sample(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[req.CallID]++
	return &sdk.GenerateResponse{
		Message: sdk.Message{Role: sdk.RoleAssistant, Content: "answer to " + req.CallID}, Finish: sdk.FinishStop,
		Chain: req.EpisodeID + "/1", ChainLength: req.Base + 2, OutputTokens: 3,
	}, nil
}

// listen starts a server with short timeouts, and closes it with the test.
func listen(t testing.TB, h *host, change func(*bridge.Options)) *bridge.Server {
	t.Helper()
	o := bridge.Options{
		Dir: t.TempDir(), Run: "full-1", Epoch: 1, Handler: h, Grace: 20 * time.Second, PingInterval: 5 * time.Second,
	}
	if change != nil {
		change(&o)
	}
	s, err := bridge.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	h.bind(s)
	t.Cleanup(func() { closeServer(t, s) })
	return s
}

func closeServer(t testing.TB, s *bridge.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
}

// work starts a worker and ends it with the test.
func work(t testing.TB, s *bridge.Server, o bridgetest.Options) *bridgetest.Worker {
	t.Helper()
	if o.EndpointFile == "" {
		o.EndpointFile = s.EndpointFile()
	}
	if o.Backoff == 0 {
		o.Backoff = time.Millisecond
	}
	w, err := bridgetest.Start(within(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Kill)
	return w
}

func episode(id string) sdk.EpisodeRequest {
	return sdk.EpisodeRequest{EpisodeID: id, GroupID: "g", GroupSize: 1, Stage: "main", Split: sdk.SplitTrain, Step: 1}
}

// eventually polls until ok returns true.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	ctx := within(t)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("it did not happen within %s: %s", testTimeout, what)
		}
	}
}

// runAll runs episodes concurrently and reports every failure.
func runAll(t testing.TB, w *bridgetest.Worker, ids []string, turns int) {
	t.Helper()
	ctx := within(t)
	var group sync.WaitGroup
	failures := make(chan error, len(ids))
	for _, id := range ids {
		group.Go(func() {
			result, err := w.RunEpisode(ctx, episode(id))
			switch {
			case err != nil:
				failures <- fmt.Errorf("episode %s: %w", id, err)
			case result.Reward == nil || *result.Reward != float64(turns) || result.EpisodeID != id:
				failures <- fmt.Errorf("episode %s: got %+v, want a reward of %d", id, result, turns)
			}
		})
	}
	group.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
}

func names(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s%04d", prefix, i)
	}
	return out
}

// wantOnce checks that each episode was run, and each of its calls sampled, exactly once.
func wantOnce(t testing.TB, h *host, s *sampler, ids []string) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(h.runs) != len(ids) || len(s.calls) != len(ids)*h.turns {
		t.Errorf("got %d episodes with %d calls, want %d with %d", len(h.runs), len(s.calls), len(ids), len(ids)*h.turns)
	}
	for id, n := range h.runs {
		if n != 1 || !slices.Contains(ids, id) {
			t.Errorf("episode %s was run %d times, want once", id, n)
		}
	}
	for id, n := range s.calls {
		if n != 1 {
			t.Errorf("call %s was sampled %d times, want once", id, n)
		}
	}
}
