package sweep_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/sweep"
)

func TestAxes(t *testing.T) {
	axes, fixed, err := sweep.Axes([]string{"steps=60", "lr=[1e-3, 3e-4]", `mode=["a b", true]`, "shape=[[1, 2]]"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []sweep.Axis{
		{Name: "lr", Values: []string{"0.001", "0.0003"}}, {Name: "mode", Values: []string{"a b", "true"}},
		{Name: "shape", Values: []string{"[1, 2]"}}, {Name: "seed", Values: []string{"1", "2"}},
	}
	if diff := cmp.Diff(want, axes); diff != "" {
		t.Errorf("axes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"steps=60"}, fixed); diff != "" {
		t.Errorf("fixed (-want +got):\n%s", diff)
	}
	s := sweep.Sweep{Axes: axes, Members: sweep.Product(axes)}
	if n, label := len(s.Members), s.Members[1].Label; n != 8 || label != "lr=0.001 mode=a b shape=[1, 2] seed=2" {
		t.Errorf("%d members, the second is %s", n, label)
	}
	if diff := cmp.Diff([]string{"lr=0.0003", "mode=true", "shape=[1, 2]", "seed=2"}, s.Vars(s.Members[7])); diff != "" {
		t.Errorf("variables of the last member (-want +got):\n%s", diff)
	}
}

func TestAxes_Refuses(t *testing.T) {
	for want, vars := range map[string][]string{
		"lr=[]: Empty list":                    {"lr=[]"},
		"lr=[1: Unterminated":                  {"lr=[1"},
		"Variables not allowed":                {"lr=[a]"},
		"a list of lists":                      {"lr=[for x in [1]: x]"},
		"the variable seed is set twice":       {"seed=7"},
		"the variable lr is set twice":         {"lr=[1]", "lr=[2]"},
		"the variable lr is set twice: keep":   {"lr=1", "lr=[2]"},
		"as in --var 'lr=[1e-3, 3e-4]', with ": {"lr=[fast]"},
	} {
		if _, _, err := sweep.Axes(vars, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", vars, err, want)
		}
	}
	for seeds, vars := range map[int][]string{math.MaxInt: nil, 5_001: {"lr=[1, 2]"}} {
		if _, _, err := sweep.Axes(vars, seeds); err == nil || !strings.Contains(err.Error(), "at most 10000 runs") {
			t.Errorf("%d seeds: %v", seeds, err)
		}
	}
}

// record adds a run with a success rate per step; a run without an outcome was interrupted.
func record(t *testing.T, store *runstore.Store, identity string, outcome runstore.Status, rates ...float64) {
	t.Helper()
	w, err := store.Create(t.Context(), runstore.NewRun{Name: "quick", Identity: identity, Spec: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	var last runstore.Numbers
	for step, rate := range rates {
		last = runstore.Numbers{"validation/success_rate": rate, "train/reward": 9}
		row := runstore.MetricRecord{Stage: "main", Step: step, Values: last}
		if err := w.AppendMetrics(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	if outcome != "" {
		finish := runstore.FinishRecord{Outcome: outcome, Metrics: last}
		if outcome == runstore.StatusFailed {
			finish.Reason = "out of memory"
		}
		if err := w.Finish(t.Context(), finish); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestRows(t *testing.T) {
	axes, _, err := sweep.Axes([]string{"lr=[1, 2]"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := sweep.Sweep{Axes: axes, Members: sweep.Product(axes), Store: runstore.In(t.TempDir(), runstore.Options{})}
	for i, m := range s.Members {
		m.Identity, m.Train = fmt.Sprint("member ", i), "quick"
	}
	record(t, s.Store, "member 0", runstore.StatusFinished, 0, 0.5)
	record(t, s.Store, "member 1", runstore.StatusFinished, 0.5, 0.75)
	record(t, s.Store, "member 2", "", 1, 1)
	record(t, s.Store, "member 3", runstore.StatusFailed, 1, 1)
	record(t, s.Store, "member 4", runstore.StatusFinished, 0.25, 0.25)
	record(t, s.Store, "another", runstore.StatusFinished, 1, 1)
	if err := s.Refresh(); err != nil {
		t.Fatal(err)
	}
	name, rows, err := s.Rows()
	if err != nil || name != "validation/success_rate" || len(rows) != 2 {
		t.Fatalf("%s, %d rows, %v", name, len(rows), err)
	}
	first, second := rows[0], rows[1]
	if *first.Mean != 0.625 || !first.Best || *second.Mean != 0.25 || second.Best || second.Interval != nil {
		t.Errorf("rows %+v, %+v", first, second)
	}
	// The deviation of the mean is 0.125, and the quantile 12.7: an interval of a rate stays between 0 and 1.
	if i := first.Interval; i.Low != 0 || i.High != 1 || i.Method != "student" {
		t.Errorf("interval %+v", i)
	}
	if diff := cmp.Diff([]float64{0.25, 0.625}, first.Curve.Values); diff != "" {
		t.Errorf("curve (-want +got):\n%s", diff)
	}
	problems := []string{}
	for _, m := range s.Members {
		problems = append(problems, m.Problem)
	}
	if diff := cmp.Diff([]string{"", "", "", "out of memory", "", ""}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
