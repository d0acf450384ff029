package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/internal/processes"
)

func TestStory_TimesThePhases(t *testing.T) {
	story := newStory()
	err := awhost.Follow(strings.NewReader(`
{"type":"plugin_state","time":"2026-01-01T00:00:00.5Z","instance":"adapter.local.grpo","pid":0}
{"type":"plugin_state","time":"2026-01-01T00:00:00.6Z","instance":"adapter.local.grpo","pid":7}
{"type":"stage_started","time":"2026-01-01T00:00:01Z"}
{"type":"phase","time":"2026-01-01T00:00:02Z","name":"warm_start","done":1}
{"type":"phase","time":"2026-01-01T00:00:05Z","name":"warm_start","done":9,"ended":true}
{"type":"phase","time":"2026-01-01T00:00:06Z","name":"validation","done":1}
{"type":"phase","time":"2026-01-01T00:00:08Z","name":"validation","done":9,"ended":true}
{"type":"phase","time":"2026-01-01T00:00:09Z","name":"rollout","done":1}
{"type":"step_finished","time":"2026-01-01T00:00:11Z","metrics":{"train/rollout_seconds":1.5,"train/update_seconds":0.25,"timing/journal_seconds":0.5,"timing/commit_seconds":0.125}}
{"type":"phase","time":"2026-01-01T00:00:12Z","name":"validation","done":1}
{"type":"phase","time":"2026-01-01T00:00:13Z","name":"validation","done":9,"ended":true}
{"type":"step_finished","time":"2026-01-01T00:00:13Z","metrics":{"train/rollout_seconds":0.5,"train/update_seconds":null}}
{"type":"run_finished","time":"2026-01-01T00:00:14Z","outcome":"completed","digest":"d","success_before":0.25,"success_after":0.75}
`[1:]), story.Take)
	if err != nil {
		t.Fatal(err)
	}
	want := &storyText{
		Before: 0.25, After: 0.75, Digest: "d", First: "00:00:06", Instances: map[int]string{7: "adapter.local.grpo"},
		Durability: durability{Journal: 0.5, Commits: 0.125},
		Times:      times{WarmStart: 4, Rollout: 2, Update: 0.25, Validation: 3},
	}
	if diff := cmp.Diff(want, textOf(story)); diff != "" {
		t.Error(diff)
	}
}

type storyText struct {
	Before, After float64
	Digest, First string
	Instances     map[int]string
	Times         times
	Durability    durability
}

func textOf(s *story) *storyText {
	return &storyText{
		Before: s.before, After: s.after, Digest: s.digest, First: s.firstEpisode.Format(time.TimeOnly),
		Instances: s.instances, Times: s.times, Durability: s.durability,
	}
}

func TestTreeUsage_SumsAtOneMoment(t *testing.T) {
	u := treeUsage{root: 1, processes: map[int]processUsage{}}
	u.add([]processes.Process{{PID: 1, RSS: 10, CPU: 1}, {PID: 2, RSS: 30, CPU: 2}})
	u.add([]processes.Process{{PID: 1, RSS: 20, CPU: 3}, {PID: 3, RSS: 5, CPU: 0.5}})
	want := []processUsage{{Name: "host", PeakMemory: 20, CPUSeconds: 3},
		{Name: "reward.gaia.answer", PeakMemory: 30, CPUSeconds: 2}, {Name: "others", PeakMemory: 5, CPUSeconds: 0.5}}
	if diff := cmp.Diff(want, u.named(map[int]string{2: "reward.gaia.answer"})); diff != "" {
		t.Error(diff)
	}
	if u.peak != 40 {
		t.Errorf("the peak is %d, want 40", u.peak)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

// tinySpec returns the quick start's spec with minimal work.
func tinySpec(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../train.hcl")
	if err != nil {
		t.Fatal(err)
	}
	small := strings.NewReplacer("steps   = 400", "steps   = 2", "prompts    = 32", "prompts    = 2", "group_size = 8",
		"group_size = 2", "every        = 10", "every        = 1").Replace(string(text))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "train.hcl"), []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "data"), os.DirFS("../../data")); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "train.hcl")
}

func TestTrainAlone_PlaysTheRecipe(t *testing.T) {
	out, err := trainAlone(t.Context(), tinySpec(t), map[string]string{"steps": "2", "seed": "3"})
	if err != nil {
		t.Fatal(err)
	}
	// Two steps of four episodes and three validations of 200, with at least one turn each.
	if least := 2*4 + 3*200; out.Turns < least {
		t.Errorf("%d turns, want at least %d", out.Turns, least)
	}
	if out.Times.WarmStart <= 0 || out.Times.Rollout <= 0 || out.Times.Validation <= 0 {
		t.Errorf("a phase took no time: %+v", out.Times)
	}
}

func TestReport_HoldsFiguresAgainstTargets(t *testing.T) {
	good := &seedResult{Seed: 1, Apply: &applyResult{
		SuccessBefore: 0.3, SuccessAfter: 0.95, Digest: "abc", WallSeconds: 50, FirstEpisodeSeconds: 0.2, Turns: 1000,
		CPUSeconds: 10, PeakMemory: 300e6,
		Processes:  []processUsage{{Name: "host", CPUSeconds: 2, PeakMemory: 50e6}},
		Durability: durability{Journal: 1, Commits: 4},
	}, Alone: &aloneResult{SuccessAfter: 0.95, WallSeconds: 40, PeakMemory: 90e6}}
	bad := &seedResult{Seed: 2, Apply: &applyResult{SuccessAfter: 0.5, WallSeconds: 80, PeakMemory: 500e6,
		FirstEpisodeSeconds: 2}}
	r := &report{PlanSeconds: 0.2, Seeds: []*seedResult{good, bad}}
	var out bytes.Buffer
	r.printSeed(&out, good)
	r.printSummary(&out)
	for _, want := range []string{
		"30.0 % -> 95.0 %", "host: 2000 µs of CPU a turn", "MISS  1 of 2 seeds", "MISS  80.0 s", "MISS  500 MB",
		"MISS  2.00 s", "journal and commits: 1.00 s + 4.00 s, 10.0 %", "MISS  10.0 % of the wall time",
		"met   0.20 s to plan",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	var back report
	text, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if diff := cmp.Diff(r, &back, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Errorf("the JSON form loses something: %v\n%s", err, diff)
	}
}
