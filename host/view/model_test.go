package view_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/internal/fake"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// moments lists states of the simulated run whose screens are checked.
var moments = []struct {
	name   string
	ending fake.Ending
	until  func(event.Event) bool // the first event that is not applied
	pane   view.Pane
}{
	{"nothing yet", fake.Completes, func(e event.Event) bool { return true }, view.PaneOverview},
	{"starting", fake.Completes, func(e event.Event) bool {
		p, ok := e.Payload.(event.PluginState)
		return ok && p.Component == "format" && p.PID > 0
	}, view.PaneOverview},
	{"warm start", fake.Completes, phaseIs(event.PhaseWarmStart, 0, 200), view.PaneOverview},
	{"first step", fake.Completes, phaseIs(event.PhaseRollout, 2, 64), view.PaneOverview},
	{"after a crash", fake.Completes, phaseIs(event.PhaseRollout, 23, 128), view.PaneOverview},
	{"late", fake.Completes, phaseIs(event.PhaseUpdate, 52, 3), view.PaneOverview},
	{"log", fake.Completes, phaseIs(event.PhaseRollout, 32, 128), view.PaneLog},
	{"metrics", fake.Completes, phaseIs(event.PhaseRollout, 32, 128), view.PaneMetrics},
	{"stopping", fake.IsStopped, func(e event.Event) bool { _, ok := e.Payload.(event.RunFinished); return ok },
		view.PaneOverview},
	{"failed", fake.Fails, func(e event.Event) bool { return false }, view.PaneOverview},
}

func phaseIs(name event.PhaseName, step, done int) func(event.Event) bool {
	return func(e event.Event) bool {
		p, ok := e.Payload.(event.Phase)
		return ok && p.Name == name && p.Step == step && p.Done == done
	}
}

func modelAt(ending fake.Ending, until func(event.Event) bool) (*view.Model, time.Time) {
	m, now := view.NewModel("0.1.0", text.Plain()), fake.Start
	m.Again = "awhost apply --new train.hcl"
	for _, e := range fake.Run(ending) {
		if until(e) {
			break
		}
		m.Apply(e)
		now = e.Time
	}
	return m, now
}

func TestTheScreen(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {200, 50}} {
		for _, moment := range moments {
			name := fmt.Sprintf("%s at %dx%d", moment.name, size.width, size.height)
			t.Run(name, func(t *testing.T) {
				m, now := modelAt(moment.ending, moment.until)
				m.Pane = moment.pane
				golden(t, name, m.Render(size.width, size.height, now.Add(100*time.Millisecond))+"\n")
			})
		}
	}
}

func TestTheSummary(t *testing.T) {
	for name, ending := range map[string]fake.Ending{"completed": fake.Completes, "stopped": fake.IsStopped,
		"failed": fake.Fails} {
		t.Run(name, func(t *testing.T) {
			m, _ := modelAt(ending, func(event.Event) bool { return false })
			golden(t, "summary of a run that "+name, strings.Join(m.Summary(80), "\n")+"\n")
		})
	}
}

func TestTheScreenFitsEveryTerminal(t *testing.T) {
	for _, moment := range moments {
		m, now := modelAt(moment.ending, moment.until)
		m.Pane = moment.pane
		for _, width := range []int{0, 1, 2, 19, 41, 66, 80, 109, 110, 111, 220} {
			for _, height := range []int{0, 1, 3, 4, 5, 12, 17, 24, 29, 30, 31, 64} {
				checkFits(t, m.Render(width, height, now), width, height)
			}
		}
	}
}

func checkFits(t *testing.T, screen string, width, height int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) > max(height, 1) {
		t.Fatalf("%d lines in a terminal of %dx%d:\n%s", len(lines), width, height, screen)
	}
	for _, line := range lines {
		if text.Width(line) > width {
			t.Fatalf("%d columns in a terminal of %dx%d: %q", text.Width(line), width, height, line)
		}
	}
}

// hostile contains control sequences that a model or a plugin may send to a terminal, and characters that break
// columns.
const hostile = "\x1b[2J\x1b]0;owned\a\u202eevil\u2066\u009b31m\r\n\ttext 数字 👩‍👩‍👧 e\u0301\u0301\u0301\u0301 \xff\u200b\U000e0041"

