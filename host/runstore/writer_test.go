package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
)

// launched returns a new run with a trainer.
func launched(t *testing.T) (*Store, *Writer) {
	t.Helper()
	s := onDisk(emptyDisk(t))
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1})
	return s, w
}

func start(t *testing.T, w *Writer, l LaunchRecord) {
	t.Helper()
	if err := w.AppendLaunch(t.Context(), l); err != nil {
		t.Fatal(err)
	}
}

// again ends the process of a run and opens the run in another process.
func again(t *testing.T, s *Store, w *Writer) *Writer {
	t.Helper()
	closeRun(t, w)
	w, err := s.Resume(t.Context(), "", ResumeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func train(t *testing.T, w *Writer, step int) []Consumed {
	t.Helper()
	used, err := runEpisodes(t.Context(), w, "l1", sdk.SplitTrain, step, 2)
	if err != nil {
		t.Fatal(err)
	}
	return used
}

func step(t *testing.T, w *Writer, n int, used []Consumed) {
	t.Helper()
	if err := w.AppendStep(t.Context(), StepRecord{LaunchID: "l1", Stage: "full", Step: n, Consumed: used}); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, w *Writer, n int) {
	t.Helper()
	if err := commitStep(t.Context(), w, n, nil); err != nil {
		t.Fatal(err)
	}
}

// standings counts the episodes of a run by standing and use.
func standings(t *testing.T, run *Run) map[string]int {
	t.Helper()
	got := map[string]int{}
	for e, err := range run.Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got[strings.TrimSpace(string(e.Standing)+" "+string(e.Use))]++
	}
	return got
}

func TestAnEpisodeIsReadAsItWasWritten(t *testing.T) {
	s, w := launched(t)
	reward, success := 0.25, true
	wrote := episode(w, "l1", Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: "0"})
	wrote.Reward, wrote.IsSuccess = &reward, &success
	wrote.Components = Numbers{"exact": 1, "odd": math.Inf(-1)}
	wrote.Failure = &sdk.Failure{Class: sdk.FailureReward, Detail: "the judge said <nothing>"}
	wrote.State = json.RawMessage(`{"a":"<b>"}`)
	wrote.Rows = []TokenRow{{Chain: "c", IDs: []int32{1, 2}, LossMask: []bool{false, true},
		Versions: []VersionSpan{{Version: 3, Tokens: 2}}}}
	hash, err := w.AppendEpisode(t.Context(), wrote)
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range newest(t, s).Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		// The JSON encoder writes < as \u003c, which is the same state.
		wrote.State = json.RawMessage(`{"a":"\u003cb\u003e"}`)
		if diff := cmp.Diff(wrote, e.EpisodeRecord, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("(-written +read)\n%s", diff)
		}
		if e.Record != hash || e.Standing != Open || e.Incarnation != 1 {
			t.Errorf("read %s %s of incarnation %d, want %s", e.Record, e.Standing, e.Incarnation, hash)
		}
	}
}

