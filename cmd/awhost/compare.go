package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

func newCompare(a *app) *cobra.Command {
	var flags runFlags
	var all bool
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Compare two runs: curves, last metrics, and what differs in spec, data and plugins",
		Args:  cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var runs [2]*runstore.Run
			for i, name := range args {
				r, err := a.openAnywhere(flags.dir, name)
				if err != nil {
					return exit(run.ExitUsage, err)
				}
				runs[i] = r
			}
			c, err := compare.Runs(runs[0], runs[1])
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			if a.json {
				a.print(comparisonLine(c))
				return nil
			}
			return a.showComparison(c, all)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "all metrics, also those of single components and of time")
	return cmd
}

// openAnywhere finds a run by its name, or elsewhere by a path: of its directory, of the directory of a spec (its newest run),
// or of that directory and a name.
func (a *app) openAnywhere(dir, name string) (*runstore.Run, error) {
	if !strings.ContainsRune(name, filepath.Separator) && name != "." && name != ".." {
		return a.store(dir).Open(name)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(path, ".awhost", "runs")); err == nil {
		return a.store(path).Open("")
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return a.store(dir).Open(path)
	}
	return a.store(filepath.Dir(path)).Open(filepath.Base(path))
}

func (a *app) showComparison(c *compare.Comparison, all bool) error {
	out := a.page()
	out.Table(sidesTable(c))
	out.Blank()
	table, hidden := metricsTable(c, all)
	out.Table(table)
	if hidden > 0 {
		out.Line(out.Styles.Dim(fmt.Sprintf("and %s of details, by --all", text.Plural(hidden, "metric"))))
	}
	for _, section := range partsOf(c) {
		if len(section.differences) > 0 {
			out.Heading(section.title)
			out.Table(differencesTable(section.differences))
		}
	}
	out.Blank()
	out.Paragraph(verdict(c))
	return out.Err()
}

func sidesTable(c *compare.Comparison) text.Table {
	a, b := c.A.Summary, c.B.Summary
	return text.Table{
		Columns: []text.Column{{Title: ""}, {Title: "A", Shrink: true}, {Title: "B", Shrink: true}},
		Rows: [][]string{
			{"run", a.Ref(), b.Ref()},
			{"status", string(a.Status), string(b.Status)},
			{"step", stepText(a), stepText(b)},
			{"started", a.Created.Local().Format("2006-01-02 15:04:05"), b.Created.Local().Format("2006-01-02 15:04:05")},
			{"digest", text.Digest(c.A.Digest), text.Digest(c.B.Digest)},
		},
	}
}

// curveColumn is how wide a curve is where two stand side by side.
const curveColumn = 12

func metricsTable(c *compare.Comparison, all bool) (table text.Table, hidden int) {
	table.Columns = []text.Column{
		{Title: "METRIC", Shrink: true}, {Title: "A", Right: true}, {Title: "B", Right: true}, {Title: "B - A", Right: true},
		{Title: "CURVE OF A"}, {Title: "CURVE OF B"},
	}
	metrics := slices.Clone(c.Metrics)
	slices.SortStableFunc(metrics, func(a, b compare.Metric) int { // what was held out comes first
		return strings.Compare(strings.SplitN(b.Name, "/", 2)[0], strings.SplitN(a.Name, "/", 2)[0])
	})
	for _, m := range metrics {
		if !all && (isDetail(m.Name) || isZero(m.A) && isZero(m.B)) {
			hidden++
			continue
		}
		curves := text.Sparklines(curveColumn, m.A.Values, m.B.Values)
		a, inA := m.A.Last()
		b, inB := m.B.Last()
		row := []string{m.Name, "-", "-", "", curves[0], curves[1]}
		if inA {
			row[1] = text.Number(a)
		}
		if inB {
			row[2] = text.Number(b)
		}
		if inA && inB {
			row[3] = signed(b - a)
		}
		table.Rows = append(table.Rows, row)
	}
	return table, hidden
}

