package specimen

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Score implements RewardService.
func (s *specimen) Score(ctx context.Context, req *awhostv1.ScoreRequest) (*awhostv1.ScoreResponse, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	if s.is("RWD-GROUP-01") && req.GetMissing() > 0 {
		return nil, status.Error(codes.InvalidArgument, "the group is not whole")
	}
	if s.is("RWD-CANCEL-01") && givenUp(ctx) {
		os.Exit(1)
	}
	if s.is("RWD-LEAK-01") {
		s.leak()
	}
	out := &awhostv1.ScoreResponse{}
	for i, item := range req.GetItems() {
		if len(item.GetTask().GetPrivateJson()) == 0 && s.is("RWD-EMPTY-01") {
			return nil, status.Error(codes.InvalidArgument, "there is no ground truth")
		}
		if len(item.GetFinalAnswer()) > 1<<19 && s.is("RWD-TEXT-01") {
			return nil, status.Error(codes.ResourceExhausted, "too long")
		}
		if s.is("RWD-PARALLEL-01") {
			item = s.swapped(item)
		}
		result := s.judge(item)
		if v := result.GetValue(); v != nil && s.is("RWD-BATCH-01") && i > 0 {
			v.Score++
		}
		out.Items = append(out.Items, result)
	}
	if s.is("RWD-SCORE-01") {
		out.Items = append(out.Items, &awhostv1.ScoreResult{})
	}
	return out, nil
}

// leak forgets to close a file, each hundredth time.
func (s *specimen) leak() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.calls%100 == 0 {
		if f, err := os.Open(os.DevNull); err == nil {
			s.kept = append(s.kept, f)
		}
	}
}

// swapped keeps the item in a variable of the plugin for a moment, as a careless reward does.
func (s *specimen) swapped(item *awhostv1.ScoreItem) *awhostv1.ScoreItem {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = item
	s.moment()
	return s.last
}

func (s *specimen) judge(item *awhostv1.ScoreItem) *awhostv1.ScoreResult {
	var truth struct {
		Answer *string `json:"answer"`
	}
	if json.Unmarshal(item.GetTask().GetPrivateJson(), &truth) != nil || truth.Answer == nil {
		return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Failure{Failure: &awhostv1.Failure{
			Class: awhostv1.FailureClass_FAILURE_CLASS_REWARD, Detail: "the task has no answer",
		}}}
	}
	score := 0.0
	switch right := strings.TrimSpace(item.GetFinalAnswer()) == *truth.Answer; {
	case right && !s.is("RWD-SCORE-02"):
		score = 1
	case s.is("RWD-FORGE-01") && strings.Contains(item.GetFinalAnswer(), "Score: 1.0"):
		score = 1
	}
	v := &awhostv1.ScoreValue{Score: score, Components: map[string]float64{"exact": score}}
	switch s.mutant {
	case "RWD-SCORE-03":
		v.Components["invented"] = 1
	case "RWD-PURE-01":
		s.mu.Lock()
		s.calls++
		v.Components["exact"] += float64(s.calls)
		s.mu.Unlock()
	}
	return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Value{Value: v}}
}
