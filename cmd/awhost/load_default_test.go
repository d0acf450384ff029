package main

import (
	"os"
	"testing"

	"github.com/spf13/cobra"
)

// A command without a spec takes train.hcl, or else the train.hcl.json that awhost.train writes.
func TestSplitArgs_FindsTheDefaultSpec(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, step := range []struct{ written, want string }{
		{"", "train.hcl"}, {"train.hcl.json", "train.hcl.json"}, {"train.hcl", "train.hcl"},
	} {
		if step.written != "" {
			if err := os.WriteFile(step.written, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if path, _, err := splitArgs(&cobra.Command{}, nil); err != nil || path != step.want {
			t.Errorf("after writing %q: %s, %v; want %s", step.written, path, err, step.want)
		}
	}
}
