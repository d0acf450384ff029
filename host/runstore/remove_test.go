package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/journal/disk"
)

// created records runs without steps and returns their references, oldest first.
func created(t *testing.T, s *Store, specs ...string) []string {
	t.Helper()
	var refs []string
	for _, spec := range specs {
		run := quickstart
		run.Spec = json.RawMessage(spec)
		w, err := s.Create(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		refs = append(refs, w.Ref())
	}
	return refs
}

func listOf(t *testing.T, s *Store) (refs []string) {
	t.Helper()
	runs, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if run.Problem != "" {
			t.Errorf("%s: %s", run.Ref(), run.Problem)
		}
		refs = append(refs, run.Ref())
	}
	return refs
}

// A kill at any change of the disk leaves the whole run or none, and Sweep deletes the rest.
func TestRemove_KilledAnywhereLeavesAWholeRunOrNone(t *testing.T) {
	outcomes := map[int]int{}
	for at := 1; ; at++ {
		d := emptyDisk(t)
		s := onDisk(d)
		created(t, s, `{}`, `{}`)
		k := &killer{at: at}
		doomed, err := s.Open("quickstart-2")
		if err != nil {
			t.Fatal(err)
		}
		doomed.store = onDisk(disk.Hooked(d, k.hook))
		err = doomed.Remove(t.Context())
		left := listOf(t, s)
		outcomes[len(left)]++
		if len(left) == 2 {
			if _, err := s.Resume(t.Context(), "quickstart-2", ResumeOptions{}); err != nil {
				t.Fatalf("killed at %d, the run cannot be resumed: %v", at, err)
			}
			continue
		}
		if err := s.Sweep(); err != nil {
			t.Fatal(err)
		}
		if entries, err := d.ReadDir(s.Root()); err != nil || len(entries) != 1 {
			t.Fatalf("killed at %d: %v, %v", at, entries, err)
		}
		if err == nil {
			break
		}
	}
	if outcomes[1] < 5 || outcomes[2] < 1 {
		t.Errorf("outcomes by the number of runs: %v", outcomes)
	}
}

func TestRemove_OneOfManyProcessesRemovesIt(t *testing.T) {
	dir := t.TempDir()
	created(t, In(dir, Options{}), `{}`)
	errs, runs := make([]error, 10), make([]*Run, 10)
	for i := range runs {
		var err error
		if runs[i], err = In(dir, Options{}).Open("quickstart-1"); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for i, run := range runs {
		all.Go(func() { errs[i] = run.Remove(context.Background()) })
	}
	all.Wait()
	removed := 0
	for _, err := range errs {
		if err == nil {
			removed++
		} else if !errors.Is(err, ErrNoRun) {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(In(dir, Options{}).Root())
	if removed != 1 || err != nil || len(entries) > 0 {
		t.Errorf("%d removed it; left: %v, %v", removed, entries, err)
	}
}

func TestRemove_NotARunThatIsWritten(t *testing.T) {
	s := In(t.TempDir(), Options{})
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close(t.Context()) }()
	run, err := s.Open("")
	if err != nil {
		t.Fatal(err)
	}
	var locked *LockedError
	if err := run.Remove(t.Context()); !errors.As(err, &locked) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(run.Dir, infoFile)); err != nil {
		t.Error(err)
	}
}

// A run is in use if the spec of a run that remains names a path in it: absolute, relative to the spec, or by a link.
func TestProtect_KeepsWhatAnotherRunUses(t *testing.T) {
	dir := t.TempDir()
	s := In(dir, Options{})
	in := func(ref string) string { return filepath.Join(s.Root(), ref, "checkpoints", "step-000001") }
	if err := os.Symlink(in("quickstart-3"), filepath.Join(dir, "best")); err != nil {
		t.Fatal(err)
	}
	created(t, s, `{}`, `{"a":["`+in("quickstart-1")+`"]}`, `{"a":".awhost/runs/quickstart-2/checkpoints/step-000001"}`,
		`{"a":{"b":"best"}}`, `{"a":"`+in("quickstart-10")+`"}`)
	if err := os.MkdirAll(in("quickstart-3"), 0o700); err != nil { // else the link leads nowhere
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		removed []string
		kept    map[string]string
	}{
		{"in use", []string{"quickstart-1"}, map[string]string{"quickstart-1": "quickstart-2"}},
		{"by a link", []string{"quickstart-3"}, map[string]string{"quickstart-3": "quickstart-4"}},
		{"a chain", []string{"quickstart-1", "quickstart-2"},
			map[string]string{"quickstart-1": "quickstart-2", "quickstart-2": "quickstart-3"}},
		{"with its users", []string{"quickstart-1", "quickstart-2", "quickstart-3", "quickstart-4"}, map[string]string{}},
		{"not in use", []string{"quickstart-5", "quickstart-4"}, map[string]string{}},
	} {
		var runs []Summary
		for _, ref := range c.removed {
			summary, err := s.summary(ref)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, summary)
		}
		kept, err := s.Protect(runs)
		if err != nil {
			t.Fatal(err)
		}
		for ref, why := range kept {
			kept[ref], _, _ = strings.Cut(why, " ")
		}
		if diff := cmp.Diff(c.kept, kept); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
