package conformance_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/conformance"
	"github.com/awhost/awhost/sdk/conformance/internal/specimen"
	"github.com/awhost/awhost/sdk/process"
)

// The suite ends a trainer whose adapter was killed. It would otherwise wait for another adapter for minutes.
func TestVerify_LeavesNoTrainerBehind(t *testing.T) {
	t.Parallel()
	config := specimenConfig(t, specimen.WithTrainer, "adapter.specimen")
	config.Dir, config.Only = t.TempDir(), []string{"ADP-CHAOS-01"}
	report, err := conformance.Verify(t.Context(), config)
	if err != nil || !report.Conforms() {
		t.Fatalf("%v, %+v", err, report)
	}
	text, err := os.ReadFile(filepath.Join(config.Dir, specimen.Trainers))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		if id, err := process.IdentityOf(pid); err == nil {
			t.Errorf("the trainer %+v is still running", id)
		}
	}
}
