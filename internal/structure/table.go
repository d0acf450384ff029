package main

import (
	"fmt"
	"strconv"
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
		fmt.Fprintf(&out, "| %s | %s | %.0f | %s | %s | %s | %s | %.0f %% | %d |\n",
			r.name, r.version, twoDigits(f.Functions), f.Lines, f.Nesting, f.Complexity, f.Files, 100*f.Comments, f.Upwards)
	}
	return out.String()
}

func wordingTable(rows []row) string {
	var out strings.Builder
	out.WriteString("| code | comments | messages | functions | wide |\n|---|--:|--:|--:|--:|\n")
	for _, r := range rows {
		w := r.figures.Wording
		fmt.Fprintf(&out, "| %s | %.1f %% | %.1f %% | %.1f %% | %.1f |\n",
			r.name, 100*w.Comments, 100*w.Messages, 100*w.Functions, w.Wide)
	}
	return out.String()
}

// twoDigits rounds n to 2 significant digits.
func twoDigits(n int) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(float64(n), 'e', 1, 64), 64)
	return rounded
}
