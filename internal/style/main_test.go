package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLines_OfTodayAreNoWorse holds this repository to its baseline, but for prose, which .ci/run looks at.
func TestLines_OfTodayAreNoWorse(t *testing.T) {
	if _, err := os.Stat("../../.git"); err != nil {
		t.Skip("SKIPPED: this is no checkout of git, so nothing says which files are the project's")
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

// A line that moved is not new, nor is one of a file that git does not have yet old.
func TestNewLines_AreThoseThatTheLastCommitLacks(t *testing.T) {
	dir := t.TempDir()
	git := func(arguments ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, arguments...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "old\n")
	git("init", "--quiet")
	git("add", "a.go")
	git("commit", "--quiet", "--message", "a")
	write("a.go", "new\nold\n")
	write("b.go", "also new\n")
	isNew := newLines(dir)
	for f, want := range map[finding]bool{
		{path: "a.go", line: 1}: true, {path: "a.go", line: 2}: false, {path: "b.go", line: 1}: true,
	} {
		if got := isNew(f); got != want {
			t.Errorf("%s:%d is new: %t, want %t", f.path, f.line, got, want)
		}
	}
}

func TestLowered_GoesDownOnly(t *testing.T) {
	allowed := map[place]int{{"columns", "a.go"}: 3, {"columns", "b.go"}: 1, {"Awhost.Plain", "a.go"}: 2}
	found := []finding{{"columns", "a.go", 1, ""}, {"columns", "b.go", 1, ""}, {"columns", "b.go", 2, ""}, {"columns", "c.go", 1, ""}}
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
