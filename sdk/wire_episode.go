package sdk

import (
	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func episodeRequestToWire(r EpisodeRequest) *awhostv1.RunEpisodeRequest {
	step := int64(r.Step)
	var sample *int64
	if r.SampleIndex != SampleByArrival {
		sample = proto.Int64(int64(r.SampleIndex))
	}
	var group *int64
	if r.GroupIndex != nil {
		group = proto.Int64(int64(*r.GroupIndex))
	}
	out := &awhostv1.RunEpisodeRequest{
		EpisodeId: r.EpisodeID, GroupId: r.GroupID, GroupSize: int64(r.GroupSize), GroupIndex: group, SampleIndex: sample,
		Draw:  int64(r.Draw),
		Stage: r.Stage, Split: splits.toWire[r.Split], Step: &step, PolicyVersion: r.PolicyVersion,
		ActiveBudget: durationToWire(r.ActiveBudget), HardDeadline: durationToWire(r.HardDeadline),
	}
	if r.Task != nil {
		out.Source = &awhostv1.RunEpisodeRequest_Task{Task: taskToWire(*r.Task)}
	} else {
		out.Source = &awhostv1.RunEpisodeRequest_DatasetIndex{DatasetIndex: int64(r.DatasetIndex)}
	}
	if r.Endpoint != nil {
		out.Endpoint = &awhostv1.Endpoint{BaseUrl: r.Endpoint.BaseURL, ApiKey: r.Endpoint.APIKey, Model: r.Endpoint.Model}
	}
	return out
}

func episodeRequestFromWire(r *awhostv1.RunEpisodeRequest) EpisodeRequest {
	out := EpisodeRequest{
		EpisodeID: r.GetEpisodeId(), GroupID: r.GetGroupId(), GroupSize: int(r.GetGroupSize()),
		SampleIndex: int(r.GetSampleIndex()),
		Draw:        int(r.GetDraw()), DatasetIndex: int(r.GetDatasetIndex()), Stage: r.GetStage(),
		Split: splits.toGo[r.GetSplit()],
		Step:  int(r.GetStep()), PolicyVersion: r.GetPolicyVersion(),
		ActiveBudget: durationFromWire(r.GetActiveBudget()), HardDeadline: durationFromWire(r.GetHardDeadline()),
	}
	if r.SampleIndex == nil {
		out.SampleIndex = SampleByArrival
	}
	if r.GroupIndex != nil {
		group := int(r.GetGroupIndex())
		out.GroupIndex = &group
	}
	if t := r.GetTask(); t != nil {
		task := taskFromWire(t)
		out.Task = &task
	}
	if e := r.GetEndpoint(); e != nil {
		out.Endpoint = &Endpoint{BaseURL: e.GetBaseUrl(), APIKey: e.GetApiKey(), Model: e.GetModel()}
	}
	return out
}

func episodeResultToWire(r *EpisodeResult) *awhostv1.EpisodeResult {
	return &awhostv1.EpisodeResult{
		EpisodeId: r.EpisodeID, Attempt: int64(r.Attempt), Draw: int64(r.Draw), Outcome: outcomes.toWire[r.Outcome],
		Reward: r.Reward, Components: r.Components, IsSuccess: r.IsSuccess, Failure: failureToWire(r.Failure),
		TurnRewards: mapSlice(r.TurnRewards, func(t TurnReward) *awhostv1.TurnReward {
			return &awhostv1.TurnReward{CallId: t.CallID, Reward: t.Reward}
		}),
		Chains: mapSlice(r.Chains, func(c ChainResult) *awhostv1.ChainResult {
			return &awhostv1.ChainResult{Chain: c.Chain, Agent: c.Agent, Train: c.Train, Reward: c.Reward}
		}),
		Masked: r.Masked, DropGroup: r.DropGroup, NumTurns: int64(r.NumTurns), TaskId: r.TaskID,
		Timings:    timingsToWire(r.Timings),
		DriftCount: int64(r.DriftCount), Metrics: r.Metrics,
		Rows: mapSlice(r.Rows, func(t TokenRow) *awhostv1.TokenRow {
			return &awhostv1.TokenRow{
				Chain: t.Chain, Ids: t.IDs, LossMask: t.LossMask, Logprobs: t.Logprobs, Versions: spansToWire(t.Versions),
				TurnIds: t.TurnIDs, PromptLength: int64(t.PromptLength),
			}
		}),
	}
}

func episodeResultFromWire(r *awhostv1.EpisodeResult) *EpisodeResult {
	return &EpisodeResult{
		EpisodeID: r.GetEpisodeId(), Attempt: int(r.GetAttempt()), Draw: int(r.GetDraw()),
		Outcome: outcomes.toGo[r.GetOutcome()],
		Reward:  r.Reward, Components: r.GetComponents(), IsSuccess: r.IsSuccess, Failure: failureFromWire(r.GetFailure()),
		TurnRewards: mapSlice(r.GetTurnRewards(), func(t *awhostv1.TurnReward) TurnReward {
			return TurnReward{CallID: t.GetCallId(), Reward: t.GetReward()}
		}),
		Chains: mapSlice(r.GetChains(), func(c *awhostv1.ChainResult) ChainResult {
			return ChainResult{Chain: c.GetChain(), Agent: c.GetAgent(), Train: c.GetTrain(), Reward: c.Reward}
		}),
		Masked: r.GetMasked(), DropGroup: r.GetDropGroup(), NumTurns: int(r.GetNumTurns()), TaskID: r.GetTaskId(),
		Timings: timingsFromWire(r.GetTimings()), DriftCount: int(r.GetDriftCount()), Metrics: r.GetMetrics(),
		Rows: mapSlice(r.GetRows(), func(t *awhostv1.TokenRow) TokenRow {
			return TokenRow{
				Chain: t.GetChain(), IDs: t.GetIds(), LossMask: t.GetLossMask(), Logprobs: t.GetLogprobs(),
				Versions: spansFromWire(t.GetVersions()), TurnIDs: t.GetTurnIds(), PromptLength: int(t.GetPromptLength()),
			}
		}),
	}
}
