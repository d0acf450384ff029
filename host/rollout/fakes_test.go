package rollout

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// taskList is an endless supply of small sums.
type taskList struct{}

func (taskList) TaskAt(_ sdk.Split, index int) (sdk.Task, error) {
	return sdk.Task{
		ID:      "sum-" + strconv.Itoa(index),
		Public:  json.RawMessage(fmt.Sprintf(`{"prompt":"what is %d + 1?"}`, index)),
		Private: json.RawMessage(fmt.Sprintf(`{"ground_truth":"%d"}`, index+1)),
	}, nil
}

func (t taskList) TaskByID(split sdk.Split, id string) (sdk.Task, bool) {
	index, err := strconv.Atoi(strings.TrimPrefix(id, "sum-"))
	if err != nil {
		return sdk.Task{}, false
	}
	task, _ := t.TaskAt(split, index)
	return task, true
}

// fakePolicy calls the tool `add` once and then answers. Its messages depend only on the seed.
type fakePolicy struct {
	before func(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) // nil, nil: continue
	mu     sync.Mutex
	seen   []sdk.GenerateRequest
	record bool
}

func (p *fakePolicy) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	if p.record {
		p.mu.Lock()
		p.seen = append(p.seen, req)
		p.mu.Unlock()
	}
	if p.before != nil {
		if resp, err := p.before(ctx, req); resp != nil || err != nil {
			return resp, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if req.Chain == "" && len(req.Tools) > 0 {
		return p.say(req, sdk.Message{ToolCalls: []sdk.ToolCall{{
			ID: "call-" + req.CallID, Name: "add", Arguments: fmt.Sprintf(`{"by":%d}`, req.Seed%7),
		}}}), nil
	}
	return p.say(req, sdk.Message{Content: strconv.FormatUint(req.Seed%100, 10)}), nil
}

// say returns a response with a message.
func (p *fakePolicy) say(req sdk.GenerateRequest, message sdk.Message) *sdk.GenerateResponse {
	message.Role = sdk.RoleAssistant
	chain := req.Chain
	if chain == "" {
		chain = "chain-" + req.CallID
	}
	d := digest.New("fake")
	d.Messages([]sdk.Message{message})
	d.Number(req.Seed)
	digest := d.Finish()
	return &sdk.GenerateResponse{
		Message: message, Finish: sdk.FinishStop, PromptTokens: 10 * (req.Base + 1), OutputTokens: 3,
		Versions: []sdk.VersionSpan{{Version: 7, Tokens: 3}},
		Chain:    chain, ChainLength: req.Base + len(req.Messages) + 1, ChainDigest: hex.EncodeToString(digest[:4]),
	}
}

// fakeEnvironment has one tool, and the episode ends when it is not used.
type fakeEnvironment struct {
	onOpen     func(ctx context.Context, req sdk.OpenRequest) error
	onStep     func(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) // nil, nil: continue
	onClose    func(ctx context.Context, req sdk.CloseRequest) error
	onSnapshot func() error

	open, most atomic.Int64
	mu         sync.Mutex
	sessions   map[string]bool
	opens      []sdk.OpenRequest
	closes     []string // reasons
	record     bool
}

func (e *fakeEnvironment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	if e.record {
		e.mu.Lock()
		if e.sessions == nil {
			e.sessions = map[string]bool{}
		}
		e.sessions[req.EpisodeID] = true
		e.opens = append(e.opens, req)
		e.mu.Unlock()
	}
	if n := e.open.Add(1); n > e.most.Load() {
		e.most.Store(n)
	}
	if e.onOpen != nil {
		if err := e.onOpen(ctx, req); err != nil {
			return nil, err
		}
	}
	return &sdk.OpenResponse{InstanceID: "i-" + req.EpisodeID, Tools: addTool}, nil
}

var addTool = []sdk.Tool{{Name: "add", Parameters: json.RawMessage(`{"type":"object"}`)}}

func (e *fakeEnvironment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	if e.onStep != nil {
		if resp, err := e.onStep(ctx, req); resp != nil || err != nil {
			return resp, err
		}
	}
	if len(req.Message.ToolCalls) == 0 {
		return &sdk.StepResponse{Done: true, Metrics: map[string]float64{"answers": 1}}, nil
	}
	step := &sdk.StepResponse{Messages: make([]sdk.Message, 0, 1)}
	for _, call := range req.Message.ToolCalls {
		step.Messages = append(step.Messages, sdk.Message{
			Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name, Content: "done " + call.Arguments,
		})
	}
	return step, nil
}

func (e *fakeEnvironment) Close(ctx context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	e.open.Add(-1)
	if e.record {
		e.mu.Lock()
		delete(e.sessions, req.EpisodeID)
		e.closes = append(e.closes, req.Reason)
		e.mu.Unlock()
	}
	if e.onClose != nil {
		if err := e.onClose(ctx, req); err != nil {
			return nil, err
		}
	}
	return &sdk.CloseResponse{StateDigest: "state"}, nil
}

func (e *fakeEnvironment) Snapshot(context.Context, string) (json.RawMessage, error) {
	if e.onSnapshot != nil {
		if err := e.onSnapshot(); err != nil {
			return nil, err
		}
	}
	return json.RawMessage(`{"sum":1}`), nil
}

var _ sdk.EnvironmentWithSnapshot = (*fakeEnvironment)(nil)

// rewardFunc judges items one by one.
type rewardFunc func(ctx context.Context, item sdk.ScoreItem) (sdk.Scored, error)

func (f rewardFunc) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	resp := &sdk.ScoreResponse{}
	for _, item := range req.Items {
		scored, err := f(ctx, item)
		if err != nil {
			return nil, err
		}
		resp.Items = append(resp.Items, scored)
	}
	return resp, nil
}

