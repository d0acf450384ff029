package measure_test

import (
	"os"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/measure"
)

// AWHOST_BFCL_V4 and AWHOST_BFCL_V3 name sources with the data of each version.
func open(b *testing.B, version, variable string) *measure.Data {
	b.Helper()
	source := os.Getenv(variable)
	if source == "" {
		b.Skipf("SKIPPED: set %s to a wheel of bfcl-eval, or another source with %s data", variable, version)
	}
	d, err := measure.Open(source, version)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

func bench(b *testing.B, work func() (int, error), unit string) {
	b.Helper()
	b.ReportAllocs()
	done := 0
	for b.Loop() {
		n, err := work()
		if err != nil {
			b.Fatal(err)
		}
		done += n
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), unit)
}

func BenchmarkCalls(b *testing.B)  { bench(b, open(b, "v4", "AWHOST_BFCL_V4").Calls, "calls/s") }
func BenchmarkChecks(b *testing.B) { bench(b, open(b, "v4", "AWHOST_BFCL_V4").Checks, "entries/s") }
func BenchmarkDialogues(b *testing.B) {
	bench(b, open(b, "v3", "AWHOST_BFCL_V3").Dialogues, "messages/s")
}
