package swift

import (
	"flag"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/drawn"
)

var update = flag.Bool("update", false, "replace the carried answers")

// TestTable_CarriesTheProbesAnswers compares the carried answers with a real installation. With -update it replaces
// them.
func TestTable_CarriesTheProbesAnswers(t *testing.T) {
	drawn.CarriedByKit(t, table().Distributions(), realtest.Python(t, "AWHOST_SWIFT_PYTHON"), *update)
}