func TestAStepCountsOnlyWhatIsOnRecordAndOnlyOnce(t *testing.T) {
	_, w := launched(t)
	used := train(t, w, 1)
	twin := episode(w, "l1", Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: "0"})
	twin.EpisodeID = "twin"
	if _, err := w.AppendEpisode(t.Context(), twin); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AppendEpisode(t.Context(), twin); err == nil {
		t.Error("an episode was recorded twice")
	}
	for _, tc := range []struct {
		name string
		used []Consumed
		want string
	}{
		{"unknown", []Consumed{{EpisodeID: "ghost", Use: sdk.ConsumedTrained}},
			`used episode "ghost", which is not on record`},
		{"twice", []Consumed{used[0], used[0]}, "used before"},
		{"a slot twice", []Consumed{used[0], {EpisodeID: "twin", Use: sdk.ConsumedTrained}},
			`both fill sample 0 of group "0" in step 1`},
	} {
		err := w.AppendStep(t.Context(), StepRecord{Stage: "full", Step: 1, Consumed: tc.used})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
	stale := Consumed{EpisodeID: "twin", Use: sdk.ConsumedStale}
	lost := Consumed{EpisodeID: "never ended", Use: sdk.ConsumedLost}
	step(t, w, 1, append(used, stale, lost))
	if err := w.AppendStep(t.Context(), StepRecord{Stage: "full", Step: 2, Consumed: used}); err == nil {
		t.Error("an episode was used by two steps")
	}
	commit(t, w, 1)
	if err := w.AppendStep(t.Context(), StepRecord{Stage: "full", Step: 1}); err == nil ||
		!strings.Contains(err.Error(), "already committed") {
		t.Errorf("a step after its commit: %v", err)
	}
	if _, err := w.BeginCheckpoint(1); err == nil || !strings.Contains(err.Error(), "already committed") {
		t.Errorf("a checkpoint after its commit: %v", err)
	}
	want := map[string]int{"COUNTED TRAINED": 2, "COUNTED STALE": 1}
	if diff := cmp.Diff(want, standings(t, w.Run)); diff != "" {
		t.Errorf("standings: (-want +got)\n%s", diff)
	}
}

func TestWhatWasCutOffIsSuperseded(t *testing.T) {
	s, w := launched(t)
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	used := train(t, w, 2)
	cancelled := episode(w, "l1", Slot{Stage: "full", Split: sdk.SplitTrain, Step: 2, Group: "9"})
	cancelled.Outcome = sdk.OutcomeCancelled
	if _, err := w.AppendEpisode(t.Context(), cancelled); err != nil {
		t.Fatal(err)
	}
	step(t, w, 2, used)
	check := func(when string, want map[string]int) {
		t.Helper()
		if diff := cmp.Diff(want, standings(t, newest(t, s))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", when, diff)
		}
	}
	check("before the kill", map[string]int{"COUNTED TRAINED": 2, "OPEN": 2, "UNUSED": 1})
	w = again(t, s, w)
	check("before the launch", map[string]int{"COUNTED TRAINED": 2, "OPEN": 2, "UNUSED": 1})
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 2})
	check("after the launch", map[string]int{"COUNTED TRAINED": 2, "SUPERSEDED": 2, "UNUSED": 1})
	if err := w.AppendStep(t.Context(), StepRecord{Stage: "full", Step: 2, Consumed: used}); err == nil {
		t.Error("a step used superseded episodes")
	}
	step(t, w, 2, train(t, w, 2))
	commit(t, w, 2)
	check("at the end", map[string]int{"COUNTED TRAINED": 4, "SUPERSEDED": 2, "UNUSED": 1})
	closeRun(t, w)
}

