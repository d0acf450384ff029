package conformance_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/sdk/conformance"
)

var update = flag.Bool("update", false, "write the list of checks into CHECKS.md, and its size into the documentation")

// Each check in the list has a mutant: TestChecks_EachHasAMutantThatFailsItAlone kills them all.
//
//go:generate go test -count=1 -run ^TestDocs_ListAllChecks$ . -update
func TestDocs_ListAllChecks(t *testing.T) {
	var list, sizes strings.Builder
	all := conformance.Checks()
	broken, sizeOf := 0, map[string]int{}
	for _, c := range all {
		broken += len(mutants(c.ID))
		name, _, _ := strings.Cut(c.ID, "-")
		sizeOf[name]++
	}
	fmt.Fprintf(&sizes, "%d checks, and %d mutants that fail them.\n\n", len(all), broken)
	sizes.WriteString("| group | checks | of |\n|---|---|---|\n")
	group := ""
	for _, c := range all {
		if name, _, _ := strings.Cut(c.ID, "-"); name != group {
			group = name
			fmt.Fprintf(&sizes, "| `%s` | %d | %s |\n", group, sizeOf[group], groups[group])
			fmt.Fprintf(&list, "\n## %s: %s\n\n", group, groups[group])
		}
		list.WriteString(readme.Item(fmt.Sprintf("* `%s`%s: %s", c.ID, condition(c), strings.TrimPrefix(c.Title, "it "))))
	}
	readme.CheckTablesOf(t, "../../docs/reference/conformance.md", *update, map[string]string{"checks": sizes.String()})
	readme.CheckTablesOf(t, "CHECKS.md", *update, map[string]string{"checks": list.String()})
}

var groups = map[string]string{
	"PROC": "the process", "COM": "every component", "ENV": "environments", "RWD": "rewards", "ADP": "adapters",
	"AGT": "agents",
}

// condition returns the level of a check that is not a MUST, and the capability that the check needs.
func condition(c conformance.Check) string {
	var parts []string
	if c.Level != conformance.Must {
		parts = append(parts, string(c.Level))
	}
	if c.Needs != "" {
		parts = append(parts, "`"+string(c.Needs)+"`")
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
