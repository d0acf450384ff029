package episodefile_test

import (
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/awhost/awhost/host/episodefile"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

func conversation() runstore.Episode {
	reward, success := 0.5, true
	return runstore.Episode{Standing: "COUNTED", EpisodeRecord: runstore.EpisodeRecord{
		EpisodeID: "run-1.a/t1", TaskID: "sum-1", Outcome: sdk.OutcomeScored, Reward: &reward, IsSuccess: &success,
		Components: runstore.Numbers{"format": 1}, FinalAnswer: "42", NumTurns: 2, PromptTokens: 30, OutputTokens: 12,
		Slot:  runstore.Slot{Stage: "main", Split: sdk.SplitTrain, Step: 3, Group: "g1", Sample: 2},
		Limit: &runstore.Limit{Name: "message_tokens", Value: 60},
		Transcripts: []runstore.TranscriptPart{{Agent: "react.solver", Messages: []sdk.Message{
			{Role: sdk.RoleSystem, Content: "Use the tools."},
			{Role: sdk.RoleUser, Content: "What is 17+25?", Images: []sdk.Image{{MIMEType: "image/png", Data: []byte("png")}}},
			{Role: sdk.RoleAssistant, Reasoning: "hm", ToolCalls: []sdk.ToolCall{
				{ID: "c1", Name: "add", Arguments: `{"a": 17, "b": 25}`}, {ID: "c2", Name: "add", Arguments: `[1]`},
			}},
			{Role: sdk.RoleTool, ToolCallID: "c1", Content: "42"},
			{Role: sdk.RoleTool, ToolCallID: "c2", Content: "not an object", IsError: true},
			{Role: sdk.RoleAssistant, Content: "42"},
		}}},
	}}
}

func sequence(episodes ...runstore.Episode) iter.Seq2[runstore.Episode, error] {
	return func(yield func(runstore.Episode, error) bool) {
		for _, e := range episodes {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func TestWriteParquet(t *testing.T) {
	failure := sdk.Failure{Class: "REWARD", Detail: "no ground truth"}
	failed := runstore.Episode{EpisodeRecord: runstore.EpisodeRecord{
		EpisodeID: "run-1.a/t2", Outcome: sdk.OutcomeFailed, Failure: &failure,
	}}
	path := filepath.Join(t.TempDir(), "episodes.parquet")
	rows, err := episodefile.WriteParquet(path, "run-1", sequence(conversation(), failed))
	if err != nil || rows != 2 {
		t.Fatal(rows, err)
	}
	type row struct {
		Run      string             `parquet:"run"`
		Episode  string             `parquet:"episode_id"`
		Step     int64              `parquet:"step"`
		Reward   *float64           `parquet:"reward,optional"`
		Parts    map[string]float64 `parquet:"components"`
		Class    *string            `parquet:"failure_class,optional"`
		Limit    *string            `parquet:"limit,optional"`
		Messages string             `parquet:"messages"`
	}
	got, err := parquet.ReadFile[row](path)
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	var messages []sdk.Message
	if err := json.Unmarshal([]byte(got[0].Messages), &messages); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(messages, conversation().Transcripts[0].Messages) {
		t.Errorf("messages %+v", messages)
	}
	if got[0].Run != "run-1" || got[0].Step != 3 || *got[0].Reward != 0.5 || got[0].Parts["format"] != 1 ||
		*got[0].Limit != "message_tokens" || got[0].Class != nil {
		t.Errorf("first row %+v", got[0])
	}
	if got[1].Reward != nil || *got[1].Class != "REWARD" || got[1].Messages != "[]" {
		t.Errorf("second row %+v", got[1])
	}
}

func TestWriteParquet_StopsAtAnUnreadableEpisode(t *testing.T) {
	broken := errors.New("checksum of record 7")
	path := filepath.Join(t.TempDir(), "episodes.parquet")
	_, err := episodefile.WriteParquet(path, "run-1", func(yield func(runstore.Episode, error) bool) {
		yield(runstore.Episode{}, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("files %v, %v", left, err)
	}
}

// The expected text is accepted by harbor.models.trajectories of harbor 0.26.
func TestTrajectoryOf(t *testing.T) {
	got, err := json.Marshal(episodefile.TrajectoryOf("run-1", conversation()).Steps)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"step_id":1,"source":"system","message":"Use the tools."},` +
		`{"step_id":2,"source":"user","message":[{"type":"text","text":"What is 17+25?"},` +
		`{"type":"image","source":{"media_type":"image/png","path":"data:image/png;base64,cG5n"}}]},` +
		`{"step_id":3,"source":"agent","message":"","reasoning_content":"hm","tool_calls":[` +
		`{"tool_call_id":"c1","function_name":"add","arguments":{"a":17,"b":25}},` +
		`{"tool_call_id":"c2","function_name":"add","arguments":{"arguments":"[1]"}}],` +
		`"observation":{"results":[{"source_call_id":"c1","content":"42"},` +
		`{"source_call_id":"c2","content":"not an object","extra":{"is_error":true}}]}},` +
		`{"step_id":4,"source":"agent","message":"42"}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTrajectoryOf_KeepsAnswersWithoutACall(t *testing.T) {
	e := conversation()
	e.Transcripts = []runstore.TranscriptPart{
		{Agent: "react.a", Messages: []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "old", Content: "1"}}},
		{Agent: "react.b", Depth: 1, Messages: []sdk.Message{
			{Role: sdk.RoleAssistant, Content: "x"}, {Role: sdk.RoleTool, ToolCallID: "other", Content: "2"},
		}},
	}
	got, err := json.Marshal(episodefile.TrajectoryOf("run-1", e).Steps)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"step_id":1,"source":"system","message":"","observation":{"results":[{"content":"1"}]},` +
		`"extra":{"agent":"react.a","depth":0}},` +
		`{"step_id":2,"source":"agent","message":"x","observation":{"results":[{"content":"2"}]},` +
		`"extra":{"agent":"react.b","depth":1}}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
