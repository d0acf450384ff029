package conformance_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk/conformance"
)

// build builds one of the examples: Go plugins based on the SDK.
func build(t *testing.T, dir string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), filepath.Base(dir))
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", program, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", dir, err, out)
	}
	return program
}

func TestVerify_PluginsFromTheSDKConform(t *testing.T) {
	for _, dir := range []string{"../../examples/environments/guess", "../../examples/rewards/exact"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			conformance.Run(t, conformance.Config{Command: []string{build(t, dir)}, Only: played()})
		})
	}
}

func TestVerify_RejectsNonPlugins(t *testing.T) {
	report, err := conformance.Verify(t.Context(), conformance.Config{Command: []string{"/bin/sh", "-c",
		"echo I am a shell >&2; exit 3"}})
	if err != nil {
		t.Fatal(err)
	}
	if report.Conforms() || len(report.Results) == 0 {
		t.Fatalf("%+v", report)
	}
	if first := report.Results[0]; first.Status != conformance.Failed || !strings.Contains(first.Reason, "I am a shell") {
		t.Errorf("%s %s: %s", first.Check.ID, first.Status, first.Reason)
	}
}

func TestVerify_RefusesChecksThatDoNotExist(t *testing.T) {
	if _, err := conformance.Verify(t.Context(), conformance.Config{Command: []string{"/bin/true"},
		Only: []string{"ENV-STEP-99"}}); err == nil {
		t.Error("Verify played an unknown check")
	}
}

// TestChecks_AreComplete checks that ids are unique, and that every check has a rule and a remedy.
func TestChecks_AreComplete(t *testing.T) {
	var ids []string
	for _, c := range conformance.Checks() {
		if slices.Contains(ids, c.ID) {
			t.Errorf("duplicate component %s", c.ID)
		}
		ids = append(ids, c.ID)
		if c.Title == "" || c.Rule == "" || c.Remedy == "" || c.Level != conformance.Must && c.Level != conformance.Should {
			t.Errorf("%s lacks its title, rule, remedy or level", c.ID)
		}
		for _, before := range c.After {
			if !slices.Contains(ids, before) {
				t.Errorf("%s depends on %s, which is not played before it", c.ID, before)
			}
		}
	}
}

func TestVerify_FixtureErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"components":[{"kind":"reward"}]}`:                                                              `fixtures.json:1: a component needs a kind and a type; got "reward" ""`,
		"{\"components\":[\n{\"sort\":\"reward\"}]}":                                                      `fixtures.json:2: unknown member "sort"`,
		`{"components":[{"kind":"reward","type":"x","items":[{"name":"odd","min":2,"max":1}]}]}`:          `item "odd" has min 2 above max 1`,
		`{"components":[{"kind":"environment","type":"x","episodes":[{"messages":[{"role":"robot"}]}]}]}`: `is "robot"; want assistant`,
	} {
		path := filepath.Join(t.TempDir(), "fixtures.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := conformance.Verify(t.Context(), conformance.Config{Command: []string{"/bin/true"},
			Fixtures: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := conformance.Verify(t.Context(), conformance.Config{Command: []string{"/bin/true"},
		Fixtures: "nowhere.json"}); err == nil {
		t.Error("Verify read missing fixtures")
	}
}

func TestVerify_TakesItsEnduranceFromTheEnvironment(t *testing.T) {
	verify := func(variable string, endurance time.Duration) error {
		t.Setenv("AWHOST_ENDURANCE", variable)
		_, err := conformance.Verify(t.Context(), conformance.Config{Command: []string{"/bin/true"}, Endurance: endurance})
		return err
	}
	for _, text := range []string{"soon", "-1s", "5"} {
		want := fmt.Sprintf("AWHOST_ENDURANCE: invalid duration %q: set a positive one such as 10s", text)
		if err := verify(text, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := verify("5s", 0); err != nil {
		t.Errorf("five seconds: %v", err)
	}
	if err := verify("soon", time.Second); err != nil {
		t.Errorf("the variable is read although the configuration sets the time limit: %v", err)
	}
}

// Quoted rules appear verbatim in the file that they are quoted from.
func TestChecks_QuoteTheProtocol(t *testing.T) {
	quoted := regexp.MustCompile(`"([^"]+)"`)
	for _, c := range conformance.Checks() {
		file, _, ok := strings.Cut(c.Rule, ".proto")
		if !ok {
			continue // the author's own rule
		}
		text, err := os.ReadFile(filepath.Join("..", "proto", "awhost", "v1", file+".proto"))
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		said := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "//", " ")), " ")
		for _, quote := range quoted.FindAllStringSubmatch(c.Rule, -1) {
			for part := range strings.SplitSeq(quote[1], " … ") {
				if !strings.Contains(said, strings.Join(strings.Fields(part), " ")) {
					t.Errorf("%s quotes %q, which %s.proto does not contain", c.ID, part, file)
				}
			}
		}
	}
}

func TestVerify_ReportsProgress(t *testing.T) {
	var played, want []string
	config := specimenConfig(t, "", "reward.specimen")
	// RWD-GROUP-01 needs a capability that the reward does not declare.
	config.Only = []string{"PROC-COOKIE", "COM-SCHEMA", "RWD-GROUP-01"}
	config.OnCheck = func(c *conformance.Check, component string) { played = append(played, component+" "+c.ID) }
	report, err := conformance.Verify(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != conformance.Skipped {
			want = append(want, r.Component+" "+r.Check.ID)
		}
	}
	if !slices.Equal(played, want) || len(want) != 4 {
		t.Errorf("played %v, but the report has %v", played, want)
	}
}

// A plugin that never returns from a call gets a report: of the checks until the time limit, or until the suite is
// interrupted.
func TestVerify_APluginThatHangs(t *testing.T) {
	t.Parallel()
	interrupted, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	for name, c := range map[string]struct {
		ctx           context.Context
		limit         time.Duration
		last          conformance.Status
		reason, later string
	}{
		"timeout": {t.Context(), 10 * time.Second, conformance.Failed,
			"it was still running: the suite's time limit of 10s has passed",
			"it was not run: the suite's time limit of 10s has passed"},
		"interrupt": {interrupted, 0, conformance.Skipped, "it was interrupted after", "it was not run: context canceled"},
	} {
		config := specimenConfig(t, "hangs", "environment.specimen")
		config.Only, config.Timeout = []string{"PROC-COOKIE-01", "ENV-OPEN-01", "ENV-CLOSE-01"}, c.limit
		config.OnCheck = func(c *conformance.Check, _ string) {
			if name == "interrupt" && c.ID == "ENV-OPEN-01" {
				time.AfterFunc(time.Second, interrupt)
			}
		}
		report, err := conformance.Verify(c.ctx, config)
		if err != nil || report.Interrupted == nil || report.Conforms() || len(report.Results) != 3 {
			t.Fatalf("%s: %+v, %v", name, report, err)
		}
		for i, want := range []struct {
			status conformance.Status
			reason string
		}{{conformance.Passed, ""}, {c.last, c.reason}, {conformance.Skipped, c.later}} {
			if r := report.Results[i]; r.Status != want.status || !strings.Contains(r.Reason, want.reason) {
				t.Errorf("%s: %s %s %q", name, r.Check.ID, r.Status, r.Reason)
			}
		}
		text, err := report.JUnit()
		if err != nil || !strings.Contains(string(text), `<property name="plugin" value="specimen">`) ||
			!regexp.MustCompile(`name="ENV-OPEN-01: [^"]+" time="[0-9.]*[1-9]`).Match(text) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}
