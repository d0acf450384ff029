package view_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/internal/fake"
	"github.com/awhost/awhost/sdk"
)

// smokeEvents returns the events of a smoke run with one working stage and one failing stage.
func smokeEvents(ending event.RunFinished) []event.Payload {
	good := event.SmokeStage{
		Name: "one", Steps: 2, Planned: 2, Seconds: event.SecondsOf(3 * time.Second), Episodes: 24, Validation: 8,
		Trained: 16, Tools: 4, ScriptCalls: 24,
		Scripted: event.SmokeEpisodes{Episodes: 12, Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 12}, Turns: 36,
			ToolCalls: 24, Answers: 24, Errors: 6},
		Sampled: event.SmokeEpisodes{Episodes: 12, Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 1,
			sdk.OutcomeTruncated: 11}, Turns: 12, Malformed: 9},
		Rewards: []event.SmokeReward{
			{Name: "reward", Numbers: 24, Episodes: 24, Min: event.Known(0), Mean: event.Known(0.1), Max: event.Known(0.3)},
			{Name: "reward.gaia.answer", Numbers: 24, Episodes: 24, Min: event.Known(0), Mean: event.Known(0),
				Max: event.Known(0)},
		},
	}
	bad := event.SmokeStage{
		Name: "two\x1b[31m", Steps: 1, Planned: 2, Seconds: event.SecondsOf(time.Second), Episodes: 2, Tools: 4,
		ScriptCalls: 2, Misread: 1,
		Scripted: event.SmokeEpisodes{Episodes: 1, Outcomes: map[sdk.Outcome]int{sdk.OutcomeFailed: 1}},
		Sampled:  event.SmokeEpisodes{Episodes: 1, Outcomes: map[sdk.Outcome]int{sdk.OutcomeFailed: 1}},
		Rewards:  []event.SmokeReward{{Name: "reward", Episodes: 2}, {Name: "reward.gaia.answer", Episodes: 2}},
		Failures: []event.SmokeFailure{{Class: sdk.FailureEnvironment, Episodes: 2, Detail: "connection\nrefused",
			Task: "t-1", Episode: "e"}},
	}
	report := event.SmokeReport{Verdict: event.SmokePass, Stages: []event.SmokeStage{good},
		Remarks: []string{"stage one: reward.gaia.answer was 0 in all of 24 episodes"}}
	if ending.Outcome == event.RunFailed {
		report.Verdict, report.Stages, report.Reasons = event.SmokeFail, append(report.Stages, bad), []string{"stage two: " +
			"none of 2 episodes got a number"}
	}
	out := []event.Payload{event.RunStarted{
		Dir: "lab/.awhost/smoke/.awhost/runs/sums-1", Spec: "lab/train.hcl", Mode: event.ModeNew,
		Plan: event.PlanSummary{Adapter: "local", TotalSteps: 4, Prompts: 2, GroupSize: 4, TrainTasks: 700,
			ValidationTasks: 4, Seed: 1, Smoke: []string{"small"}},
	}}
	if ending.Outcome != event.RunStopped {
		out = append(out, report)
	}
	return append(out, ending)
}

func TestSmokeSummary(t *testing.T) {
	for name, ending := range map[string]event.RunFinished{
		"passes": {Outcome: event.RunCompleted, Step: 4, TotalSteps: 4, Seconds: event.SecondsOf(7 * time.Second)},
		"is stopped": {Outcome: event.RunStopped, Step: 1, TotalSteps: 4, Seconds: event.SecondsOf(2 * time.Second),
			Reason: "it was stopped before there was anything to say"},
		"fails": {Outcome: event.RunFailed, Step: 3, TotalSteps: 4, Seconds: event.SecondsOf(9 * time.Second),
			Reason: "stage two",
			Error: &event.Diagnostic{Severity: event.SeverityError, Summary: "The smoke run failed", Detail: "stage two: " +
				"none of 2 episodes got a number"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			shown := view.New(view.Options{Out: &out, Version: "0.1.0"})
			for _, p := range smokeEvents(ending) {
				shown.Handle(event.Event{Time: fake.Start, Run: "sums-1", Incarnation: 1, Payload: p})
			}
			if err := shown.Close(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "\x1b") {
				t.Errorf("the output is not harmless: %q", out.String())
			}
			golden(t, "smoke run that "+name, out.String())
		})
	}
}
