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

// The numbers that an episode ends with.
const (
	metricCalls   = "calls"    // tool calls
	metricCallsOK = "calls_ok" // tool calls that ran
	metricToolOK  = "tool_ok"  // 1 when the first call used the right tool
	metricArgsOK  = "args_ok"  // 1 when the first call had the right arguments
)

// maxKeptCalls bounds the calls that a state lists; all of them are counted.
const maxKeptCalls = 64

// maxKeptName bounds the name of an unknown tool in a state, in bytes.
const maxKeptName = 64

// session is one open episode.
type session struct {
	operations []arithmetic.Operation
	maxTurns   int
	problem    *arithmetic.Problem // nil when the task asks something else

	mu      sync.Mutex
	state   state
	callsOK int
	first   firstCall
}

// firstCall says how the first call of an episode fits the problem.
type firstCall struct{ tool, arguments bool }

// state is what Snapshot shows: plain facts about what the agent did, nothing about what would have been right.
type state struct {
	Turns    int         `json:"turns"`
	NumCalls int         `json:"num_calls"`
	Calls    []callState `json:"calls"` // the first of them
	Answered bool        `json:"answered"`
	Over     bool        `json:"over"`
}

// callState is a call with its result or its error.
type callState struct {
	Name   string `json:"name"`
	A      *int64 `json:"a,omitempty"`
	B      *int64 `json:"b,omitempty"`
	Result *int64 `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
}

var errOver = errors.New("the episode is over: open it again to start afresh")

// step takes an assistant message. A message that answers ends the episode: calls in it are not carried out, because
// their results could not have led to the answer.
func (s *session) step(message sdk.Message) (*sdk.StepResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Over {
		return nil, errOver
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

// answers says whether a message is the agent's last. One in which every call is malformed is not: the agent wanted
// to go on.
func answers(message sdk.Message) bool {
	if _, rest, opened := strings.Cut(message.Content, answerOpen); opened && strings.Contains(rest, answerClose) {
		return true
	}
	return len(message.ToolCalls) == 0 && len(message.Malformed) == 0
}

// call carries out one tool call. Errors are short: they take room in the model's context.
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

// cut copies the beginning of a name, so that the rest of it need not be kept.
func cut(name string) string {
	if len(name) > maxKeptName {
		name = name[:maxKeptName]
	}
	return strings.ToValidUTF8(strings.Clone(name), "")
}

// snapshot is the state as JSON: equal states have equal bytes.
func (s *session) snapshot() (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(s.state)
	if err != nil {
		return nil, fmt.Errorf("encode the calculator's state: %w", err)
	}
	return text, nil
}

// digest is the SHA-256 of the snapshot, in hexadecimal.
func (s *session) digest() (string, error) {
	text, err := s.snapshot()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// metrics are about the whole episode. tool_ok and args_ok are missing where the task is no arithmetic question.
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