// Prefetched episodes ended before the boundary, but have not counted at it.
func TestOpenEpisodes_AreThoseThatHaveNotCounted(t *testing.T) {
	s, w := launched(t)
	if err := w.AppendHandle(t.Context(), HandleRecord{LaunchID: "l1", Handle: []byte("pid 7"), EventSeq: 1}); err != nil {
		t.Fatal(err)
	}
	add := func(step int, group string, outcome sdk.Outcome, split sdk.Split) {
		e := episode(w, "l1", Slot{Stage: "full", Split: split, Step: step, Group: group})
		e.EpisodeID = group
		if e.Outcome = outcome; outcome == sdk.OutcomeFailed {
			e.Reward, e.Chains = nil, nil
		}
		if _, err := w.AppendEpisode(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	add(1, "used", sdk.OutcomeScored, sdk.SplitTrain)
	add(1, "ahead", sdk.OutcomeScored, sdk.SplitTrain)
	add(1, "failed", sdk.OutcomeFailed, sdk.SplitTrain)
	add(1, "validated", sdk.OutcomeScored, sdk.SplitValidation)
	add(2, "failed for a later step", sdk.OutcomeFailed, sdk.SplitTrain)
	step(t, w, 1, []Consumed{{EpisodeID: "used", Use: sdk.ConsumedTrained}})
	boundary(t, w, BoundaryRecord{Step: 1, EventSeq: 3})
	add(1, "failed later", sdk.OutcomeFailed, sdk.SplitTrain)
	add(1, "ended later", sdk.OutcomeScored, sdk.SplitTrain)
	step(t, w, 2, []Consumed{{EpisodeID: "ended later", Use: sdk.ConsumedTrained}}) // and no boundary

	w = again(t, s, w)
	last, err := w.LastTrainer()
	if err != nil {
		t.Fatal(err)
	}
	open, err := w.OpenEpisodes(t.Context(), last)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range open {
		if e.Weighed {
			e.EpisodeID += ", weighed"
		}
		got = append(got, e.EpisodeID)
	}
	if diff := cmp.Diff([]string{"ahead, weighed", "failed for a later step", "failed later", "ended later"},
		got); diff != "" {
		t.Errorf("other episodes are open (-want +got):\n%s", diff)
	}
	closeRun(t, w)
}

// Open episodes include their whole groups, and the groups with missing samples, as long as these may be requested.
func TestOpenEpisodes_KnowWhatHasCountedOfTheirGroups(t *testing.T) {
	_, w := launched(t)
	add := func(step int, group string, sample int, outcome sdk.Outcome) {
		e := episode(w, "l1", Slot{Stage: "full", Split: sdk.SplitTrain, Step: step, Group: group, Sample: sample})
		e.EpisodeID, e.GroupSize = group+"-"+string(rune('0'+sample)), 2
		if e.Outcome = outcome; outcome != sdk.OutcomeScored {
			e.Reward, e.Chains = nil, nil
		}
		if _, err := w.AppendEpisode(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	const last = OpenWindow + 10
	add(1, "old, unused", 0, sdk.OutcomeScored)
	add(1, "old, missing", 0, sdk.OutcomeFailed)
	for i, group := range []string{"whole", "half open", "half used"} {
		add(last, group, 0, sdk.OutcomeFailed)
		add(last, group, 1, []sdk.Outcome{sdk.OutcomeFailed, sdk.OutcomeScored, sdk.OutcomeScored}[i])
	}
	add(last, "missing", 1, sdk.OutcomeFailed)
	add(last, "cancelled", 0, sdk.OutcomeFailed)
	add(last, "cancelled", 1, sdk.OutcomeCancelled)
	step(t, w, last, []Consumed{{EpisodeID: "half used-1", Use: sdk.ConsumedTrained}})
	boundary(t, w, BoundaryRecord{Step: last, EventSeq: 3})
	trainer, err := w.LastTrainer()
	if err != nil {
		t.Fatal(err)
	}
	open, err := w.OpenEpisodes(t.Context(), trainer)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, e := range open {
		got[e.EpisodeID] = e.Counted
	}
	want := map[string]bool{"half open-0": true, "half open-1": false, "missing-1": true, "cancelled-0": true,
		"cancelled-1": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other episodes are listed, or as counted (-want +got):\n%s", diff)
	}
	closeRun(t, w)
}

func TestATrainerThatOutlivedItsHostGoesOnWithItsEpisodes(t *testing.T) {
	s, w := launched(t)
	if err := w.AppendHandle(t.Context(), HandleRecord{LaunchID: "l1", Handle: []byte("pid 7"), EventSeq: 1}); err != nil {
		t.Fatal(err)
	}
	step(t, w, 1, train(t, w, 1))
	boundary(t, w, BoundaryRecord{Step: 1, EventSeq: 3, Commits: true})
	commit(t, w, 1)
	step(t, w, 2, train(t, w, 2))
	if _, err := runEpisodes(t.Context(), w, "l1", sdk.SplitValidation, 2, 2); err != nil {
		t.Fatal(err)
	}
	if err := w.AppendValidation(t.Context(), ValidationRecord{Stage: "full", Step: 2}); err != nil {
		t.Fatal(err)
	}
	metrics(t, w, 2, 5, Numbers{"train/loss": 2})
	boundary(t, w, BoundaryRecord{Step: 2, EventSeq: 5, Directive: sdk.DirectiveContinue, State: []byte(`{"tasks":1}`)})
	// From here on the step is interrupted: its boundary is not on record, or not with its commit.
	used := train(t, w, 3)
	drawnAgain := episode(w, "l1", Slot{Stage: "full", Split: sdk.SplitTrain, Step: 3, Group: "9"})
	if _, err := w.AppendEpisode(t.Context(), drawnAgain); err != nil {
		t.Fatal(err)
	}
	metrics(t, w, 3, 7, Numbers{"train/loss": 3})
	step(t, w, 3, used)
	boundary(t, w, BoundaryRecord{Step: 3, EventSeq: 7, Commits: true})

	w = again(t, s, w)
	last, err := w.LastTrainer()
	if err != nil || !last.MayRun() || last.Launch.LaunchID != "l1" || string(last.Handle) != "pid 7" ||
		last.CheckpointLost {
		t.Fatalf("the last trainer is %+v: %v", last, err)
	}
	if last.AfterEvent != 5 || last.Boundary.Step != 2 || string(last.Boundary.State) != `{"tasks":1}` {
		t.Errorf("it continues after event %d, from %+v", last.AfterEvent, last.Boundary)
	}
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1, Reattached: true})
	open, err := w.OpenEpisodes(t.Context(), last)
	if err != nil || len(open) != len(used)+1 {
		t.Errorf("%d episodes are open: %v", len(open), err)
	}
	drawnAgain.Draw = 1
	if _, err := w.AppendEpisode(t.Context(), drawnAgain); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AppendEpisode(t.Context(), drawnAgain); err == nil ||
		!strings.Contains(err.Error(), "already on record") {
		t.Errorf("an episode was replaced twice in one life: %v", err)
	}
	metrics(t, w, 3, 6, Numbers{"train/loss": 3.5, "train/late": 1}) // it repeats events that its host may have missed
	step(t, w, 3, used)
	boundary(t, w, BoundaryRecord{Step: 3, EventSeq: 6, Commits: true})
	commit(t, w, 3)
	metrics(t, w, 4, 7, Numbers{"train/loss": 4})
	if e, err := w.Episode(t.Context(), drawnAgain.EpisodeID); err != nil || e.Draw != 1 || e.Standing != Open {
		t.Errorf("the episode that was drawn again is %+v: %v", e, err)
	}
	want := map[string]int{"COUNTED TRAINED": 6, "COUNTED VALIDATED": 2, "OPEN": 1, "SUPERSEDED": 1}
	if diff := cmp.Diff(want, standings(t, w.Run)); diff != "" {
		t.Errorf("standings: (-want +got)\n%s", diff)
	}
	var numbers []Numbers
	for row, err := range w.Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, row.Values)
	}
	if diff := cmp.Diff([]Numbers{{"train/loss": 2}, {"train/loss": 3}, {"train/late": 1}, {"train/loss": 4}},
		numbers); diff != "" {
		t.Errorf("numbers: (-want +got)\n%s", diff)
	}
	if audit, err := w.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("audit: %+v, %v", audit, err)
	}
	closeRun(t, w)
}

