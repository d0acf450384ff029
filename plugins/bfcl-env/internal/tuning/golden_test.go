package tuning_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/check"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/tuning"
)

func dialogue(t testing.TB, entries entries, id string) *tuning.Dialogue {
	t.Helper()
	e := entries.all[id]
	d, err := tuning.New(tuning.Setup{
		Entry: check.Setup{
			World: &api.World{
				Profile: api.EnvTuning, LongContext: e.LongContext(), Tables: entries.tables,
				Today: func() time.Time { return time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC) },
			},
			ID: id, Classes: e.Classes, Config: e.Config, Player: "golden",
		},
		Truth: e.Truth, Questions: e.Later(), SkipsTruth: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func values(r tuning.Reward, score bool) map[string]float64 {
	called := 0.0
	if r.CalledTool {
		called = 1
	}
	out := map[string]float64{
		"score": r.Score, "format_reward": r.Format, "tool_call_reward": r.Tools, "is_tool_call": called,
		"total_interaction_rounds": float64(r.Rounds),
	}
	if score {
		out["progress"] = r.Progress
	}
	return out
}

func numbers(v py.Value) map[string]float64 {
	out := map[string]float64{}
	d := v.(*py.Dict)
	for i, key := range d.Keys() {
		f, err := py.Float(d.Values()[i])
		if err != nil {
			panic(err)
		}
		out[py.Str(key)] = f
	}
	return out
}

// Every recorded episode must get the recorded answers, scores and rewards.
func TestRecordedEpisodes(t *testing.T) {
	entries := load(t)
	compared, steps, wrong := map[string]int{}, 0, 0
	for record := range golden.Records(t, "episodes_et") {
		id := py.Str(record.Or("id", nil))
		d := dialogue(t, entries, id)
		compared[py.Str(record.Or("policy", nil))]++
		var want, got []string
		for _, s := range record.Or("steps", nil).(*py.List).Items {
			step := s.(*py.Dict)
			steps++
			turn := d.Turn()
			reply := d.Respond(py.Str(step.Or("assistant", nil)))
			want = append(want, fmt.Sprint(step.Or("turn", nil), step.Or("done", nil), step.Or("score", nil),
				step.Or("user", nil)))
			got = append(got, fmt.Sprint(turn, reply.Done, reply.Score, reply.User))
		}
		diff := cmp.Diff(want, got)
		if diff == "" {
			diff = cmp.Diff([]map[string]float64{numbers(record.Or("format_reward", nil)),
				numbers(record.Or("bfcl_reward", nil))},
				[]map[string]float64{values(tuning.FormatReward(d.Scores()), true),
					values(tuning.ProgressReward(d.Scores(), 0), false)})
		}
		if diff != "" {
			if wrong++; wrong <= 5 {
				t.Errorf("%s, policy %v (-want +got):\n%s", id, record.Or("policy", nil), diff)
			}
		}
	}
	t.Logf("compared %v, %d steps, %d episodes differ", compared, steps, wrong)
}
