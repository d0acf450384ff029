// Package testlevel holds how much a test run tries: go test ./... takes minutes, .ci/run sets AWHOST_SLOW=1 where it
// plays more of the same, and .ci/slow plays all there is.
//
//	if !testlevel.Slow() { rows = rows[:4] }
package testlevel

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// variable is the environment variable that chooses the level: empty, 1 or all.
const variable = "AWHOST_SLOW"

// Slow reports whether tests play what .ci/run plays beyond go test ./...
func Slow() bool { return os.Getenv(variable) != "" }

// All reports whether tests play every case that they can think of, which takes up to hours.
func All() bool { return os.Getenv(variable) == "all" }

// Sample returns the first of each n cases, and all of them with AWHOST_SLOW: for cases of one kind that cost much.
// What .ci/run plays with AWHOST_SLOW=1 names the tests that call it.
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

// NeedSlow skips a test that go test ./... leaves out. The reason says what it costs.
func NeedSlow(t testing.TB, reason string) {
	t.Helper()
	if !Slow() {
		t.Skipf("SKIPPED: %s: %s=1 runs it", reason, variable)
	}
}

// NeedAll skips a test that even .ci/run leaves out. The reason says what it costs.
func NeedAll(t testing.TB, reason string) {
	t.Helper()
	if !All() {
		t.Skipf("SKIPPED: %s: %s=all runs it", reason, variable)
	}
}

// Parallel lets n tests of a package run at a time, unless the command line says how many: for tests that wait for
// processes more than they compute. TestMain calls it, before m.Run.
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