// A trainer may be taken up several times, even by the same host: no part of a step counts twice.
func TestATrainerThatIsTakenUpAgainAndAgain(t *testing.T) {
	_, w := launched(t)
	reattach := LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1, Reattached: true}
	if err := w.AppendHandle(t.Context(), HandleRecord{LaunchID: "l1", Handle: []byte("pid 7"), EventSeq: 1}); err != nil {
		t.Fatal(err)
	}
	used := train(t, w, 1)
	for range 3 {
		step(t, w, 1, used)
		if _, err := runEpisodes(t.Context(), w, "l1", sdk.SplitValidation, 1, 2); err != nil {
			t.Fatal(err)
		}
		if err := w.AppendValidation(t.Context(), ValidationRecord{Stage: "full", Step: 1}); err != nil {
			t.Fatal(err)
		}
		start(t, w, reattach)
	}
	step(t, w, 1, used)
	if err := w.AppendValidation(t.Context(), ValidationRecord{Stage: "full", Step: 1}); err != nil {
		t.Fatal(err)
	}
	boundary(t, w, BoundaryRecord{Step: 1, EventSeq: 4})
	start(t, w, reattach)
	if err := w.AppendStep(t.Context(), StepRecord{Stage: "full", Step: 1, Consumed: used}); err == nil {
		t.Error("the step of a boundary that counts was used again")
	}
	commit(t, w, 1)
	want := map[string]int{"COUNTED TRAINED": 2, "COUNTED VALIDATED": 2, "SUPERSEDED": 4}
	if diff := cmp.Diff(want, standings(t, w.Run)); diff != "" {
		t.Errorf("standings: (-want +got)\n%s", diff)
	}
	if audit, err := w.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("audit: %+v, %v", audit, err)
	}
	closeRun(t, w)
}

