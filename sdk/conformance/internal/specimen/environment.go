package specimen

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// episode is a counter that the policy must bring to a target value.
type episode struct {
	count, target int
	steps         int
	done          bool
	answers       map[string]*awhostv1.StepResponse
	private       string // of a mutant that reveals it
	secret        string // of a mutant that reveals it in errors
	asked         int    // number of the policy's messages
	late          float64
}

// taskCount is the number of the environment's own tasks.
const taskCount = 5

// Open implements EnvironmentService.
func (s *specimen) Open(_ context.Context, req *awhostv1.OpenRequest) (*awhostv1.OpenResponse, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	if s.breaks("ENV-OPEN-01") || s.breaks("ENV-SEED-03") && req.GetSeed() > math.MaxInt64 ||
		s.breaks("ENV-TASKS-05") && req.GetSplit() == awhostv1.Split_SPLIT_VALIDATION {
		return nil, status.Error(codes.Internal, "no more episodes")
	}
	var public struct {
		Target int `json:"target"`
	}
	_ = json.Unmarshal(req.GetTask().GetPublicJson(), &public) // the default target is 0
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.episodes[req.GetEpisodeId()]; e == nil || !s.breaks("ENV-OPEN-02") {
		if kib := map[string]int{"ENV-LEAK-01": 4, "ENV-LEAK-02": 32}[s.mutant]; kib > 0 {
			s.kept = append(s.kept, bytes.Repeat([]byte("leak"), kib<<8))
		}
		if s.breaks("ENV-LEAK-02/files") {
			kept, err := os.Open(os.DevNull)
			if err != nil {
				return nil, err
			}
			s.kept = append(s.kept, kept)
		}
		s.episodes[req.GetEpisodeId()] = &episode{target: public.Target, answers: map[string]*awhostv1.StepResponse{}}
	}
	tools := []*awhostv1.Tool{{Name: "add", Description: "Adds to the counter.",
		ParametersJson: []byte(`{"type":"object","required":["by"],"properties":{` +
			`"by":{"type":"integer","default":2},"note":{"type":"string"}}}`)}}
	if s.breaks("ENV-STEP-09") && public.Target%2 == 0 || s.breaks("ENV-STEP-10") {
		tools[0].ParametersJson = bytes.ReplaceAll(tools[0].GetParametersJson(), []byte(`"by"`), []byte(`"amount"`))
	}
	if s.breaks("ENV-FIXTURES-01") {
		tools[0].Name = "increase"
	}
	if s.breaks("ENV-SEED-04") && req.GetEpisodeId() == "conformance/seed-5" {
		public.Target += len(os.Getenv("TZ")) + int(s.configured.GetRunId()[4])
	}
	if s.breaks("ENV-SEED-02") {
		tools[0].Description += fmt.Sprintf(" (%d)", os.Getpid())
	}
	if s.breaks("ENV-OPEN-03") {
		tools = append(tools, tools[0])
	}
	out := &awhostv1.OpenResponse{
		InstanceId: req.GetEpisodeId(), Tools: tools,
		Messages: []*awhostv1.Message{content(awhostv1.Role_ROLE_USER, fmt.Sprintf("Count to %d.", public.Target))},
	}
	err := s.leaveDirectory("ENV-FILES-01")
	if err == nil && s.breaks("ENV-DAEMON-01") && s.begun == 0 {
		_, err = startTrainer()
	}
	if err != nil {
		return nil, err
	}
	if s.begun++; s.breaks("ENV-DRIFT-01") && s.begun > 3000 {
		out.Messages[0] = content(awhostv1.Role_ROLE_USER, "Count a bit further.")
	}
	s.revealPrivate(req.GetEpisodeId(), string(req.GetTask().GetPrivateJson()), out)
	return out, nil
}

