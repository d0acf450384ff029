package view_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/internal/fake"
	"github.com/awhost/awhost/host/view/text"
)

func TestPlainLines(t *testing.T) {
	for name, ending := range map[string]fake.Ending{"completed": fake.Completes, "stopped": fake.IsStopped,
		"failed": fake.Fails} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			shown := view.New(view.Options{Out: &out, Version: "0.1.0", Again: "awhost apply --new train.hcl"})
			for _, e := range fake.Run(ending) {
				shown.Handle(e)
			}
			if err := shown.Close(); err != nil {
				t.Fatal(err)
			}
			if err := shown.Close(); err != nil {
				t.Fatal(err)
			}
			golden(t, "plain lines of a run that "+name, out.String())
		})
	}
}

func TestThreeDaysOfTrainingFitIntoALogThatCanBeRead(t *testing.T) {
	const (
		pause     = 20 * time.Second
		total     = int(72 * time.Hour / pause)
		mostLines = 2000
	)
	var out bytes.Buffer
	human := view.NewHuman(view.Options{Out: &out, Version: "0.1.0"})
	now := fake.Start
	handle := func(payload event.Payload) { human.Handle(event.Event{Time: now, Run: "long-1", Payload: payload}) }
	handle(event.RunStarted{Plan: event.PlanSummary{TotalSteps: total}})
	for step := 1; step <= total; step++ {
		handle(event.Phase{Name: event.PhaseRollout, Step: step, Done: 1, Total: 2})
		now = now.Add(pause)
		handle(event.StepFinished{Step: step, Total: total, Reward: event.Known(0.5)})
		handle(event.Log{Level: event.LevelWarn, Source: "reward.gaia.answer", Message: "no number"})
		handle(event.Warning{Code: "token_drift", Summary: "drift", Count: step})
		if step%5 == 0 {
			handle(event.CheckpointCommitted{Step: step, Path: "checkpoints/x", IsKept: true})
			handle(event.ValidationFinished{Step: step, SuccessRate: event.Known(float64(step) / float64(total)), IsBest: true})
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines > mostLines {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{"step 1/", "step 2/", "step 3/", fmt.Sprintf("step %s/", text.Count(total)),
		"lines before it, see the logs"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not among the lines", want)
		}
	}
}

func TestRareEventsAreShownAtOnce(t *testing.T) {
	var out bytes.Buffer
	human := view.NewHuman(view.Options{Out: &out, Version: "0.1.0"})
	at := func(age time.Duration, payload event.Payload) {
		human.Handle(event.Event{Time: fake.Start.Add(age), Run: "quickstart-1", Payload: payload})
	}
	at(0, event.RunStarted{Plan: event.PlanSummary{TotalSteps: 100}})
	at(time.Hour, event.PluginState{Instance: "adapter.local.grpo", State: event.PluginCrashed, Detail: "signal: killed"})
	at(time.Hour+time.Second, event.Interrupted{Stage: event.StopFirst})
	at(time.Hour+2*time.Second, event.Interrupted{Stage: event.StopSecond})
	at(time.Hour+3*time.Second, event.Log{Level: event.LevelDebug, Source: "host", Message: "not for everyone"})
	for _, want := range []string{
		"1:00:00  plugin adapter.local.grpo died: signal: killed",
		"1:00:01  finishing the step",
		"1:00:02  stopping now",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not among the lines:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "not for everyone") {
		t.Error("debug lines are shown without being asked for")
	}
}

func TestDiagnosticsBeforeARunAreShownAsTheyAre(t *testing.T) {
	tests := []struct {
		name string
		give event.Diagnostic
		want string
	}{
		{"with a place", event.Diagnostic{
			Severity: event.SeverityError, Summary: `unknown attribute "stepz"`, Detail: `Did you mean "steps"?`,
			Address: "train.quickstart",
			Snippet: "  stepz = 60",
			Range: &event.Range{File: "train.hcl", Start: event.Position{Line: 12, Column: 3},
				End: event.Position{Line: 12, Column: 8}},
		}, `
Error: unknown attribute "stepz"

  on train.hcl line 12, in train.quickstart
  12 │   stepz = 60
     │   ^^^^^

  Did you mean "steps"?
`},
		{"over several lines", event.Diagnostic{
			Severity: event.SeverityWarning, Summary: "nothing validates", Snippet: "train \"x\" {\n}",
			Range: &event.Range{File: "train.hcl", Start: event.Position{Line: 9, Column: 1},
				End: event.Position{Line: 10, Column: 2}},
		}, `
Warning: nothing validates

  on train.hcl line 9
   9 │ train "x" {
  10 │ }
`},
		{"without a place", event.Diagnostic{Severity: event.SeverityError, Summary: "no file train.hcl", Detail: "Name one."}, `
Error: no file train.hcl

  Name one.
`},
		{"of a block", event.Diagnostic{Severity: event.SeverityError, Summary: "the plugin did not start", Address: "reward.gaia.answer"}, `
Error: the plugin did not start

  in reward.gaia.answer
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			human := view.NewHuman(view.Options{Out: &out})
			human.Handle(event.Event{Payload: event.Diagnostics{Diagnostics: []event.Diagnostic{test.give}}})
			if got := out.String(); got != test.want+"\n" {
				t.Errorf("shown is\n%s", got)
			}
		})
	}
}
