package bfclenv

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// edited returns a data directory of a version with one file changed.
func edited(t *testing.T, version, file string, change func(content string) string) (dir string) {
	t.Helper()
	dir = source(t, version)
	path := filepath.Join(dir, file)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	after := change(string(content))
	if after == string(content) {
		t.Fatalf("%s is not changed", file)
	}
	if err := os.WriteFile(path, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// raising returns data of version 3 in which two ground truths call a function that does not exist.
func raising(t *testing.T) (dir string) {
	t.Helper()
	return edited(t, "v3", "possible_answer/BFCL_v3_multi_turn_base.json", func(content string) string {
		lines := strings.SplitAfter(content, "\n")
		for _, i := range []int{3, 17} {
			before, after, _ := strings.Cut(lines[i], `[["`)
			lines[i] = before + `[["no_such_function()", "` + after
		}
		return strings.Join(lines, "")
	})
}

func judged(t *testing.T, config map[string]any) []sdk.Diagnostic {
	t.Helper()
	raw, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return validated(t, raw)
}

// validated checks a configuration as the host sends it: with defaults.
func validated(t *testing.T, raw json.RawMessage) []sdk.Diagnostic {
	t.Helper()
	complete, err := environmentSchema().Complete(raw)
	if err != nil {
		complete = raw // the schema refuses it, and so must the plugin
	}
	return validateEnvironment(t.Context(), complete)
}

// only checks that there is exactly one diagnostic, with this severity, path and words.
func only(t *testing.T, problems []sdk.Diagnostic, severity sdk.Severity, path string, words ...string) {
	t.Helper()
	if len(problems) != 1 || problems[0].Severity != severity || len(problems[0].Path) != 1 ||
		problems[0].Path[0] != path {
		t.Fatalf("the diagnostics are %+v, want one about %s", problems, path)
	}
	for _, word := range words {
		if !strings.Contains(problems[0].Summary+"\n"+problems[0].Detail, word) {
			t.Errorf("%s: %s\nwants %q", problems[0].Summary, problems[0].Detail, word)
		}
	}
}

func TestKnownReleasesFit(t *testing.T) {
	for profile, version := range map[string]string{"v4": "v4", "v3": "v3", "envtuning": "v3"} {
		dir := source(t, version)
		for _, categories := range [][]string{nil, {"base"}, {"long_context", "miss_param"}} {
			config := map[string]any{"source": dir, "profile": profile}
			if categories != nil {
				config["categories"] = categories
			}
			if problems := judged(t, config); len(problems) > 0 {
				t.Errorf("%s, %v: %+v", profile, categories, problems)
			}
		}
	}
}

// The later book_flight, which computes the costs itself, was released under the same file names.
func TestDocumentsOfOtherFunctionsAreRefused(t *testing.T) {
	later, err := os.ReadFile(filepath.Join(golden.Dir(t), "data_v4", "multi_turn_func_doc", "travel_booking.json"))
	if err != nil {
		t.Fatal(err)
	}
	dir := edited(t, "v3", "multi_turn_func_doc/travel_booking.json", func(string) string { return string(later) })
	for _, profile := range []string{"v3", "envtuning"} {
		config := map[string]any{"source": dir, "profile": profile}
		only(t, judged(t, config), sdk.SeverityError, "source",
			"book_flight is described without travel_cost", "2025.6.8 to 2025.6.15 for the profiles v3 and envtuning",
			"2025.12.5 to 2026.3.23 for v4",
			"pip download --no-deps bfcl-eval==2025.6.15")
		raw, _ := json.Marshal(config)
		if _, err := newEnvironment(t.Context(), sdk.Setup{Config: raw}); !errors.As(err, new(*sdk.ConfigError)) {
			t.Errorf("set up: %v", err)
		}
	}
}

func TestTasksWhoseTruthRaisesAreNamed(t *testing.T) {
	dir := raising(t)
	named := []string{"2 of the 800 tasks", "multi_turn_base_3 (turn 0)", "multi_turn_base_17 (turn 0)"}
	only(t, judged(t, map[string]any{"source": dir, "profile": "v3"}), sdk.SeverityError, "source",
		append(named, `raising_tasks = "leave_out"`)...)
	for raising, left := range map[string]int{"leave_out": 798, "play": 800} {
		config := map[string]any{"source": dir, "profile": "v3", "raising_tasks": raising, "held_out": 0}
		problems := judged(t, config)
		if len(problems) != 2 {
			t.Fatalf("%s: %+v", raising, problems)
		}
		only(t, problems[:1], sdk.SeverityWarning, "raising_tasks", named...)
		only(t, problems[1:], sdk.SeverityWarning, "source", "no known release", "that of 2 tasks raised an exception")
		e := sdktest.Environment(t, Plugin(), "bfcl", config).(sdk.EnvironmentWithTasks)
		if all := tasks(t, e, sdk.SplitTrain); len(all) != left {
			t.Errorf("%s: %d tasks are listed, want %d", raising, len(all), left)
		}
	}
}

// Diagnostics must name tasks without revealing their ground truth, which is private.
func TestDiagnosticsKeepTheTruth(t *testing.T) {
	for _, p := range judged(t, map[string]any{"source": raising(t), "profile": "v3"}) {
		if strings.Contains(p.Detail, "no_such_function") {
			t.Errorf("%s tells of the ground truth", p.Detail)
		}
	}
}

func TestUnknownDataThatFitSaySo(t *testing.T) {
	dir := edited(t, "v3", "possible_answer/BFCL_v3_multi_turn_base.json",
		func(content string) string { return content + "\n" })
	only(t, judged(t, map[string]any{"source": dir, "profile": "v3"}), sdk.SeverityWarning, "source",
		"no known release", "(sha256:", "4700 calls: none raised an exception", "2025.6.8 to 2025.6.15")
	only(t, judged(t, map[string]any{"source": dir, "profile": "envtuning", "categories": []string{"base"}}),
		sdk.SeverityWarning, "source", "no known release")
	if problems := judged(t, map[string]any{"source": dir, "profile": "v3",
		"categories": []string{"miss_func"}}); len(problems) > 0 {
		t.Errorf("the category that was not touched: %+v", problems)
	}
}

// A row contains its own ground truth, which has not been played before.
func TestRowsWhoseTruthRaises(t *testing.T) {
	for raising, fails := range map[string]bool{"refuse": true, "leave_out": true, "play": false} {
		e, entries := open(t, map[string]any{"mode": "envtuning", "profile": "envtuning", "categories": []string{"base"},
			"raising_tasks": raising})
		task := inColumns(t, entries["multi_turn_base_0"], "mine")
		task.Public = bytes.Replace(task.Public, []byte(`"ground_truth":[["`),
			[]byte(`"ground_truth":[["no_such_function()","`), 1)
		_, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e", Task: task})
		if fails && (err == nil || !strings.Contains(err.Error(), "the ground truth of its turn 0 raises an exception")) ||
			!fails && err != nil {
			t.Errorf("%s: %v", raising, err)
		}
	}
}