// revealPrivate exposes the private part of the task in one of many places.
func (s *specimen) revealPrivate(id, private string, out *awhostv1.OpenResponse) {
	switch s.mutant {
	case "ENV-PRIVATE-01":
		out.Messages = append(out.Messages, content(awhostv1.Role_ROLE_USER, "The task is "+private))
	case "ENV-PRIVATE-01/tool":
		out.Tools[0].Description += private
	case "ENV-PRIVATE-01/schema":
		out.Tools[0].ParametersJson = fmt.Appendf(nil,
			`{"type":"object","properties":{"by":{"type":"integer","default":2,"examples":[%s]}}}`, cmp.Or(private, "{}"))
	case "ENV-PRIVATE-01/step", "ENV-PRIVATE-01/snapshot", "ENV-PRIVATE-01/code", "ENV-PRIVATE-01/late", "ENV-PRIVATE-03",
		"ENV-PRIVATE-04":
		s.episodes[id].private = private
	case "ENV-PRIVATE-02", "ENV-PRIVATE-05":
		words := strings.FieldsFunc(private, func(r rune) bool { return !unicode.IsDigit(r) })
		s.episodes[id].secret = " " + strings.Join(words, " ")
	case "ENV-PRIVATE-01/log":
		fmt.Fprintln(os.Stderr, "opened", private)
	}
}

func lost(id string) error {
	s, err := status.New(codes.NotFound, "no such episode").WithDetails(&awhostv1.SessionLost{EpisodeId: id})
	if err != nil {
		return err
	}
	return s.Err()
}

