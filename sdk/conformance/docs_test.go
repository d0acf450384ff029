package conformance_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/sdk/conformance"
)

var update = flag.Bool("update", false, "write the table of checks into docs/reference/conformance.md")

// Each check in the table has a mutant: TestChecks_EachHasAMutantThatFailsItAlone kills them all.
//
//go:generate go test -count=1 -run ^TestDocs_ListAllChecks$ . -update
func TestDocs_ListAllChecks(t *testing.T) {
	var table strings.Builder
	all := conformance.Checks()
	broken := 0
	for _, c := range all {
		broken += len(mutants(c.ID))
	}
	fmt.Fprintf(&table, "%d checks, and %d mutants that fail them.\n\n", len(all), broken)
	table.WriteString("| id | level | required behavior | only with | after |\n|---|---|---|---|---|\n")
	for _, c := range all {
		need := ""
		if c.Needs != "" {
			need = "`" + string(c.Needs) + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s | %s |\n", c.ID, c.Level, strings.ReplaceAll(c.Title, "|", "\\|"), need, strings.Join(c.After, ", "))
	}
	readme.CheckTablesOf(t, "../../docs/reference/conformance.md", *update, map[string]string{"checks": table.String()})
}
