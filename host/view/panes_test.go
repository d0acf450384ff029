package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/internal/fake"
	"github.com/awhost/awhost/host/view/text"
)

// A framework reports more metrics than a screen has lines. All of them can be reached, under names that users search
// for.
func TestModel_AllMetricsAndTheWholeLogCanBeReached(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	metrics := event.Metrics{"actor/perf/cpu_memory_used_gb": 3, "train/reward_std": 0.5, "train/update_something": 1}
	for i := range 100 {
		metrics[fmt.Sprintf("critic/measure_%02d", i)] = float64(i)
		m.Apply(event.Event{Time: now, Run: "verl-1", Payload: event.Log{Level: event.LevelWarn, Source: "host",
			Message: fmt.Sprintf("line %02d", i)}})
	}
	m.Apply(event.Event{Time: now, Run: "verl-1", Payload: event.StepFinished{Step: 1, Total: 2, Metrics: metrics}})
	see := func(want, not string) {
		t.Helper()
		for _, width := range []int{80, 100} {
			if screen := m.Render(width, 30, now); !strings.Contains(screen, want) || not != "" &&
				strings.Contains(screen, not) {
				t.Errorf("want %q and not %q:\n%s", want, not, screen)
			}
		}
	}
	m.Pane = view.PaneMetrics
	see("reward std", "critic/measure_60")
	see("update something", "")
	see("actor/perf/cpu_memory_used_gb", "cpu memory")
	see("1–25 of 103, ↑ ↓ PgUp PgDn", "")
	m.Scroll(60)
	see("critic/measure_60", "reward std")
	m.Scroll(1000)
	see("critic/measure_99", "critic/measure_60")
	m.Scroll(-1)
	see("78–102 of 103", "critic/measure_99")
	m.Scroll(-1000)
	see("reward std", "critic/measure_60")

	m.Pane = view.PaneLog
	see("line 99", "line 70")
	m.Scroll(-40)
	see("line 40", "line 99")
	m.Scroll(-1000)
	see("line 00", "line 40")
	m.Scroll(1000)
	see("line 99", "line 40")
}

func TestModel_LongLinesOfTheLogAreWhole(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	m.Pane = view.PaneLog
	const path = ".awhost/runs/verl-1/plugins/verl-1.eaf91c02.i1.main.1/verl.log"
	m.Apply(event.Event{Time: now, Run: "verl-1", Payload: event.Warning{Code: "x", Summary: "two lengths are given " +
		"for one value, and the longer one applies", Detail: "see " + path}})
	for _, width := range []int{80, 100} {
		screen := m.Render(width, 30, now)
		if !strings.Contains(screen, path) || strings.Contains(strings.SplitN(screen, "Log", 2)[1], "…") {
			t.Errorf("at width %d:\n%s", width, screen)
		}
	}
}

func TestModel_CommandsAndTheirUsesStandInColumns(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	m.Again = "awhost apply --new /somewhere/else/train.hcl --var model=/models/Qwen3-0.6B"
	m.Apply(event.Event{Time: now, Run: "verl-1", Payload: event.RunStarted{Dir: "/somewhere/else/.awhost/runs/verl-1",
		Spec: "/somewhere/else/train.hcl"}})
	m.Apply(event.Event{Time: now, Run: "verl-1", Payload: event.RunFinished{Outcome: event.RunCompleted, Exit: "ok"}})
	for width, want := range map[int]string{
		100: "  awhost show verl-1 --dir /somewhere/else  metrics, failures and episodes\n" +
			"  awhost ui --dir /somewhere/else           the same in a browser\n  " + m.Again,
		120: "  awhost show verl-1 --dir /somewhere/else                                     metrics, failures and episodes\n" +
			"  awhost ui --dir /somewhere/else                                              the same in a browser\n" +
			"  " + m.Again + "  another run of the same spec",
	} {
		if got := strings.Join(m.Summary(width), "\n"); !strings.HasSuffix(got, want) {
			t.Errorf("at width %d want the end\n%s\nof\n%s", width, want, got)
		}
	}
}

// The URL of a server's page stays on the screen, whatever is logged later, and is updated when the server moves.
func TestTheScreenSaysWhereAServerCanBeWatched(t *testing.T) {
	m, now := modelAt(fake.Completes, phaseIs(event.PhaseRollout, 2, 64))
	serves := func(url string) {
		m.Apply(event.Event{Time: now, Run: "gaia-1", Payload: event.Log{
			Level: event.LevelInfo, Source: "environment.mcp.gaia.start", Message: "it serves; watch it at " + url,
			Fields: map[string]string{event.FieldViewURL: url},
		}})
	}
	serves("http://localhost:1/vnc.html")
	serves("http://localhost:5901/vnc.html")
	for i := range 100 {
		m.Apply(event.Event{Time: now, Run: "gaia-1", Payload: event.Log{Source: "host", Message: fmt.Sprint("line ", i)}})
	}
	screen := m.Render(80, 24, now)
	if !strings.Contains(screen, "Watch       http://localhost:5901/vnc.html  mcp.gaia.start") {
		t.Errorf("the location is missing:\n%s", screen)
	}
	if strings.Contains(screen, "localhost:1/") {
		t.Errorf("it is not there any more:\n%s", screen)
	}
	long := "http://127.0.0.1:37783/#token=eREsJBxJSbPZcPdiiqFhMQ&to=/run/math-agent-with-a-long-name-17"
	serves(long)
	var shown strings.Builder // without the line feeds, as a terminal's copy of wrapped text
	for _, line := range strings.Split(m.Render(80, 24, now), "\n") {
		shown.WriteString(strings.TrimSpace(line))
	}
	if !strings.Contains(shown.String(), long) {
		t.Errorf("a long location is truncated:\n%s", m.Render(80, 24, now))
	}
}

// The summary contains the gateway's counts of requests, if any.
func TestModel_SaysWhatWasAskedOfTheGateway(t *testing.T) {
	m := view.NewModel("0.1.0", text.Plain())
	end := func(g *event.Gateway) string {
		m.Apply(event.Event{Run: "mine-1", Payload: event.RunFinished{Outcome: event.RunCompleted, Exit: "ok", Gateway: g}})
		return strings.Join(m.Summary(100), "\n")
	}
	const want = "1,234 calls, 2 joined, 3 replayed, 4 sibling leaves, 16 of dead attempts"
	asked := &event.Gateway{Calls: 1234, Joined: 2, Replayed: 3, Siblings: 4, Dead: 16}
	if got := end(asked); !strings.Contains(got, want) {
		t.Errorf("want %q in\n%s", want, got)
	}
	if got := end(nil); strings.Contains(got, "dead attempts") {
		t.Errorf("nobody asked:\n%s", got)
	}
}
