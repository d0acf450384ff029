package local

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

const demosAddress = "dataset.jsonl.demos"

func warmStartOf(steps int) map[string]any {
	return map[string]any{"warm_start": map[string]any{"dataset": demosAddress, "steps": steps, "batch": 4}}
}

// reportedCourse lists a stage's reports and its requests to the host, with each phase once.
func (r *rig) reportedCourse() []string {
	var out []string
	add := func(line string) {
		if len(out) == 0 || out[len(out)-1] != line {
			out = append(out, line)
		}
	}
	asked := slices.Clone(r.host.boundaries)
	for _, e := range r.events {
		switch {
		case e.Phase != nil:
			add(fmt.Sprintf("phase %s %d", e.Phase.Name, e.Phase.Step))
		case e.Metrics != nil:
			add(fmt.Sprintf("metrics %d", e.Metrics.Step))
		case e.Consumed != nil:
			add(fmt.Sprintf("consumed %d", e.Consumed.Step))
		case e.Checkpoint != nil:
			add(fmt.Sprintf("checkpoint %d", e.Checkpoint.Step))
		case e.Finished != nil:
			add(fmt.Sprintf("finished %s %d", e.Finished.Outcome, e.Finished.Step))
		}
		for len(asked) > 0 && asked[0].AfterSeq == e.Seq {
			line := fmt.Sprintf("boundary %d", asked[0].Step)
			if asked[0].Validated {
				line += " validated"
			}
			add(line)
			asked = asked[1:]
		}
	}
	return out
}

func TestStage_ReportsEachStepBeforeItAsks(t *testing.T) {
	r := newRig(t, warmStartOf(2))
	r.host.datasets = map[string][]sdk.Task{demosAddress: demonstrationsOf(t, map[string]string{"a": "b"})}
	r.train(r.request(knobsOf(3, func(k *sdk.Knobs) { k.Validate.BeforeTrain, k.Validate.Every = ptr(true), ptr(2) })),
		sdk.FinishedCompleted)
	want := []string{
		"phase warm_start 0", "metrics 0", "checkpoint 0", "phase validation 0", "boundary 0 validated",
		"phase rollout 1", "phase update 1", "metrics 1", "consumed 1", "checkpoint 1", "boundary 1",
		"phase rollout 2", "phase update 2", "metrics 2", "consumed 2", "checkpoint 2", "phase validation 2",
		"boundary 2 validated",
		"phase rollout 3", "phase update 3", "metrics 3", "consumed 3", "checkpoint 3", "phase validation 3",
		"boundary 3 validated",
		"finished completed 3",
	}
	if diff := cmp.Diff(want, r.reportedCourse()); diff != "" {
		t.Errorf("course of the stage (-want +got):\n%s", diff)
	}
}

