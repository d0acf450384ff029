// Package frameworks generates docs/reference/frameworks.md, the table of results per training framework, from
// results.json: the latest values that the tests with real frameworks have recorded (realtest.Record).
//
//	AWHOST_RESULTS=/tmp/results.jsonl AWHOST_VERL_PYTHON=… go test ./examples/verl    # adds lines
//	AWHOST_RESULTS=/tmp/results.jsonl go test ./docs/internal/frameworks -update      # imports them, writes the page
//
// A test fails if the page does not match results.json. versions.go lists the versions that have a row and the reasons
// for missing results.
package frameworks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/awhost/awhost/internal/realtest"
)

// parseResults reads results.json.
func parseResults(text []byte) ([]realtest.Result, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var out []realtest.Result
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("read the results: %w", err)
	}
	return out, nil
}

// parseLines reads the lines that tests have added to the AWHOST_RESULTS file.
func parseLines(text []byte) ([]realtest.Result, error) {
	var out []realtest.Result
	for n, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var r realtest.Result
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("read the results: line %d: %w", n+1, err)
		}
		if r.What != realtest.Found && r.What != realtest.Clean { // host/findings/testdata has those
			out = append(out, r)
		}
	}
	return out, nil
}

// merge replaces results with newer ones for the same key.
func merge(known, newer []realtest.Result) []realtest.Result {
	byKey := map[string]realtest.Result{}
	for _, r := range slices.Concat(known, newer) {
		byKey[keyOf(r)] = r
	}
	var out []realtest.Result
	for _, r := range byKey {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b realtest.Result) int { return cmp.Compare(keyOf(a), keyOf(b)) })
	return out
}

// keyOf returns the subject of a result. For faults, the key includes the fault.
func keyOf(r realtest.Result) string {
	key := fmt.Sprintf("%s %s %s %s", r.Framework, r.Version, r.Mode, r.What)
	if r.What == realtest.Survived {
		key += " " + r.Detail
	}
	return key
}
