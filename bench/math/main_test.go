package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRunRefuses(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pairs := write("pairs", `{"equal":1,"task":{"ground_truth":"72"},"answer":"\\boxed{72}"}`)
	for want, args := range map[string][]string{
		"name their file with -pairs": {},
		"printed 1 lines for 1 pairs": {"-pairs", pairs, "-python", write("python", "#!/bin/sh\necho 0.9\n")},
		"exit status 3":               {"-pairs", pairs, "-python", write("python", "#!/bin/sh\nexit 3\n")},
	} {
		if err := run(t.Context(), args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q returns %v, want an error with %q", args, err, want)
		}
	}
}
