package conformance_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk/conformance"
	"github.com/awhost/awhost/sdk/conformance/internal/specimen"
)

// envSpecimen turns this test binary into a plugin, and names the check that it fails.
const envSpecimen = "AWHOST_CONFORMANCE_SPECIMEN"

func TestMain(m *testing.M) {
	if mutant, ok := os.LookupEnv(envSpecimen); ok {
		specimen.Main(mutant)
	}
	if how, ok := os.LookupEnv(envBroken); ok {
		serveBroken(how)
	}
	if how, ok := os.LookupEnv(envHonest); ok {
		serveHonest(how)
	}
	testlevel.Parallel(4)             // a check mostly waits for the plugin
	os.Exit(testlevel.Apart(m).Run()) // isolated from files that mutants leave behind
}

// patience is the suite's patience with mutants that never answer; 0: the default.
var patience = map[string]time.Duration{"ADP-EPISODE-04/waits": 20 * time.Second}

func verify(t *testing.T, mutant string, only, components []string) *conformance.Report {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report, err := conformance.Verify(t.Context(), conformance.Config{
		Command: []string{self}, Env: map[string]string{envSpecimen: mutant}, Dir: t.TempDir(),
		Fixtures: "testdata/specimen.json", Only: only, Components: components,
		CallTimeout: patience[mutant], Endurance: 30 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// long lists expensive checks in sets. A mutant plays only the set of its check.
var long = [][]string{{"LEAK"}, {"DRIFT"}, {"FILES"},
	{"HEDGE", "PAD", "ODD", "FORGE", "EXEC", "DIGIT", "NEAR", "SOURCE", "TRUTH", "REPEAT", "PARTS", "REACH"}}

// setOf returns the set of expensive checks that contains a check, or nil.
func setOf(id string) []string {
	for _, set := range long {
		if slices.Contains(set, strings.Split(id, "-")[1]) {
			return set
		}
	}
	return nil
}

// ownGroup returns the checks that a mutant plays: its group, and of the expensive checks only its own set.
func ownGroup(id string) []string {
	prefix, _, _ := strings.Cut(id, "-")
	var ids []string
	for _, c := range conformance.Checks() {
		if set := setOf(c.ID); strings.HasPrefix(c.ID, prefix+"-") && (set == nil || slices.Equal(set, setOf(id))) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// endures reports whether a check plays thousands of episodes or items.
func endures(id string) bool {
	return strings.Contains(id, "-LEAK-") || strings.Contains(id, "-DRIFT-")
}

// played returns the checks for a plugin that conforms. Checks with thousands of rounds are run by .ci/run (here with
// AWHOST_SLOW) and by .ci/plugins.
func played() []string {
	var only []string
	for _, c := range conformance.Checks() {
		if testlevel.Slow() && !withRace || !endures(c.ID) { // ten thousand episodes with the race detector take minutes
			only = append(only, c.ID)
		}
	}
	return only
}

func TestVerify_ThePluginWithoutASDKConforms(t *testing.T) {
	only := played()
	report := verify(t, "", only, nil)
	passed := map[string]bool{}
	for _, r := range report.Results {
		if r.Status == conformance.Failed {
			t.Errorf("%s %s: %s", r.Component, r.Check.ID, r.Reason)
		}
		passed[r.Check.ID] = passed[r.Check.ID] || r.Status == conformance.Passed
	}
	for _, id := range only {
		if !passed[id] {
			t.Errorf("no component of the specimen passed %s", id)
		}
	}
}

// others lists further ways to break a rule whose check tests several things: each is a mutant CHECK/NAME.
var others = map[string][]string{"ADP-PLAN-01": {"directory"}, "ADP-PLAN-05": {"list", "rows"},
	"ADP-EXPORT-01":  {"nothing"},
	"ADP-REMOTE-01":  {"others", "directory", "incomplete"},
	"ADP-EPISODE-03": {"samples"}, "ADP-EPISODE-04": {"waits"}, "ADP-EPISODE-02": {"masked"}, "ADP-TRAIN-05": {"early"},
	"ADP-CONTROL-01": {"over"}, "ADP-MASK-01": {"prompt", "later"},
	"RWD-BATCH-02": {"bare"}, "RWD-HEDGE-01": {"parts", "transcript", "ascii"},
	"RWD-BATCH-03":  {"cache"},
	"RWD-PURE-01":   {"key"},
	"RWD-SOURCE-01": {"user"}, "RWD-TRUTH-01": {"either"}, "RWD-DIGIT-02": {"true"}, "RWD-PAD-01": {"very"},
	"RWD-ODD-01": {"json", "missing"}, "COM-LOG-01": {"later"}, "RWD-PRIVATE-01": {"failure"},
	"COM-SIZE-01": {"declared"}, "ENV-STEP-06": {"calls"}, "ENV-STEP-07": {"surrogate"},
	"ENV-FILES-01": {"own", "elsewhere"}, "ENV-LEAK-02": {"files"},
	"AGT-LEASE-01": {"another"}, "AGT-LEASE-02": {"error"}, "AGT-CHAIN-01": {"unknown"}, "AGT-STEP-01": {"done"},
	"AGT-FAIL-01": {"gone"}, "AGT-ODD-01": {"internal"}, "AGT-RUN-02": {"numbers"}, "AGT-SAME-01": {"result"},
	"ENV-PRIVATE-01": {"tool", "schema", "step", "snapshot", "code", "log", "late"}}

// mutants returns the mutants of a check.
func mutants(id string) []string {
	out := []string{id}
	for _, name := range others[id] {
		out = append(out, id+"/"+name)
	}
	return out
}

// A process of a plugin that declares more than 32 MiB receives messages of the declared size.
func TestVerify_PluginsGetTheMessagesThatTheyDeclare(t *testing.T) {
	t.Parallel()
	report := verify(t, "accepts the declared size", []string{"COM-SIZE-01"}, []string{"environment.specimen"})
	if len(report.Results) != 1 || report.Results[0].Status != conformance.Passed {
		t.Errorf("%+v", report.Results)
	}
}

// Every check can fail: for each there is a plugin that breaks its rule, and passes all others of its group. .ci/run
// plays them all, each with its group; go test plays every fourth, with its own check.
func TestChecks_EachHasAMutantThatFailsItAlone(t *testing.T) {
	if withRace {
		t.Skip("SKIPPED with the race detector: the test starts hundreds of processes, and each start then takes a " +
			"second")
	}
	var all []string
	for _, check := range conformance.Checks() {
		all = append(all, mutants(check.ID)...)
	}
	for _, mutant := range testlevel.Sample(4, all...) {
		t.Run(mutant, func(t *testing.T) {
			t.Parallel()
			id, _, _ := strings.Cut(mutant, "/")
			failsAlone(t, mutant, id)
		})
	}
}

// failsAlone checks that a mutant fails its check, and no other of its group.
func failsAlone(t *testing.T, mutant, id string) {
	prefix, _, _ := strings.Cut(id, "-")
	components := map[string][]string{
		"COM": {"environment.specimen"}, "ENV": {"environment.specimen"}, "RWD": {"reward.specimen"},
		"PROC": {"environment.specimen"},
		"ADP":  {"adapter.specimen"}, "AGT": {"agent.specimen"},
	}[prefix]
	switch id {
	case "RWD-GROUP-01", "RWD-GROUP-02", "RWD-FORGE-01", "RWD-TRUTH-01": // the other reward judges the truth
		components = []string{"reward.specimen_rank"}
	case "RWD-REACH-01":
		components = []string{"reward.specimen_judge"}
	case "ADP-RECOVER-02":
		components = []string{"adapter.specimen_lasting"}
	}
	played := []string{id}
	if testlevel.Slow() {
		played = ownGroup(id)
	}
	report := verify(t, mutant, played, components)
	var failed []string
	for _, r := range report.Results {
		if r.Status == conformance.Failed {
			failed = append(failed, r.Check.ID)
		}
		if r.Check.ID == id && r.Status != conformance.Failed {
			t.Errorf("its mutant %s: %s", r.Status, r.Reason)
		}
	}
	if slices.Equal(failed, []string{id}) {
		return
	}
	t.Errorf("its mutant fails %v", failed)
	for _, r := range report.Results {
		if r.Status == conformance.Failed && r.Check.ID != id {
			t.Logf("%s: %s", r.Check.ID, r.Reason)
		}
	}
}
