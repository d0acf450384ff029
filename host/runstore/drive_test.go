package runstore

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/journal/disk/disktest"
	"github.com/awhost/awhost/sdk"
)

// unlocked replaces the lock on a disk in memory, because tests with such a disk have one process.
type unlocked struct{}

func (unlocked) acquire(context.Context, string) (*os.File, error) { return nil, nil }
func (unlocked) held(string) (bool, error)                         { return false, nil }

// onDisk returns a store on a disk in memory with a clock that advances by a second at each call.
func onDisk(fsys disk.FS) *Store {
	seconds := 0
	s := At("/spec/.awhost/runs", Options{
		Version: "0.1.0", Command: "awhost apply train.hcl", FS: fsys,
		Now: func() time.Time {
			seconds++
			return time.Date(2025, 1, 1, 0, 0, seconds, 0, time.UTC)
		},
	})
	s.lock = unlocked{}
	return s
}

// emptyDisk returns a disk with the folder of the spec.
func emptyDisk(t testing.TB) *disktest.Disk {
	t.Helper()
	d := disktest.New()
	if err := disk.MkdirAll(d, "/spec", 0o755); err != nil {
		t.Fatal(err)
	}
	return d
}

var quickstart = NewRun{
	Name: "quickstart", Identity: "sha256:1", SpecPath: "train.hcl", Spec: json.RawMessage(`{"train":{"steps":4}}`),
	Protocol: 1,
}

// The run that tests execute: some steps with two groups of two, and validation at every second step.
const (
	lastStep  = 4
	perStep   = 4
	perPass   = 2
	everyPass = 2
)

// drive executes a host's work: it creates or resumes the run, and continues until the last step. acked is called
// with each step whose commit has returned.
func drive(ctx context.Context, s *Store, acked func(step int)) error {
	w, err := openOrCreate(ctx, s)
	if err != nil {
		return err
	}
	err = driveTo(ctx, w, lastStep, acked)
	if err == nil {
		err = w.Finish(ctx, FinishRecord{Outcome: StatusFinished, Exact: true})
	}
	_ = w.release() // this also fails for a killed run
	return err
}

func openOrCreate(ctx context.Context, s *Store) (*Writer, error) {
	runs, err := s.List()
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return s.Create(ctx, quickstart)
	}
	return s.Resume(ctx, runs[0].Ref(), ResumeOptions{FromScratch: true})
}

func driveTo(ctx context.Context, w *Writer, last int, acked func(int)) error {
	first := 1
	if tip := w.Tip(); tip != nil {
		first = tip.Step + 1
	}
	launch := LaunchRecord{LaunchID: fmt.Sprintf("launch-%d", first), Stage: "full", FirstStep: first}
	if err := w.AppendLaunch(ctx, launch); err != nil {
		return err
	}
	for step := first; step <= last; step++ {
		if err := driveStep(ctx, w, launch.LaunchID, step); err != nil {
			return err
		}
		acked(step)
		if _, err := w.Prune(ctx, Retention{Keep: 1, BestBy: []string{"validation/success_rate"}}); err != nil {
			return err
		}
	}
	return nil
}

func driveStep(ctx context.Context, w *Writer, launchID string, step int) error {
	used, err := runEpisodes(ctx, w, launchID, sdk.SplitTrain, step, perStep)
	if err != nil {
		return err
	}
	if err := w.AppendStep(ctx, StepRecord{LaunchID: launchID, Stage: "full", Step: step, Consumed: used}); err != nil {
		return err
	}
	metrics := Numbers{"train/reward": float64(step)}
	if err := w.AppendMetrics(ctx, MetricRecord{LaunchID: launchID, Stage: "full", Step: step,
		Values: metrics}); err != nil {
		return err
	}
	if step%everyPass == 0 {
		if err := drivePass(ctx, w, launchID, step); err != nil {
			return err
		}
		metrics["validation/success_rate"] = 1 / float64(step) // the first is the best
	}
	return commitStep(ctx, w, step, metrics)
}

func drivePass(ctx context.Context, w *Writer, launchID string, step int) error {
	if _, err := runEpisodes(ctx, w, launchID, sdk.SplitValidation, step, perPass); err != nil {
		return err
	}
	metrics := Numbers{"validation/success_rate": 1 / float64(step)}
	if err := w.AppendMetrics(ctx, MetricRecord{LaunchID: launchID, Stage: "full", Step: step,
		Values: metrics}); err != nil {
		return err
	}
	return w.AppendValidation(ctx, ValidationRecord{LaunchID: launchID, Stage: "full", Step: step, Metrics: metrics})
}

