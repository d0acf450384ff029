package frameworks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/internal/realtest"
)

// column is a fact about a version that tests may have shown.
type column struct {
	name  string // key in row.why
	title string
	cell  func([]realtest.Result) string // empty: not shown
}

var columns = []column{
	{realtest.Planned, "plan", shown(realtest.Planned)},
	{realtest.TwoSteps, "two steps", shown(realtest.TwoSteps, realtest.Learned, realtest.Mastered)},
	{realtest.Learned, "learns", learned(realtest.Learned)},
	{realtest.Mastered, "masters", learned(realtest.Mastered)},
	{gap, "largest gap", largestGap},
	{realtest.Survived, "faults survived", survived},
	{realtest.Smoked, "smoke run", shown(realtest.Smoked)},
}

const notShown = "–"

// page returns the text of docs/reference/frameworks.md. A cell without a result needs a reason.
func page(rows []row, results []realtest.Result) (string, error) {
	var out strings.Builder
	var missing lacks
	out.WriteString(intro)
	titles, rules := []string{"framework", "version", "tier"}, "|---|---|---|"
	for _, c := range columns {
		titles, rules = append(titles, c.title), rules+"---|"
	}
	fmt.Fprintf(&out, "| %s | as of |\n%s---|\n", strings.Join(titles, " | "), rules)
	left := slices.Clone(results)
	for _, r := range rows {
		about := func(result realtest.Result) bool {
			return result.Framework == r.framework && result.Version == r.version && result.Mode == r.mode
		}
		own := slices.DeleteFunc(slices.Clone(results), func(result realtest.Result) bool { return !about(result) })
		left = slices.DeleteFunc(left, about)
		if err := r.write(&out, &missing, own); err != nil {
			return "", err
		}
	}
	if len(left) > 0 {
		return "", fmt.Errorf("no row is about %s: add one to versions.go", keyOf(left[0]))
	}
	writeCurves(&out, rows, results)
	missing.write(&out)
	out.WriteString(outro)
	return out.String(), nil
}

// writeCurves writes a line for each result with a curve: the percentage of successful episodes at every second step.
func writeCurves(out *strings.Builder, rows []row, results []realtest.Result) {
	var lines strings.Builder
	steps := 0
	for _, r := range rows {
		for _, result := range results {
			if result.Framework != r.framework || result.Version != r.version || result.Mode != r.mode || result.Curve == nil {
				continue
			}
			steps = max(steps, len(result.Curve))
			fmt.Fprintf(&lines, "| %s %s |", r.framework, r.name())
			for step := 0; step < len(result.Curve); step += 2 {
				fmt.Fprintf(&lines, " %.0f |", 100*result.Curve[step])
			}
			lines.WriteString("\n")
		}
	}
	if steps == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n| step |", curvesIntro)
	for step := 0; step < steps; step += 2 {
		fmt.Fprintf(out, " %d |", step+1)
	}
	fmt.Fprintf(out, "\n|---|%s\n%s", strings.Repeat("---|", (steps+1)/2), lines.String())
}

// lack is a reason for missing results, and the versions and columns to which it applies.
type lack struct{ versions, columns, why string }

// lacks are the missing results in the order of their first version.
type lacks []lack

// add records that a version has no results in some columns. Versions with the same columns and reason share a table
// row.
func (l *lacks) add(version, columns, why string) {
	for i, known := range *l {
		if known.columns == columns && known.why == why {
			(*l)[i].versions += "; " + version
			return
		}
	}
	*l = append(*l, lack{version, columns, why})
}

// write adds the table of missing results to the page.
func (l lacks) write(out *strings.Builder) {
	fmt.Fprintf(out, "\n%s\n| version | columns | reason |\n|---|---|---|\n", notShownIntro)
	for _, lack := range l {
		fmt.Fprintf(out, "| %s | %s | %s |\n", lack.versions, lack.columns, lack.why)
	}
}

func (r row) name() string {
	if r.mode == "" {
		return r.version
	}
	return r.version + ", " + r.mode
}

// write adds a row to the table if the version has results, and adds an entry to the list of reasons for each reason.
func (r row) write(out *strings.Builder, missing *lacks, results []realtest.Result) error {
	cells := []string{r.framework, r.name(), r.tier}
	var reasons []string
	lacking := map[string][]string{} // reason → column titles
	for _, c := range columns {
		text := c.cell(results)
		if text != "" {
			cells = append(cells, text)
			continue
		}
		why := r.why[c.name]
		if why == "" {
			why = r.why[""]
		}
		if why == "" {
			return fmt.Errorf("%s %s has no result for the column %q, and versions.go gives no reason", r.framework, r.name(),
				c.title)
		}
		if lacking[why] == nil {
			reasons = append(reasons, why)
		}
		lacking[why] = append(lacking[why], c.title)
		cells = append(cells, notShown)
	}
	for _, why := range reasons {
		what := strings.Join(lacking[why], ", ")
		if len(lacking[why]) == len(columns) {
			what = "all (" + r.tier + ")"
		}
		missing.add(r.framework+" "+r.name(), what, why)
	}
	if len(results) > 0 {
		fmt.Fprintf(out, "| %s | %s |\n", strings.Join(cells, " | "), newest(results))
	}
	return nil
}

// shown returns a cell that contains a check mark if a test has one of the results.
func shown(what ...string) func([]realtest.Result) string {
	return func(results []realtest.Result) string {
		if slices.ContainsFunc(results, func(r realtest.Result) bool { return slices.Contains(what, r.What) }) {
			return "✓"
		}
		return ""
	}
}

// learned returns a cell that contains the success rates before and after training.
func learned(what string) func([]realtest.Result) string {
	return func(results []realtest.Result) string {
		for _, r := range results {
			if r.What == what && r.Before != nil && r.After != nil {
				return fmt.Sprintf("%s → %s in %d steps", percent(*r.Before), percent(*r.After), r.Steps)
			}
		}
		return ""
	}
}

// largestGap returns the gap from the longest run that reports one.
func largestGap(results []realtest.Result) string {
	text, steps := "", 0
	for _, r := range results {
		switch {
		case r.Steps <= steps:
		case r.Gap != nil:
			text, steps = scientific(*r.Gap), r.Steps
		case r.GapBelow != nil:
			text, steps = "< "+scientific(*r.GapBelow), r.Steps
		}
	}
	return text
}

func survived(results []realtest.Result) string {
	var out []string
	for _, r := range results {
		if r.What == realtest.Survived {
			out = append(out, r.Detail)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func newest(results []realtest.Result) string {
	date := ""
	for _, r := range results {
		date = max(date, r.Date)
	}
	return date
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

// scientific formats a small number with two digits: 6.0e-6.
func scientific(v float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e")
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return mantissa + "e" + exponent // Inf and NaN
	}
	return fmt.Sprintf("%se%d", mantissa, n)
}
