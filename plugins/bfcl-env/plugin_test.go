package bfclenv

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// parameter returns the name of a function's parameter by position.
func parameter(t testing.TB, function string, place int) string {
	t.Helper()
	for _, class := range api.Classes {
		if m := class.Method(function, api.V4); m != nil {
			return m.Parameters()[place]
		}
		if m := class.Method(function, api.V3); m != nil {
			return m.Parameters()[place]
		}
	}
	t.Fatalf("there is no function %s", function)
	return ""
}

func score(t testing.TB, typ string, item sdk.ScoreItem) sdk.Scored {
	t.Helper()
	answer, err := sdktest.Reward(t, Plugin(), typ, nil).Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{item}})
	if err != nil {
		t.Fatal(err)
	}
	return answer.Items[0]
}

// The ground truth must solve every task of every category in every mode. A model that does nothing must solve none.
func TestGroundTruthIsValid(t *testing.T) {
	for name, config := range map[string]map[string]any{
		"tools": {"mode": "tools", "held_out": 0}, "tools, v3": {"mode": "tools", "held_out": 0, "profile": "v3"},
		"text": {"mode": "text", "held_out": 0}, "envtuning": {"mode": "envtuning", "held_out": 0, "profile": "envtuning"},
	} {
		t.Run(name, func(t *testing.T) {
			mode := config["mode"].(string)
			e, entries := open(t, config)
			solved, idle, all := map[string]int{}, 0, map[string]int{}
			official := sdktest.Reward(t, Plugin(), "bfcl_official", nil)
			for _, task := range testlevel.Sample(4, tasks(t, e, sdk.SplitTrain)...) {
				one := entries[task.ID]
				var items []sdk.ScoreItem
				for _, works := range []bool{true, false} {
					items = append(items, play(t, e, task, func(turn, step int) sdk.Message {
						if works && step == 0 && len(one.Truth[turn]) > 0 {
							return calls(t, mode, one.Truth[turn])
						}
						return answer(mode)
					}))
				}
				scored, err := official.Score(t.Context(), sdk.ScoreRequest{Items: items})
				if err != nil {
					t.Fatal(err)
				}
				all[one.Category]++
				if *scored.Items[0].IsSuccess && scored.Items[0].Score == 1 {
					solved[one.Category]++
				} else if text := mode == "text"; !text || !positional(one.Truth) {
					t.Errorf("%s: %s", task.ID, items[0].State)
				} else {
					all[one.Category]-- // text drops positional arguments, like BFCL
				}
				if *scored.Items[1].IsSuccess {
					idle++
				}
			}
			t.Logf("solved %v of %v; %d by doing nothing", solved, all, idle)
			if idle > 0 || len(all) != 4 {
				t.Errorf("%d tasks are solved by doing nothing, in %d categories", idle, len(all))
			}
		})
	}
}

// positional reports whether a call has positional arguments.
func positional(truth [][]string) bool {
	for _, turn := range truth {
		for _, call := range turn {
			if hasPositional(call) {
				return true
			}
		}
	}
	return false
}

// Missing functions must be added at their turn, as tools.
func TestMissedFunctionsArrive(t *testing.T) {
	e, entries := open(t, map[string]any{"categories": []string{"miss_func"}, "held_out": 0})
	task := tasks(t, e, sdk.SplitTrain)[1]
	one := entries[task.ID]
	opened, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e", Task: task})
	if err != nil {
		t.Fatal(err)
	}
	var arrived string
	at := 0
	for turn, names := range one.Missed {
		at, arrived = turn, names[0]
	}
	if offers(opened.Tools, arrived) {
		t.Errorf("%s is offered at the beginning", arrived)
	}
	for turn := range at {
		response, err := e.Step(t.Context(), sdk.StepRequest{EpisodeID: "e", StepID: string(rune('a' + turn)),
			Message: answer("tools")})
		if err != nil {
			t.Fatal(err)
		}
		if came := offers(response.Tools, arrived); came != (turn == at-1) || response.ToolsChanged != came {
			t.Errorf("after turn %d the tools changed: %v, with %s: %v", turn, response.ToolsChanged, arrived, came)
		}
	}
}

