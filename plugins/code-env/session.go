package codeenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk"
)

// session is one open episode.
type session struct {
	config      *config
	pool        *pool
	killFailure func() error // returns the failure of an attempt whose interpreter was killed; nil: score it

	mu          sync.Mutex
	interpreter *interpreter // nil: closed
	turns       int
	over        bool
	counts      map[string]float64
}

var errEpisodeEnded = errors.New("the episode is over: open it again to start afresh")

// step executes the calls in a message. A message without calls is the answer.
func (s *session) step(ctx context.Context, message sdk.Message) (*sdk.StepResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.interpreter == nil {
		return nil, errEpisodeEnded
	}
	s.turns++
	if len(message.ToolCalls) == 0 && len(message.Malformed) == 0 {
		s.over = true
		return &sdk.StepResponse{Done: true}, nil
	}
	out := &sdk.StepResponse{}
	for _, call := range message.ToolCalls {
		reply, err := s.call(ctx, call)
		if err != nil {
			return nil, err
		}
		out.Messages = append(out.Messages, reply)
	}
	if s.config.MaxTurns > 0 && s.turns >= s.config.MaxTurns {
		s.over, out.Done, out.Truncated = true, true, true
	}
	return out, nil
}

// arguments holds the arguments of a call.
type arguments struct {
	Code    *string  `json:"code"`
	Timeout *float64 `json:"timeout"`
}

func (s *session) call(ctx context.Context, call sdk.ToolCall) (sdk.Message, error) {
	reply := sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name}
	s.counts[metricCalls]++
	request, err := s.request(call)
	if err != nil {
		s.counts[metricFailed]++
		reply.Content, reply.IsError = "error: "+err.Error(), true
		return reply, nil
	}
	done, err := s.run(ctx, request)
	if err != nil {
		return reply, err
	}
	s.count(done)
	reply.Content, reply.IsError = s.formatResult(done, request), done.Status != 0 || done.lost != ""
	return reply, nil
}

func (s *session) count(o outcome) {
	switch {
	case o.lost != "":
		s.counts[metricEnded]++
	case o.Late:
		s.counts[metricLate]++
	case o.Status != 0:
		s.counts[metricFailed]++
	}
}

// request parses the arguments of a call. Its errors are intended for the model.
func (s *session) request(call sdk.ToolCall) (request, error) {
	if call.Name != s.config.Tool {
		return request{}, fmt.Errorf("there is no tool %s: call %s", call.Name, s.config.Tool)
	}
	var a arguments
	if err := json.Unmarshal([]byte(call.Arguments), &a); err != nil {
		return request{}, errors.New(`the arguments are not as they should be: {"code": "print(1)"}`)
	}
	if a.Code == nil {
		return request{}, errors.New(`"code" is missing: {"code": "print(1)"}`)
	}
	out := request{Code: *a.Code, Timeout: s.config.seconds()}
	if a.Timeout != nil {
		if *a.Timeout <= 0 {
			return request{}, errors.New(`"timeout" is a number of seconds above 0`)
		}
		out.Timeout = min(out.Timeout, *a.Timeout)
	}
	return out, nil
}

// run runs the code of a call. A lost interpreter is replaced first; its files remain, but its variables are lost.
func (s *session) run(ctx context.Context, r request) (outcome, error) {
	if s.interpreter.hasEnded {
		s.interpreter.end()
	}
	if s.interpreter.lost {
		next, err := s.interpreter.replacement(ctx)
		if err != nil && !errors.Is(err, errKilled) && s.pool.canStart(ctx) {
			return outcome{lost: "another one cannot start with the files that it left", Status: -1}, nil
		}
		if err != nil {
			return outcome{}, environmentFailure(err)
		}
		s.interpreter = next
	}
	var out outcome
	patience := time.Duration(r.Timeout*float64(time.Second)) + killDelay
	if lost := s.interpreter.ask(ctx, r, &out, patience); lost != "" {
		if ctx.Err() != nil {
			return outcome{}, ctx.Err()
		}
		i := s.interpreter
		out = outcome{
			lost: lost, Status: i.status, Stdout: i.server.written("stdout"), Stderr: i.server.written("stderr"),
		}
	}
	if s.interpreter.killed || out.killed() {
		return out, s.killFailure()
	}
	out.Stdout, out.Stderr = s.config.shorten(out.Stdout), s.config.shorten(out.Stderr)
	return out, nil
}

// shorten keeps the beginning and end of a string that is longer than output_bytes. An interpreter does the same, but
// the model's code can write to the interpreter's pipe.
func (c *config) shorten(text string) string {
	const cut = "\n[...]\n"
	if len(text) <= c.OutputBytes+len(cut) {
		return text
	}
	return strings.ToValidUTF8(text[:c.OutputBytes/2]+cut+text[len(text)-c.OutputBytes/2:], "")
}

// formatResult formats the result of running the code for the model.
func (s *session) formatResult(o outcome, r request) string {
	late := fmt.Sprintf("TimeoutError: The code execution exceeded the timeout of %g seconds.", r.Timeout)
	if s.config.Format == formatTags {
		status, stderr := o.Status, o.Stderr
		switch {
		case o.Late:
			status, stderr = -1, join(stderr, late)
		case o.lost != "":
			stderr = join(stderr, "The interpreter was ended: "+o.lost+".")
		}
		return fmt.Sprintf("<returncode>%d</returncode><stdout>%s</stdout><stderr>%s</stderr>", status, o.Stdout, stderr)
	}
	text := join(o.Stdout, o.Stderr)
	switch {
	case o.lost != "" && s.config.State == stateKept:
		return join(text, "The interpreter was ended: "+o.lost+". Its variables are lost, its files are not.")
	case o.lost != "":
		return join(text, "The code was ended: "+o.lost+".")
	case o.Late:
		return join(text, late)
	case o.Status != 0 && o.Stderr == "":
		return join(text, fmt.Sprintf("(the code ended with status %d)", o.Status))
	case text == "":
		return "(the code wrote nothing)"
	}
	return strings.TrimSuffix(text, "\n")
}

// join appends one string to another on a new line.
func join(before, after string) string {
	if before == "" || after == "" || strings.HasSuffix(before, "\n") {
		return before + after
	}
	return before + "\n" + after
}

// close ends the episode.
func (s *session) close() map[string]float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interpreter != nil {
		s.pool.release(s.interpreter)
		s.interpreter, s.over = nil, true
	}
	return s.counts
}

// state is an episode's state, as passed to rewards.
type state struct {
	Calls       int               `json:"calls"`
	CallsFailed int               `json:"calls_failed"`
	Files       map[string]string `json:"files"`
	// FilesLeftOut lists files that match collect but are too large or are not text.
	FilesLeftOut []string `json:"files_left_out,omitempty"`
}

func (s *session) snapshot() (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interpreter == nil {
		return nil, errEpisodeEnded
	}
	s.interpreter.endProcesses()
	files, left, err := s.config.collect(s.interpreter.server.folder)
	if err != nil {
		return nil, err
	}
	failed := s.counts[metricFailed] + s.counts[metricLate] + s.counts[metricEnded]
	return json.Marshal(
		state{Calls: int(s.counts[metricCalls]), CallsFailed: int(failed), Files: files, FilesLeftOut: left},
	)
}
