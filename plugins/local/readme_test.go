package local

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

var update = flag.Bool("update", false, "rewrite the generated tables of README.md")

// Checks that the tables of the README match the code.
//
//go:generate go test -count=1 -run ^TestReadme_TablesAreCurrent$ . -update
func TestReadme_TablesAreCurrent(t *testing.T) {
	readme.CheckTables(t, *update, map[string]string{"configuration": configurationTable(configSchema, ""),
		"knobs": knobTable(t), "metrics": metricTable()})
}

func configurationTable(b schema.Block, prefix string) string {
	var out strings.Builder
	if prefix == "" {
		out.WriteString("| attribute | default | meaning |\n|---|---|---|\n")
	}
	for _, a := range b.Attributes {
		def := "required"
		if a.DefaultJSON != nil {
			def = "`" + string(a.DefaultJSON) + "`"
		}
		fmt.Fprintf(&out, "| `%s%s` | %s | %s%s |\n", prefix, a.Name, def, a.Description, bounds(a))
	}
	for _, n := range b.Blocks {
		fmt.Fprintf(&out, "| `%s%s {}` | | %s |\n", prefix, n.Name, n.Block.Description)
		out.WriteString(configurationTable(n.Block, prefix+n.Name+"."))
	}
	return out.String()
}

func bounds(a schema.Attribute) string {
	unit := ""
	if a.Unit != "" {
		unit = " " + a.Unit
	}
	switch {
	case a.Minimum != nil && a.Maximum != nil:
		return fmt.Sprintf(" From %v to %v%s.", *a.Minimum, *a.Maximum, unit)
	case a.Minimum != nil:
		return fmt.Sprintf(" At least %v%s.", *a.Minimum, unit)
	}
	return ""
}

// setBySpec lists the knobs whose default comes from the spec.
var setBySpec = map[string]bool{"seed": true, "steps": true, "epochs": true}

func knobTable(t *testing.T) string {
	t.Helper()
	defaults := knobSettings(t, sdk.Knobs{Steps: ptr(1)})
	var out strings.Builder
	out.WriteString("| knob | here | default | |\n|---|---|---|---|\n")
	for _, k := range knobs {
		switch {
		case k.refused != "":
			fmt.Fprintf(&out, "| `%s` | refused | | %s |\n", k.path, k.refused)
		case k.value == nil:
			fmt.Fprintf(&out, "| `%s` | the host's | | %s |\n", k.path, k.note)
		default:
			def := "`" + strings.Trim(string(encoded(k.value(defaults))), `"`) + "`"
			if setBySpec[k.path] {
				def = ""
			}
			fmt.Fprintf(&out, "| `%s` | `%s` | %s | %s |\n", k.path, k.key, def, k.note)
		}
	}
	return out.String()
}

func metricTable() string {
	var out strings.Builder
	out.WriteString("| metric | meaning |\n|---|---|\n")
	for _, m := range append(append([]stepMetric{}, metrics...), otherMetrics...) {
		fmt.Fprintf(&out, "| `%s` | %s |\n", m.name, m.description)
	}
	return out.String()
}
