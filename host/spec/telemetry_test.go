package spec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/spec"
)

// TestTelemetryChangesNothingOfARun loads one spec with and without a telemetry block. The run's identity stays the
// same, so that a run can be resumed after telemetry is added to its spec.
func TestTelemetryChangesNothingOfARun(t *testing.T) {
	dir := t.TempDir()
	train := `
dataset "jsonl" "tasks" { path = "tasks.jsonl" }
agent "react" "solver" {}
variable "token" { sensitive = true }
`
	if err := os.WriteFile(filepath.Join(dir, "tasks.jsonl"), []byte(`{"prompt": "1 + 1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(more string) *spec.Spec {
		if err := os.WriteFile(filepath.Join(dir, "train.hcl"), []byte(train+more), 0o600); err != nil {
			t.Fatal(err)
		}
		options := spec.Options{Vars: map[string]string{"token": "abracadabra"}}
		s, problems := spec.Load(filepath.Join(dir, "train.hcl"), options)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		return s
	}
	without := load("")
	with := load(`
telemetry {
  metrics {}
  traces {
    endpoint = "http://collector.example:4318"
    headers  = { Authorization = "Bearer ${var.token}" }
    sample   = 0
  }
}
`)
	if diff := cmp.Diff(string(without.Resolved()), string(with.Resolved())); diff != "" {
		t.Errorf("telemetry is part of what is stored with a run:\n%s", diff)
	}
	if without.Telemetry != nil {
		t.Error("a spec without the block has telemetry")
	}
	none := 0.0
	want := &spec.Telemetry{
		Metrics: &spec.TelemetryMetrics{},
		Traces: &spec.TelemetryTraces{
			Endpoint: "http://collector.example:4318", Protocol: "http/protobuf", Sample: &none,
			Headers: map[string]string{"Authorization": "Bearer abracadabra"},
		},
	}
	if diff := cmp.Diff(want, with.Telemetry); diff != "" {
		t.Error(diff)
	}
	if got := with.Redactor().Text("sent with Bearer abracadabra"); got != "sent with (sensitive)" {
		t.Errorf("a header is not kept secret: %q", got)
	}
}
