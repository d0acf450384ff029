package main

import (
	"fmt"
	"strings"
)

type row struct {
	name, version string
	figures       figures
}

func (s spread) String() string { return fmt.Sprintf("%d / %d / %d / %d", s.P50, s.P90, s.P99, s.Max) }

func table(rows []row) string {
	var out strings.Builder
	out.WriteString("| code | version | functions | lines | nesting | complexity | file | comments | upwards |\n")
	out.WriteString("|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		f := r.figures
		fmt.Fprintf(&out, "| %s | %s | %d | %s | %s | %s | %s | %.0f %% | %d |\n",
			r.name, r.version, f.Functions, f.Lines, f.Nesting, f.Complexity, f.Files, 100*f.Comments, f.Upwards)
	}
	return out.String()
}
