package ownerfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/sdk/ownerfile"
)

// New files and folders are readable by their owner only; existing ones keep their mode.
func TestOnlyTheOwnerReads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	log, key := filepath.Join(dir, "log"), filepath.Join(dir, "key")
	write := func() {
		t.Helper()
		if err := ownerfile.MkdirAll(dir); err != nil {
			t.Fatal(err)
		}
		file, err := ownerfile.Append(log)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if err := ownerfile.WriteFile(key, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	check := func(path string, want os.FileMode) {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != want {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
	}
	write()
	for _, path := range []string{filepath.Dir(dir), dir, log, key} {
		check(path, 0)
	}
	if err := os.Chmod(log, 0o640); err != nil {
		t.Fatal(err)
	}
	write()
	check(log, 0o040)
}
