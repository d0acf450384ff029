package build

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func hold(t *testing.T, s *Store) *Hold {
	t.Helper()
	h, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func release(t *testing.T, h *Hold) {
	t.Helper()
	if err := h.Release(); err != nil {
		t.Fatal(err)
	}
}

// Ten runs that start at once share one executable. It is complete, equals this process's, and has the permissions of
// the umask: users who may start runs here may store and execute builds.
func TestKeep_IsSharedByAllWhoKeepAtOnce(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	var group sync.WaitGroup
	digests := make([]string, 10)
	for i := range digests {
		group.Go(func() {
			h, err := In(dir, keys).Lock(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			b, err := h.Keep(Build{Identity: "sha256:id"})
			if err = errors.Join(err, h.Release()); err != nil {
				t.Error(err)
			}
			digests[i] = b.Digest
		})
	}
	group.Wait()
	self, err := self()
	if err != nil {
		t.Fatal(err)
	}
	for _, digest := range digests {
		if digest != self {
			t.Errorf("kept %s, and this executable is %s", digest, self)
		}
	}
	folder := filepath.Join(dir, "builds", strings.TrimPrefix(self, "sha256:"))
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d files in %s, want the executable and the mark of who kept it: %v", len(entries), folder, err)
	}
	beside := filepath.Join(dir, "runs")
	if err := os.Mkdir(beside, 0o777); err != nil {
		t.Fatal(err)
	}
	runs, err := os.Stat(beside)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{
		filepath.Join(dir, "builds"): runs.Mode(), folder: runs.Mode(),
		filepath.Join(folder, "awhost"):      runs.Mode().Perm() & 0o555,
		filepath.Join(dir, "builds", "lock"): runs.Mode().Perm() & 0o666,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, want %v: %v", path, info.Mode(), want, err)
		}
	}
	kept, err := In(dir, keys).Open(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
}

// Files left by a killed process are removed when the build is stored again.
func TestKeep_RemovesWhatWasLeft(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "exp[1") // no pattern
	s := In(dir, dir)
	h := hold(t, s)
	digest, err := self()
	if err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(s.folder(digest), executableName+partInfix+"123")
	if err := os.MkdirAll(filepath.Dir(part), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(part, []byte("half of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Keep(Build{}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(part))
	names := []string{}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), executableName) {
			names = append(names, entry.Name())
		}
	}
	if !slices.Equal(names, []string{filepath.Base(s.path(digest))}) {
		t.Errorf("there are %v, %v", names, err)
	}
}

