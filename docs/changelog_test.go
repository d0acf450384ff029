package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostEntries is the limit of a version's entries in CHANGELOG.md, with the files that wait for the next release.
const mostEntries = 120

var entry = regexp.MustCompile(`^(?:added|changed|removed|fixed|security): \S[^\n]*(?:\n[^\n]+)*\n$`)

func TestChangelog_HasShortEntries(t *testing.T) {
	text, err := os.ReadFile("../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	_, unreleased, found := strings.Cut(string(text), "\n## Unreleased\n")
	if !found {
		t.Fatal("CHANGELOG.md has no section Unreleased")
	}
	unreleased, _, _ = strings.Cut(unreleased, "\n## ")
	files, err := filepath.Glob("../changelog/unreleased/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !entry.Match(text) {
			t.Errorf("%s: write one paragraph that begins with added:, changed:, removed:, fixed: or security:", path)
		}
	}
	if n := strings.Count(unreleased, "\n* ") + len(files); n > mostEntries {
		t.Errorf("the unreleased version has %d entries: merge them to at most %d", n, mostEntries)
	}
}
