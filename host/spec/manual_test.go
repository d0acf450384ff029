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
		for item := range strings.SplitSeq(page.Text, "\n* ") {
			if strings.HasPrefix(item, "`model` ") {
				told = true
				if !strings.Contains(strings.Join(strings.Fields(item), " "), "never trained") {
					t.Errorf("want \"never trained\" in the reference: %s", item)
				}
			}
		}
	}
	if !told {
		t.Error("want agent models in the reference")
	}
}
