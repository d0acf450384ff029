package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck_FindsWhatAnotherSystemLacks checks that names declared for one system are reported as missing on others,
// also in tests.
func TestCheck_FindsWhatAnotherSystemLacks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.26\n",
		"a_linux.go":   "package m\n\nfunc OnLinux() int { return 1 }\n",
		"b.go":         "package m\n\nfunc Everywhere() int { return 2 }\n",
		"b_test.go":    "package m\n\nvar _ = OnLinux() + Everywhere()\n",
		"c_darwin.go":  "package m\n\nvar wide int32 = 1 << 40\n",
		"d/d_linux.go": "package d\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if problems, err := check(dir, "linux/arm64"); err != nil || len(problems) > 0 {
		t.Errorf("on the system that it is for: %q, %v", problems, err)
	}
	problems, err := check(dir, "darwin/arm64")
	all := strings.Join(problems, "\n")
	for _, want := range []string{"b_test.go:3:9: undefined: OnLinux", "c_darwin.go:3:18: "} {
		if err != nil || !strings.Contains(all, want) || strings.Contains(all, "Everywhere") {
			t.Errorf("on another: %v\n%s\nwant %q", err, all, want)
		}
	}
	if _, err := check(dir, "darwin"); err == nil || !strings.Contains(err.Error(), "write linux/arm64") {
		t.Error(err)
	}
}
