package sdk_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/sdk"
)

// roundTrip writes v, checks that it is one line with the members listed in docs/reference/bridge.md, and reads it.
func roundTrip[T sdk.WireJSON](t *testing.T, v T, members ...string) {
	t.Helper()
	text, err := sdk.MarshalWire(v)
	if err != nil {
		t.Errorf("%T: %v", v, err)
		return
	}
	if strings.Contains(string(text), "\n") {
		t.Errorf("%T has more than one line: %s", v, text)
	}
	compact := strings.ReplaceAll(string(text), " ", "")
	for _, member := range members {
		if !strings.Contains(compact, member) {
			t.Errorf("%T: %s is not in %s", v, member, text)
		}
	}
	got, err := sdk.UnmarshalWire[T](text)
	if err != nil {
		t.Errorf("%T: %v", v, err)
	}
	if diff := cmp.Diff(v, got); diff != "" {
		t.Errorf("%T: %s", v, diff)
	}
}

func TestWireJSON_KeepsEverything(t *testing.T) {
	reward, success, temperature, group := 0.5, true, 0.7, 5
	message := sdk.Message{
		Role: sdk.RoleAssistant, Content: "a\nb", Reasoning: "hm",
		ToolCalls: []sdk.ToolCall{{ID: "c", Name: "calc", Arguments: `{"a": 1}`}},
		Malformed: []sdk.Malformed{{Text: "<tool", Reason: "cut"}},
		Images:    []sdk.Image{{MIMEType: "image/png", Data: []byte{0, 255}, TextAfter: 2}, {URL: "http://b"}},
		Attachments: []sdk.Attachment{
			{Kind: sdk.AttachmentImage, MIMEType: "image/png", Data: []byte{0, 255}, Marker: "[image]"},
			{Kind: sdk.AttachmentAudio, MIMEType: "audio/wav", SHA256: strings.Repeat("0", 64), Size: 1 << 40},
			{Kind: sdk.AttachmentResource, URI: "file:///a", Name: "a", Text: "é"},
			{Kind: sdk.AttachmentLink, URI: "file:///b"},
			{Kind: sdk.AttachmentStructured, JSON: []byte(`{"a":1}`)},
		},
	}
	roundTrip(t, sdk.EpisodeRequest{
		EpisodeID: "e", GroupID: "g", GroupSize: 8, GroupIndex: &group, SampleIndex: 3, Draw: 1,
		Task:  &sdk.Task{ID: "t", Public: []byte(`{"prompt":"?"}`)},
		Stage: "main", Split: sdk.SplitTrain, Step: 4, PolicyVersion: 1 << 40, ActiveBudget: 1500 * time.Millisecond,
		HardDeadline: time.Hour,
		Endpoint:     &sdk.Endpoint{BaseURL: "http://x", APIKey: "k", Model: "m"},
	}, `"episode_id":"e"`, `"group_size":"8"`, `"split":"SPLIT_TRAIN"`, `"policy_version":"1099511627776"`,
		`"active_budget":"1.500s"`)
	roundTrip(t, sdk.EpisodeCancel{EpisodeID: "e", Reason: "late"}, `"reason":"late"`)
	roundTrip(t, sdk.EpisodeResult{
		EpisodeID: "e", Attempt: 2, Outcome: sdk.OutcomeScored, Reward: &reward, IsSuccess: &success,
		Components:  map[string]float64{"score": 0.5},
		TurnRewards: []sdk.TurnReward{{CallID: "c", Reward: 1}},
		Chains:      []sdk.ChainResult{{Chain: "e/a2/c1", Agent: "a", Train: true, Reward: &reward}},
		Failure:     &sdk.Failure{Class: sdk.FailureModel, Detail: "x", Retryable: true}, Masked: true, DropGroup: true,
		NumTurns: 3, TaskID: "t",
		Timings: sdk.Timings{Queue: time.Second}, DriftCount: 1, Metrics: map[string]float64{"m": 2},
	}, `"outcome":"EPISODE_OUTCOME_SCORED"`, `"drop_group":true`)
	roundTrip(t, sdk.GenerateRequest{
		EpisodeID: "e", Attempt: 1, CallID: "k", Agent: "a", Chain: "c", Base: 2, Messages: []sdk.Message{message},
		Trainable: true, Seed: math.MaxUint64,
		Tools:    []sdk.Tool{{Name: "calc", Description: "adds", Parameters: []byte(`{"type":"object"}`)}},
		Sampling: sdk.Sampling{Temperature: &temperature, TopK: 5, MaxTokens: 9, Stop: []string{"\n"}}, Deadline: time.Minute,
		Validation: true,
	}, `"call_id":"k"`, `"seed":"18446744073709551615"`, `"parameters_json":"eyJ0eXBlIjoib2JqZWN0In0="`,
		`"role":"ROLE_ASSISTANT"`)
	roundTrip(t, sdk.GenerateResponse{
		Message: message, Finish: sdk.FinishToolCalls, PromptTokens: 1, OutputTokens: 2, RemainingTokens: 3,
		Versions: []sdk.VersionSpan{{Version: 7, Tokens: 2}},
		Chain:    "c", ChainLength: 3, ChainDigest: "d", Drift: "REALIGN",
	}, `"finish_reason":"FINISH_REASON_TOOL_CALLS"`, `"drift":"DRIFT_REALIGN"`)
	roundTrip(t, sdk.GenerateError{Kind: sdk.GeneratePaused, Detail: "update"}, `"kind":"KIND_PAUSED"`)
	roundTrip(t, sdk.TrainEvent{Consumed: &sdk.ConsumedEvent{Step: 1, VersionAfter: 2,
		Episodes: []sdk.ConsumedEpisode{{EpisodeID: "e", Use: sdk.ConsumedStale}}}}, `"use":"USE_STALE"`)
	roundTrip(t, sdk.TrainEvent{Tokens: &sdk.TokensEvent{Step: 3, Rows: []sdk.TokensRow{{
		EpisodeID: "e", Chain: "c", IDs: []int32{7, 8}, Texts: []string{"a", "b"}, Trained: []bool{false, true},
		SamplerLogprobs: []float32{0, -0.5},
		TrainerLogprobs: []float32{0, -0.25}, Advantages: []float32{0, 1}, Total: 9,
	}}}}, `"trainer_logprobs":[0,-0.25]`)
	roundTrip(t, sdk.StepBoundaryRequest{LaunchID: "l", Stage: "main", Step: 3, Validated: true, AfterSeq: 9},
		`"after_seq":"9"`)
	roundTrip(t, sdk.StepBoundaryResponse{Directive: sdk.DirectiveFinishStage, Reason: "done"},
		`"directive":"DIRECTIVE_FINISH_STAGE"`)
	roundTrip(t, sdk.ControlRequest{LaunchID: "l", Action: sdk.ControlDrain, Reason: "r"}, `"action":"ACTION_DRAIN"`)
}

