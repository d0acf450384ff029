package bfclenv

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk"
)

// inColumns returns an entry as a row of EnvTuning's Parquet files, under another id.
func inColumns(t testing.TB, one *entry.Entry, id string) sdk.Task {
	t.Helper()
	config, err := py.JSON(one.Config)
	if err != nil {
		t.Fatal(err)
	}
	public, err := json.Marshal(map[string]any{
		"data_source": "bfcl", "ability": "multi_turn_function_calling",
		"prompt": []map[string]string{{"role": "system", "content": "Its own prompt."},
			{"role": "user", "content": one.Questions[0][0]}},
		"extra_info": map[string]any{"split": "train", "index": 3, "original_id": id, "interaction_kwargs": map[string]any{
			"name": "multi_turn_tool_call", "id": id, "initial_config": config, "involved_classes": one.Classes,
			"ground_truth": one.Truth, "processed_question": one.Later(), "question": one.Questions,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return sdk.Task{ID: "row-3", Public: public, Private: json.RawMessage(`{"ground_truth": []}`)}
}

// A task with all of EnvTuning's columns must be played from them, even if it is not in the data.
func TestRowsArePlayed(t *testing.T) {
	e, entries := open(t, map[string]any{"mode": "envtuning", "profile": "envtuning", "held_out": 0})
	played := 0
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		one := entries[id]
		if len(one.Missed) > 0 || !strings.HasSuffix(id, "7") {
			continue
		}
		task := inColumns(t, one, "multi_turn_"+one.Category+"_7000")
		solve := func(turn, step int) sdk.Message {
			if step == 0 && len(one.Truth[turn]) > 0 {
				return calls(t, "envtuning", one.Truth[turn])
			}
			return answer("envtuning")
		}
		item := play(t, e, task, solve)
		var end summary
		if err := json.Unmarshal(item.State, &end); err != nil {
			t.Fatal(err)
		}
		if !end.Verdict.Valid || end.Entry != "multi_turn_"+one.Category+"_7000" {
			t.Errorf("%s: %s, %+v", id, end.Entry, end.Verdict)
		}
		if diff := cmp.Diff(play(t, e, sdk.Task{ID: id}, solve).TurnRewards, item.TurnRewards); diff != "" {
			t.Errorf("%s: scores of the data and of the row (-data +row):\n%s", id, diff)
		}
		played++
	}
	if played == 0 {
		t.Fatal("no row was played")
	}
	t.Logf("%d rows were played", played)
}

func TestRowsSayWhatTheyTellTheModel(t *testing.T) {
	e, entries := open(t, map[string]any{"mode": "envtuning", "profile": "envtuning", "categories": []string{"base"},
		"held_out": 0})
	one := entries["multi_turn_base_0"]
	opened, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e", Task: inColumns(t, one, "mine")})
	if err != nil {
		t.Fatal(err)
	}
	want := []sdk.Message{{Role: sdk.RoleSystem, Content: "Its own prompt."},
		{Role: sdk.RoleUser, Content: one.Questions[0][0]}}
	if diff := cmp.Diff(want, opened.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The error of an unplayable row must name the fault.
func TestRowsThatCannotBePlayed(t *testing.T) {
	e, entries := open(t, map[string]any{"mode": "envtuning", "profile": "envtuning", "categories": []string{"base"},
		"held_out": 0})
	whole := string(inColumns(t, entries["multi_turn_base_0"], "mine").Public)
	for want, public := range map[string]string{
		"initial_config":                strings.Replace(whole, `"initial_config":"{`, `"initial_config":"`, 1),
		"the constants of long":         strings.ReplaceAll(whole, `"mine"`, `"multi_turn_long_context_9"`),
		"prompt has no message":         strings.Replace(whole, `"role":"user"`, `"role":"tool"`, 1),
		"there is no API class":         strings.Replace(whole, `"involved_classes":["`, `"involved_classes":["X`, 1),
		"is no entry of the data":       strings.Replace(whole, `"initial_config"`, `"config"`, 1),
		"questions and 0 turns of grou": strings.Replace(whole, `"ground_truth":[`, `"ground_truth":[],"x":[`, 1),
	} {
		_, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e",
			Task: sdk.Task{ID: "row", Public: json.RawMessage(public)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
