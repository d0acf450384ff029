package framework

import (
	"testing"

	"github.com/awhost/awhost/sdk"
)

func TestStep_Note(t *testing.T) {
	for want, s := range map[string]Step{
		"":                                                   {Episodes: 128},
		"Updates: 1 per step, over 128 rows":                 {Episodes: 128, Parts: 1},
		"Updates: 4 per step, each over 32 rows":             {Episodes: 128, Parts: 4},
		"Updates: 8 per step, each over 32 rows":             {Episodes: 128, Parts: 4, Passes: 2},
		"Updates: 2 per step, each over 128 rows":            {Episodes: 128, Parts: 1, Passes: 2, Uneven: true},
		"Updates: 4 per step, each over about 32 rows":       {Episodes: 128, Parts: 4, Uneven: true},
		"Updates: 1 per step, over the rows of 128 episodes": {Episodes: 128, Parts: 1, ManyRows: true},
		"Updates: at most 4 per step, each over the rows of about 32 episodes": {
			Episodes: 128, Parts: 4, ManyRows: true, Uneven: true, AtMost: true,
		},
		"Updates: at most 1 per step, over the rows of 128 episodes": {
			Episodes: 128, Parts: 1, ManyRows: true, Uneven: true, AtMost: true,
		},
	} {
		got := ""
		for _, note := range s.Note("") {
			got += note
		}
		if got != want {
			t.Errorf("%+v: got %q, want %q", s, got, want)
		}
	}
	want := "Updates of stage hard: 2 per step, each over 4 rows"
	if got := (Step{Episodes: 8, Parts: 2}).Note("hard"); len(got) != 1 || got[0] != want {
		t.Errorf("the note of a stage: %q", got)
	}
}

func TestStep_RefusesWhatCountsRows(t *testing.T) {
	for _, many := range []bool{false, true} {
		s := Step{ManyRows: many}
		for name, d := range map[string]*sdk.Diagnostic{"loss": s.RowMean("x", "Y."), "baseline": s.RowBaseline("x", "Y.")} {
			if (d != nil) != many {
				t.Errorf("several rows %v, %s: %v", many, name, d)
			}
		}
	}
}

func TestMiniBatch(t *testing.T) {
	for _, c := range []struct {
		size, step int
		mayRemain  bool
		want       string
	}{
		{4, 16, false, ""}, {16, 16, false, ""}, {0, 0, false, ""},
		{0, 16, false, "Impossible mini-batch"},
		{17, 16, true, "Mini-batch larger than the batch"},
		{5, 16, false, "Mini-batch that does not divide the batch"},
		{5, 16, true, ""},
	} {
		got := ""
		if d := MiniBatch(Number{c.size, "a"}, Number{c.step, "b"}, "prompts", c.mayRemain); d != nil {
			got = d.Summary
		}
		if got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

func TestGroupOfOne(t *testing.T) {
	for n, wrong := range map[int]bool{0: false, 1: true, 2: false} {
		if d := GroupOfOne(Number{Value: n}); (d != nil) != wrong {
			t.Errorf("a group of %d: %v", n, d)
		}
	}
}

func TestSteps_OfEpochs(t *testing.T) {
	for _, c := range []struct {
		epochs         float64
		tasks, prompts int
		want           int
	}{{1, 32, 16, 2}, {1, 33, 16, 3}, {2, 24, 16, 3}, {0.1, 16, 16, 1}, {0.5, 64, 16, 2}} {
		if got := StepsOf(c.epochs, c.tasks, c.prompts); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
	for _, c := range []struct {
		every, tasks, prompts int
		unit                  string
		want                  int
	}{{3, 40, 16, "steps", 3}, {3, 40, 16, "epochs", 6}, {1, 8, 16, "epochs", 1}, {3, 40, 0, "epochs", 3}} {
		knobs := sdk.CheckpointKnobs{Every: &c.every, Unit: &c.unit}
		if got := CheckpointSteps(knobs, c.tasks, c.prompts); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
	if got := CheckpointSteps(sdk.CheckpointKnobs{}, 40, 16); got != 0 {
		t.Errorf("without the knob: %d", got)
	}
}