func TestWhetherATrainerMayLiveIsOnRecord(t *testing.T) {
	s, w := launched(t)
	lives := func(when, want string) {
		t.Helper()
		summary, err := newest(t, s).Summary()
		if err != nil || summary.Trainer != want {
			t.Errorf("%s: trainer %q: %v; want %q", when, summary.Trainer, err, want)
		}
	}
	reopen := func() {
		t.Helper()
		var err error
		if w, err = s.Resume(t.Context(), "", ResumeOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	closeRun(t, w)
	lives("without a handle", "")
	reopen()
	start(t, w, LaunchRecord{LaunchID: "l2", Stage: "full", FirstStep: 1})
	if err := w.AppendHandle(t.Context(), HandleRecord{LaunchID: "l2", Handle: []byte("pid 7"), EventSeq: 1}); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w)
	lives("when its host is gone", "l2")
	reopen()
	if err := w.Finish(t.Context(), FinishRecord{Outcome: StatusFailed}); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w)
	lives("when its host gave up", "l2")
	reopen()
	if err := w.AppendTrainerEnd(t.Context(), TrainerEndRecord{LaunchID: "l2", Reason: "it is gone"}); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w)
	lives("when it is gone", "")
}

func boundary(t *testing.T, w *Writer, b BoundaryRecord) {
	t.Helper()
	b.LaunchID, b.Stage = "l1", "full"
	if err := w.AppendBoundary(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func metrics(t *testing.T, w *Writer, step int, seq uint64, values Numbers) {
	t.Helper()
	if err := w.AppendMetrics(t.Context(), MetricRecord{LaunchID: "l1", Stage: "full", Step: step, EventSeq: seq,
		Values: values}); err != nil {
		t.Fatal(err)
	}
}

func TestAValidationPassCountsOnceWhereverTheCommitFalls(t *testing.T) {
	pass := func(t *testing.T, w *Writer, at int) {
		t.Helper()
		if err := drivePass(t.Context(), w, "l1", at); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name string
		run  func(t *testing.T, s *Store, w *Writer) *Writer
		want map[string]int
	}{
		{"before the commit", func(t *testing.T, s *Store, w *Writer) *Writer {
			pass(t, w, 1)
			commit(t, w, 1)
			return w
		}, map[string]int{"COUNTED VALIDATED": 2}},
		{"after the last commit", func(t *testing.T, s *Store, w *Writer) *Writer {
			commit(t, w, 1)
			pass(t, w, 1)
			return w
		}, map[string]int{"COUNTED VALIDATED": 2}},
		{"between two commits", func(t *testing.T, s *Store, w *Writer) *Writer {
			commit(t, w, 1)
			pass(t, w, 1)
			commit(t, w, 2)
			return w
		}, map[string]int{"COUNTED VALIDATED": 2}},
		{"before a commit that never came", func(t *testing.T, s *Store, w *Writer) *Writer {
			commit(t, w, 1)
			pass(t, w, 2)
			w = again(t, s, w)
			start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 2})
			pass(t, w, 2)
			commit(t, w, 2)
			return w
		}, map[string]int{"COUNTED VALIDATED": 2, "SUPERSEDED": 2}},
		{"again after a resume", func(t *testing.T, s *Store, w *Writer) *Writer {
			commit(t, w, 1)
			pass(t, w, 1)
			w = again(t, s, w)
			start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 2})
			pass(t, w, 1)
			commit(t, w, 2)
			return w
		}, map[string]int{"COUNTED VALIDATED": 2, "OPEN": 2}},
		{"cut off", func(t *testing.T, s *Store, w *Writer) *Writer {
			commit(t, w, 1)
			if _, err := runEpisodes(t.Context(), w, "l1", sdk.SplitValidation, 1, 1); err != nil {
				t.Fatal(err)
			}
			w = again(t, s, w)
			start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 2})
			pass(t, w, 1)
			return w
		}, map[string]int{"COUNTED VALIDATED": 2, "SUPERSEDED": 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, w := launched(t)
			w = tc.run(t, s, w)
			if diff := cmp.Diff(tc.want, standings(t, newest(t, s))); diff != "" {
				t.Errorf("standings: (-want +got)\n%s", diff)
			}
			rates := 0
			for row, err := range w.Metrics() {
				if err != nil {
					t.Fatal(err)
				}
				rates += len(row.Values)
			}
			if rates != 1 {
				t.Errorf("%d success rates, want 1", rates)
			}
			closeRun(t, w)
		})
	}
}

