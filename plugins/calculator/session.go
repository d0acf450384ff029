package calculator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
)

// The metrics reported at the end of an episode.
const (
	metricCalls   = "calls"    // tool calls
	metricCallsOK = "calls_ok" // executed tool calls
	metricToolOK  = "tool_ok"  // 1 if the first call used the right tool
	metricArgsOK  = "args_ok"  // 1 if the first call had the right arguments
)

// maxKeptCalls bounds the calls listed in a state. All of them are counted.
const maxKeptCalls = 64

// maxKeptName bounds the name of an unknown tool in a state, in bytes.
const maxKeptName = 64

// session is one open episode.
type session struct {
	operations []arithmetic.Operation
	maxTurns   int
	problem    *arithmetic.Problem // nil if the task is not an arithmetic problem

	mu      sync.Mutex
	state   state
	callsOK int
	first   firstCall
}

// firstCall reports whether the first call of an episode matches the problem.
type firstCall struct{ tool, arguments bool }

// state is the content of a Snapshot: facts about the agent's actions, without the correct solution.
type state struct {
	Turns    int         `json:"turns"`
	NumCalls int         `json:"num_calls"`
	Calls    []callState `json:"calls"` // the first calls
	Answered bool        `json:"answered"`
	Over     bool        `json:"over"`
}

// callState is a call with its result or error.
type callState struct {
	Name   string `json:"name"`
	A      *int64 `json:"a,omitempty"`
	B      *int64 `json:"b,omitempty"`
	Result *int64 `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
}

var errEpisodeEnded = errors.New("the episode is over: open it again to start afresh")

// step handles an assistant message. A message with an answer ends the episode. Its calls are not executed, because
// their results could not have led to the answer.
func (s *session) step(message sdk.Message) (*sdk.StepResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Over {
		return nil, errEpisodeEnded
	}
	s.state.Turns++
	if answers(message) {
		s.state.Answered, s.state.Over = true, true
		return &sdk.StepResponse{Done: true}, nil
	}
	response := &sdk.StepResponse{}
	for _, call := range message.ToolCalls {
		response.Messages = append(response.Messages, s.call(call))
	}
	if s.state.Turns >= s.maxTurns {
		s.state.Over, response.Done, response.Truncated = true, true, true
	}
	return response, nil
}

// answers reports whether a message is the agent's last one. A message that contains only malformed calls is not the
// last one, because the agent intended to continue.
func answers(message sdk.Message) bool {
	if _, rest, opened := strings.Cut(message.Content, answerOpen); opened && strings.Contains(rest, answerClose) {
		return true
	}
	return len(message.ToolCalls) == 0 && len(message.Malformed) == 0
}

// call executes one tool call. Errors are short, because they use up the model's context.
func (s *session) call(call sdk.ToolCall) sdk.Message {
	reply := sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name}
	done, err := s.run(call)
	s.record(call.Name, done, err)
	if err != nil {
		reply.Content, reply.IsError = "error: "+err.Error(), true
		return reply
	}
	reply.Content = strconv.FormatInt(done.Result, 10)
	return reply
}

func (s *session) run(call sdk.ToolCall) (arithmetic.Call, error) {
	operation, err := arithmetic.Named(call.Name)
	if err != nil {
		return arithmetic.Call{}, err
	}
	if !slices.Contains(s.operations, operation) {
		return arithmetic.Call{}, arithmetic.ErrNoTool
	}
	return arithmetic.Run(call.Name, call.Arguments)
}

func (s *session) record(name string, done arithmetic.Call, err error) {
	s.state.NumCalls++
	if err == nil {
		s.callsOK++
		if s.state.NumCalls == 1 && s.problem != nil {
			s.first.tool, s.first.arguments = s.problem.SolvedBy(done)
		}
	}
	if len(s.state.Calls) == maxKeptCalls {
		return
	}
	if err != nil {
		s.state.Calls = append(s.state.Calls, callState{Name: cut(name), Error: err.Error()})
		return
	}
	s.state.Calls = append(s.state.Calls, callState{Name: name, A: &done.A, B: &done.B, Result: &done.Result})
}

// cut copies the beginning of a name, so that the memory for the rest can be freed.
func cut(name string) string {
	if len(name) > maxKeptName {
		name = name[:maxKeptName]
	}
	return strings.ToValidUTF8(strings.Clone(name), "")
}

// snapshot returns the state as JSON. Equal states have identical bytes.
func (s *session) snapshot() (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(s.state)
	if err != nil {
		return nil, fmt.Errorf("encode the calculator's state: %w", err)
	}
	return text, nil
}

// digest returns the SHA-256 of the snapshot, in hexadecimal.
func (s *session) digest() (string, error) {
	text, err := s.snapshot()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// metrics returns the metrics of the whole episode. tool_ok and args_ok are omitted for a task without an arithmetic
// question.
func (s *session) metrics() map[string]float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	metrics := map[string]float64{metricCalls: float64(s.state.NumCalls), metricCallsOK: float64(s.callsOK)}
	if s.problem != nil {
		metrics[metricToolOK] = sdk.Flag(s.first.tool)
		metrics[metricArgsOK] = sdk.Flag(s.first.arguments)
	}
	return metrics
}
