package debug_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/debug"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// attempt returns an attempt at an episode of a task.
func attempt(id, group string) rollout.AttemptRecord {
	return rollout.AttemptRecord{EpisodeID: id, TaskID: "task of " + group, Attempt: 1, Slot: rollout.Slot{
		Stage: "full", Split: sdk.SplitValidation, Step: 20, Group: group,
	}}
}

func TestRecorderKeepsTriesAsSiblings(t *testing.T) {
	store := runstore.In(t.TempDir(), runstore.Options{})
	played := &runstore.Played{Train: "quick", Dataset: "dataset.jsonl.held_out", Policy: "base"}
	w, err := store.Create(t.Context(), runstore.NewRun{Name: "debug", Spec: []byte("{}"), Played: played})
	if err != nil {
		t.Fatal(err)
	}
	r := debug.NewRecorder(w, func(text string) string { return strings.ReplaceAll(text, "secret", "…") })
	lost := attempt("play/1", "a")
	lost.Failure = &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "lost a secret"}
	if err := r.Attempt(&lost); err != nil {
		t.Fatal(err)
	}
	for _, a := range []rollout.AttemptRecord{attempt("play/1", "a"), attempt("play/2", "b"), attempt("play/3", "a")} {
		if err := r.Episode(&rollout.EpisodeRecord{AttemptRecord: a, Outcome: sdk.OutcomeScored}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"play/1 a 0 OPEN", "play/2 b 0 OPEN", "play/3 a 1 OPEN"}, kept(t, w.Run)); diff != "" {
		t.Error("while it is played:", diff)
	}
	if err := r.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"play/1 a 0 COUNTED", "play/2 b 0 COUNTED", "play/3 a 1 COUNTED"}
	if diff := cmp.Diff(want, kept(t, w.Run)); diff != "" {
		t.Error("when all is played:", diff)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	holdGivenUp(t, w.Run)
	again, err := store.Open("debug-1")
	if err != nil || !again.Info.IsOf("quick") || again.Info.IsOf("debug") {
		t.Errorf("the run is of %+v, %v", again.Info.Played, err)
	}
}

// kept returns the episodes of a run: id, group, sample and standing.
func kept(t *testing.T, r *runstore.Run) (out []string) {
	t.Helper()
	for e, err := range r.Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s %d %s", e.EpisodeID, e.Slot.Group, e.Slot.Sample, e.Standing))
	}
	return out
}

// holdGivenUp checks that the abandoned attempt is recorded without the secret.
func holdGivenUp(t *testing.T, r *runstore.Run) {
	t.Helper()
	var found []string
	for record, err := range r.Records(journal.Position{}, runstore.TypeEvent) {
		if err != nil {
			t.Fatal(err)
		}
		event, err := runstore.Decode[runstore.EventRecord](record)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, event.Kind+" "+event.Fields["episode"]+" "+event.Message)
	}
	if diff := cmp.Diff([]string{"attempt_given_up play/1 lost a …"}, found); diff != "" {
		t.Error(diff)
	}
}
