package environmentreward

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func score(t *testing.T, config map[string]any, turns ...float64) sdk.Scored {
	t.Helper()
	r := sdktest.Reward(t, Plugin(), "environment", config)
	out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{FinalAnswer: "x", TurnRewards: turns}}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items[0]
}

func TestTurnsAreCombined(t *testing.T) {
	for combine, want := range map[string]float64{"sum": 1.5, "last": 2, "mean": 0.5} {
		got := score(t, map[string]any{"combine": combine}, -1, 0.5, 2)
		wanted := sdk.Scored{Score: want, Components: map[string]float64{
			"turns_rewarded": 3, "sum": 1.5, "last": 2, "mean": 0.5, "lowest": -1, "highest": 2,
		}}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", combine, diff)
		}
	}
	if got := score(t, map[string]any{}, 1, 1); got.Score != 2 {
		t.Errorf("by default the score is %v, want the sum", got.Score)
	}
}

func TestNoRewardIsAFailureUnlessTheSpecSaysOtherwise(t *testing.T) {
	got := score(t, map[string]any{})
	if got.Failure == nil || got.Failure.Class != sdk.FailureReward || !strings.Contains(got.Failure.Detail, "none = 0") {
		t.Errorf("an episode without turn rewards comes to %+v", got)
	}
	for _, none := range []float64{0, -1} {
		got := score(t, map[string]any{"none": none})
		if got.Failure != nil || got.Score != none || got.Components["turns_rewarded"] != 0 {
			t.Errorf("with none = %v it comes to %+v", none, got)
		}
	}
}

// TestAnOverflowIsNoScore checks that the SDK rejects infinite scores.
func TestAnOverflowIsNoScore(t *testing.T) {
	if got := score(t, map[string]any{}, 1.7e308, 1.7e308); got.Failure == nil {
		t.Errorf("an infinite sum comes to %+v", got)
	}
}
