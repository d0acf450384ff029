package main

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// play guesses by halving and returns the environment's answers.
func play(t *testing.T, e sdk.Environment, episode string, seed uint64) (said []string, closed *sdk.CloseResponse) {
	t.Helper()
	if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: episode, Seed: seed}); err != nil {
		t.Fatal(err)
	}
	low, high := 1, 9
	for step := 0; ; step++ {
		middle := (low + high) / 2
		out, err := e.Step(t.Context(), sdk.StepRequest{EpisodeID: episode, StepID: fmt.Sprint(step), Message: sdk.Message{
			Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: "guess",
				Arguments: fmt.Sprintf(`{"n":%d}`, middle)}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, out.Messages[0].Content)
		switch said[step] {
		case "higher":
			low = middle + 1
		case "lower":
			high = middle - 1
		default:
			if !out.Done || out.TurnReward == nil || *out.TurnReward != 1 {
				t.Errorf("a right guess gave %+v, want the end and a turn reward of 1", out)
			}
			closed, err = e.Close(t.Context(), sdk.CloseRequest{EpisodeID: episode})
			if err != nil {
				t.Fatal(err)
			}
			return said, closed
		}
	}
}

func TestGuess_IsWonByHalvingAndRepeats(t *testing.T) {
	e := sdktest.Environment(t, plugin(), "guess", nil)
	for seed := range uint64(20) {
		said, closed := play(t, e, fmt.Sprintf("a%d", seed), seed)
		if guesses := closed.Metrics["guesses"]; guesses != float64(len(said)) || guesses > 4 {
			t.Errorf("seed %d took %v guesses: %v", seed, guesses, said)
		}
		again, _ := play(t, e, fmt.Sprintf("b%d", seed), seed)
		if diff := cmp.Diff(said, again); diff != "" {
			t.Errorf("seed %d plays differently the second time:\n%s", seed, diff)
		}
	}
}

func TestGuess_TellsTheAgentOfItsMistakes(t *testing.T) {
	e := sdktest.Environment(t, plugin(), "guess", map[string]any{"highest": 3})
	if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e"}); err != nil {
		t.Fatal(err)
	}
	out, err := e.Step(t.Context(), sdk.StepRequest{EpisodeID: "e", StepID: "1", Message: sdk.Message{
		Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: "guess", Arguments: `{"n":"two"}`}},
	}})
	if err != nil || out.Done || out.Messages[0].Content != `error: want {"n": 5}` {
		t.Errorf("got %+v, %v", out, err)
	}
	out, err = e.Step(t.Context(), sdk.StepRequest{EpisodeID: "e", StepID: "2",
		Message: sdk.Message{Role: sdk.RoleAssistant, Content: "I give up"}})
	if err != nil || !out.Done || out.TurnReward != nil {
		t.Errorf("giving up gave %+v, %v", out, err)
	}
}
