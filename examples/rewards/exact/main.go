// Command exact is a reward: 1 when the last message is <answer>GROUND TRUTH</answer>, else 0.
package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

var plugin = sdk.Plugin{Name: "exact", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
	Component:    sdk.Component{Type: "exact", Description: "1 when the answer is exactly the ground truth."},
	Capabilities: sdk.RewardCapabilities{BatchSize: 64, Needs: []sdk.Need{sdk.NeedGroundTruth}},
	New:          func(context.Context, sdk.Setup) (sdk.Reward, error) { return sdk.RewardFunc(score), nil },
}}}

func main() { sdk.Serve(plugin) }

func score(_ context.Context, item sdk.ScoreItem) (float64, error) {
	var task map[string]string
	if err := json.Unmarshal(item.Task.Private, &task); err != nil || task["ground_truth"] == "" {
		return 0, fmt.Errorf("task %s has no ground_truth that is a text", item.Task.ID)
	}
	if item.FinalAnswer == "<answer>"+task["ground_truth"]+"</answer>" {
		return 1, nil
	}
	return 0, nil
}