// isDetail tells metrics of parts and of time from those that say how a run went.
func isDetail(name string) bool {
	for _, part := range []string{"/components/", "_seconds", "per_second", "warm_start/"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasPrefix(name, metric.Training) && !metric.IsSummary(name)
}

func isZero(c compare.Curve) bool {
	return !slices.ContainsFunc(c.Values, func(v float64) bool { return v != 0 })
}

func signed(x float64) string {
	if x > 0 {
		return "+" + text.Number(x)
	}
	return text.Number(x)
}

type part struct {
	title       string
	key         string
	differences []compare.Difference
}

func partsOf(c *compare.Comparison) []part {
	return []part{
		{"Variables", "variables", c.Variables}, {"Spec", "spec", c.Spec}, {"Data", "data", c.Data}, {"Plugins", "plugins", c.Plugins},
		{"Machine", "machine", c.Machine},
	}
}

func differencesTable(differences []compare.Difference) text.Table {
	table := text.Table{Columns: []text.Column{{Title: "", Shrink: true}, {Title: "A", Shrink: true}, {Title: "B", Shrink: true}}}
	for _, d := range differences {
		table.Rows = append(table.Rows, []string{d.Path, valueText(d.A), valueText(d.B)})
	}
	return table
}

// hexadecimal is a digest without the name of its algorithm.
var hexadecimal = regexp.MustCompile(`^[0-9a-f]{64}$`)

// valueText is a value as a person would write it; digests are cut to what tells them apart.
func valueText(value json.RawMessage) string {
	var words string
	switch {
	case value == nil:
		return "-"
	case json.Unmarshal(value, &words) == nil:
		if hexadecimal.MatchString(words) {
			return words[:10]
		}
		return text.Digest(words)
	}
	return string(value)
}

// verdict is the comparison in a sentence.
func verdict(c *compare.Comparison) string {
	var same, differ []string
	for _, s := range partsOf(c) {
		switch {
		case slices.Contains(c.Unrecorded, s.key):
		case len(s.differences) > 0:
			differ = append(differ, s.key)
		default:
			same = append(same, s.key)
		}
	}
	var sentences []string
	if len(differ) > 0 {
		sentences = append(sentences, "They differ in "+enumerate(differ)+".")
	}
	if len(same) > 0 {
		sentences = append(sentences, "The same in both: "+enumerate(same)+".")
	}
	if len(c.Unrecorded) > 0 {
		sentences = append(sentences, "Not compared, because a run of an earlier version has no record of it: "+enumerate(c.Unrecorded)+".")
	}
	if c.A.Digest != "" && c.A.Digest == c.B.Digest {
		sentences = append(sentences, "Their newest checkpoints are equal to the bit.")
	}
	return strings.Join(sentences, " ")
}

func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// comparisonJSON is a comparison as `compare --json` prints it.
type comparisonJSON struct {
	Type       string           `json:"type"`
	A          runJSON          `json:"a"`
	B          runJSON          `json:"b"`
	Metrics    []metricJSON     `json:"metrics"`
	Variables  []differenceJSON `json:"variables"`
	Spec       []differenceJSON `json:"spec"`
	Data       []differenceJSON `json:"data"`
	Plugins    []differenceJSON `json:"plugins"`
	Machine    []differenceJSON `json:"machine"`
	Unrecorded []string         `json:"unrecorded"`
	SameDigest bool             `json:"same_digest"`
}

type metricJSON struct {
	Name       string           `json:"name"`
	A          runstore.Numbers `json:"a"`
	B          runstore.Numbers `json:"b"`
	Difference *float64         `json:"difference,omitempty"`
}

type differenceJSON struct {
	Path string          `json:"path"`
	A    json.RawMessage `json:"a,omitempty"`
	B    json.RawMessage `json:"b,omitempty"`
}

func comparisonLine(c *compare.Comparison) comparisonJSON {
	out := comparisonJSON{
		Type: "comparison", A: runLine(c.A.Summary), B: runLine(c.B.Summary), Metrics: []metricJSON{}, Variables: differenceLines(c.Variables),
		Spec: differenceLines(c.Spec), Data: differenceLines(c.Data), Plugins: differenceLines(c.Plugins), Machine: differenceLines(c.Machine),
		Unrecorded: append([]string{}, c.Unrecorded...), SameDigest: c.A.Digest != "" && c.A.Digest == c.B.Digest,
	}
	for _, m := range c.Metrics {
		line := metricJSON{Name: m.Name, A: curveJSON(m.A), B: curveJSON(m.B)}
		a, inA := m.A.Last()
		b, inB := m.B.Last()
		if difference := b - a; inA && inB && difference-difference == 0 {
			line.Difference = &difference
		}
		out.Metrics = append(out.Metrics, line)
	}
	return out
}

// curveJSON is a curve by step; of several values at a step the last stays.
func curveJSON(c compare.Curve) runstore.Numbers {
	out := runstore.Numbers{}
	for i, step := range c.Steps {
		out[fmt.Sprint(step)] = c.Values[i]
	}
	return out
}

func differenceLines(differences []compare.Difference) []differenceJSON {
	out := []differenceJSON{}
	for _, d := range differences {
		out = append(out, differenceJSON(d))
	}
	return out
}
