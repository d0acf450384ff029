package sdk

import (
	"context"
	"errors"
)

// RewardFunc is a Reward that scores each item separately and returns only a number, as most rewards do. An error is
// the item's Failure and has class REWARD unless it is a *Failure. It never becomes a number, and the other items are
// still scored.
//
//	New: func(context.Context, sdk.Setup) (sdk.Reward, error) { return sdk.RewardFunc(score), nil }
type RewardFunc func(ctx context.Context, item ScoreItem) (float64, error)

// Score implements Reward.
func (f RewardFunc) Score(ctx context.Context, req ScoreRequest) (*ScoreResponse, error) {
	out := &ScoreResponse{Items: make([]Scored, 0, len(req.Items))}
	for _, item := range req.Items {
		score, err := f(ctx, item)
		if ctx.Err() != nil {
			return nil, ctx.Err() // the call is canceled: the error is unrelated to the item
		}
		out.Items = append(out.Items, newScored(score, err))
	}
	return out, nil
}

func newScored(score float64, err error) Scored {
	var failure *Failure
	switch {
	case err == nil:
		return Scored{Score: score}
	case errors.As(err, &failure):
		return Scored{Failure: failure}
	}
	return Scored{Failure: &Failure{Class: FailureReward, Detail: err.Error()}}
}

// ScoredFunc is a Reward that judges every item separately and reports more than a number: components, success, notes,
// or a Failure.
type ScoredFunc func(item ScoreItem) Scored

// Score implements Reward.
func (f ScoredFunc) Score(_ context.Context, req ScoreRequest) (*ScoreResponse, error) {
	out := &ScoreResponse{Items: make([]Scored, 0, len(req.Items))}
	for _, item := range req.Items {
		out.Items = append(out.Items, f(item))
	}
	return out, nil
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