// groupFunc judges whole requests.
type groupFunc func(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error)

func (f groupFunc) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	return f(ctx, req)
}

// answerValue returns the answer's number as score, and success above 50.
func answerValue(_ context.Context, item sdk.ScoreItem) (sdk.Scored, error) {
	value, err := strconv.ParseFloat(item.FinalAnswer, 64)
	if err != nil {
		value = -1
	}
	success := value > 50
	return sdk.Scored{Score: value / 100, Components: map[string]float64{"raw": value}, IsSuccess: &success}, nil
}

// memorySink keeps all records.
type memorySink struct {
	mu       sync.Mutex
	attempts []*AttemptRecord
	episodes []*EpisodeRecord
	err      error
}

func (s *memorySink) Attempt(r *AttemptRecord) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts = append(s.attempts, r)
	return s.err
}

func (s *memorySink) Episode(r *EpisodeRecord) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.episodes = append(s.episodes, r)
	return s.err
}

func (s *memorySink) last(t testing.TB) *EpisodeRecord {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.episodes) == 0 {
		t.Fatal("no episode was recorded")
	}
	return s.episodes[len(s.episodes)-1]
}

// rig is an engine with fakes for all other components.
type rig struct {
	*Engine
	policy  *fakePolicy
	env     *fakeEnvironment
	sink    *memorySink
	options Options
	setup   StageSetup
}

// newRig prepares an engine, which the test may change and then starts.
func newRig() *rig {
	r := &rig{policy: &fakePolicy{record: true}, env: &fakeEnvironment{record: true}, sink: &memorySink{}}
	r.options = Options{RunSeed: 1, Sink: r.sink}
	solver, err := agent.NewReact(agent.Settings{Name: "react.solver", MaxTurns: 4})
	if err != nil {
		panic(err)
	}
	r.setup = StageSetup{
		Name: "full", Tasks: taskList{}, Agent: solver, Concurrency: 4,
		Generator: GeneratorBinding{Address: "adapter.fake.a", Generator: r.policy},
		Environment: &EnvironmentBinding{Address: "environment.fake.e", Environment: r.env,
			Capabilities: sdk.EnvironmentCapabilities{Snapshot: true}},
		Rewards: []RewardBinding{{Address: "reward.fake.r", Reward: rewardFunc(answerValue)}},
		Compose: firstReward,
	}
	return r
}

// firstReward composes the reward like a bare reward block.
func firstReward(in ComposeInputs) (ComposeResult, error) {
	for _, scored := range in.Rewards {
		if scored.Failure != nil {
			return ComposeResult{}, scored.Failure
		}
		return ComposeResult{Reward: scored.Score, Success: scored.IsSuccess}, nil
	}
	return ComposeResult{}, fmt.Errorf("there is no reward")
}

func (r *rig) start(t testing.TB) *rig {
	t.Helper()
	engine, err := New(r.options)
	if err != nil {
		t.Fatal(err)
	}
	r.Engine = engine
	t.Cleanup(func() {
		if err := engine.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := engine.Configure(r.setup); err != nil {
		t.Fatal(err)
	}
	return r
}

// sample returns a request for a training sample.
func sample(step, group, index int) sdk.EpisodeRequest {
	return sdk.EpisodeRequest{
		EpisodeID: fmt.Sprintf("s%d-g%d-%d", step, group, index), GroupID: fmt.Sprintf("g%d", group), GroupSize: 4,
		SampleIndex: index, DatasetIndex: group, Stage: "full", Split: sdk.SplitTrain, Step: step, PolicyVersion: 7,
	}
}

// probe returns a request for a validation sample.
func probe(task int) sdk.EpisodeRequest {
	return sdk.EpisodeRequest{
		EpisodeID: fmt.Sprintf("v-%d", task), DatasetIndex: task, Stage: "full", Split: sdk.SplitValidation, Step: 1,
		PolicyVersion: 7,
	}
}

func (r *rig) run(t testing.TB, req sdk.EpisodeRequest) *sdk.EpisodeResult {
	t.Helper()
	result, err := r.RunEpisode(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// boundary ends a step of a trainer that uses all its drawn episodes.
func (r *rig) boundary(step int, validated bool) BoundaryReport {
	end := StepEnd{StepBoundaryRequest: sdk.StepBoundaryRequest{Stage: "full", Step: step, Validated: validated}}
	for id := range r.ledger.ids {
		end.Used = append(end.Used, id)
	}
	return r.Boundary(end)
}

// endStep ends a step that used some episodes.
func (r *rig) endStep(step int, used []string) BoundaryReport {
	return r.Boundary(StepEnd{StepBoundaryRequest: sdk.StepBoundaryRequest{Stage: "full", Step: step}, Used: used})
}
