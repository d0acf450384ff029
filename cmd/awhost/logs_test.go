package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// printedLogs returns the printed lines and the messages.
func printedLogs(t *testing.T, r *runstore.Run, o logFlags) (out, told string) {
	t.Helper()
	var printed, messages bytes.Buffer
	a := &app{out: text.NewOutput(&printed), err: text.NewOutput(&messages)}
	if err := a.printLogs(t.Context(), r, o); err != nil {
		t.Errorf("%+v: %v", o, err)
	}
	return printed.String(), messages.String()
}

func runWithLogs(t *testing.T, logs map[string]string) *runstore.Run {
	t.Helper()
	store := runstore.In(t.TempDir(), runstore.Options{})
	w, err := store.Create(t.Context(), runstore.NewRun{Name: "quick", Spec: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := store.Open("")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range logs {
		if err := os.WriteFile(r.LogPath(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestLogs_SayThatNothingWasWritten(t *testing.T) {
	r := runWithLogs(t, map[string]string{"reward.a.b": "", "env.a.b": ""})
	if out, told := printedLogs(t, r, logFlags{}); out != "" || told != "no plugin of quick-1 has output\n" {
		t.Errorf("%q, %q", out, told)
	}
	out, told := printedLogs(t, r, logFlags{plugin: "reward.a.b"})
	if out != "" || told != "reward.a.b has no output in quick-1\n" {
		t.Errorf("%q, %q", out, told)
	}
	r = runWithLogs(t, map[string]string{"adapter.a.b": "a line\nno end", "reward.a.b": ""})
	for _, follow := range []bool{false, true} { // the run has ended
		out, told = printedLogs(t, r, logFlags{follow: follow})
		if out != "adapter.a.b | a line\nadapter.a.b | no end\n" || told != "" {
			t.Errorf("%q, %q", out, told)
		}
	}
}

// Lines have the time that they contain or, without one, the time of the line before.
func TestLogs_Since(t *testing.T) {
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	before, after := since.Add(-time.Second), since.Add(time.Second)
	content := strings.Join([]string{
		"undated", before.Format(time.DateTime) + ",123 INFO old", "of the old line",
		`{"@timestamp":"` + after.UTC().Format(time.RFC3339Nano) + `","@message":"new"}`, `{"loss":1}`,
		"[" + before.Format("2006-01-02T15:04:05") + "] old", "[" + after.Format("2006-01-02T15:04:05") + "] new",
	}, "\n")
	r := runWithLogs(t, map[string]string{"a": content})
	out, _ := printedLogs(t, r, logFlags{since: since})
	want := `a | undated
a | {"@timestamp":"` + after.UTC().Format(time.RFC3339Nano) + `","@message":"new"}
a | {"loss":1}
a | [2026-03-01T12:00:01] new
`
	if out != want {
		t.Errorf("%s", out)
	}
	if err := os.Chtimes(r.LogPath("a"), before, before); err != nil { // nothing was written since then
		t.Fatal(err)
	}
	if out, _ := printedLogs(t, r, logFlags{since: since}); strings.Contains(out, "undated") {
		t.Error(out)
	}
}

// A reader continues with appended text, and with another file at the same path, and leaves incomplete lines.
func TestLogReader_FollowsAGrowingLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	var got []string
	log := &logReader{show: func(line string) { got = append(got, line) }}
	read := func(more bool, want ...string) {
		t.Helper()
		got = nil
		if err := log.read(path, more); err != nil || strings.Join(got, ",") != strings.Join(want, ",") {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
	write := func(path, text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	read(true) // the plugin has not started
	write(path, "one\ntw")
	read(true, "one")
	write(path, "o\nthree\n")
	read(true, "two", "three")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	write(path, "six\n")
	read(true, "six")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	write(path, "7\n8")
	read(false, "7", "8")
}

func TestParseSince(t *testing.T) {
	for value, want := range map[string]time.Time{
		"":                     {},
		"2026-03-01":           time.Date(2026, 3, 1, 0, 0, 0, 0, time.Local),
		"2026-03-01 10:30":     time.Date(2026, 3, 1, 10, 30, 0, 0, time.Local),
		"2026-03-01T10:30:00Z": time.Date(2026, 3, 1, 10, 30, 0, 0, time.UTC),
	} {
		if got, err := parseSince(value); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", value, got, err)
		}
	}
	for value, want := range map[string]time.Duration{"7d": 7 * 24 * time.Hour, "90m": 90 * time.Minute} {
		if got, err := parseAge(value); err != nil || got != want {
			t.Errorf("%s: %v, %v", value, got, err)
		}
	}
	for _, value := range []string{"-7d", "0d", "d", "7", "NaNd", "soon", "2026-13-01"} {
		if got, err := parseSince(value); err == nil {
			t.Errorf("%q: %v", value, got)
		}
	}
}
