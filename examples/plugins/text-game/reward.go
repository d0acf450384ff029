package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// reward reads the result from the last state and ignores the player's messages.
type reward struct{}

// Score implements sdk.Reward.
func (reward) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	out := &sdk.ScoreResponse{}
	for _, item := range req.Items {
		out.Items = append(out.Items, score(item))
	}
	return out, nil
}

func score(item sdk.ScoreItem) sdk.Scored {
	var last state
	if err := json.Unmarshal(item.State, &last); err != nil || last.AllRooms == 0 {
		return sdk.Scored{Failure: &sdk.Failure{
			Class: sdk.FailureReward, Detail: fmt.Sprintf("episode %s was not played in a castle: its state is not "+
				"a snapshot of one", item.EpisodeID),
		}}
	}
	components := map[string]float64{"won": 0, "doors": share(last.Doors, last.AllDoors),
		"explored": share(last.Explored, last.AllRooms)}
	total := components["doors"] / 2
	if last.AllDoors == 0 {
		total = 0 // no locks to open
	}
	if last.Won {
		components["won"], total = 1, 1
	}
	return sdk.Scored{Score: total, Components: components, IsSuccess: &last.Won}
}

// share returns part/whole, from 0 to 1, and 1 if whole is 0.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

var _ sdk.Reward = reward{}
