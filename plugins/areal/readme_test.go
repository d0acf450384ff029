package areal

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/sdk/metric"
	"github.com/awhost/awhost/sdk/schema"
)

var update = flag.Bool("update", false, "rewrite the generated tables of README.md")

// The tables of the README come from the code.
//
//go:generate go test -count=1 -run ^TestReadme_TablesAreCurrent$ . -update
func TestReadme_TablesAreCurrent(t *testing.T) {
	readme.CheckTables(t, *update, map[string]string{
		"configuration": "| attribute | default | meaning |\n|---|---|---|\n" + attributes(configSchema, ""), "knobs": knobTable(), "metrics": metricTable(),
	})
}

func attributes(b schema.Block, prefix string) string {
	var out strings.Builder
	for _, a := range b.Attributes {
		fallback := ""
		if a.DefaultJSON != nil {
			fallback = "`" + string(a.DefaultJSON) + "`"
		}
		fmt.Fprintf(&out, "| `%s%s` | %s | %s |\n", prefix, a.Name, fallback, a.Description)
	}
	for _, n := range b.Blocks {
		fmt.Fprintf(&out, "| `%s%s {}` | | %s |\n", prefix, n.Name, n.Block.Description)
		out.WriteString(attributes(n.Block, prefix+n.Name+"."))
	}
	return out.String()
}

func knobTable() string {
	var out strings.Builder
	out.WriteString("| knob | AReaL's key | |\n|---|---|---|\n")
	for _, k := range knobs {
		key := "`" + k.key + "`"
		switch {
		case k.refused != "":
			key, k.note = "refused", k.refused
		case k.key == byHost:
			key = "*host*"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", k.path, key, k.note)
	}
	return out.String()
}

func metricTable() string {
	var out strings.Builder
	out.WriteString("| metric | AReaL's name | |\n|---|---|---|\n")
	for _, m := range metrics {
		fmt.Fprintf(&out, "| `%s` | `%s` | %s |\n", m.name, m.areal, m.description)
	}
	fmt.Fprintf(&out, "| `%s` | `%s`, `…/min` | largest difference between a token's log-probability at sampling and in training, on the weights that it was sampled from |\n", logprobGap, highestGap)
	const bias = "mean of the log-probabilities at sampling minus the ones in training"
	fmt.Fprintf(&out, "| `%s` | `%s`, negated | %s |\n", metric.LogprobBias, meanGap, bias)
	return out.String()
}
