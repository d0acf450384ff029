package runstore

import (
	"path/filepath"
	"slices"
	"testing"
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
}
