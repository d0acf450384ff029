package run_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
)

// digests returns the digest of each committed step.
func (e *ended) digests() []string {
	e.t.Helper()
	lineage, err := e.run().Lineage()
	if err != nil {
		e.t.Fatal(err)
	}
	var out []string
	for _, c := range lineage {
		out = append(out, c.Digest)
	}
	return out
}

// trainedIn returns the counted training episodes.
func (e *ended) trainedIn() []string {
	e.t.Helper()
	return slices.DeleteFunc(e.counted(), func(line string) bool { return !strings.Contains(line, " train ") })
}

// A finished run that is given more steps equals a run that had them from the start, also if its host is killed during
// the additional steps and the spec then has the earlier number of steps again.
func TestApply_GivesAFinishedRunMoreSteps(t *testing.T) {
	whole := newRig(t)
	whole.steps = 6
	want := whole.apply().completes(6)
	for name, kill := range map[string]*failpoint{
		"undisturbed":              nil,
		"killed before its record": {Op: disk.OpRename, Path: "owner.json", After: true},
		"killed before a commit":   {Op: disk.OpRename, Path: "step-000005/manifest.json"},
		"killed before the first":  {Op: disk.OpRename, Path: "step-000004/manifest.json"},
		"killed at the end":        {Op: disk.OpRename, Path: "step-000006/manifest.json", After: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			first := r.apply().completes(3)
			r.steps = 6
			if kill != nil {
				r.plan()
				at, err := json.Marshal(kill)
				if err != nil {
					t.Fatal(err)
				}
				r.killedHostAt(string(at))
				r.steps = 3
			}
			p := r.plan()
			if p.Mode != event.ModeResume || p.Existing.Dir != first.dir || p.TotalSteps() != 6 {
				t.Fatalf("%s with %d steps: %s", p.Mode, p.TotalSteps(), p.Why)
			}
			got := r.apply().completes(6)
			if got.dir != first.dir {
				t.Errorf("another run: %s", got.dir)
			}
			if diff := cmp.Diff(want.digests(), got.digests()); diff != "" {
				t.Errorf("digests (-6 steps from the start +given more steps):\n%s", diff)
			}
			if diff := cmp.Diff(want.trainedIn(), got.trainedIn()); diff != "" {
				t.Errorf("episodes (-6 steps from the start +given more steps):\n%s", diff)
			}
			for _, steps := range []int{3, 6} {
				r.steps = steps
				if p := r.plan(); p.Mode != event.ModeNoOp || p.Existing.Dir != first.dir || p.TotalSteps() != 6 {
					t.Errorf("with %d steps: %s, %s", steps, p.Mode, p.Why)
				}
			}
			r.steps = 5
			if p := r.plan(); p.Mode != event.ModeNew {
				t.Errorf("with fewer steps than it was given: %s, %s", p.Mode, p.Why)
			}
		})
	}
}

// The last stage of a curriculum can be given more steps. Other changes of its length start another run.
func TestApply_GivesTheLastStageMoreSteps(t *testing.T) {
	stages := func(first, last string) string {
		return "stage \"one\" {\n steps = " + first + "\n}\nstage \"two\" {\n steps = " + last + "\n}"
	}
	whole := newRig(t)
	whole.train = stages("2", "4")
	want := whole.apply().completes(6)
	r := newRig(t)
	r.train = stages("2", "2")
	r.apply().completes(4)
	r.train = stages("3", "2")
	if p := r.plan(); p.Mode != event.ModeNew {
		t.Errorf("a longer first stage: %s, %s", p.Mode, p.Why)
	}
	r.train = stages("2", "4")
	got := r.apply().completes(6)
	if diff := cmp.Diff(want.digests(), got.digests()); diff != "" {
		t.Errorf("digests (-from the start +given more steps):\n%s", diff)
	}
}