func TestNoTextReachesTheTerminalAsItCame(t *testing.T) {
	inf := math.Inf(1)
	events := []event.Payload{
		event.Diagnostics{Diagnostics: []event.Diagnostic{{Summary: hostile, Detail: hostile, Address: hostile,
			Snippet: hostile,
			Range: &event.Range{File: hostile, Start: event.Position{Line: 1, Column: 1},
				End: event.Position{Line: 1, Column: 5}}}}},
		event.RunStarted{Dir: hostile, Spec: hostile, Mode: hostile,
			Plugins: []event.PluginRef{{Instance: hostile, Component: hostile}},
			Plan:    event.PlanSummary{Adapter: hostile, Notes: []string{hostile}, TotalSteps: 3}},
		event.PluginState{Instance: hostile, Component: hostile, Plugin: hostile, Version: hostile, State: hostile,
			Detail: hostile, PID: 1},
		event.PluginState{Instance: "x", State: event.PluginCrashed, Detail: hostile},
		event.StageStarted{Name: hostile, Total: 2},
		event.Phase{Stage: hostile, Name: hostile, Done: 1, Total: 2},
		event.EpisodeFinished{Episode: hostile, Task: hostile, Outcome: hostile, Failure: hostile},
		event.StepFinished{Stage: hostile, Step: 1, Total: 3, Reward: event.Known(inf),
			Metrics:  event.Metrics{hostile: math.NaN(), "train/loss": inf},
			Outcomes: map[sdk.Outcome]int{hostile: 1}, Failures: map[sdk.FailureClass]int{hostile: 2}},
		event.ValidationFinished{Stage: hostile, SuccessRate: event.Known(math.NaN()), Failed: 1,
			Failures: map[sdk.FailureClass]int{hostile: 2}},
		event.CheckpointCommitted{Stage: hostile, Path: hostile, Digest: hostile, IsKept: true},
		event.Log{Level: hostile, Source: hostile, Message: hostile, Fields: map[string]string{
			hostile: hostile, event.FieldViewURL: hostile,
		}},
		event.Warning{Code: hostile, Summary: hostile, Detail: hostile},
		event.Interrupted{Stage: hostile, Source: hostile},
		event.RunFinished{Outcome: hostile, Checkpoint: hostile, Digest: hostile, Reason: hostile, Exit: hostile,
			Expected: []event.Expected{{Name: hostile, Condition: hostile, Detail: hostile}},
			Before:   event.Known(inf), After: event.Known(inf), Error: &event.Diagnostic{Summary: hostile, Detail: hostile}},
	}
	m := view.NewModel("0.1.0", text.Plain())
	var plain strings.Builder
	human := view.NewHuman(view.Options{Out: &plain, Verbose: true, Version: hostile})
	for i, payload := range events {
		e := event.Event{Time: fake.Start.Add(time.Duration(i) * time.Minute), Run: hostile, Payload: payload}
		m.Apply(e)
		human.Handle(e)
		for _, pane := range []view.Pane{view.PaneOverview, view.PaneLog, view.PaneMetrics} {
			m.Pane = pane
			for _, width := range []int{40, 80, 200} {
				screen := m.Render(width, 50, e.Time)
				checkFits(t, screen, width, 50)
				checkHarmless(t, screen)
			}
		}
	}
	checkHarmless(t, strings.Join(m.Summary(80), "\n"))
	if err := human.Close(); err != nil {
		t.Fatal(err)
	}
	checkHarmless(t, plain.String())
}

func checkHarmless(t *testing.T, shown string) {
	t.Helper()
	for _, r := range shown {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("%U is shown as it came, in:\n%q", r, shown)
		}
	}
}

