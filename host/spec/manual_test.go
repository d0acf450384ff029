package spec_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/spec"
)

// plan refuses an agent with a model of its own, and the reference must not promise it.
func TestReference_PromisesNoModelToAgents(t *testing.T) {
	for line := range strings.Lines(spec.Reference(nil)) {
		if strings.HasPrefix(line, "| `model` |") && !strings.Contains(line, "`plan` refuses it") {
			t.Errorf("the reference promises: %s", line)
		}
	}
}
