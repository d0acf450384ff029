package wholefile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/awhost/awhost/host/internal/wholefile"
)

func TestWrite_LeavesTheOldFileWhereItFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file")
	if err := wholefile.Write(path, ".tmp-*", 0o640, wholefile.Text([]byte("old"))); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	err := wholefile.Write(path, ".tmp-*", 0o640, func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, full)
	})
	if !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("it holds %q, %v", text, err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("next to it are %v, %v", entries, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	const sha256OfOld = "sha256:cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4"
	if sum, err := wholefile.Digest(path); err != nil || sum != sha256OfOld {
		t.Errorf("its digest is %q, %v, want %q", sum, err, sha256OfOld)
	}
	if _, err := wholefile.Digest(path + ".none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of no file: %v", err)
	}
	if sum, err := wholefile.Digest(filepath.Dir(path)); err == nil {
		t.Errorf("of a folder: %q", sum)
	}
}

func TestSweep_RemovesWhatAWriterLeftThatWasKilled(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".tmp-1", ".tmp-2", "kept", "rows.tmp-3"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".tmp-folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	err := wholefile.Write(filepath.Join(dir, "new"), ".tmp-*", 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, "text")
		return errors.Join(err, wholefile.Sweep(dir, ".tmp-*")) // another writer, meanwhile
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{".tmp-folder", "kept", "new", "rows.tmp-3"}; !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q", names, want)
	}
	if err := wholefile.Sweep(filepath.Join(dir, "none"), ".tmp-*"); err != nil {
		t.Errorf("of no folder: %v", err)
	}
}

// No writer loses a file that is complete and does not have its name yet.
func TestSweep_LeavesTheFilesOfWriters(t *testing.T) {
	dir := t.TempDir()
	done := make(chan struct{})
	var sweeping sync.WaitGroup
	sweeping.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := wholefile.Sweep(dir, ".tmp-*"); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 300 {
		if err := wholefile.Write(filepath.Join(dir, "file"), ".tmp-*", 0o644, wholefile.Text(nil)); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	sweeping.Wait()
}