func TestStage_AsksForGroupsOfOneTaskOnOneSnapshot(t *testing.T) {
	r := newRig(t, nil)
	r.train(r.request(knobsOf(2, func(k *sdk.Knobs) { k.Validate.Samples = ptr(2) })), sdk.FinishedCompleted)
	type slot struct {
		Group, Sample, Size, Task int
		Version                   int64
	}
	var got []slot
	for _, req := range r.host.asked(sdk.SplitTrain, 2) {
		var group int
		if _, err := fmt.Sscanf(req.GroupID, "g%d", &group); err != nil {
			t.Fatal(err)
		}
		got = append(got, slot{group, req.SampleIndex, req.GroupSize, req.DatasetIndex, req.PolicyVersion})
	}
	var want []slot
	for g := range 2 {
		for i := range 4 {
			want = append(want, slot{g, i, 4, 2 + g, 1}) // the second step continues in the dataset
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("slots of step 2 (-want +got):\n%s", diff)
	}
	if n := len(r.host.asked(sdk.SplitValidation, 2)); n != 4 {
		t.Errorf("%d validation episodes, want 2 tasks × 2 samples", n)
	}
	ids := map[string]bool{}
	for _, req := range r.host.episodes {
		ids[req.EpisodeID] = true
	}
	if len(ids) != len(r.host.episodes) {
		t.Errorf("%d episodes have %d different ids", len(r.host.episodes), len(ids))
	}
}

func TestCheckpoint_LoadsWithTheDigestThatWasAnnounced(t *testing.T) {
	r := newRig(t, nil)
	r.train(r.request(knobsOf(2, func(k *sdk.Knobs) { k.Algorithm.KL = ptr(0.1) })), sdk.FinishedCompleted)
	checkpoints := r.checkpoints()
	if len(checkpoints) != 3 {
		t.Fatalf("%d checkpoints, want steps 0, 1 and 2", len(checkpoints))
	}
	for step, c := range checkpoints {
		policy, err := tinylm.Load(c.Path, tinylm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := "sha256:" + policy.Digest(); got != c.Digest {
			t.Errorf("step %d: the digest on disk is %s, announced was %s", step, got, c.Digest)
		}
		for _, name := range []string{"config.json", "generation_config.json", "model.safetensors", "tokenizer.json",
			"tokenizer_config.json", "chat_template.jinja"} {
			if info, err := os.Stat(filepath.Join(c.Path, name)); err != nil || info.Size() == 0 {
				t.Errorf("step %d: a Hugging Face model directory needs %s: %v", step, name, err)
			}
		}
	}
	if checkpoints[1].Digest == checkpoints[2].Digest {
		t.Error("step 2 changed nothing")
	}
}

func TestCheckpoint_ReplacesWhatAnInterruptedAttemptLeft(t *testing.T) {
	r := newRig(t, nil)
	left := filepath.Join(r.checkpoint(1), "half.tmp")
	if err := os.MkdirAll(filepath.Dir(left), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(left, []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", left, err)
	}
}

func TestCheckpoint_GoesToTheAdaptersOwnPlaceWhenTheHostNamesNone(t *testing.T) {
	r := newRig(t, nil)
	req := r.request(knobsOf(1, nil))
	req.CheckpointDir = ""
	r.train(req, sdk.FinishedCompleted)
	if c := r.checkpoints()[1]; filepath.Dir(c.Path) != r.inner.dir {
		t.Errorf("the checkpoint is at %s, want below %s", c.Path, r.inner.dir)
	}
}

func TestWarmStart_TeachesWhatIsDemonstrated(t *testing.T) {
	answers := map[string]string{"a": "one", "b": "two", "c": "six"}
	loss := map[int]float64{}
	for _, steps := range []int{1, 120} {
		config := warmStartOf(steps)
		config["warm_start"].(map[string]any)["batch"] = 8
		r := newRig(t, config)
		r.host.datasets = map[string][]sdk.Task{demosAddress: demonstrationsOf(t, answers)}
		var heard []string
		r.host.decide = func(sdk.StepBoundaryRequest) (sdk.Directive, string) { return sdk.DirectiveStop, "seen enough" }
		ask := r.host.greedy(t, &heard, answers)
		r.host.play = ask
		r.train(r.request(knobsOf(1, func(k *sdk.Knobs) { k.Validate.BeforeTrain = ptr(true) })), sdk.FinishedStopped)
		loss[steps] = r.metrics(0)["warm_start/loss"]
		if steps > 1 && slices.Contains(heard, "wrong") {
			t.Errorf("the policy does not repeat its demonstrations: %v", heard)
		}
		if v := r.host.asked(sdk.SplitValidation, 0)[0].PolicyVersion; v != 1 {
			t.Errorf("the warm start published version %d, want 1", v)
		}
	}
	if !(loss[1] > 3 && loss[120] < 0.3) {
		t.Errorf("loss after 1 update %.2f, after 120 %.2f: want it to fall from chance to nearly nothing", loss[1],
			loss[120])
	}
}

func TestWarmStart_IsBehindTheOptimiser(t *testing.T) {
	r := newRig(t, warmStartOf(3))
	r.host.datasets = map[string][]sdk.Task{demosAddress: demonstrationsOf(t, map[string]string{"a": "b"})}
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	policy, err := tinylm.Load(r.checkpoints()[0].Path, tinylm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := policy.Updates(); n != 0 {
		t.Errorf("commit 0 has an optimiser with %d updates: reinforcement learning starts with a fresh one", n)
	}
}
