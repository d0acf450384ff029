package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNewestLog(t *testing.T) {
	check := ofAMinute(t)
	check.suite.dir = t.TempDir()
	began := time.Now()
	for name, at := range map[string]time.Duration{
		"old.log": -time.Minute, "earlier.log": time.Minute, "own/trainer.log": time.Hour, "newest.txt": 2 * time.Hour,
	} {
		path := filepath.Join(check.suite.dir, name)
		text := strings.Repeat("compiling\n", maxLogEnd) + "the last line of " + name + "\n"
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err == nil {
			err = os.Chtimes(path, began.Add(at), began.Add(at))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got := check.newestLog(began)
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != shownLines+1 || !strings.HasSuffix(got, "\n  the last line of own/trainer.log") {
		t.Errorf("the report is %q", got)
	}
	if got := check.newestLog(began.Add(3 * time.Hour)); got != "" {
		t.Errorf("without a newer log: %q", got)
	}
}
