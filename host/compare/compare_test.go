package compare_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/runstore"
)

// record creates a run with a curve.
func record(t *testing.T, name, spec string, info runstore.NewRun, rewards ...float64) *runstore.Run {
	t.Helper()
	store := runstore.In(t.TempDir(), runstore.Options{Version: "0.1.0"})
	info.Name, info.Spec, info.Protocol = name, json.RawMessage(spec), 1
	w, err := store.Create(t.Context(), info)
	if err != nil {
		t.Fatal(err)
	}
	for i, reward := range rewards {
		row := runstore.MetricRecord{Stage: "main", Step: i + 1, Values: runstore.Numbers{"train/reward": reward}}
		if err := w.AppendMetrics(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return run
}

const (
	specA = `{"variables": {"steps": 3, "same": [1]}, "blocks": {"reward.gaia.answer": {"compatibility": "corrected"}, "dataset.jsonl.train": {"path": "a.jsonl"}},
 "trains": {"quick start": {"adapter": "adapter.local.grpo", "stages": [{"name": "main", "agent": "agent.react.solver", "knobs": {"batch": {"prompts": 4}, "seed": 1}}]},
  "another": {"adapter": "adapter.local.other", "stages": []}}}`
	specB = `{"variables": {"steps": 6, "same": [1], "token": {"$secret": "var:token"}}, "blocks": {"reward.gaia.answer": {"compatibility": "reference"}, "dataset.jsonl.train": {"path": "a.jsonl"}},
 "trains": {"quick-start": {"adapter": "adapter.local.grpo", "stages": [{"name": "main", "agent": "agent.react.solver", "knobs": {"batch": {"prompts": 8}, "optimizer": {"learning_rate": 0.01}, "seed": 1}}]}}}`
	specStages = `{"trains": {"quick-start": {"adapter": "adapter.local.grpo", "stages": [{"name": "warm", "knobs": {"steps": 1}}, {"name": "full", "knobs": {"steps": 2}}]}}}`
	specMore   = `{"trains": {"quick-start": {"adapter": "adapter.local.grpo", "stages": [{"name": "warm", "knobs": {"steps": 1}}, {"name": "full", "knobs": {"steps": 3}}, {"name": "last"}]}}}`
)

// texts formats differences as lines.
func texts(differences []compare.Difference) []string {
	var out []string
	for _, d := range differences {
		out = append(out, strings.Join([]string{d.Path, or(d.A), or(d.B)}, " "))
	}
	return out
}

func or(value json.RawMessage) string {
	if value == nil {
		return "-"
	}
	return string(value)
}

func TestRuns(t *testing.T) {
	a := record(t, "quick start", specA, runstore.NewRun{
		Plugins: []runstore.UsedPlugin{{Address: "reward.gaia.answer", Plugin: "gaia", Version: "0.1.0", Hash: "sha256:1"}},
		Data:    []runstore.UsedData{{Address: "dataset.jsonl.train", Tasks: 20, Fingerprint: "f1"}},
	}, 0.5, 0.75)
	b := record(t, "quick-start", specB, runstore.NewRun{
		Plugins: []runstore.UsedPlugin{{Address: "reward.gaia.answer", Plugin: "gaia", Version: "0.2.0", Hash: "sha256:2"}},
		Data: []runstore.UsedData{{Address: "dataset.jsonl.train", Tasks: 20, Fingerprint: "f1"},
			{Address: "dataset.jsonl.more", Tasks: 1, Fingerprint: "f2"}},
	}, 0.25, 0.5, 1)
	c, err := compare.Runs(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name string
		got  []compare.Difference
		want []string
	}{
		{"variables", c.Variables, []string{`steps 3 6`, `token - {"$secret":"var:token"}`}},
		{"spec", c.Spec, []string{
			`train.batch.prompts 4 8`, `train.optimizer - {"learning_rate":0.01}`,
			`reward.gaia.answer.compatibility "corrected" "reference"`,
		}},
		{"data", c.Data, []string{`dataset.jsonl.more - {"fingerprint":"f2","tasks":1}`}},
		{"plugins", c.Plugins, []string{`reward.gaia.answer.hash "sha256:1" "sha256:2"`,
			`reward.gaia.answer.version "0.1.0" "0.2.0"`}},
		{"machine", c.Machine, nil},
	} {
		if diff := cmp.Diff(part.want, texts(part.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", part.name, diff)
		}
	}
	want := []compare.Metric{{
		Name: "train/reward",
		A:    compare.Curve{Steps: []int{1, 2}, Values: []float64{0.5, 0.75}},
		B:    compare.Curve{Steps: []int{1, 2, 3}, Values: []float64{0.25, 0.5, 1}},
	}}
	if diff := cmp.Diff(want, c.Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if last, ok := c.Metrics[0].B.Last(); last != 1 || !ok {
		t.Errorf("the last of B is %v, %v", last, ok)
	}
	if len(c.Unrecorded) != 0 {
		t.Errorf("unrecorded: %v", c.Unrecorded)
	}
}

// A run equals itself, and stages are compared by their names.
func TestSettings(t *testing.T) {
	run := record(t, "quick-start", specB, runstore.NewRun{})
	settings, err := compare.Settings(run)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range settings {
		got = append(got, s.Path+" "+string(s.Value))
	}
	want := []string{
		"var.same [1]", "var.steps 6", `var.token.$secret "var:token"`,
		`train.adapter "adapter.local.grpo"`, `train.agent "agent.react.solver"`, "train.batch.prompts 8",
		"train.optimizer.learning_rate 0.01", "train.seed 1",
		`dataset.jsonl.train.path "a.jsonl"`, `reward.gaia.answer.compatibility "reference"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRuns_Stages(t *testing.T) {
	a := record(t, "quick-start", specStages, runstore.NewRun{})
	same, err := compare.Runs(a, a)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(same.Spec) + len(same.Variables) + len(same.Data) + len(same.Plugins) + len(same.Machine); n > 0 {
		t.Errorf("a run differs from itself: %+v", same)
	}
	if diff := cmp.Diff([]string{"data", "plugins"}, same.Unrecorded); diff != "" {
		t.Errorf("unrecorded (-want +got):\n%s", diff)
	}
	c, err := compare.Runs(a, record(t, "quick-start", specMore, runstore.NewRun{}, 1))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`train.stage.full.steps 2 3`, `train.stage.last - {}`}, texts(c.Spec)); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	if _, ok := c.Metrics[0].A.Last(); ok {
		t.Error("a run without a metric has a last value of it")
	}
}