func TestAResumedRunShowsItsWholeCurve(t *testing.T) {
	m := view.NewModel("0.1.0", text.Plain())
	m.Apply(event.Event{Time: fake.Start, Run: "quickstart-1", Incarnation: 2, Payload: event.RunStarted{
		Mode: event.ModeResume, Step: 20, Plan: event.PlanSummary{TotalSteps: 60},
		Earlier: event.History{
			Rewards:   []event.Point{{Step: 1, Value: 0.3}, {Step: 10, Value: 0.4}, {Step: 20, Value: 0.5}},
			Successes: []event.Point{{Step: 0, Value: 0.312}, {Step: 20, Value: 0.48}},
			Best:      event.Known(20),
		},
	}})
	screen := m.Render(80, 24, fake.Start)
	for _, want := range []string{"step 20/60", "running, start 2", "31.2 %", "48.0 % ★", "step 20\n"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not on the screen:\n%s", want, screen)
		}
	}
}

func TestALongRunTakesNoMoreRoomThanAShortOne(t *testing.T) {
	m := view.NewModel("0.1.0", text.Plain())
	apply := func(payload event.Payload) {
		m.Apply(event.Event{Time: fake.Start, Run: "long-1", Payload: payload})
	}
	apply(event.RunStarted{Plan: event.PlanSummary{TotalSteps: 20000}})
	feed := func(from, to int) {
		for step := from; step <= to; step++ {
			apply(event.StepFinished{Step: step, Total: 20000, Reward: event.Known(float64(step)),
				Metrics: event.Metrics{"train/loss": 1}})
			apply(event.ValidationFinished{Step: step, SuccessRate: event.Known(0.5)})
			apply(event.Log{Message: "a line"})
		}
	}
	feed(1, 5000)
	early := testing.AllocsPerRun(3, func() { m.Render(200, 50, fake.Start) })
	feed(5001, 20000)
	late := testing.AllocsPerRun(3, func() { m.Render(200, 50, fake.Start) })
	if late > 2*early {
		t.Errorf("drawing takes %.0f allocations after 20,000 steps and %.0f after 5,000", late, early)
	}
	if screen := m.Render(200, 50, fake.Start); !strings.Contains(screen, "step 20,000/20,000") {
		t.Error(screen)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s changed; look at it, then go test -update:\n%s", path, diff)
	}
}

func BenchmarkRender(b *testing.B) {
	m, now := modelAt(fake.Completes, phaseIs(event.PhaseUpdate, 52, 3))
	m.Styles = text.Coloured()
	for _, size := range []struct{ width, height int }{{80, 24}, {200, 50}} {
		b.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(b *testing.B) {
			for b.Loop() {
				m.Render(size.width, size.height, now)
			}
		})
	}
}

// The best mark belongs to one stage. The next stage begins without a mark, and the end of the run sets the final
// one.
func TestTheStarIsOfTheLastStage(t *testing.T) {
	m := view.NewModel("0.1.0", text.Plain())
	apply := func(payload event.Payload) {
		m.Apply(event.Event{Time: fake.Start, Run: "two-1", Payload: payload})
	}
	shows := func(want ...string) {
		t.Helper()
		screen := m.Render(80, 24, fake.Start)
		if n := strings.Count(screen, "★"); n != len(want) {
			t.Errorf("%d stars, want %d:\n%s", n, len(want), screen)
		}
		for _, w := range want {
			if !strings.Contains(screen, w) {
				t.Errorf("%q is not on the screen:\n%s", w, screen)
			}
		}
	}
	check := func(stage string, step int, rate float64, best bool) {
		apply(event.ValidationFinished{Stage: stage, Step: step, SuccessRate: event.Known(rate), IsBest: best})
	}
	apply(event.RunStarted{Plan: event.PlanSummary{TotalSteps: 4}})
	apply(event.StageStarted{Name: "form", Total: 2})
	check("form", 0, 0.5, false)
	check("form", 1, 0.9, true)
	shows("90.0 % ★")
	apply(event.StageStarted{Name: "full", Index: 1, Total: 2})
	check("full", 2, 0.1, false)
	shows()
	check("full", 3, 0.3, true)
	shows("30.0 % ★")
	end := event.RunFinished{Outcome: event.RunCompleted, Step: 3, After: event.Known(0.3), Best: event.Known(2)}
	apply(end)
	shows("10.0 % ★")
	end.Best = event.Value{}
	apply(end)
	shows()
	if strings.Contains(strings.Join(m.Summary(80), "\n"), "best") {
		t.Error("the summary has a best validation")
	}
}
