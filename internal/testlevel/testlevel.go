// Package testlevel defines how much a test run covers. go test ./... takes minutes, .ci/run sets AWHOST_SLOW=1 for
// more cases of the same kind, and .ci/slow runs all cases.
//
//	if !testlevel.Slow() { rows = rows[:4] }
package testlevel

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// variable is the environment variable that selects the level: empty, 1, or all.
const variable = "AWHOST_SLOW"

// Slow reports whether tests run the additional cases in .ci/run.
func Slow() bool { return os.Getenv(variable) != "" }

// All reports whether tests run every case, which can take hours.
func All() bool { return os.Getenv(variable) == "all" }

// Sample returns the first of every n cases, or all of them with AWHOST_SLOW. Use it for expensive cases of one kind.
// The tests that .ci/run runs with AWHOST_SLOW=1 must include its callers.
func Sample[T any](n int, cases ...T) []T {
	if Slow() {
		return cases
	}
	var out []T
	for i := 0; i < len(cases); i += n {
		out = append(out, cases[i])
	}
	return out
}

// NeedSlow skips a test that go test ./... omits. reason names its cost.
func NeedSlow(t testing.TB, reason string) {
	t.Helper()
	if !Slow() {
		t.Skipf("SKIPPED: %s: %s=1 runs it", reason, variable)
	}
}

// NeedAll skips a test that even .ci/run omits. reason names its cost.
func NeedAll(t testing.TB, reason string) {
	t.Helper()
	if !All() {
		t.Skipf("SKIPPED: %s: %s=all runs it", reason, variable)
	}
}

// Parallel runs up to n tests in a package in parallel unless the command line sets the number. It is for tests that
// mostly wait for processes. Call it from TestMain before m.Run.
func Parallel(n int) {
	if !flag.Parsed() {
		flag.Parse()
	}
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		if err := f.Value.Set(strconv.Itoa(n)); err != nil {
			panic(err)
		}
	}
}
