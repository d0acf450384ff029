package runstore

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Kept lists the checkpoints that a prune left: the best, the newest with Keep, and the last two.
func TestKept_SaysWhichIsBestAndWhatIsDamaged(t *testing.T) {
	d := emptyDisk(t)
	s := onDisk(d)
	spec := quickstart
	spec.Spec = json.RawMessage(`{"trains":{"other":{"stages":[{}]},"quickstart":{"stages":[{"knobs":{"validate":{"best_by":"success_rate"}}},{"knobs":{}}]}}}`)
	w, err := s.Create(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := driveTo(t.Context(), w, lastStep, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
	type line struct {
		Step         int
		Bytes        int64
		Best, Latest bool
		Problem      string
	}
	list := func(verify bool) []line {
		t.Helper()
		kept, err := newest(t, s).Kept(t.Context(), verify)
		if err != nil {
			t.Fatal(err)
		}
		var lines []line
		for _, k := range kept {
			lines = append(lines, line{k.Step, k.Bytes, k.Best, k.Latest, k.Problem})
		}
		return lines
	}
	size := int64(2 * len(weights(1)))
	want := []line{{2, size, true, false, ""}, {3, size, false, false, ""}, {4, size, false, true, ""}}
	for _, verify := range []bool{false, true} {
		if diff := cmp.Diff(want, list(verify)); diff != "" {
			t.Errorf("verify %v (-want +got):\n%s", verify, diff)
		}
	}

	kept, err := newest(t, s).Kept(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	spoil := func(i int, name, content string) {
		t.Helper()
		path := filepath.Join(kept[i].Dir, name)
		if err := d.Remove(path); err != nil {
			t.Fatal(err)
		}
		file, err := d.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt([]byte(content), 0); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	spoil(0, "model.safetensors", "short")
	spoil(1, "model.safetensors", strings.Repeat("x", len(weights(3))))
	if err := d.Remove(filepath.Join(kept[2].Dir, "optimizer", "state.bin")); err != nil {
		t.Fatal(err)
	}
	const head = "checkpoint step-00000"
	remedy := func(step string) string {
		return "; restore " + filepath.Join(filepath.Dir(kept[0].Dir), "step-00000"+step) +
			" from a backup: without it the run continues from the newest intact checkpoint"
	}
	want[0].Problem = head + "2 of run quickstart-1 is not intact: model.safetensors has 5 bytes instead of 24" +
		remedy("2")
	want[2].Problem = head + "4 of run quickstart-1 is not intact: optimizer/state.bin is missing" + remedy("4")
	if diff := cmp.Diff(want, list(false)); diff != "" {
		t.Errorf("at a glance (-want +got):\n%s", diff)
	}
	want[1].Problem = head + "3 of run quickstart-1 is not intact: model.safetensors has changed since it was written" +
		remedy("3")
	if diff := cmp.Diff(want, list(true)); diff != "" {
		t.Errorf("verified (-want +got):\n%s", diff)
	}
}

// The best checkpoint is chosen from the last stage only, because other stages have other held-out tasks. If no task
// is solved, or nothing was learned, none is the best. Prune keeps the best of each stage.
func TestKept_TheBestIsOfTheLastStage(t *testing.T) {
	type commit struct {
		stage   int
		rate    float64
		nothing bool // was learned in the stage
	}
	for name, test := range map[string]struct {
		commits []commit // of the steps 1, 2, …
		best    int      // step; 0: none
		kept    []int
	}{
		"the last stage's": {[]commit{{0, 0.9, false}, {1, 0.3, false}, {1, 0.5, false}, {1, 0.4, false},
			{1, 0.2, false}}, 3, []int{1, 3, 4, 5}},
		"the only stage's": {[]commit{{0, 0.3, false}, {0, 0.5, false}, {0, 0.4, false}, {0, 0.2, false}}, 2,
			[]int{2, 3, 4}},
		"nothing is solved":             {[]commit{{0, 0, false}, {0, 0, false}, {0, 0, false}}, 0, []int{1, 2, 3}},
		"nothing was learned":           {[]commit{{0, 0.5, false}, {0, 0.4, true}, {0, 0.4, true}}, 0, []int{1, 2, 3}},
		"the last stage solves nothing": {[]commit{{0, 0.9, false}, {1, 0, false}, {1, 0, false}}, 0, []int{1, 2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onDisk(emptyDisk(t))
			spec := quickstart
			spec.Spec = json.RawMessage(`{"trains":{"quickstart":{"stages":[{"knobs":{"validate":{"best_by":"success_rate"}}},{"knobs":{"validate":{"best_by":"success_rate"}}}]}}}`)
			w, err := s.Create(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range test.commits {
				dir, err := w.BeginCheckpoint(i + 1)
				if err == nil {
					_, err = w.CommitCheckpoint(t.Context(), dir, Manifest{
						Stage: "s", StageIndex: c.stage, Step: i + 1, NothingLearned: c.nothing,
						Metrics: Numbers{"validation/success_rate": c.rate},
					})
				}
				if err == nil {
					_, err = w.Prune(t.Context(), Retention{Keep: 1,
						BestBy: []string{"validation/success_rate", "validation/success_rate"}})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := w.release(); err != nil {
				t.Fatal(err)
			}
			kept, err := newest(t, s).Kept(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			best, steps := 0, []int{}
			for _, k := range kept {
				steps = append(steps, k.Step)
				if k.Best {
					best = k.Step
				}
			}
			if diff := cmp.Diff(test.kept, steps); diff != "" || best != test.best {
				t.Errorf("the best is %d, want %d; kept (-want +got):\n%s", best, test.best, diff)
			}
		})
	}
}

// A run in another folder of runs is found by its path, with its state.
func TestOpen_ARunElsewhere(t *testing.T) {
	d := emptyDisk(t)
	s := onDisk(d)
	if err := drive(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	other := At("/elsewhere", Options{FS: d})
	other.lock = unlocked{}
	run, err := other.Open(filepath.Join(s.Root(), "quickstart-1"))
	if err != nil {
		t.Fatal(err)
	}
	summary, err := run.Summary()
	if err != nil || summary.Status != StatusFinished || summary.Step != lastStep {
		t.Errorf("%+v, %v", summary, err)
	}
}
