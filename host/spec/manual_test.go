package spec_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/spec"
)

// The reference states that agents with a served model are never trained.
func TestReference_SaysThatServedAgentsAreNeverTrained(t *testing.T) {
	told := false
	for _, page := range spec.Reference(nil) {
		if page.Name != "spec/agent" {
			continue
		}
		for line := range strings.Lines(page.Text) {
			if strings.HasPrefix(line, "* `model` ") {
				told = true
				if !strings.Contains(line, "never trained") {
					t.Errorf("want \"never trained\" in the reference: %s", line)
				}
			}
		}
	}
	if !told {
		t.Error("want agent models in the reference")
	}
}