func offers(tools []sdk.Tool, name string) bool {
	for _, tool := range tools {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// The splits must be disjoint, stable halves of each category.
func TestSplit(t *testing.T) {
	e, _ := open(t, map[string]any{})
	train, held := tasks(t, e, sdk.SplitTrain), tasks(t, e, sdk.SplitValidation)
	seen := map[string]bool{}
	for _, task := range append(train, held...) {
		if seen[task.ID] {
			t.Errorf("%s is in both splits", task.ID)
		}
		seen[task.ID] = true
		if !json.Valid(task.Public) || !json.Valid(task.Private) {
			t.Errorf("%s is no JSON", task.ID)
		}
	}
	if len(train) != len(held) || len(seen) != 800 {
		t.Errorf("%d and %d tasks", len(train), len(held))
	}
}

// EnvTuning's two rewards judge its scores. A model that skips turns and catches up later must pass only in the
// reference.
func TestSkippedTurns(t *testing.T) {
	for compatibility, want := range map[string]float64{"reference": 1, "corrected": 0} {
		e, entries := open(t, map[string]any{"mode": "envtuning", "profile": "envtuning", "held_out": 0,
			"compatibility": compatibility, "categories": []string{"base"}})
		right, all := 0.0, 0.0
		for _, task := range tasks(t, e, sdk.SplitTrain)[:40] {
			one := entries[task.ID]
			if len(one.Truth) < 2 {
				continue
			}
			item := play(t, e, task, func(turn, step int) sdk.Message {
				if step == 0 && turn > 0 && len(one.Truth[turn]) > 0 {
					return calls(t, "envtuning", one.Truth[turn])
				}
				return answer("envtuning")
			})
			for i, score := range item.TurnRewards {
				if i > 0 && (score == 0 || score == 1) {
					right, all = right+score, all+1
				}
			}
		}
		if share := right / all; want == 1 && share < 0.99 || want == 0 && share > 0.9 {
			t.Errorf("%s: %g of the turns after a skipped one are right", compatibility, share)
		}
	}
}

// An episode that ends after a good turn must not get 1, except in the reference.
func TestUnreachedTurns(t *testing.T) {
	for _, c := range []struct {
		reference bool
		want      float64
	}{{true, 1}, {false, 0.25}} {
		raw, err := json.Marshal(summary{Entry: "e", Turns: 4, Scores: []float64{-1, 1}, Reference: c.reference})
		if err != nil {
			t.Fatal(err)
		}
		if got := score(t, "bfcl_progress", sdk.ScoreItem{State: raw}); got.Score != c.want {
			t.Errorf("reference %v: %g, want %g", c.reference, got.Score, c.want)
		}
	}
	if got := score(t, "bfcl_official", sdk.ScoreItem{}); got.Failure == nil {
		t.Error("an episode without a state has a score")
	}
}

func TestConfiguration(t *testing.T) {
	v4, v3 := source(t, "v4"), source(t, "v3")
	for _, c := range []struct {
		attribute, want string
		config          map[string]any
	}{
		{"categories", `"bse" is not a category`, map[string]any{"source": v4, "categories": []string{"bse"}}},
		{"categories", `"base" twice`, map[string]any{"source": v4, "categories": []string{"base", "miss_func", "base"}}},
		{"categories", "holds null", map[string]any{"source": v4, "categories": []any{"base", nil}}},
		{"categories", "at least one of", map[string]any{"source": v4, "categories": []string{}}},
		{"profile", "plays with the functions of", map[string]any{"source": v4, "mode": "envtuning"}},
		{"source", "has no BFCL data: looked for", map[string]any{"source": t.TempDir()}},
		{"source", `version 3, and profile "v4" needs version 4: set profile to "v3" or "envtuning", or get version 4 with`,
			map[string]any{"source": v3}},
		{"source", `version 4, and profile "v3" needs version 3: set profile to "v4", or get version 3 with`,
			map[string]any{"source": v4, "profile": "v3"}},
		{"source", `needs version 3: get version 3 with`,
			map[string]any{"source": v4, "profile": "envtuning", "mode": "envtuning"}},
		{"split_seed", "split_seed has to be a whole number of at most 64 bits; it is 1.5.",
			map[string]any{"source": v4, "split_seed": 1.5}},
		{"split_seed", "a whole number of at most 64 bits; it is 1000",
			map[string]any{"source": v4, "split_seed": json.RawMessage("1000000000000000000000000000000")}},
		{"turns", "turns has to be a whole number; it is 0.5.", map[string]any{"source": v4, "turns": 0.5}},
		{"step_limit", "step_limit has to be a whole number; it is 1.5.", map[string]any{"source": v4, "step_limit": 1.5}},
	} {
		raw, err := json.Marshal(c.config)
		if err != nil {
			t.Fatal(err)
		}
		problems := validated(t, raw)
		if len(problems) != 1 || !contains(problems[0].Detail, c.want) ||
			!slices.Equal(problems[0].Path, []string{c.attribute}) {
			t.Errorf("%s: %+v, want %q about %s", raw, problems, c.want, c.attribute)
		}
		// newEnvironment must check the configuration, too: to list tasks, an environment is set up without prior
		// validation.
		_, err = newEnvironment(t.Context(), sdk.Setup{Config: raw})
		if wrong := (*sdk.ConfigError)(nil); !errors.As(err, &wrong) || !contains(err.Error(), c.want) {
			t.Errorf("%s: set up: %v, want %q", raw, err, c.want)
		}
	}
	if _, err := environmentSchema().Complete(json.RawMessage(`{"source": "x", "categories": ["bse"]}`)); err == nil {
		t.Error("the schema allows any category")
	}
}

// Tasks can be shortened, the system prompt replaced or omitted, and thoughts separated from the content.
func TestToys(t *testing.T) {
	for _, c := range []struct {
		mode         string
		prompt       any
		want         string // of the system prompt
		systemPrompt bool
	}{
		{"envtuning", nil, "<think>what to do", true}, {"envtuning", "Use:\n{functions}\nNow.", `"name":"`, true},
		{"envtuning", "", "", false},
		{"text", nil, "Python's syntax", true}, {"tools", nil, "", false}, {"tools", "Be brief.", "Be brief.", true},
	} {
		config := map[string]any{"mode": c.mode, "profile": "envtuning", "held_out": 0, "categories": []string{"base"},
			"turns": 1}
		if c.prompt != nil {
			config["system_prompt"] = c.prompt
		}
		e, entries := open(t, config)
		task := tasks(t, e, sdk.SplitTrain)[0]
		opened, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e", Task: task})
		if err != nil {
			t.Fatal(err)
		}
		first := opened.Messages[0]
		if (first.Role == sdk.RoleSystem) != c.systemPrompt || !contains(first.Content, c.want) ||
			contains(first.Content, functionsMark) {
			t.Errorf("%s, %v: the first message is %+v", c.mode, c.prompt, first)
		}
		if c.mode != "envtuning" {
			continue
		}
		said := calls(t, "envtuning", entries[task.ID].Truth[0])
		said.Content, said.Reasoning = said.Content[len("<think>t</think>"):], "t"
		for i, m := range []sdk.Message{said, {Role: sdk.RoleAssistant, Reasoning: "t", Content: "<answer>Done.</answer>"}} {
			response, err := e.Step(t.Context(), sdk.StepRequest{EpisodeID: "e", StepID: fmt.Sprint(i), Message: m})
			if err != nil {
				t.Fatal(err)
			}
			if want := float64(2*i - 1); *response.TurnReward != want || response.Done != (i == 1) {
				t.Errorf("message %d: score %g, done %v; want %g", i, *response.TurnReward, response.Done, want)
			}
		}
	}
}

// An episode whose first message was cut must get 0, and not a reward failure.
func TestUnplayedEpisode(t *testing.T) {
	e, _ := open(t, map[string]any{"mode": "envtuning", "profile": "envtuning", "held_out": 0,
		"categories": []string{"base"}})
	if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e", Task: tasks(t, e, sdk.SplitTrain)[0]}); err != nil {
		t.Fatal(err)
	}
	state, err := e.(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), "e")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []string{"bfcl_format", "bfcl_progress", "bfcl_official"} {
		if got := score(t, typ, sdk.ScoreItem{State: state}); got.Failure != nil || got.Score != 0 {
			t.Errorf("%s: %+v, want 0", typ, got)
		}
	}
}
