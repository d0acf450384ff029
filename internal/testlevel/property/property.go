// Package property runs property tests. They draw the same values in each run, so that a test fails only because of the
// change under test. With AWHOST_SLOW=all they draw new ones. The flag -rapid.seed overrides both.
package property

import (
	"flag"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel"
)

func init() {
	if testlevel.All() {
		return
	}
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err) // rapid renamed its flag
	}
}

// Check calls [rapid.Check] with a fixed seed.
func Check(t rapid.TB, property func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, property)
}
