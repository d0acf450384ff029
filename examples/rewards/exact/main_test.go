package main

import (
	"encoding/json"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestExact(t *testing.T) {
	reward := sdktest.Reward(t, plugin, "exact", nil)
	for name, c := range map[string]struct {
		answer, private string
		want            float64
		failure         bool
	}{
		"right":        {"<answer>42</answer>", `{"ground_truth":"42"}`, 1, false},
		"wrong":        {"<answer>41</answer>", `{"ground_truth":"42"}`, 0, false},
		"without tags": {"42", `{"ground_truth":"42"}`, 0, false},
		"no truth":     {"<answer></answer>", `{}`, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := reward.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{
				FinalAnswer: c.answer, Task: sdk.Task{ID: "1", Public: json.RawMessage(`{}`), Private: json.RawMessage(c.private)},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			got := out.Items[0]
			if got.Score != c.want || (got.Failure != nil) != c.failure {
				t.Errorf("got %v, failure %v; want %v, a failure: %v", got.Score, got.Failure, c.want, c.failure)
			}
		})
	}
}
