package envservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// session is one attempt at an episode, with an instance on the service.
type session struct {
	config  *config
	client  *client
	record  instanceRecord
	stepCtx context.Context // of steps: until the episode is closed
	cancel  context.CancelFunc

	stepping sync.Mutex
	lastStep *pendingStep // the last step

	mu           sync.Mutex
	offered      bool // the service offers tools
	turns        int
	emptyAnswers int
	rewards      []float64 // rewards of steps, if the service returns any
	over         bool
	terminated   bool     // the service ended the episode
	evaluation   *float64 // nil: not asked yet
	// lost is the reason why the instance can no longer be used: its state is unknown.
	lost error
}

// pendingStep is a step that was started, with its result once done is closed.
type pendingStep struct {
	id   string
	done chan struct{}
	out  *sdk.StepResponse
	err  error
}

func newSession(config *config, client *client, note instanceRecord) *session {
	s := &session{config: config, client: client, record: note}
	s.stepCtx, s.cancel = context.WithCancel(context.Background())
	return s
}

// stepOnce starts a step, or waits for the step with the same ID. A step that was started is finished even if its
// caller cancels it, and a repeated step gets the same response, because the service may have executed it.
func (s *session) stepOnce(ctx context.Context, id string, message sdk.Message) (*sdk.StepResponse, error) {
	s.stepping.Lock()
	step := s.lastStep
	if step == nil || step.id != id {
		step = &pendingStep{id: id, done: make(chan struct{})}
		s.lastStep = step
		go func() { // until the episode is closed, within the service's time limit
			defer close(step.done)
			step.out, step.err = s.step(s.stepCtx, message)
		}()
	}
	s.stepping.Unlock()
	select {
	case <-step.done:
		return step.out, step.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

var errEpisodeEnded = errors.New("the episode is over: open it again to start afresh")

// create creates the instance and returns the start of the episode.
func (s *session) create(ctx context.Context) (*sdk.OpenResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, err := s.client.ask(ctx, callCreate, s.record.body(map[string]any{}, orEmpty(s.config.Params)))
	if err != nil {
		return nil, err
	}
	var created struct {
		State json.RawMessage `json:"state"`
		Tools json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(data, &created); err != nil {
		return nil, s.unreadable(callCreate, "data is no object: "+excerpt(data))
	}
	messages, err := messagesOf(created.State)
	if err != nil {
		return nil, s.stateErr(callCreate, err)
	}
	if len(messages) == 0 {
		return nil, s.unreadable(callCreate, "data has no state to begin with: "+excerpt(data))
	}
	tools, err := toolsOf(toolsIn(created.Tools, created.State))
	if err != nil {
		return nil, s.unreadable(callCreate, err.Error())
	}
	s.offered = len(tools) > 0
	return &sdk.OpenResponse{
		InstanceID: s.record.InstanceID, Messages: messages, Tools: tools, MaxTurns: s.config.MaxTurns,
	}, nil
}

// toolsIn returns the tools next to the state, or inside a state that is an object.
func toolsIn(beside, state json.RawMessage) json.RawMessage {
	var in struct {
		Tools json.RawMessage `json:"tools"`
	}
	if !present(beside) && json.Unmarshal(state, &in) == nil {
		return in.Tools
	}
	return beside
}

func (s *session) unreadable(call, why string) error {
	return s.client.problem(call, kindUnreadable, why)
}

// stateErr converts an error in a state: one that the service reported, or one about the state's format.
func (s *session) stateErr(call string, err error) error {
	if fault := (*stateError)(nil); errors.As(err, &fault) {
		return s.client.problem(call, kindFailed, err.Error())
	}
	return s.unreadable(call, err.Error())
}

// step sends an agent message to the service, and evaluates the instance if that ends the episode.
func (s *session) step(ctx context.Context, message sdk.Message) (*sdk.StepResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over:
		return nil, errEpisodeEnded
	case s.lost != nil:
		return nil, fmt.Errorf("%w: %w", sdk.ErrSessionLost, s.lost)
	}
	out, err := s.act(ctx, message)
	if err != nil {
		s.lost = err
		return nil, err
	}
	s.turns++
	if s.config.MaxTurns > 0 && s.turns >= s.config.MaxTurns && !out.Done {
		out.Done, out.Truncated = true, true
	}
	if !out.Done {
		return out, nil
	}
	s.over = true
	if out.TurnReward, err = s.evaluate(ctx); err != nil {
		return nil, err
	}
	return out, nil
}

// stepData is the data in the response to a step.
type stepData struct {
	State        json.RawMessage `json:"state"`
	IsTerminated *bool           `json:"is_terminated"`
	Reward       json.RawMessage `json:"reward"`
	Tools        json.RawMessage `json:"tools"`
}

func (s *session) act(ctx context.Context, message sdk.Message) (*sdk.StepResponse, error) {
	data, err := s.client.ask(ctx, callStep, s.record.body(actionOf(message, s.offered), orEmpty(s.config.Params)))
	if err != nil {
		return nil, err
	}
	var told stepData
	if err := json.Unmarshal(data, &told); err != nil || told.IsTerminated == nil {
		return nil, s.unreadable(callStep, "data is no object with state and is_terminated: "+excerpt(data))
	}
	messages, err := messagesOf(told.State)
	if err != nil {
		return nil, s.stateErr(callStep, err)
	}
	out := &sdk.StepResponse{Done: *told.IsTerminated}
	s.terminated = out.Done
	if present(told.Reward) {
		var reward float64
		if err := json.Unmarshal(told.Reward, &reward); err != nil {
			return nil, s.unreadable(callStep, "reward is no number: "+excerpt(told.Reward))
		}
		s.rewards = append(s.rewards, reward)
	}
	tools, err := toolsOf(toolsIn(told.Tools, told.State))
	if err != nil {
		return nil, s.unreadable(callStep, err.Error())
	}
	calls := message.ToolCalls
	if !s.offered {
		calls = nil
	}
	if allEmpty(messages) {
		s.emptyAnswers++
	}
	if !out.Done || !allEmpty(messages) {
		out.Messages = feedback(calls, messages)
	}
	if len(tools) > 0 {
		out.Tools, out.ToolsChanged, s.offered = tools, true, true
	}
	return out, nil
}

// evaluate requests the evaluation of the instance, once.
func (s *session) evaluate(ctx context.Context) (*float64, error) {
	if s.evaluation != nil {
		return s.evaluation, nil
	}
	params := s.config.EvaluateParams
	if !present(params) {
		params = s.config.Params
	}
	data, err := s.client.ask(ctx, callEvaluate, s.record.body(map[string]any{}, orEmpty(params)))
	if err != nil {
		return nil, err
	}
	var value float64
	if err := json.Unmarshal(data, &value); err != nil || math.IsInf(value, 0) {
		return nil, s.unreadable(callEvaluate, "data is no number: "+excerpt(data))
	}
	s.evaluation = &value
	return s.evaluation, nil
}

// state is the state of an episode for rewards.
type state struct {
	Evaluation  float64         `json:"evaluation"`
	Terminated  bool            `json:"terminated"` // the service ended the episode
	Turns       int             `json:"turns"`
	StepRewards []float64       `json:"step_rewards"`
	StepReward  float64         `json:"step_reward"` // their sum
	Info        json.RawMessage `json:"info,omitempty"`
}

// snapshot evaluates the instance, unless a step already did, and requests its information if the block enables it.
func (s *session) snapshot(ctx context.Context) (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil {
		return nil, fmt.Errorf("%w: %w", sdk.ErrSessionLost, s.lost)
	}
	value, err := s.evaluate(ctx)
	if err != nil {
		return nil, err
	}
	out := state{
		Evaluation: *value, Terminated: s.terminated, Turns: s.turns, StepRewards: s.rewards, StepReward: sum(s.rewards),
	}
	if out.StepRewards == nil {
		out.StepRewards = []float64{}
	}
	if s.config.Info {
		body := s.record.body(map[string]any{}, orEmpty(s.config.Params))
		if out.Info, err = s.client.ask(ctx, callInfo, body); err != nil {
			return nil, err
		}
	}
	return json.Marshal(out)
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// end returns the metrics for the episode, and reports whether its instance must be released later, because the service
// may be unavailable, or busy with a canceled step. Waiting for that would delay the episode.
func (s *session) end() (metrics map[string]float64, later bool) {
	defer s.cancel()
	if !s.mu.TryLock() {
		return nil, true
	}
	defer s.mu.Unlock()
	return map[string]float64{
		metricSteps: float64(s.turns), metricSilent: float64(s.emptyAnswers), metricStepReward: sum(s.rewards),
	}, s.lost != nil
}
