package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFileTooLargeForASpecIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.hcl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(maxFileBytes + 1); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, problems := Load(path, Options{})
	if !problems.HasErrors() || !strings.Contains(problems[0].Detail, "larger than 16 MiB") {
		t.Errorf("got %v, want an error with the limit", problems)
	}
}