func commitStep(ctx context.Context, w *Writer, step int, metrics Numbers) error {
	dir, err := w.BeginCheckpoint(step)
	if err != nil {
		return err
	}
	if err := writeWeights(w.fs(), dir, step); err != nil {
		return errTrainer{err}
	}
	_, err = w.CommitCheckpoint(ctx, dir, Manifest{
		Stage: "full", Step: step, Digest: fmt.Sprintf("weights-%d", step), Keep: step%2 == 0, Metrics: metrics,
		Budgets: json.RawMessage(`{"retries":0}`),
	})
	return err
}

// errTrainer is a failure of the trainer with any text.
type errTrainer struct{ error }

func (e errTrainer) Unwrap() error { return e.error }

// writeWeights writes a trainer's files, one of them in a folder, and syncs nothing.
func writeWeights(fsys disk.FS, dir string, step int) error {
	if err := fsys.Mkdir(filepath.Join(dir, "optimizer"), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"model.safetensors", "optimizer/state.bin"} {
		file, err := fsys.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		if _, err := file.WriteAt(weights(step), 0); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

func weights(step int) []byte { return fmt.Appendf(nil, "the weights after step %d", step) }

func runEpisodes(ctx context.Context, w *Writer, launchID string, split sdk.Split, step, count int) ([]Consumed,
	error) {
	var used []Consumed
	for i := range count {
		e := episode(w, launchID, Slot{Stage: "full", Split: split, Step: step, Group: fmt.Sprint(i / 2), Sample: i % 2})
		if _, err := w.AppendEpisode(ctx, e); err != nil {
			return nil, err
		}
		used = append(used, Consumed{EpisodeID: e.EpisodeID, Use: sdk.ConsumedTrained})
	}
	return used, nil
}

func episode(w *Writer, launchID string, slot Slot) EpisodeRecord {
	reward := 0.5
	return EpisodeRecord{
		EpisodeID: fmt.Sprintf("i%d/%s/%d/%s/%d", w.Incarnation(), slot.Split, slot.Step, slot.Group, slot.Sample),
		LaunchID:  launchID, Slot: slot, Attempt: 1, TaskID: "t" + slot.Group, Outcome: sdk.OutcomeScored, Reward: &reward,
		Chains: []Chain{{Chain: "c", Digest: "d", Train: true}},
		Transcripts: []TranscriptPart{{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "2+3?"},
			{Role: sdk.RoleAssistant, Content: "<answer>5</answer>"}}}},
		FinalAnswer: "<answer>5</answer>", NumTurns: 1, Seeds: Seeds{Environment: 1 << 60},
	}
}

// newest opens the only complete run of a store.
func newest(t testing.TB, s *Store) *Run {
	t.Helper()
	run, err := s.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// checkWhole checks that a finished run has the same content as an uninterrupted one.
func checkWhole(t testing.TB, run *Run) {
	t.Helper()
	audit, err := run.Audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	audit.Superseded, audit.Uncovered = 0, nil // they depend on where the run was interrupted
	want := Audit{Commits: lastStep, Trained: lastStep * perStep, Validated: lastStep / everyPass * perPass}
	if got := fmt.Sprintf("%+v", *audit); got != fmt.Sprintf("%+v", want) {
		t.Fatalf("the run adds up to %s, want %+v", got, want)
	}
	checkSlots(t, run)
	checkMetrics(t, run)
	summary, err := run.Summary()
	if err != nil || summary.Status != StatusFinished || summary.Step != lastStep {
		t.Fatalf("the run is %s at step %d: %v", summary.Status, summary.Step, err)
	}
	tip, skipped, err := run.Latest(t.Context())
	if err != nil || tip == nil || tip.Step != lastStep || len(skipped) > 0 {
		t.Fatalf("the newest checkpoint is %+v, skipped %q: %v", tip, skipped, err)
	}
}

func checkSlots(t testing.TB, run *Run) {
	t.Helper()
	seen := map[Slot]bool{}
	for e, err := range run.Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Standing != Counted {
			if e.Standing != Superseded && e.Standing != Unused {
				t.Fatalf("episode %s of a finished run is %s", e.EpisodeID, e.Standing)
			}
			continue
		}
		if seen[e.Slot] {
			t.Fatalf("slot %+v counts twice", e.Slot)
		}
		seen[e.Slot] = true
	}
	if want := lastStep*perStep + lastStep/everyPass*perPass; len(seen) != want {
		t.Fatalf("%d slots count, want %d", len(seen), want)
	}
}

func checkMetrics(t testing.TB, run *Run) {
	t.Helper()
	got := map[string]int{}
	for row, err := range run.Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		for name := range row.Values {
			got[fmt.Sprint(row.Step, name)]++
		}
	}
	for key, count := range got {
		if count != 1 {
			t.Fatalf("metric %s comes %d times", key, count)
		}
	}
	if want := lastStep + lastStep/everyPass; len(got) != want {
		t.Fatalf("%d metrics, want %d: %v", len(got), want, got)
	}
}
