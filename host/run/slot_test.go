package run

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// A host that takes over a step derives the same seeds for its groups as its predecessor: their positions are in the
// journal.
func TestSlots_AreWholeInTheJournal(t *testing.T) {
	l := &trainCall{run: &runner{Config: Config{Plan: &plan.Plan{Train: &spec.Train{}}}}, id: "launch"}
	for name, slot := range map[string]rollout.Slot{
		"of the data":         {Index: 7, Position: 7},
		"of the trainer":      {Index: 71, Position: 7, Repeat: 2},
		"first of the step":   {Index: 32},
		"brought by a caller": {Index: -1, Position: -1, Repeat: 1},
	} {
		slot.Stage, slot.Split, slot.Step, slot.Group, slot.Task, slot.Sample = "full", sdk.SplitTrain, 3, "3f2a", "t", 1
		text, err := json.Marshal(l.records().Episode(&rollout.EpisodeRecord{AttemptRecord: rollout.AttemptRecord{Slot: slot,
			TaskID: "t"}}))
		if err != nil {
			t.Fatal(err)
		}
		var record runstore.EpisodeRecord
		if err := json.Unmarshal(text, &record); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(slot, numbersOf(&record).Slot); diff != "" {
			t.Errorf("%s (-was +read):\n%s", name, diff)
		}
		record.Position = nil // written by a host without positions
		if got := numbersOf(&record).Slot.Position; got != slot.Index {
			t.Errorf("%s: without a position it is at %d, want the task's position, %d", name, got, slot.Index)
		}
	}
}
