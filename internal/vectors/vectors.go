// Package vectors reads recorded inputs and outputs of the programs whose verdicts awhost reproduces, for tests:
//
//	for i, v := range vectors.Read[vector](t, "math_vectors.jsonl") { … }
//
// The files are in reference/vectors under AWHOST_TESTDATA. None of them is part of the repository.
package vectors

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Read returns the records in a file and logs their number. It skips the test if AWHOST_TESTDATA is not set, and fails
// the test if the file contains no records. Untyped numbers become json.Number.
func Read[T any](t *testing.T, name string) []T {
	t.Helper()
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		const remedy = "set AWHOST_TESTDATA to the directory that holds reference/vectors/"
		t.Skip("SKIPPED, parity is not checked: " + remedy + name)
	}
	file, err := os.Open(filepath.Join(root, "reference", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.UseNumber()
	var records []T
	for {
		var record T
		err := decoder.Decode(&record)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s, record %d: %v", file.Name(), len(records)+1, err)
		}
		records = append(records, record)
	}
	if len(records) == 0 {
		t.Fatalf("%s holds no records", file.Name())
	}
	t.Logf("compared with %d records of %s", len(records), name)
	return records
}
