package spec_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/spec"
)

// The reference states that agents with a served model are never trained.
func TestReference_SaysThatServedAgentsAreNeverTrained(t *testing.T) {
	told, agents := false, false
	for line := range strings.Lines(spec.Reference(nil)) {
		if strings.HasPrefix(line, "### ") {
			agents = strings.HasPrefix(line, "### agent ")
		}
		if agents && strings.HasPrefix(line, "| `model` |") {
			told = true
			if !strings.Contains(line, "never trained") {
				t.Errorf("want \"never trained\" in the reference: %s", line)
			}
		}
	}
	if !told {
		t.Error("want agent models in the reference")
	}
}
