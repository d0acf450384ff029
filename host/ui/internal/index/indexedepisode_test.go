package index

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/internal/jsonscan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
)

// The fast decoder returns the same as encoding/json, and it decodes every record that runstore writes.
func TestIndexedEpisode_IsWhatJSONReads(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\"\\", "é\n", "<b>", "\x1b[31m"}))
		number := rapid.Float64Range(-1e12, 1e12)
		reward, success := number.Draw(t, "reward"), rapid.Bool().Draw(t, "success")
		e := runstore.EpisodeRecord{
			EpisodeID: text.Draw(t, "id"), TaskID: text.Draw(t, "task"), Attempt: rapid.IntRange(0, 9).Draw(t, "attempt"),
			Slot: runstore.Slot{
				Stage: text.Draw(t, "stage"), Split: sdk.SplitTrain, Step: 3, Group: text.Draw(t, "group"), Sample: 2,
			},
			Outcome: sdk.OutcomeScored, FinalAnswer: text.Draw(t, "answer"), OutputTokens: 7, NumTurns: 2,
			Malformed: 3, Replaces: "abc", Spans: &runstore.Spans{Part: "qm", After: []int64{0, -1}, Took: []int64{2, 3}},
			Notes:   map[string]string{text.Draw(t, "plain"): text.Draw(t, "note")},
			Timings: runstore.Timings{QueueMillis: number.Draw(t, "queue"), HostMillis: 1e-9},
			State:   json.RawMessage(`{"a":["}",{"reward":5}]}`), Components: runstore.Numbers{"a": reward},
			Rows: []runstore.TokenRow{{Chain: "c", IDs: []int32{1, 2}, LossMask: []bool{true, false},
				Logprobs: []float32{-1e-7, 0}}},
			Members: []runstore.MemberRecord{{Agent: text.Draw(t, "member"), CostUSD: 0.1}},
			UnsampledSteps: []runstore.UnsampledStep{{
				ID: "s", Messages: []sdk.Message{{Role: sdk.RoleTool, Content: text.Draw(t, "own")}},
			}},
			Transcripts: []runstore.TranscriptPart{{Agent: "a", Depth: 1, Messages: []sdk.Message{{
				Role: sdk.RoleAssistant, Content: text.Draw(t, "content"), Reasoning: text.Draw(t, "reasoning"),
				ToolCalls: []sdk.ToolCall{{ID: "c", Name: text.Draw(t, "name"), Arguments: text.Draw(t, "arguments")}},
			}}}},
		}
		if rapid.Bool().Draw(t, "scored") {
			e.Reward, e.IsSuccess = &reward, &success
		}
		if rapid.Bool().Draw(t, "failed") {
			e.Failure = &sdk.Failure{Class: sdk.FailureEnvironment, Detail: text.Draw(t, "detail")}
		}
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var want, got indexedEpisode
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		plain := true // a name with an escape is decoded by encoding/json
		for name := range e.Notes {
			quoted, _ := json.Marshal(name)
			plain = len(quoted) == len(name)+2
		}
		if !got.scan(jsonscan.New(data)) && plain {
			t.Fatalf("not read fast: %s", data)
		}
		got = indexedEpisode{}
		if err := got.read(data); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", data, diff)
		}
	})
}
