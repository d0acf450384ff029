package main

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/verl/relay"
	"github.com/awhost/awhost/internal/processes"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) {
	if awhost.IsPlugin(os.Args) {
		sdk.Serve(relay.Plugin())
	}
	os.Exit(m.Run())
}

// Runs the real measurement with minimal work. The adapter compares the loops' rows.
func TestMeasureApply_BothLoopsMakeTheSameRows(t *testing.T) {
	python := os.Getenv("AWHOST_VERL_PYTHON")
	if python == "" {
		t.Skip("SKIPPED: nothing was measured with verl. Set AWHOST_VERL_PYTHON to a Python that has it; .ci/frameworks/env makes one")
	}
	if len(processes.List()) == 0 {
		t.Skip("SKIPPED: this machine has no /proc: processes are not measured here")
	}
	scratch := t.TempDir()
	o, err := options{python: python, concurrency: []int{1, 8}, rounds: 1, episodes: 16, turns: 4}.complete(t.Context(),
		scratch)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := measureApply(t.Context(), o, scratch)
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != 4 {
		t.Fatalf("got %d steps, want one of each concurrency for warming up, and one to measure", len(steps))
	}
	for i, s := range steps {
		m := s.metrics
		if got, want := m[relay.MetricConcurrency], float64(o.concurrency[i%2]); got != want {
			t.Errorf("step %d had %g episodes at a time, want %g", s.number, got, want)
		}
		if got, want := m[relay.MetricFrames], float64(16*(2*4+2)); got != want {
			t.Errorf("step %d had %g frames, want %g: two a turn and two an episode", s.number, got, want)
		}
		if m[relay.MetricGenerate] <= 0 || m[relay.MetricVerl] <= m[relay.MetricGenerate] ||
			m[relay.MetricAwhost] <= m[relay.MetricGenerate] {
			t.Errorf("step %d: a loop took no time in addition to its calls: %v", s.number, m)
		}
		for _, kind := range []string{hostName, "adapter", "environment", "reward"} {
			if _, seen := s.cpu[kind]; !seen {
				t.Errorf("step %d: %s was not seen among %v", s.number, kind, s.cpu)
			}
		}
	}
}

func TestCostOf_LeavesOutTheCalls(t *testing.T) {
	c := costOf(step{
		metrics: map[string]float64{relay.MetricGenerate: 1, relay.MetricVerl: 4, relay.MetricAwhost: 3,
			relay.MetricFrames: 2200},
		cpu: map[string]float64{hostName: 0.5, "adapter": 0.25},
	}, 1000)
	got := []float64{c.generate, c.verl, c.worker, c.processes(), c.whole(), c.frames}
	if diff := cmp.Diff([]float64{1, 3, 2, 0.75, 2.75, 2.2}, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
}

func TestReport_LeavesOutTheFirstRoundAndShowsTheLeast(t *testing.T) {
	var steps []step
	for round, worker := range []float64{90, 0.8, 0.7} {
		for _, n := range []float64{1, 16} {
			steps = append(steps, step{number: len(steps) + 1, metrics: map[string]float64{
				relay.MetricConcurrency: n, relay.MetricGenerate: 0.1, relay.MetricVerl: 1.1 + float64(round),
				relay.MetricAwhost: 0.1 + worker, relay.MetricFrames: 4440,
			}, cpu: map[string]float64{hostName: 0.9 / n}})
		}
	}
	var out bytes.Buffer
	report{out: &out, turns: 10, episodes: 100, rounds: 2}.print([]int{1, 16}, steps)
	for _, want := range []string{
		"         1 | 2.000 - 3.000 | 1.600 - 1.700 MISS | 0.700 - 0.800 | 0.900 - 0.900       0.900",
		"        16 | 2.000 - 3.000 | 0.756 - 0.856 met  | 0.700 - 0.800 | 0.056 - 0.056       0.056",
		"MISS  1.600 ms CPU a turn: awhost's total overhead",
		"met   -0.400 ms CPU a turn: its overhead compared",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &out)
		}
	}
}

func TestRun_RefusesWhatItCannotMeasure(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-concurrency", "1,1"}, "each once"},
		{[]string{"-concurrency", "none"}, "invalid syntax"},
		{[]string{"-episodes", "12"}, "multiple of 8"},
		{[]string{"-turns", "1"}, "at least 2"},
		{[]string{"-python", "nowhere/python"}, "name a Python that has verl"},
	} {
		if err := run(t.Context(), c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got error %v, want one with %q", c.args, err, c.want)
		}
	}
}

func TestConversation_EveryCallHasAResult(t *testing.T) {
	c, err := relay.NewConversation(9)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Answers) != 9 || len(c.Results) != 8 {
		t.Errorf("got %d answers and %d results, want 9 and 8", len(c.Answers), len(c.Results))
	}
	for key, result := range c.Results {
		if n := math.Abs(float64(len(result) - 100)); n > 20 {
			t.Errorf("the result for %s has %d characters, want about 100", key, len(result))
		}
	}
}
