package runstore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Existing parts are listed with their sizes, and other files in the run directory are not listed.
func TestParts_MeasuresWhatTheRunHas(t *testing.T) {
	s := realStore(t)
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	if err := driveTo(t.Context(), w, lastStep, func(int) {}); err != nil {
		t.Fatal(err)
	}
	log, err := w.OpenLog("reward.a")
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
	r := newest(t, s)
	if err := os.Symlink("/", filepath.Join(r.Dir, pluginsDir, "out")); err != nil {
		t.Fatal(err)
	}
	got, err := r.Parts()
	if err != nil {
		t.Fatal(err)
	}
	want := []Part{{Path: r.Dir, Bytes: bytesBelow(t, r.Dir)}}
	for _, name := range []string{"journal", "metrics.jsonl", "checkpoints", "logs", "plugins"} {
		path := filepath.Join(r.Dir, name)
		want = append(want, Part{Name: name, Path: path, Bytes: bytesBelow(t, path)})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got[0].Bytes <= got[1].Bytes+got[3].Bytes {
		t.Errorf("the run directory has %d bytes, its journal %d and its checkpoints %d",
			got[0].Bytes, got[1].Bytes, got[3].Bytes)
	}
}

func bytesBelow(t *testing.T, path string) int64 {
	t.Helper()
	var total int64
	err := filepath.Walk(path, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// Checkpoints that were moved to a larger disk, and replaced by a link, are measured correctly.
func TestParts_FollowsALinkInThePlaceOfAPart(t *testing.T) {
	s := realStore(t)
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	if err := driveTo(t.Context(), w, lastStep, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
	r := newest(t, s)
	before, err := r.Parts()
	if err != nil {
		t.Fatal(err)
	}
	here, large := filepath.Join(r.Dir, checkpointsDir), filepath.Join(t.TempDir(), "large")
	if err := os.Rename(here, large); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(large, here); err != nil {
		t.Fatal(err)
	}
	after, err := r.Parts()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// A framework's own checkpoints are listed at their location, even after their removal.
func TestParts_NamesCheckpointsThatAreKeptElsewhere(t *testing.T) {
	s := realStore(t)
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "global_step_1")
	if err := os.Mkdir(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "weights"), make([]byte, 1000), 0o666); err != nil {
		t.Fatal(err)
	}
	dir, err := w.BeginCheckpoint(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.CommitCheckpoint(t.Context(), dir, Manifest{Stage: "a", Step: 1, External: outside}); err != nil {
		t.Fatal(err)
	}
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
	r := newest(t, s)
	last := func() Part {
		t.Helper()
		got, err := r.Parts()
		if err != nil {
			t.Fatal(err)
		}
		return got[len(got)-1]
	}
	want := Part{Name: "checkpoints/step-000001", Path: outside, Bytes: 1000}
	if diff := cmp.Diff(want, last()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := os.RemoveAll(outside); err != nil {
		t.Fatal(err)
	}
	want.Bytes, want.Missing = 0, true
	if diff := cmp.Diff(want, last()); diff != "" {
		t.Errorf("after it was removed (-want +got):\n%s", diff)
	}
}
