package event_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
)

func TestEventsSurviveJSON(t *testing.T) {
	solved := true
	for _, payload := range []event.Payload{
		event.RunStarted{Dir: "d", Mode: event.ModeResume, Step: 3,
			Plan: event.PlanSummary{Stages: []event.StageSummary{{Name: "main", Steps: 2}}, Notes: []string{"n"}}},
		event.Diagnostics{Diagnostics: []event.Diagnostic{{Severity: event.SeverityWarning,
			Range: &event.Range{File: "f", Start: event.Position{Line: 1}}}}},
		event.PluginState{Instance: "reward.gaia.answer", State: event.PluginReady, PID: 4},
		event.StageStarted{Name: "main", Total: 1},
		event.Phase{Name: event.PhaseRollout, Step: 4, Done: 1, Total: 8},
		event.EpisodeFinished{Episode: "e", Success: &solved, Reward: event.Known(0.5)},
		event.StepFinished{Step: 4, Reward: event.Known(0.25), Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 3},
			Metrics: event.Metrics{"a": 1}},
		event.ValidationFinished{SuccessRate: event.Known(1), Seconds: 2.5, Metrics: event.Metrics{}},
		event.CheckpointCommitted{Step: 4, IsKept: true},
		event.Log{Level: event.LevelInfo, Message: "\x1b[2J", Fields: map[string]string{"a": "b"}},
		event.Warning{Code: "drain", Count: 2},
		event.Interrupted{Stage: event.StopSecond, Source: "Ctrl-C"},
		event.RunFinished{Outcome: event.RunFailed, Error: &event.Diagnostic{Summary: "s"},
			Outputs: event.Outputs{"o": json.RawMessage(`{"a":1}`)}, Metrics: event.Metrics{}},
	} {
		t.Run(string(payload.Kind()), func(t *testing.T) {
			want := event.Event{Time: noon, Run: "quickstart-1", Incarnation: 2, Seq: 7, Payload: payload}
			line, err := event.AppendLine(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			var got event.Event
			if err := json.Unmarshal(line, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNumbersThatAreNotFiniteComeBackAsNaN(t *testing.T) {
	line, err := event.AppendLine(nil, event.Event{Time: noon,
		Payload: event.StepFinished{Seconds: event.Seconds(math.Inf(1)), Metrics: event.Metrics{"a": math.Inf(-1)}}})
	if err != nil {
		t.Fatal(err)
	}
	var got event.Event
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatal(err)
	}
	step := got.Payload.(event.StepFinished)
	if _, known := step.Reward.Get(); known || !math.IsNaN(float64(step.Seconds)) || !math.IsNaN(step.Metrics["a"]) {
		t.Errorf("got %+v", step)
	}
}

func TestKindsOfLaterVersionsAreNamed(t *testing.T) {
	var e event.Event
	err := json.Unmarshal([]byte(`{"type":"dream","time":"2026-03-01T12:00:00Z"}`), &e)
	var unknown *event.UnknownKindError
	if !errors.As(err, &unknown) || unknown.Kind != "dream" {
		t.Errorf("error %v", err)
	}
}

func FuzzAnyLineIsAnEventOrAnError(f *testing.F) {
	f.Add(`{"type":"step_finished","time":"2026-03-01T12:00:00Z","metrics":{"a":null}}`)
	f.Add(`{"type":"log","time":1}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, line string) {
		var e event.Event
		if json.Unmarshal([]byte(line), &e) == nil && e.Payload == nil && line != "null" {
			t.Errorf("%q is an event without a payload", line)
		}
	})
}
