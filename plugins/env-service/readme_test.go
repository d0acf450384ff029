package envservice

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/readme"
)

var update = flag.Bool("update", false, "rewrite the generated table of README.md")

// TestReadme_TableIsCurrent checks that the README's table matches the schema.
//
//go:generate go test -count=1 -run ^TestReadme_TableIsCurrent$ . -update
func TestReadme_TableIsCurrent(t *testing.T) {
	var out strings.Builder
	out.WriteString("| attribute | default | meaning |\n|---|---|---|\n")
	for _, a := range configSchema().Attributes {
		def := ""
		if a.DefaultJSON != nil {
			def = "`" + string(a.DefaultJSON) + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", a.Name, def, strings.ReplaceAll(a.Description, "<", `\<`))
	}
	readme.CheckTables(t, *update, map[string]string{"configuration": out.String()})
}
