package runstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLabel_NamesARun(t *testing.T) {
	s := In(t.TempDir(), Options{})
	created(t, s, `{}`, `{}`)
	run, err := s.Open("quickstart-1")
	if err != nil {
		t.Fatal(err)
	}
	named := func(name string) func(*Label) { return func(l *Label) { l.Name = name } }
	if _, err := run.SetLabel(t.Context(), named("lr-1e-4")); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Open("lr-1e-4"); err != nil || found.Ref() != "quickstart-1" {
		t.Errorf("%v, %v", found, err)
	}
	other, err := s.Open("quickstart-2")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"lr-1e-4": "already denotes run quickstart-1", "quickstart": "already denotes", "quickstart-1": "already denotes",
		"quickstart-9": "will denote a later run", "1": "invalid name", "a/b": "invalid name", "-x": "invalid name",
	} {
		if _, err := other.SetLabel(t.Context(), named(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if _, err := run.SetLabel(t.Context(), named("lr-1e-4")); err != nil {
		t.Errorf("the same name again: %v", err)
	}

	// A damaged label does not hide the run.
	path := filepath.Join(run.Dir, labelFile)
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Open("1"); err != nil || found.Ref() != "quickstart-1" {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := run.Label(); err == nil || !strings.Contains(err.Error(), "remove "+path) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, []byte(`{"format": 99, "awhost": "9.0.0"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Label(); err == nil || !strings.Contains(err.Error(), "use awhost 9.0.0 or newer") {
		t.Errorf("%v", err)
	}
}
