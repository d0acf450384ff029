package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLines_OfTodayAreNoWorse checks this repository except for the rules of Vale, which .ci/run checks.
func TestLines_OfTodayAreNoWorse(t *testing.T) {
	if _, err := os.Stat("../../.git"); err != nil {
		t.Skip("SKIPPED: not a git checkout, so the project's files are unknown")
	}
	if err := exec.Command("git", "cat-file", "-e", markersSince).Run(); err != nil {
		t.Skip("SKIPPED: this clone is shallow: run git fetch --unshallow")
	}
	if err := check("../..", "", false); err != nil {
		t.Error(err)
	}
}

func TestWideLines_FindsWhatCanBeBroken(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("ä", 121)
	text := strings.Join([]string{
		strings.Repeat("ä", 120), long, "| " + long + " |", "\t// | " + long, "// see https://example.org/" + long,
	}, "\n")
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := wideLines(dir, []string{"a.go"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].line != 2 || found[0].text != "121 columns" {
		t.Errorf("got %v, want line 2 alone", found)
	}
}

func TestBeyond_NamesFilesThatGotWorse(t *testing.T) {
	allowed, err := parseBaseline([]byte("# comment\ncolumns old.go 1\ncolumns worse.go 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	found := []finding{
		{"columns", "old.go", 3, "130 columns"},
		{"columns", "worse.go", 9, "140 columns"}, {"columns", "worse.go", 2, "125 columns"},
		{"Awhost.Plain", "new.md", 1, "Write 'to' instead of 'in order to'."},
	}
	got := strings.Join(beyond(allowed, found, func(finding) bool { return false }), "\n")
	want := `new.md: Awhost.Plain: 1, where 0 were
  new.md:1: Write 'to' instead of 'in order to'.
worse.go: columns: 2, where 1 were
  worse.go:2: 125 columns
  worse.go:9: 140 columns`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBeyond_ShowsTheNewOfManyOldLines(t *testing.T) {
	found := []finding{{"columns", "a.go", 3, "130 columns"}, {"columns", "a.go", 9, "140 columns"}}
	allowed := map[place]int{{"columns", "a.go"}: 1}
	got := strings.Join(beyond(allowed, found, func(f finding) bool { return f.line == 9 }), "\n")
	if want := "a.go: columns: 2, where 1 were\n  a.go:9: 140 columns"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The check covers committed, uncommitted, and untracked lines. A line that moved between files is not an added line.
func TestMarkedLines_FindsThemInAddedLinesAlone(t *testing.T) {
	dir := t.TempDir()
	git := func(arguments ...string) string {
		t.Helper()
		identity := []string{"-c", "user.name=t", "-c", "user.email=t@example.org"}
		cmd := exec.Command("git", append(identity, arguments...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("old.go", "// Nobody reads this.\n// This stands here.\nx := 1\n")
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message", "old")
	since := git("rev-parse", "HEAD")
	write("old.go", `x := 1
// Whoever calls it waits.
	return errors.New("its header is none")
	beside := nobody
`)
	git("commit", "--quiet", "--all", "--message", "new")
	write("moved.go", "// This stands here.\n// It says which one.\n// It is no longer used, and is over 64.\n")

	added, err := addedLines(dir, since, []string{"old.go", "moved.go"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range markedLines(added) {
		got = append(got, fmt.Sprintf("%s:%d %s", f.path, f.line, strings.SplitAfter(f.text, `":`)[0]))
	}
	want := []string{`old.go:2 "Whoever":`, `old.go:3 "is none":`, `moved.go:2 "says which":`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	_, err = addedLines(dir, markersSince, nil)
	if err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("a shallow clone: got %v, want the remedy", err)
	}
}

func TestLowered_GoesDownOnly(t *testing.T) {
	allowed := map[place]int{{"columns", "a.go"}: 3, {"columns", "b.go"}: 1, {"Awhost.Plain", "a.go"}: 2}
	found := []finding{{"columns", "a.go", 1, ""}, {"columns", "b.go", 1, ""}, {"columns", "b.go", 2, ""},
		{"columns", "c.go", 1, ""}}
	for _, c := range []struct {
		prose bool
		want  string
	}{
		{false, "Awhost.Plain a.go 2\ncolumns a.go 1\ncolumns b.go 1\n"},
		{true, "columns a.go 1\ncolumns b.go 1\n"},
	} {
		if got := strings.TrimPrefix(string(lowered(allowed, found, c.prose)), baselineHead); got != c.want {
			t.Errorf("prose %t: got\n%s\nwant\n%s", c.prose, got, c.want)
		}
	}
}

func TestParseBaseline_RefusesWhatItCannotRead(t *testing.T) {
	for _, text := range []string{"columns a.go", "columns a.go many"} {
		if _, err := parseBaseline([]byte("\n" + text)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: got %v, want an error with the line", text, err)
		}
	}
}

func TestFaultsOfSubject(t *testing.T) {
	for subject, want := range map[string]int{
		"Read the answer in one pass":      0,
		"mcp: need 2 minutes to list":      0,
		"Embed the pages, bring them home": 0,
		"sdk/mcp: Added a test":            1,
		"Fixing the retry of a call":       1,
		"Adds a test":                      1,
		"Tell what a name is, and who hears it, in a subject that is longer than 72": 2,
	} {
		if got := faultsOfSubject(subject); len(got) != want {
			t.Errorf("%s: got %q, want %d faults", subject, got, want)
		}
	}
}
