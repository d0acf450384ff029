package runstore

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/journal/disk"
)

// A prune that was killed after its record is completed by the next one, even in another process, and even if it had
// removed the manifest.
func TestPruneRemovesWhatAnEarlierOneLeft(t *testing.T) {
	s, w := launched(t)
	for n := 1; n <= 5; n++ {
		step(t, w, n, train(t, w, n))
		commit(t, w, n)
	}
	keep := Retention{Keep: 1}
	doomed := keep.removable(w.existingCheckpoints())
	if err := w.announce(t.Context(), doomed); err != nil || len(doomed) < 2 {
		t.Fatalf("%d checkpoints are to go: %v", len(doomed), err)
	}
	if err := s.opts.FS.Remove(filepath.Join(doomed[0].Dir, manifestFile)); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w) // killed here
	again, err := s.Resume(t.Context(), w.Ref(), ResumeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeRun(t, again)
	removed, err := again.Prune(t.Context(), keep)
	if err != nil || len(removed) != len(doomed) {
		t.Errorf("the next prune removed %v of %d: %v", removed, len(doomed), err)
	}
	left, err := s.opts.FS.ReadDir(filepath.Join(w.Dir, checkpointsDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range doomed {
		for _, entry := range left {
			if entry.Name() == filepath.Base(c.Dir) {
				t.Errorf("%s is left", entry.Name())
			}
		}
	}
	if removed, err := again.Prune(t.Context(), keep); err != nil || slices.Compact(removed) != nil {
		t.Errorf("one more prune removed %v: %v", removed, err)
	}
	if n := len(again.lineage); n != 2 {
		t.Errorf("the writer holds %d checkpoints; want the 2 that exist, however long the run is", n)
	}
}

// A checkpoint that cannot be released keeps its directory, also in another process, until a prune can release it.
func TestPruneKeepsWhatIsNotReleased(t *testing.T) {
	s, w := launched(t)
	for n := 1; n <= 5; n++ {
		step(t, w, n, train(t, w, n))
		commit(t, w, n)
	}
	var asked []string
	refused := "step-000003"
	keep := Retention{Keep: 1, Release: func(_ context.Context, m *Manifest, path string) bool {
		if name := filepath.Base(path); m.Step == int(name[len(name)-1]-'0') {
			asked = append(asked, name)
		}
		return filepath.Base(path) != refused
	}}
	prune := func(w *Writer, wantAsked, wantRemoved []string) {
		t.Helper()
		asked = nil
		removed, err := w.Prune(t.Context(), keep)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(asked)
		slices.Sort(removed)
		if diff := cmp.Diff([][]string{wantAsked, wantRemoved}, [][]string{asked, removed}); diff != "" {
			t.Errorf("asked and removed (-want +got):\n%s", diff)
		}
	}
	prune(w, []string{"step-000001", "step-000002", "step-000003"}, []string{"step-000001", "step-000002"})
	if kept, err := w.Checkpoints(); err != nil || len(kept) != 2 {
		t.Errorf("%d checkpoints are listed (%v); want the 2 that can be resumed", len(kept), err)
	}
	mismatches, err := w.mismatches()
	if err != nil || len(mismatches) > 0 {
		t.Errorf("mismatches: %v (%v)", mismatches, err)
	}
	w = again(t, s, w)
	defer closeRun(t, w)
	prune(w, []string{"step-000003"}, nil)
	refused = ""
	prune(w, []string{"step-000003"}, []string{"step-000003"})
	prune(w, nil, nil)
}

// The location of a framework is not released while a checkpoint of the lineage is in it.
func TestPruneKeepsALocationThatIsUsedAgain(t *testing.T) {
	_, w := launched(t)
	commitAt := func(n int, external string) {
		t.Helper()
		step(t, w, n, train(t, w, n))
		dir, err := w.BeginCheckpoint(n)
		if err == nil {
			_, err = w.CommitCheckpoint(t.Context(), dir, Manifest{Stage: "full", Step: n, External: external})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for n, external := range []string{"/framework/a", "/framework/b", "/framework/a", "/framework/c"} {
		commitAt(n+1, external)
	}
	var released []string
	removed, err := w.Prune(t.Context(), Retention{Release: func(_ context.Context, _ *Manifest, path string) bool {
		released = append(released, path)
		return true
	}})
	if diff := cmp.Diff([]string{"/framework/b"}, released); diff != "" || err != nil || len(removed) != 2 {
		t.Errorf("removed %v (%v), released (-want +got):\n%s", removed, err, diff)
	}
}

func TestUnfinishedListsWhatTheNextLaunchRemoves(t *testing.T) {
	_, w := launched(t)
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	staging, err := w.StagingDir()
	if err != nil {
		t.Fatal(err)
	}
	begun, err := w.BeginCheckpoint(2)
	if err == nil {
		err = disk.MkdirAll(w.fs(), filepath.Join(staging, "step-3"), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	unfinished, err := w.Unfinished()
	slices.Sort(unfinished)
	if diff := cmp.Diff([]string{filepath.Join(staging, "step-3"), begun}, unfinished); diff != "" || err != nil {
		t.Errorf("%v, unfinished (-want +got):\n%s", err, diff)
	}
	start(t, w, LaunchRecord{LaunchID: "l2", Stage: "full", FirstStep: 2})
	if unfinished, err := w.Unfinished(); err != nil || len(unfinished) > 0 {
		t.Errorf("after a launch, %v is left (%v)", unfinished, err)
	}
}