func TestWireJSON_ReadsOtherEncodings(t *testing.T) {
	got, err := sdk.UnmarshalWire[sdk.EpisodeRequest]([]byte(`{"episodeId": "e", "groupSize": 4, "step": "2", "fromTheFuture": {"x": [1]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sdk.EpisodeRequest{EpisodeID: "e", GroupSize: 4, SampleIndex: sdk.SampleByArrival, Step: 2},
		got); diff != "" {
		t.Error(diff)
	}
}

// A metric that is not finite is sent by its name, and arrives as NaN.
func TestWireJSON_NamesMetricsThatAreNotFinite(t *testing.T) {
	sent := map[string]float64{"train/loss": math.Inf(-1), "train/kl": math.NaN(), "train/reward": 0.5}
	text, err := sdk.MarshalWire(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: 3, Values: sent}})
	plain := strings.ReplaceAll(string(text), " ", "") // which protojson adds in some builds
	if err != nil || !strings.Contains(plain, `"not_finite":["train/kl","train/loss"]`) {
		t.Fatalf("%s, %v", text, err)
	}
	got, err := sdk.UnmarshalWire[sdk.TrainEvent](text)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"train/loss": math.NaN(), "train/kl": math.NaN(), "train/reward": 0.5}
	if diff := cmp.Diff(want, got.Metrics.Values, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

func TestWireJSON_RejectsNonFiniteNumbers(t *testing.T) {
	nan := math.NaN()
	if _, err := sdk.MarshalWire(sdk.EpisodeResult{Reward: &nan}); err == nil || !strings.Contains(err.Error(), "reward") {
		t.Errorf("a reward of NaN: got %v", err)
	}
	if _, err := sdk.MarshalWire(sdk.EpisodeResult{Components: map[string]float64{"score": math.Inf(1)}}); err == nil ||
		!strings.Contains(err.Error(), "score") {
		t.Errorf("an infinite component: got %v", err)
	}
	for name, text := range map[string]string{
		"NaN": `{"metrics":{"values":{"train/loss":"NaN"}}}`, "infinite": `{"metrics":{"values":{"train/loss":"-Infinity"}}}`,
		"an empty event": `{}`,
	} {
		if _, err := sdk.UnmarshalWire[sdk.TrainEvent]([]byte(text)); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := sdk.UnmarshalWire[sdk.EpisodeResult]([]byte(`{"reward":"Infinity"}`)); err == nil {
		t.Error("an infinite reward was accepted")
	}
}