// Step implements EnvironmentService.
func (s *specimen) Step(ctx context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	gaveUp := s.breaks("ENV-CANCEL-01") && givenUp(ctx)
	const slow = 1200 * time.Millisecond
	isSlow := strings.HasPrefix(req.GetEpisodeId(), "conformance/slow-") // in ENV-WAIT-01
	if isSlow && s.mutant == "" {
		time.Sleep(slow)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if isSlow && s.breaks("ENV-WAIT-01") {
		time.Sleep(slow)
	}
	if gaveUp {
		delete(s.episodes, req.GetEpisodeId())
	}
	e := s.episodes[req.GetEpisodeId()]
	if e == nil {
		if s.breaks("ENV-STEP-03") {
			return nil, status.Error(codes.NotFound, "no such episode")
		}
		return nil, lost(req.GetEpisodeId())
	}
	if known := e.answers[req.GetStepId()]; known != nil && !s.breaks("ENV-STEP-02") {
		return known, nil
	}
	calls := len(req.GetMessage().GetToolCalls()) > 0
	if e.done && !s.breaks("ENV-STEP-06") && !(s.breaks("ENV-STEP-06/calls") && calls) {
		return nil, status.Error(codes.FailedPrecondition, "the episode has ended")
	}
	said := text(req.GetMessage())
	if s.breaks("ENV-TEXT-01") && strings.ContainsFunc(said, unicode.IsControl) {
		return nil, status.Error(codes.InvalidArgument, "control characters")
	}
	e.steps++
	out := &awhostv1.StepResponse{TurnReward: proto.Float64(0), Metrics: map[string]float64{"count": float64(e.count)}}
	for i, call := range req.GetMessage().GetToolCalls() {
		answer, err := s.answer(e, call)
		if err != nil {
			return nil, err
		}
		if !(s.breaks("ENV-STEP-01") && i == 0) && !(s.breaks("ENV-STEP-11") && i > 0) {
			out.Messages = append(out.Messages, answer)
		}
	}
	if hint := s.hint(e, said); len(req.GetMessage().GetToolCalls()) == 0 && (hint != "" || s.breaks("ENV-STEP-12")) {
		out.Messages = append(out.Messages, content(awhostv1.Role_ROLE_USER, "Go on."+hint))
	}
	switch unearned := slices.ContainsFunc(out.GetMessages(), (*awhostv1.Message).GetIsError); {
	case s.breaks("ENV-REWARD-01") && unearned:
		out.TurnReward = proto.Float64(0.1)
	case s.breaks("ENV-REWARD-02"):
		out.TurnReward = proto.Float64(e.late)
		e.late = float64(len(req.GetMessage().GetToolCalls()))
	}
	if s.breaks("ENV-STEP-05") || s.breaks("ENV-STEP-13") && len(out.GetMessages()) == 1 && e.count > 1<<30 {
		out.TurnReward = &notANumber
	}
	if e.count >= e.target && e.steps > 1 {
		e.done, out.Done = true, true
	}
	if s.breaks("ENV-STEP-14") && strings.HasPrefix(req.GetEpisodeId(), "conformance/truncated-") {
		out.Truncated, out.Done = e.done, false
	}
	e.answers[req.GetStepId()] = out
	return out, nil
}

// answer executes a call. The caller holds mu.
func (s *specimen) answer(e *episode, call *awhostv1.ToolCall) (*awhostv1.Message, error) {
	switch hostile := call.GetArgumentsJson(); {
	case s.breaks("ENV-STEP-07") && strings.Contains(hostile, "🦥"):
		os.Exit(1)
	case s.breaks("ENV-STEP-15") && strings.HasSuffix(call.GetId(), "-again"),
		s.breaks("ENV-STEP-16") && strings.Contains(hostile, `"1/0"`):
		return nil, status.Error(codes.Internal, "no such call")
	case s.breaks("ENV-STEP-07/surrogate") && strings.Contains(hostile, `\ud800`):
		return nil, status.Error(codes.Internal, "surrogates not allowed")
	}
	var arguments struct {
		By *int `json:"by"`
	}
	answer := content(awhostv1.Role_ROLE_TOOL, "")
	answer.ToolCallId, answer.Name = call.GetId(), call.GetName()
	result := ""
	switch err := json.Unmarshal([]byte(call.GetArgumentsJson()), &arguments); {
	case call.GetName() != "add" || err != nil || arguments.By == nil:
		if s.breaks("ENV-STEP-04") {
			return nil, status.Error(codes.InvalidArgument, "no such call")
		}
		result, answer.IsError = "no such call", true
		if s.breaks("ENV-PRIVATE-02") {
			result += e.secret
		}
	case *arguments.By > math.MaxInt32 && s.breaks("ENV-STEP-08"):
		return nil, status.Error(codes.Internal, "integer overflow")
	default:
		result = s.count(e, *arguments.By)
		if s.breaks("ENV-PRIVATE-05") {
			result += e.secret
		}
		if s.breaks("ENV-PRIVATE-03") && *arguments.By < 0 {
			result += " " + e.private
		}
	}
	answer.Content = content(awhostv1.Role_ROLE_TOOL, result).GetContent()
	return answer, nil
}

// count adds to an episode's number and returns the progress. The caller holds mu.
func (s *specimen) count(e *episode, by int) string {
	e.count += by
	target := e.target
	if s.breaks("ENV-ISOLATION-01") { // the target is kept in a variable of the plugin for a moment
		s.shared = target
		s.awaitOverlap()
		target = s.shared
	}
	result := fmt.Sprintf("%d of %d", e.count, target)
	if s.breaks("ENV-SEED-01") {
		result += fmt.Sprintf(" (%d)", os.Getpid())
	}
	return result
}

// leaveDirectory leaves a directory behind in one of the places that careless plugins use.
func (s *specimen) leaveDirectory(check string) error {
	var err error
	switch s.mutant {
	case check:
		_, err = os.MkdirTemp("", "specimen")
	case check + "/own":
		_, err = os.MkdirTemp(s.configured.GetDirectory(), "kept")
	case check + "/elsewhere":
		_, err = os.MkdirTemp(".", "specimen") // the shared working directory
	}
	return err
}

// hint returns a mutant's hint in response to messages that ask for one.
func (s *specimen) hint(e *episode, said string) string {
	switch {
	case s.breaks("ENV-PRIVATE-01/step") && strings.Contains(said, "hint"):
		return " It is " + e.private
	case s.breaks("ENV-PRIVATE-04") && len(said) > 8 && strings.Contains(e.private, said):
		return " Do you mean " + e.private
	case s.breaks("ENV-PRIVATE-01/late"):
		if e.asked++; e.asked > 6 {
			return " It is " + e.private
		}
	case s.breaks("ENV-PRIVATE-01/code"):
		return " (" + base64.StdEncoding.EncodeToString([]byte(e.private)) + ")"
	}
	return ""
}

// givenUp waits for a while and reports whether the caller has canceled the call.
func givenUp(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(100 * time.Millisecond): // longer than most of these callers wait
		return ctx.Err() != nil
	}
}

