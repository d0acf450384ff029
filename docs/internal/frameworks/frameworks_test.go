package frameworks

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

var update = flag.Bool("update", false, "take over the results of AWHOST_RESULTS, and rewrite docs/reference/frameworks.md")

const (
	resultsPath = "results.json"
	pagePath    = "../../reference/frameworks.md"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func known(t *testing.T) []realtest.Result {
	t.Helper()
	results, err := parseResults(read(t, resultsPath))
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// takeOver adds new results to results.json.
func takeOver(t *testing.T) {
	t.Helper()
	results := known(t)
	if path := os.Getenv("AWHOST_RESULTS"); path != "" {
		newer, err := parseLines(read(t, path))
		if err != nil {
			t.Fatal(err)
		}
		results = merge(results, newer)
	}
	text := "[\n"
	for i, r := range results { // one line each, so that a change can be read
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		text += "  " + string(line) + map[bool]string{true: "\n", false: ",\n"}[i == len(results)-1]
	}
	if err := os.WriteFile(resultsPath, []byte(text+"]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

//go:generate go test -count=1 -run ^TestPage_IsWhatTheResultsSay$ . -update
func TestPage_IsWhatTheResultsSay(t *testing.T) {
	if *update {
		takeOver(t)
	}
	want, err := page(rows, known(t))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(pagePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(read(t, pagePath)); got != want {
		t.Error("docs/reference/frameworks.md is not what docs/internal/frameworks says: run go generate ./docs/internal/frameworks")
	}
}

func pointer(v float64) *float64 { return &v }

func TestMerge_NewerResultsReplaceOlder(t *testing.T) {
	older := []realtest.Result{
		{Framework: "verl", Version: "0.9.1", What: realtest.TwoSteps, Steps: 2, Gap: pointer(1e-5)},
		{Framework: "verl", Version: "0.9.1", What: realtest.Survived, Detail: "host killed"},
	}
	newer, err := parseLines([]byte(`{"framework":"verl","version":"0.9.1","what":"two steps","steps":2,"gap":3e-6,"date":"2027-01-02"}
{"framework":"verl","version":"0.9.1","what":"fault","detail":"plugin killed","date":"2027-01-02"}
`))
	if err != nil {
		t.Fatal(err)
	}
	merged := merge(older, newer)
	if len(merged) != 3 {
		t.Fatalf("%d results: %+v", len(merged), merged)
	}
	if got := largestGap(merged); got != "3.0e-6" {
		t.Errorf("the gap is %s", got)
	}
	if got := survived(merged); got != "host killed; plugin killed" {
		t.Errorf("survived: %s", got)
	}
}

func TestPage_WantsARowAndAReason(t *testing.T) {
	one := []row{{framework: "verl", version: "0.9.1", tier: "first class"}}
	results := []realtest.Result{
		{Framework: "verl", Version: "0.9.1", What: realtest.Planned},
		{Framework: "verl", Version: "0.9.1", What: realtest.Learned, Steps: 15, Before: pointer(0.3), After: pointer(0.7),
			Gap: pointer(6e-6)},
		{Framework: "verl", Version: "0.9.1", What: realtest.Mastered, Steps: 60, Before: pointer(0.3), After: pointer(0.9)},
		{Framework: "verl", Version: "0.9.1", What: realtest.Survived, Detail: "host killed"},
		{Framework: "verl", Version: "0.9.1", What: realtest.Smoked, Date: "2027-01-02"},
	}
	text, err := page(one, results)
	if err != nil {
		t.Fatal(err)
	}
	if want := "| verl | 0.9.1 | first class | ✓ | ✓ | 30.0 % → 70.0 % in 15 steps | 30.0 % → 90.0 % in 60 steps | 6.0e-6 | host killed | ✓ | 2027-01-02 |\n"; !strings.Contains(text, want) {
		t.Errorf("the page has no line %q", want)
	}
	if _, err := page(one, results[:4]); err == nil ||
		!strings.Contains(err.Error(), `no result for the column "smoke run"`) {
		t.Errorf("a version without a smoke run and without a reason: %v", err)
	}
	one[0].why = map[string]string{realtest.Smoked: "not tried"}
	if text, err = page(one, results[:4]); err != nil || !strings.Contains(text, "| verl 0.9.1 | smoke run | not "+
		"tried |\n") {
		t.Errorf("a version without a smoke run, with a reason: %v\n%s", err, text)
	}
	results = append(results, realtest.Result{Framework: "verl", Version: "0.3", What: realtest.Planned})
	if _, err := page(one, results); err == nil || !strings.Contains(err.Error(), "no row is about verl 0.3") {
		t.Errorf("a result without a row: %v", err)
	}
}
