package realtest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
)

// givenRow is a row in the form in which a framework received it. Values that the framework does not know are absent,
// and must be missing from the reported row.
type givenRow struct {
	Step       int       `json:"step"`  // 0: any
	Chain      string    `json:"chain"` // "": any
	IDs        []int32   `json:"ids"`
	Trained    []bool    `json:"trained"`
	Sampler    []float32 `json:"sampler"`
	Trainer    []float32 `json:"trainer"`
	Advantages []float32 `json:"advantages"`
}

// SawPython returns Python code for Mutant with a function that appends rows, passed as keyword arguments, to a JSON
// file.
func SawPython(path string) string {
	return fmt.Sprintf(`
import json

def saw(**row):
    with open(%q, "a") as f:
        f.write(json.dumps(row) + "\n")
`, path)
}

// Tokens returns the token rows recorded for a run, in order.
func Tokens(t *testing.T, runDir string) (rows []runstore.TokensRecord) {
	t.Helper()
	run, err := runstore.At(filepath.Dir(runDir), runstore.Options{}).Open(runDir)
	if err != nil {
		t.Fatal(err)
	}
	for record, err := range run.Records(journal.Position{}, runstore.TypeTokens) {
		if err != nil {
			t.Fatal(err)
		}
		row, err := runstore.Decode[runstore.TokensRecord](record)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// CheckTokens fails unless each recorded row equals one that the framework received, in all columns. Values must be
// bit-identical, because the sampler's and the trainer's values hardly differ. given is the file that the SawPython
// code writes.
func CheckTokens(t *testing.T, told []runstore.TokensRecord, given string) {
	t.Helper()
	data, err := os.ReadFile(given)
	if err != nil {
		t.Fatal(err)
	}
	var had []givenRow
	for line := range strings.Lines(string(data)) {
		var row givenRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		had = append(had, row)
	}
	for _, row := range told {
		if !slices.ContainsFunc(had, func(g givenRow) bool { return g.is(row) }) {
			t.Errorf("no matching row was given for episode %s, step %d: %v, trained %v, log-probabilities %v and "+
				"%v, advantages %v",
				row.EpisodeID, row.Step, row.IDs, row.Trained, row.SamplerLogprobs, row.TrainerLogprobs, row.Advantages)
		}
		if len(row.Texts) != len(row.IDs) || !assistant.MatchString(strings.Join(row.Texts, "")) {
			t.Errorf("the tokens for episode %s decode to %q", row.EpisodeID, row.Texts)
		}
	}
}

// assistant matches the role as the chat templates of model families write it.
var assistant = regexp.MustCompile(`(?i)assistant|<\|turn>model|]~b]ai|\[/INST]`)

func (g givenRow) is(told runstore.TokensRecord) bool {
	return (g.Step == 0 || g.Step == told.Step) && (g.Chain == "" || g.Chain == told.Chain) &&
		told.Total == len(told.IDs) && slices.Equal(g.IDs, told.IDs) && slices.Equal(g.Trained, told.Trained) &&
		g.column(g.Sampler, told.SamplerLogprobs) && g.column(g.Trainer, told.TrainerLogprobs) &&
		g.column(g.Advantages, told.Advantages)
}

// column reports whether a column has values only for trained tokens.
func (g givenRow) column(given, told []float32) bool {
	if len(given) == 0 || len(given) != len(told) {
		return len(given) == len(told)
	}
	for i, trained := range g.Trained {
		if trained != (given[i] == told[i]) || trained == math.IsNaN(float64(told[i])) {
			return false
		}
	}
	return true
}

// CheckTokenSteps fails unless rows are reported for exactly those samples in the given steps that have a reward.
func CheckTokenSteps(t *testing.T, dir string, told []runstore.TokensRecord, steps ...int) {
	t.Helper()
	rewards, got := Rewards(t, dir), map[int]map[string]bool{}
	for _, row := range told {
		if got[row.Step] == nil {
			got[row.Step] = map[string]bool{}
		}
		got[row.Step][row.EpisodeID] = true
	}
	for _, step := range steps {
		if n := len(got[step]); n == 0 || n != len(rewards[step]) {
			t.Errorf("step %d: tokens were reported for %d samples, but %d have a reward", step, n, len(rewards[step]))
		}
	}
	if len(got) != len(steps) {
		t.Errorf("tokens were reported for %d steps; want steps %v", len(got), steps)
	}
}