func TestTheReadableMetricsFollowTheLineage(t *testing.T) {
	s, w := launched(t)
	metrics(t, w, 1, 0, Numbers{"train/loss": 1})
	commit(t, w, 1)
	metrics(t, w, 2, 0, Numbers{"train/loss": 99})
	w = again(t, s, w)
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 2})
	metrics(t, w, 2, 0, Numbers{"train/loss": math.NaN()})
	closeRun(t, w)
	data, err := disk.ReadFile(s.opts.FS, w.MetricsPath())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(data)) {
		var row map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		got = append(got, string(row["step"])+" "+string(row["incarnation"])+" "+string(row["values"]))
	}
	want := []string{`1 1 {"train/loss":1}`, `2 2 {"train/loss":"NaN"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics.jsonl: (-want +got)\n%s", diff)
	}
}

// A trainer that is taken up again repeats its events since the last commit, even to the host that has already
// received them.
func TestTheReadableMetricsAreListedOnceInALife(t *testing.T) {
	s, w := launched(t)
	metrics(t, w, 1, 0, Numbers{"train/loss": 1})
	commit(t, w, 1)
	metrics(t, w, 2, 0, Numbers{"train/loss": 2})
	for range 2 {
		start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 2, Reattached: true})
		metrics(t, w, 2, 0, Numbers{"train/loss": 2})
		metrics(t, w, 3, 0, Numbers{"train/loss": 3, "train/kl": 0})
	}
	start(t, w, LaunchRecord{LaunchID: "l2", Stage: "full", FirstStep: 2})
	metrics(t, w, 2, 0, Numbers{"train/loss": 22})
	closeRun(t, w)
	var want []string
	for row, err := range newest(t, s).Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint(row.Step, row.Values))
	}
	data, err := disk.ReadFile(s.opts.FS, w.MetricsPath())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(data)) {
		var row MetricRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		got = append(got, fmt.Sprint(row.Step, row.Values))
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 2 {
		t.Errorf("metrics.jsonl has %d rows: (-journal +file)\n%s", len(got), diff)
	}
}

func TestPruneNeverRemovesTheNewestOrTheBest(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "checkpoints")
		second := rapid.IntRange(0, n).Draw(t, "where the second stage begins")
		value := rapid.SampledFrom([]float64{0, 0.5, 1, math.NaN()})
		var present []Checkpoint
		for i := range n {
			c := Checkpoint{Step: i, Keep: rapid.Bool().Draw(t, "keep")}
			if i >= second {
				c.StageIndex = 1
			}
			if rapid.Bool().Draw(t, "validated") {
				c.Metrics = Numbers{"rate": value.Draw(t, "rate"), "reward": value.Draw(t, "reward")}
			}
			present = append(present, c)
		}
		keep := Retention{
			Keep: rapid.IntRange(0, 3).Draw(t, "kept"), BestBy: []string{"rate", "reward"},
			LowerIsBetter: rapid.Bool().Draw(t, "lower"),
		}
		gone := map[int]bool{}
		for _, c := range keep.removable(present) {
			gone[c.Step] = true
		}
		if gone[n-1] || gone[n-2] {
			t.Fatalf("removed the newest or the one before: %v of %d", gone, n)
		}
		best, announced := []int{-1, -1}, 0
		for i, c := range slices.Backward(present) {
			stage, by := c.StageIndex, keep.BestBy[c.StageIndex]
			was := best[stage]
			v, ok := c.Metrics[by]
			if ok && !math.IsNaN(v) && (was < 0 || v == present[was].Metrics[by] || keep.better(v, present[was].Metrics[by])) {
				best[stage] = i
			}
			if c.Keep {
				announced++
				if gone[i] && (keep.Keep == 0 || announced <= keep.Keep) {
					t.Fatalf("removed step %d, which is one of the newest %d that were announced", i, keep.Keep)
				}
			}
		}
		if gone[best[0]] || gone[best[1]] {
			t.Fatalf("removed the best of a stage, steps %v", best)
		}
	})
}

func TestPruneLeavesTheLineageOnRecord(t *testing.T) {
	s := onDisk(emptyDisk(t))
	if err := drive(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	run := newest(t, s)
	present, err := run.Checkpoints()
	if err != nil {
		t.Fatal(err)
	}
	var steps []int
	for _, c := range present {
		steps = append(steps, c.Step)
	}
	if diff := cmp.Diff([]int{2, 3, 4}, steps); diff != "" { // the best, the one before the newest, the newest
		t.Errorf("checkpoints that are left: (-want +got)\n%s", diff)
	}
	lineage, err := run.Lineage()
	if err != nil || len(lineage) != lastStep || !lineage[0].Removed {
		t.Errorf("the lineage is %+v: %v", lineage, err)
	}
}

func TestACheckpointThatTheTrainerNamedIsTakenOver(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full"})
	staging, err := w.StagingDir()
	if err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(staging, "global_step_0")
	if err := os.Mkdir(written, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeWeights(disk.OS, written, 0); err != nil {
		t.Fatal(err)
	}
	dir, err := w.MoveCheckpoint(0, written)
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.CommitCheckpoint(t.Context(), dir, Manifest{Stage: "full", Digest: "weights-0"})
	if err != nil || filepath.Base(c.Dir) != "step-000000" {
		t.Fatalf("committed %+v: %v", c, err)
	}
	if dir, err = w.BeginCheckpoint(1); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.CommitCheckpoint(t.Context(), dir, Manifest{Stage: "full", Step: 1}); err == nil ||
		!strings.Contains(err.Error(), "must hold its own files") {
		t.Errorf("committing a link: %v", err)
	}
	w = again(t, s, w)
	if tip := w.Tip(); tip == nil || tip.Step != 0 || len(w.Warnings()) > 0 {
		t.Errorf("resumed at %+v with warnings %+v", tip, w.Warnings())
	}
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1})
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished checkpoint is still there: %v", err)
	}
	if dir, err = w.BeginCheckpoint(1); err != nil {
		t.Fatal(err)
	}
	if err := w.AbandonCheckpoint(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the abandoned checkpoint is still there: %v", err)
	}
	closeRun(t, w)
}

func TestALogIsPutAsideBeforeItFillsTheDisk(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	log, err := w.OpenLog("environment.calculator.desk")
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(strings.Repeat("x", 1<<20-1) + "\n")
	for range 80 {
		if _, err := log.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	var total int64
	for _, path := range []string{w.LogPath("environment.calculator.desk"), w.LogPath("environment.calculator.desk") +
		".1"} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 2*logLimit {
		t.Errorf("the log takes %d bytes", total)
	}
	if names, err := w.Logs(); err != nil || !slices.Equal(names, []string{"environment.calculator.desk"}) {
		t.Errorf("logs are %q: %v", names, err)
	}
	closeRun(t, w)
}

func TestAReaderFollowsARunThatIsWritten(t *testing.T) {
	s, w := launched(t)
	var at journal.Position
	follow := func() (kinds []string) {
		for record, err := range newest(t, s).Records(at, TypeEvent) {
			if err != nil {
				t.Fatal(err)
			}
			at = record.Next
			kinds = append(kinds, string(record.Type))
		}
		return kinds
	}
	if got := follow(); got != nil {
		t.Errorf("events before the first: %q", got)
	}
	for range 2 {
		if err := w.AppendEvent(t.Context(), EventRecord{Kind: "note", Level: "info", Message: "hello"}); err != nil {
			t.Fatal(err)
		}
		if got := follow(); len(got) != 1 {
			t.Errorf("new events: %q", got)
		}
	}
	closeRun(t, w)
}

func TestACallerThatGaveUpIsToldOnlyThat(t *testing.T) {
	_, w := launched(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stopped *StoppedError
	if err := w.AppendEvent(ctx, EventRecord{}); !errors.Is(err, context.Canceled) || errors.As(err, &stopped) {
		t.Errorf("appending says %v", err)
	}
	step(t, w, 1, train(t, w, 1))
	closeRun(t, w)
}

// The end of a journal that was truncated between records looks like the end of a shorter run. The checkpoints reveal
// the difference.
func TestAuditMissesTheEndOfAJournal(t *testing.T) {
	s, w := launched(t)
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	var kept journal.Position
	for record, err := range w.Records(journal.Position{}) {
		if err != nil {
			t.Fatal(err)
		}
		kept = record.Next
	}
	for n := 2; n <= 3; n++ {
		step(t, w, n, train(t, w, n))
		commit(t, w, n)
	}
	closeRun(t, w)
	whole, err := disk.ReadFile(s.opts.FS, w.JournalPath())
	if err != nil {
		t.Fatal(err)
	}
	audit := func() []string {
		audit, err := newest(t, s).Audit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return audit.Problems
	}
	if got := audit(); len(got) > 0 {
		t.Errorf("of a whole journal: %q", got)
	}
	if err := disk.WriteFile(s.opts.FS, w.JournalPath(), whole[:kept.Offset]); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(audit(), "; "); !strings.Contains(got, "when the checkpoint of step 3 was made") {
		t.Errorf("of one whose end is gone: %q", got)
	}
}

// TestReadersMissTheEndOfAJournal cuts a journal at each record before the last checkpoint. No reader may take an
// earlier checkpoint for the newest one.
func TestReadersMissTheEndOfAJournal(t *testing.T) {
	s, w := launched(t)
	for n := 1; n <= 3; n++ {
		step(t, w, n, train(t, w, n))
		commit(t, w, n)
	}
	closeRun(t, w)
	m, _, err := readManifest(s.opts.FS, w.checkpointDir(3))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := disk.ReadFile(s.opts.FS, w.JournalPath())
	if err != nil {
		t.Fatal(err)
	}
	var ends []journal.Position
	for record, err := range w.Records(journal.Position{}) {
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, record.Next)
	}
	cuts := 0
	for _, end := range ends {
		if end.Offset >= m.Journal.Offset {
			break
		}
		cuts++
		if err := disk.WriteFile(s.opts.FS, w.JournalPath(), whole[:end.Offset]); err != nil {
			t.Fatal(err)
		}
		run, err := s.openRun(w.Dir)
		if err != nil {
			t.Fatal(err)
		}
		var corrupt *journal.CorruptError
		if kept, err := run.Kept(t.Context(), false); !errors.As(err, &corrupt) {
			t.Errorf("cut after record %d: %d checkpoints, %v; want the damage of the journal", end.Seq, len(kept), err)
		}
	}
	if cuts < 5 {
		t.Errorf("the journal was cut at %d places; want more", cuts)
	}
}
