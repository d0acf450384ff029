package examples_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "update the copied files of the examples")

// TestCopies_OfTheProtocolAreCurrent checks the copies of the protocol in plugins in languages without an SDK.
//
//go:generate go test -count=1 -run ^TestCopies . -update
func TestCopies_OfTheProtocolAreCurrent(t *testing.T) {
	const copied = "plugins/node-reward/proto/awhost/v1"
	originals, err := filepath.Glob("../sdk/proto/awhost/v1/*.proto")
	if err != nil || len(originals) == 0 {
		t.Fatalf("found %d files of the protocol: %v", len(originals), err)
	}
	unneeded := map[string]bool{"host.proto": true, "calls.proto": true} // a reward calls no host and shares no stream
	for _, original := range originals {
		name := filepath.Base(original)
		if unneeded[name] {
			continue
		}
		want, err := os.ReadFile(original)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(copied, name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("examples/%s is not %s, run go generate ./examples (-is +should be):\n%s", path, name, diff)
		}
	}
	files, err := os.ReadDir(copied)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, err := os.Stat(filepath.Join("../sdk/proto/awhost/v1", file.Name())); err != nil {
			t.Errorf("examples/%s/%s is a copy of nothing: %v", copied, file.Name(), err)
		}
	}
}