// awaitOverlap waits while a careless plugin keeps a call's data in a shared variable. It returns at the next such
// call, so that concurrent calls are mixed up even on slow machines, or else after a short time. The caller holds mu,
// which is released during the wait.
func (s *specimen) awaitOverlap() {
	if s.overlapped != nil {
		close(s.overlapped)
	}
	next := make(chan struct{})
	s.overlapped = next
	s.mu.Unlock()
	select {
	case <-next:
		s.mu.Lock()
	case <-time.After(50 * time.Millisecond):
		s.mu.Lock()
		if s.overlapped == next {
			s.overlapped = nil
		}
	}
}

// Snapshot implements EnvironmentService.
func (s *specimen) Snapshot(_ context.Context, req *awhostv1.SnapshotRequest) (*awhostv1.SnapshotResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.episodes[req.GetEpisodeId()]
	switch {
	case e == nil && s.breaks("ENV-SNAPSHOT-02"):
		return &awhostv1.SnapshotResponse{StateJson: []byte("{}")}, nil
	case e == nil:
		return nil, lost(req.GetEpisodeId())
	case s.breaks("ENV-SNAPSHOT-01"):
		e.count++
	case s.breaks("ENV-SNAPSHOT-03"):
		e.target = 100
	}
	if e.private != "" && s.breaks("ENV-PRIVATE-01/snapshot") {
		return &awhostv1.SnapshotResponse{StateJson: []byte(e.private)}, nil
	}
	return &awhostv1.SnapshotResponse{StateJson: fmt.Appendf(nil, `{"count":%d}`, e.count)}, nil
}

// Close implements EnvironmentService.
func (s *specimen) Close(ctx context.Context, req *awhostv1.CloseRequest) (*awhostv1.CloseResponse, error) {
	if s.breaks("hangs") {
		<-ctx.Done()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.episodes[req.GetEpisodeId()] == nil && s.breaks("ENV-CLOSE-01") {
		return nil, lost(req.GetEpisodeId())
	}
	delete(s.episodes, req.GetEpisodeId())
	return &awhostv1.CloseResponse{}, nil
}

// Tasks implements EnvironmentService.
func (s *specimen) Tasks(req *awhostv1.EnvironmentServiceTasksRequest,
	stream grpc.ServerStreamingServer[awhostv1.EnvironmentServiceTasksResponse]) error {
	first := req.GetCursor()
	if s.breaks("ENV-TASKS-01") {
		first = 0
	}
	for i := first; i < taskCount; i++ {
		id := fmt.Sprintf("count-%d", i)
		switch s.mutant {
		case "ENV-TASKS-02":
			id = "count"
		case "ENV-TASKS-03":
			id += fmt.Sprintf("-%d", os.Getpid())
		}
		task := &awhostv1.Task{Id: id, PublicJson: fmt.Appendf(nil, `{"target":%d}`, 4+i),
			PrivateJson: fmt.Appendf(nil, `{"answer":"number %d"}`, i)}
		if s.breaks("ENV-TASKS-04") {
			task.PublicJson = fmt.Appendf(nil, `{"target":%d,"name":"number %d"}`, 4+i, i)
		}
		if err := stream.Send(&awhostv1.EnvironmentServiceTasksResponse{Task: task}); err != nil {
			return err
		}
	}
	return nil
}
