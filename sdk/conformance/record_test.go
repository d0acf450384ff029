package conformance_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/conformance"
)

func specimenConfig(t *testing.T, mutant string, components ...string) conformance.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return conformance.Config{Command: []string{self}, Env: map[string]string{envSpecimen: mutant},
		Fixtures: "testdata/specimen.json", Components: components}
}

func record(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	left, err := conformance.Record(t.Context(), specimenConfig(t, ""), &out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(left, "\n"), "agent.specimen: transcripts support") {
		t.Errorf("left out: %v", left)
	}
	for _, l := range left {
		if !slices.ContainsFunc([]string{"adapter.", "agent.", "reward.specimen_judge"},
			func(prefix string) bool { return strings.HasPrefix(l, prefix) }) {
			t.Errorf("left out: %s", l)
		}
	}
	return out.String()
}

func TestReplay_ReportsChanges(t *testing.T) {
	transcript := record(t)
	if n := strings.Count(transcript, `"method":"Open"`); n < 3 {
		t.Fatalf("the transcript holds %d episodes:\n%s", n, transcript)
	}
	for mutant, want := range map[string]struct{ component, method string }{
		"":                 {},
		"COM-VALIDATE-01":  {"environment.specimen", "ValidateConfig"},
		"ENV-STEP-01":      {"environment.specimen", "Step"},
		"ENV-SNAPSHOT-01":  {"environment.specimen", "Snapshot"},
		"ENV-OPEN-03":      {"environment.specimen", "Open"},
		"RWD-SCORE-02":     {"reward.specimen", "Score"},
		"RWD-FORGE-01":     {"reward.specimen", "Score"},
		"ENV-CANCEL-01":    {}, // slower, otherwise the same
		"PROC-LIFELINE-01": {},
	} {
		t.Run(mutant, func(t *testing.T) {
			t.Parallel()
			changes, checked, err := conformance.Replay(t.Context(), specimenConfig(t, mutant), strings.NewReader(transcript))
			if err != nil {
				t.Fatal(err)
			}
			if calls := strings.Count(transcript, "\n") - 1 - strings.Count(transcript,
				`"method":"Configure"`); checked != calls {
				t.Errorf("%d of %d calls were made", checked, calls)
			}
			if (len(changes) == 0) != (want.method == "") {
				t.Fatalf("the changes are %+v", changes)
			}
			if len(changes) > 0 && (changes[0].Call.Component != want.component || changes[0].Call.Method != want.method ||
				changes[0].Line < 2) {
				t.Errorf("the first change is in line %d: %s %s", changes[0].Line, changes[0].Call.Component,
					changes[0].Call.Method)
			}
		})
	}
}

func TestReplay_RejectsInvalidTranscripts(t *testing.T) {
	transcript := record(t)
	first, rest, _ := strings.Cut(transcript, "\n")
	for name, c := range map[string]struct{ text, want string }{
		"nothing":      {"", "empty file"},
		"another file": {"{\"a\":1}\n", `line 1: not a transcript written by --record: no member "transcript"`},
		"no JSON": {"garbage\n", "line 1: not a transcript written by --record: invalid character 'g' " +
			"looking for beginning of value"},
		"of later": {"{\"transcript\":2}\n", "unsupported transcript version 2: this awhost reads version 1"},
		"garbage":  {first + "\n{\n", "line 2:"},
		"no component": {first + "\n" + strings.ReplaceAll(rest, "reward.specimen_rank", "reward.gone"),
			"the plugin no longer has the component reward.gone"},
		"a call before": {first + "\n" + `{"component":"reward.specimen","method":"Score","request":{}}`,
			`unexpected "Score" in a transcript`},
		"no such call": {strings.ReplaceAll(transcript, `"method":"Score"`, `"method":"Shout"`),
			`unexpected "Shout" in a transcript`},
	} {
		if _, _, err := conformance.Replay(t.Context(), specimenConfig(t, ""), strings.NewReader(c.text)); err == nil ||
			!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
