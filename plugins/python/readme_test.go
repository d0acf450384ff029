package pythonplugin

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/readme"
)

var update = flag.Bool("update", false, "rewrite the generated tables of README.md")

// Checks that the tables of the README match the code.
//
//go:generate go test -count=1 -run ^TestReadme_TablesAreCurrent$ . -update
func TestReadme_TablesAreCurrent(t *testing.T) {
	t.Parallel()
	text := readme.CheckTables(t, *update, map[string]string{"configuration": configurationTable(),
		"values": valueTable()})
	for _, name := range []string{metricTimeouts, metricDeaths} {
		expect(t, "README.md", text, "`"+name+"`")
	}
}

func configurationTable() string {
	var out strings.Builder
	out.WriteString("| attribute | default | meaning |\n|---|---|---|\n")
	for _, a := range rewardSchema().Attributes {
		def := ""
		switch {
		case a.Required:
			def = "required"
		case a.DefaultJSON != nil:
			def = "`" + string(a.DefaultJSON) + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", a.Name, def, a.Description)
	}
	return out.String()
}

func valueTable() string {
	var out strings.Builder
	out.WriteString("| parameter | value |\n|---|---|\n")
	for _, v := range values {
		fmt.Fprintf(&out, "| `%s` | %s |\n", v.name, v.meaning)
	}
	return out.String()
}
