package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func TestRewardFunc_TurnsErrorsIntoFailuresOfTheirItems(t *testing.T) {
	busy := &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "the judge is busy", Retryable: true}
	answers := map[string]error{"plain": errors.New("no truth"), "typed": fmt.Errorf("ask the judge: %w", busy)}
	reward := sdk.RewardFunc(func(_ context.Context, item sdk.ScoreItem) (float64, error) {
		return 0.5, answers[item.FinalAnswer]
	})
	got, err := reward.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{FinalAnswer: "plain"},
		{FinalAnswer: "fine"}, {FinalAnswer: "typed"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []sdk.Scored{
		{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "no truth"}}, {Score: 0.5}, {Failure: busy},
	}
	if diff := cmp.Diff(want, got.Items); diff != "" {
		t.Error(diff)
	}
}

func TestRewardFunc_CancelledCallFailsNoItem(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reward := sdk.RewardFunc(func(ctx context.Context, _ sdk.ScoreItem) (float64, error) {
		cancel()
		return 0, ctx.Err()
	})
	if out, err := reward.Score(ctx, sdk.ScoreRequest{Items: make([]sdk.ScoreItem, 2)}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v, %v; want the context's error", out, err)
	}
}
