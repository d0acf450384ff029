package conformance

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// episodeRun is an episode that is running or has ended.
type episodeRun struct {
	done   chan struct{}
	result *awhostv1.EpisodeResult
	cancel context.CancelFunc // called by CancelEpisode
}

// problem is a call to the adapter that failed.
type problem struct {
	episode string // the episode of the call; empty: none
	code    codes.Code
	text    string
}

func (s *stage) addProblem(p problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, p)
}

// relevantProblems returns the problems in a stage that has ended. A trainer that requests episodes ahead of time
// cancels those it does not need, and may have removed an episode when the episode's next message is requested. This
// does not count as a problem unless a step used the episode.
func (s *stage) relevantProblems() []string {
	used := map[string]bool{}
	for _, c := range s.consumed() {
		for _, e := range c.GetEpisodes() {
			used[e.GetEpisodeId()] = true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, p := range s.problems {
		if p.episode != "" && isGone(p.code) && s.answered > 0 && !used[p.episode] {
			continue
		}
		out = append(out, p.text)
	}
	return out
}

// episode starts an episode, or returns the existing one that a repeated request joins.
func (s *stage) episode(req *awhostv1.RunEpisodeRequest) (*episodeRun, error) {
	if req.GetTask() == nil && req.GetDatasetIndex() < 0 {
		return nil, status.Errorf(codes.InvalidArgument, "the dataset_index is %d", req.GetDatasetIndex())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, status.Error(codes.FailedPrecondition, "the stage has ended")
	}
	s.episodes = append(s.episodes, req)
	known := s.results[req.GetEpisodeId()]
	if known != nil {
		return known, nil
	}
	index := s.index(req)
	ctx, cancel := context.WithCancel(s.ctx)
	known = &episodeRun{done: make(chan struct{}), cancel: cancel}
	s.results[req.GetEpisodeId()] = known
	s.playing.Go(func() {
		defer close(known.done)
		defer cancel()
		known.result = s.play(ctx, req, index)
	})
	return known, nil
}

// index returns an episode's sample index in its group: the adapter's index, or else one assigned in order of arrival.
// The caller holds mu.
func (s *stage) index(req *awhostv1.RunEpisodeRequest) int64 {
	if req.SampleIndex != nil {
		return req.GetSampleIndex()
	}
	index, again := s.numbers[req.GetEpisodeId()]
	if !again {
		index = s.arrived[req.GetGroupId()]
		s.arrived[req.GetGroupId()]++
		s.numbers[req.GetEpisodeId()] = index
	}
	return index
}

// cancelEpisode cancels an episode that the trainer no longer needs. Other ids are ignored.
func (s *stage) cancelEpisode(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.results[id]; known != nil {
		known.cancel()
	}
}

// turns is the number of policy messages in an episode.
const turns = 2

// play requests an episode's messages from the policy. The samples in a group receive different rewards, so that there
// is a training signal.
func (s *stage) play(ctx context.Context, req *awhostv1.RunEpisodeRequest, index int64) *awhostv1.EpisodeResult {
	task := req.GetTask()
	if task == nil {
		task = s.tasks[req.GetDatasetIndex()%int64(len(s.tasks))]
	}
	result := &awhostv1.EpisodeResult{EpisodeId: req.GetEpisodeId(), Attempt: 1, Draw: req.GetDraw(), TaskId: task.GetId()}
	odd := false
	var chain string
	var length int64
	say := user(string(task.GetPublicJson()))
	for turn := range turns {
		call, answer, err := s.generate(ctx, &awhostv1.GenerateRequest{
			EpisodeId: req.GetEpisodeId(), Attempt: 1, CallId: fmt.Sprintf("%s/%d", req.GetEpisodeId(), turn), Chain: chain,
			Base:     length,
			Messages: []*awhostv1.Message{say}, Sampling: &awhostv1.Sampling{MaxTokens: 8}, Trainable: true,
			Seed:       uint64(index)*turns + uint64(turn) + 1, // equal messages in a group would carry no signal
			Deadline:   durationpb.New(s.t.suite.config.CallTimeout),
			Validation: req.GetSplit() == awhostv1.Split_SPLIT_VALIDATION,
		})
		if err != nil {
			if ctx.Err() == nil && kindOf(err) != awhostv1.GenerateError_KIND_ABORTED {
				s.addProblem(problem{req.GetEpisodeId(), status.Code(err),
					fmt.Sprintf("Generate, message %d of episode %s: %v", turn+1, req.GetEpisodeId(), err)})
			}
			if odd {
				s.probes.release()
			}
			return unscored(ctx, result, err)
		}
		s.mu.Lock()
		s.answered++
		s.answers[req.GetEpisodeId()] = append(s.answers[req.GetEpisodeId()], answer)
		s.mu.Unlock()
		if turn == 0 {
			odd = s.probes.claimEpisode()
		}
		if odd {
			s.probes.probeCalls(ctx, s, call, answer)
		}
		chain, length, say = answer.GetChain(), answer.GetChainLength(), user("Go on.")
	}
	result.Outcome, result.Reward, result.NumTurns = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_SCORED,
		proto.Float64(float64(index%2)), turns
	result.Chains = []*awhostv1.ChainResult{{Chain: chain, Train: true}}
	s.probes.wait(ctx)
	if s.changeResult != nil {
		s.changeResult(req, result)
	}
	return result
}

// unscored returns the result of an episode whose policy failed or was canceled.
func unscored(ctx context.Context, result *awhostv1.EpisodeResult, err error) *awhostv1.EpisodeResult {
	if ctx.Err() != nil {
		result.Outcome = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_CANCELLED
		return result
	}
	result.Outcome, result.Masked = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_FAILED, true
	result.Failure = &awhostv1.Failure{Class: awhostv1.FailureClass_FAILURE_CLASS_MODEL, Detail: err.Error()}
	return result
}

// pause is how long the suite waits before it repeats a request to a policy that has paused for new weights.
const pause = 20 * time.Millisecond

// generate requests a message, and repeats the request while the policy is paused. Each repetition has a new ID,
// because it must not be answered from the record of a call that sampled nothing. generate returns the call that
// received a response.
func (s *stage) generate(ctx context.Context, call *awhostv1.GenerateRequest) (*awhostv1.GenerateRequest,
	*awhostv1.GenerateResponse, error) {
	id := call.GetCallId()
	for paused := 1; ; paused++ {
		answer, err := s.adapter.Generate(ctx, call)
		if kindOf(err) != awhostv1.GenerateError_KIND_PAUSED {
			return call, answer, err
		}
		if !sleepPause(ctx) {
			return call, nil, err
		}
		call = proto.Clone(call).(*awhostv1.GenerateRequest)
		call.CallId = fmt.Sprintf("%s~%d", id, paused)
	}
}

// repeatCall repeats an answered call.
func (s *stage) repeatCall(ctx context.Context, call *awhostv1.GenerateRequest) (*awhostv1.GenerateResponse, error) {
	for {
		answer, err := s.adapter.Generate(ctx, call)
		if kindOf(err) != awhostv1.GenerateError_KIND_PAUSED || !sleepPause(ctx) {
			return answer, err
		}
	}
}

// sleepPause waits for a pause. It returns false if ctx is done first.
func sleepPause(ctx context.Context) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// mayBeGivenUp reports whether a call may have failed because the trainer no longer needs the episode.
func mayBeGivenUp(ctx context.Context, err error) bool {
	return ctx.Err() != nil || kindOf(err) == awhostv1.GenerateError_KIND_ABORTED || isGone(status.Code(err))
}

// isGone reports whether a code means that the requested object no longer exists at the callee.
func isGone(code codes.Code) bool { return code == codes.NotFound || code == codes.FailedPrecondition }

// kindOf returns the reason why nothing was sampled, or unspecified if the error does not contain a reason.
func kindOf(err error) awhostv1.GenerateError_Kind {
	for _, detail := range status.Convert(err).Details() {
		if d, ok := detail.(*awhostv1.GenerateError); ok {
			return d.GetKind()
		}
	}
	return awhostv1.GenerateError_KIND_UNSPECIFIED
}

// boundary responds at the end of a step, after the trainer's earlier events have arrived.
func (s *stage) boundary(ctx context.Context, req *awhostv1.StepBoundaryRequest) (awhostv1.StepBoundaryResponse_Directive, error) {
	if req.GetLaunchId() != s.request.GetLaunchId() {
		return 0, status.Errorf(codes.FailedPrecondition, "launch %s has ended; the current one is %s", req.GetLaunchId(),
			s.request.GetLaunchId())
	}
	if err := s.awaitEvents(ctx, req); err != nil {
		return 0, err
	}
	if s.decide != nil {
		return s.decide(req), nil
	}
	return s.defaultDirective(req), nil
}

// defaultDirective returns the directive of a host that needs all steps and no additional ones.
func (s *stage) defaultDirective(req *awhostv1.StepBoundaryRequest) awhostv1.StepBoundaryResponse_Directive {
	if req.GetStep() >= s.total {
		return awhostv1.StepBoundaryResponse_DIRECTIVE_FINISH_STAGE
	}
	return awhostv1.StepBoundaryResponse_DIRECTIVE_CONTINUE
}

// awaitEvents waits for the events that precede a boundary, which arrive on another connection.
func (s *stage) awaitEvents(ctx context.Context, req *awhostv1.StepBoundaryRequest) error {
	late := time.NewTimer(s.t.suite.config.CallTimeout)
	defer late.Stop()
	for {
		s.mu.Lock()
		last, news, stage := s.last, s.newEvent, s.ctx
		s.mu.Unlock()
		if last >= req.GetAfterSeq() {
			return nil
		}
		select {
		case <-news:
		case <-stage.Done():
			return status.Error(codes.FailedPrecondition, "the stage has ended")
		case <-ctx.Done():
			return status.FromContextError(ctx.Err()).Err()
		case <-late.C:
			s.addProblem(problem{text: fmt.Sprintf("the boundary of step %d follows event %d, but within %s no event "+
				"arrived after event %d", req.GetStep(), req.GetAfterSeq(), s.t.suite.config.CallTimeout, last)})
			return status.Errorf(codes.InvalidArgument, "after_seq is %d, but the last event is %d", req.GetAfterSeq(), last)
		}
	}
}

func user(text string) *awhostv1.Message {
	return &awhostv1.Message{Role: awhostv1.Role_ROLE_USER,
		Content: []*awhostv1.ContentPart{{Part: &awhostv1.ContentPart_Text{Text: text}}}}
}