// A modified file is not executed, and is stored again by the next run.
func TestKeep_ChecksWhatIsThere(t *testing.T) {
	s := In(t.TempDir(), t.TempDir())
	h := hold(t, s)
	b, err := h.Keep(Build{})
	if err != nil {
		t.Fatal(err)
	}
	path := s.path(b.Digest)
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho something else\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(b.Digest); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
		t.Errorf("a damaged executable is opened: %v", err)
	}
	if h.Has(b.Digest) {
		t.Error("a damaged executable counts as kept: a run would go on without one that it can resume by")
	}
	if _, err := h.Keep(Build{}); err != nil {
		t.Fatal(err)
	}
	kept, err := s.Open(b.Digest)
	if err != nil {
		t.Fatalf("the executable is still damaged: %v", err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	release(t, h)
}

// A build that cannot be stored leaves nothing behind, and the error contains its size and a remedy.
func TestKeep_SaysWhatItTakes(t *testing.T) {
	s := In(t.TempDir(), t.TempDir())
	h := hold(t, s)
	err := h.copy(t.TempDir(), "sha256:0123")
	if err == nil || !strings.Contains(err.Error(), "copy an executable of 0 MiB: ") {
		t.Errorf("a directory was kept, or it is not said what it takes: %v", err)
	}
	if entries, err := os.ReadDir(s.dir); err != nil || len(entries) != 1 { // the lock
		t.Errorf("there are %v, %v", entries, err)
	}
	full := explain("keep the build", &fs.PathError{Op: "write", Path: "awhost", Err: syscall.ENOSPC})
	if !strings.Contains(full.Error(), "free some disk space") {
		t.Errorf("it says %v", full)
	}
	release(t, h)
}

// An executable among copied files of another user is not executed, whatever digest a run names. Two users who share
// a directory share the executable.
func TestOpen_ExecutesNothingOfSomebodyElse(t *testing.T) {
	state, mine := t.TempDir(), t.TempDir()
	theirs, own := In(state, t.TempDir()), In(state, mine)
	h := hold(t, theirs)
	b, err := h.Keep(Build{})
	if err != nil {
		t.Fatal(err)
	}
	release(t, h)
	if _, err := own.Open(b.Digest); !errors.Is(err, ErrForeign) {
		t.Errorf("the build of somebody else is executed: %v", err)
	}
	h = hold(t, own)
	if h.Has(b.Digest) {
		t.Error("the build of somebody else counts as kept: the run could not go on by it")
	}
	if _, err := h.Keep(Build{}); err != nil {
		t.Fatal(err)
	}
	release(t, h)
	for _, s := range []*Store{own, theirs} {
		kept, err := s.Open(b.Digest)
		if err != nil {
			t.Fatal(err)
		}
		if err := kept.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Without a key, a build is stored anyway: equal builds can continue the run.
func TestKeep_WithoutAKeySaysWhatFollows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := In(t.TempDir(), file)
	h := hold(t, s)
	b, err := h.Keep(Build{})
	var unsealed *UnsealedError
	if !errors.As(err, &unsealed) || !strings.Contains(err.Error(), "set HOME or XDG_CONFIG_HOME") {
		t.Errorf("it says %v", err)
	}
	if _, err := os.Stat(s.path(b.Digest)); err != nil {
		t.Error(err)
	}
	release(t, h)
}

func TestOpen_OfWhatIsNotKept(t *testing.T) {
	s := In(t.TempDir(), t.TempDir())
	for _, digest := range []string{"", "sha256:0123", "sha256:../../etc"} {
		if _, err := s.Open(digest); !errors.Is(err, ErrNotKept) {
			t.Errorf("opened %q: %v", digest, err)
		}
	}
}

func TestPrune_KeepsWhatIsNeeded(t *testing.T) {
	s := In(t.TempDir(), t.TempDir())
	h := hold(t, s)
	defer release(t, h)
	b, err := h.Keep(Build{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.folder("sha256:0ld"), 0o700); err != nil {
		t.Fatal(err)
	}
	if others, err := h.Others(b.Digest); err != nil || !slices.Equal(others, []string{"sha256:0ld"}) {
		t.Errorf("others are %v: %v", others, err)
	}
	if err := h.Prune([]string{b.Digest}); err != nil {
		t.Fatal(err)
	}
	if others, err := h.Others(b.Digest); err != nil || len(others) > 0 {
		t.Errorf("%v are left: %v", others, err)
	}
	if !h.Has(b.Digest) {
		t.Error("a build was removed that is needed")
	}
	if err := h.Prune(nil); err != nil {
		t.Fatal(err)
	}
	if h.Has(b.Digest) {
		t.Error("a build is left that nobody needs")
	}
}

func TestDifferences_NameWhatMayComputeOtherwise(t *testing.T) {
	a := Build{Identity: "sha256:1", Awhost: "0.1.0", Go: "go1.26.8", Target: "amd64 v1"}
	same, level, sources := a, a, a
	level.Identity, level.Target = "sha256:2", "amd64 v3"
	sources.Identity = "sha256:3"
	for _, test := range []struct {
		other Build
		want  string
	}{{same, ""}, {level, "processor level was amd64 v1 and is amd64 v3"}, {sources, "other sources or modules"}} {
		if got := a.Differences(test.other); got != test.want {
			t.Errorf("the difference is %q, want %q", got, test.want)
		}
	}
}
