package manualpolicy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// score calls the reward for the episode, as in a run. If the reward cannot score it, the result is a failure and
// never a number. An error means that the reward could not be called.
func (e *episode) score(ctx context.Context, state json.RawMessage) (*sdk.Scored, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := e.reward.Reward().Score(ctx, sdk.ScoreRequest{Items: []sdk.ScoreItem{e.item(state)}})
	if err == nil {
		return &answer.Items[0], nil
	}
	err = e.reward.Explain(err)
	if ctx.Err() != nil || errors.Is(err, sdk.ErrUnavailable) {
		return nil, fmt.Errorf("score the episode: %w", err)
	}
	return &sdk.Scored{Failure: sdk.RewardFailure(err)}, nil
}

// item returns the episode with the parts that the reward may see.
func (e *episode) item(state json.RawMessage) sdk.ScoreItem {
	needs := e.reward.Component.Reward.Needs
	answer, _ := (&agent.Result{Messages: e.transcript, Sampled: e.sampled}).FinalAnswer()
	item := sdk.ScoreItem{EpisodeID: episodeID, Task: shown(e.task, needs), FinalAnswer: answer, TurnRewards: e.rewards}
	if slices.Contains(needs, sdk.NeedTranscript) {
		item.Messages = sdk.BoundAttachments(e.transcript, sdk.MaxScoredAttachmentBytes)
		item.Sampled = e.sampled
	}
	if slices.Contains(needs, sdk.NeedEnvironmentState) {
		item.State = state
	}
	return item
}
