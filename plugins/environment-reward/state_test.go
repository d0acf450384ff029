package environmentreward

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestStateHasTheScore(t *testing.T) {
	for _, test := range []struct {
		number, state string
		want          float64
		wrong         string
	}{
		{number: "evaluation", state: `{"evaluation": 0.25}`, want: 0.25},
		{number: "board.scores.1", state: `{"board": {"scores": [1, -2]}}`, want: -2},
		{number: "won", state: `{"won": true}`, want: 1},
		{number: "won", state: `{"won": false}`, want: 0},
		{number: "score", state: `{}`, wrong: "has no score"},
		{number: "board.score", state: `{"board": 3}`, wrong: "has no board.score"},
		{number: "scores.2", state: `{"scores": [1, 2]}`, wrong: "has no scores.2"},
		{number: "name", state: `{"name": "1"}`, wrong: "is not a number"},
		{number: "name", state: `{"name": null}`, wrong: "is not a number"},
		{number: "a", state: ``, wrong: "read the environment"},
	} {
		r := sdktest.Reward(t, Plugin(), "environment_state", map[string]any{"number": test.number})
		out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{State: []byte(test.state)}}})
		if err != nil {
			t.Fatal(err)
		}
		got := out.Items[0]
		switch {
		case test.wrong != "" && (got.Failure == nil || got.Failure.Class != sdk.FailureReward ||
			!strings.Contains(got.Failure.Detail, test.wrong)):
			t.Errorf("%s of %s: %+v, want a failure with %q", test.number, test.state, got, test.wrong)
		case test.wrong == "" && (got.Failure != nil || got.Score != test.want):
			t.Errorf("%s of %s: %+v, want %v", test.number, test.state, got, test.want)
		}
	}
}
