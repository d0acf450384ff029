package sdk

import (
	"context"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

type rewardServer struct {
	awhostv1.UnimplementedRewardServiceServer
	component *configured[Reward]
}

// Score implements RewardService.
func (s *rewardServer) Score(ctx context.Context, req *awhostv1.ScoreRequest) (*awhostv1.ScoreResponse, error) {
	reward, err := s.component.get()
	if err != nil {
		return nil, err
	}
	request := scoreRequestFromWire(req)
	if !s.component.hasNeed(NeedGroundTruth) {
		for i := range request.Items {
			request.Items[i].Task.Private = nil
		}
	}
	out, err := reward.Score(ctx, request)
	if err != nil {
		return nil, errorToStatus(err)
	}
	if len(out.Items) != len(request.Items) {
		return nil, status.Errorf(codes.Internal, "score: the reward returned %d results for %d items; return one "+
			"per item, in order",
			len(out.Items), len(request.Items))
	}
	if err := checkFinite("metric", out.Metrics); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &awhostv1.ScoreResponse{Items: mapSlice(out.Items, scoredToWire), Metrics: out.Metrics}, nil
}

func scoreRequestToWire(r ScoreRequest) *awhostv1.ScoreRequest {
	return &awhostv1.ScoreRequest{Missing: int64(r.Missing),
		Items: mapSlice(r.Items, func(i ScoreItem) *awhostv1.ScoreItem {
			return &awhostv1.ScoreItem{
				EpisodeId: i.EpisodeID, ChainDigests: i.ChainDigests, Task: taskToWire(i.Task),
				Messages:    messagesToWire(i.Messages),
				FinalAnswer: validUTF8(i.FinalAnswer), EnvironmentStateJson: i.State, AgentMetadataJson: i.Metadata,
				TurnRewards: i.TurnRewards,
				Sampled:     sampledToWire(i.Sampled),
			}
		})}
}

func scoreRequestFromWire(r *awhostv1.ScoreRequest) ScoreRequest {
	return ScoreRequest{Missing: int(r.GetMissing()), Items: mapSlice(r.GetItems(), func(i *awhostv1.ScoreItem) ScoreItem {
		return ScoreItem{
			EpisodeID: i.GetEpisodeId(), ChainDigests: i.GetChainDigests(), Task: taskFromWire(i.GetTask()),
			Messages:    messagesFromWire(i.GetMessages()),
			FinalAnswer: i.GetFinalAnswer(), State: i.GetEnvironmentStateJson(), Metadata: i.GetAgentMetadataJson(),
			TurnRewards: i.GetTurnRewards(),
			Sampled:     sampledFromWire(i.GetSampled()),
		}
	})}
}

// sampledToWire distinguishes an unknown list from an empty one.
func sampledToWire(places []int) *awhostv1.SampledMessages {
	if places == nil {
		return nil
	}
	return &awhostv1.SampledMessages{Places: mapSlice(places, func(n int) int64 { return int64(n) })}
}

func sampledFromWire(in *awhostv1.SampledMessages) []int {
	if in == nil {
		return nil
	}
	return append([]int{}, mapSlice(in.GetPlaces(), func(n int64) int { return int(n) })...)
}

// scoredToWire converts a number that is not finite to a failure, because the protocol has no such numbers.
func scoredToWire(s Scored) *awhostv1.ScoreResult {
	s = finiteOrFailure(s)
	if s.Failure != nil {
		return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Failure{Failure: failureToWire(s.Failure)}}
	}
	return &awhostv1.ScoreResult{Result: &awhostv1.ScoreResult_Value{Value: &awhostv1.ScoreValue{
		Score: s.Score, Components: s.Components, IsSuccess: s.IsSuccess, Notes: boundNotes(s.Notes),
	}}}
}

func scoredFromWire(r *awhostv1.ScoreResult) Scored {
	switch v := r.GetResult().(type) {
	case *awhostv1.ScoreResult_Value:
		return finiteOrFailure(Scored{
			Score: v.Value.GetScore(), Components: v.Value.GetComponents(), IsSuccess: v.Value.IsSuccess,
			Notes: boundNotes(v.Value.GetNotes()),
		})
	case *awhostv1.ScoreResult_Failure:
		return Scored{Failure: failureFromWire(v.Failure)}
	}
	return Scored{Failure: &Failure{Class: FailureReward, Detail: "the reward's result is neither a value nor a failure"}}
}

func finiteOrFailure(s Scored) Scored {
	if s.Failure != nil {
		return s
	}
	err := checkNumber("score", s.Score)
	if err == nil {
		err = checkFinite("component", s.Components)
	}
	if err == nil {
		return s
	}
	return Scored{Failure: &Failure{Class: FailureReward, Detail: fmt.Sprint(err)}}
}

var _ awhostv1.RewardServiceServer = (*rewardServer)(nil)
