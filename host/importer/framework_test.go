package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/awhost/awhost/host/importer"
)

// A small file of each framework becomes the blocks that its owner meant.
func TestFrameworks(t *testing.T) {
	t.Setenv("HOME", "/home/user")
	for name, test := range readTests[struct {
		System, Text string
		Files        map[string]string // next to the configuration
		Want         []string          // texts in the spec, or in the error if one begins with !
		Absent       string
	}](t, "testdata/frameworks.yaml") {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range test.Files {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			file := filepath.Join(dir, "config.yaml")
			spec, err := importer.Systems[test.System].Import(file, []byte(test.Text), importer.Options{})
			for _, want := range test.Want {
				if want, wrong := strings.CutPrefix(want, "!"); wrong {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%v, want %q", err, want)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(spec.Text), want) {
					t.Errorf("want %q in\n%s", want, spec.Text)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if test.Absent != "" && strings.Contains(string(spec.Text), test.Absent) {
				t.Errorf("do not want %q in\n%s", test.Absent, spec.Text)
			}
			for _, key := range spec.Keys {
				if key.To == "" && key.Why == "" {
					t.Errorf("nothing is said of %s", key.Key)
				}
			}
		})
	}
}

// readTests returns the tests in a YAML file by name.
func readTests[T any](t *testing.T, file string) (tests map[string]T) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &tests); err != nil {
		t.Fatal(err)
	}
	return tests
}
