package sdk

import (
	"context"
	"errors"
)

// RewardFunc is a Reward that scores each item separately and returns only a number, as most rewards do. An error is
// the item's Failure, as in ScoreEach.
//
//	New: func(context.Context, sdk.Setup) (sdk.Reward, error) { return sdk.RewardFunc(score), nil }
type RewardFunc func(ctx context.Context, item ScoreItem) (float64, error)

// Score implements Reward.
func (f RewardFunc) Score(ctx context.Context, req ScoreRequest) (*ScoreResponse, error) {
	return ScoreEach(ctx, req, func(ctx context.Context, item ScoreItem) (Scored, error) {
		score, err := f(ctx, item)
		return Scored{Score: score}, err
	})
}

// ScoredFunc is a Reward that judges every item separately and reports more than a number: components, success, notes,
// or a Failure.
type ScoredFunc func(item ScoreItem) Scored

// Score implements Reward.
func (f ScoredFunc) Score(ctx context.Context, req ScoreRequest) (*ScoreResponse, error) {
	return ScoreEach(ctx, req, func(_ context.Context, item ScoreItem) (Scored, error) { return f(item), nil })
}

// ConfiguredReward returns the New of a component whose items are judged separately by a function of the block's
// configuration, which is decoded over defaults. An error is the item's Failure, as in ScoreEach.
//
//	New: sdk.ConfiguredReward(config{Mode: numeric}, config.score)
func ConfiguredReward[C any](defaults C, score func(C, ScoreItem) (Scored, error)) func(context.Context, Setup) (Reward,
	error) {
	return func(_ context.Context, setup Setup) (Reward, error) {
		c := defaults
		if err := setup.Decode(&c); err != nil {
			return nil, err
		}
		return ScoredFunc(func(item ScoreItem) Scored { return orFailure(score(c, item)) }), nil
	}
}

// ScoreEach scores every item of a request separately. An error is the item's Failure and has class REWARD unless it is
// a *Failure. It never becomes a number, and the other items are still scored.
func ScoreEach(ctx context.Context, req ScoreRequest,
	score func(context.Context, ScoreItem) (Scored, error)) (*ScoreResponse, error) {
	out := &ScoreResponse{Items: make([]Scored, 0, len(req.Items))}
	for _, item := range req.Items {
		out.Items = append(out.Items, orFailure(score(ctx, item)))
		if ctx.Err() != nil {
			return nil, ctx.Err() // the call is canceled: the error is unrelated to the item
		}
	}
	return out, nil
}

func orFailure(scored Scored, err error) Scored {
	if err != nil {
		return Scored{Failure: RewardFailure(err)}
	}
	return scored
}

// RewardFailure returns the failure contained in an error, or a new one of class REWARD.
func RewardFailure(err error) *Failure {
	var failure *Failure
	if errors.As(err, &failure) {
		return failure
	}
	return &Failure{Class: FailureReward, Detail: err.Error()}
}

// Flag returns 1 for true and 0 for false, for use as the value of a yes-or-no component or metric.
func Flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var (
	_ Reward = RewardFunc(nil)
	_ Reward = ScoredFunc(nil)
)
