package result

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

// Comparison is the result of comparing two runs.
type Comparison struct {
	Type       string           `json:"type"`
	A          Run              `json:"a"`
	B          Run              `json:"b"`
	Metrics    []ComparedMetric `json:"metrics"`
	Variables  []Difference     `json:"variables"`
	Spec       []Difference     `json:"spec"`
	Data       []Difference     `json:"data"`
	Plugins    []Difference     `json:"plugins"`
	Machine    []Difference     `json:"machine"`
	Unrecorded []string         `json:"unrecorded"`
	SameDigest bool             `json:"same_digest"`

	of  *compare.Comparison
	all bool // also metrics of single components and timings
}

// ComparedMetric holds one metric from both runs, by step.
type ComparedMetric struct {
	Name       string           `json:"name"`
	A          runstore.Numbers `json:"a"`
	B          runstore.Numbers `json:"b"`
	Difference *float64         `json:"difference,omitempty"`
}

// Difference is a path at which the two runs have different values. A value is absent if only the other run has one.
type Difference struct {
	Path string          `json:"path"`
	A    json.RawMessage `json:"a,omitempty"`
	B    json.RawMessage `json:"b,omitempty"`
}

// ComparisonOf returns the result for a comparison. all includes detail metrics in the text.
func ComparisonOf(c *compare.Comparison, all bool) Comparison {
	out := Comparison{
		of: c, all: all,
		Type: "comparison", A: runOf(c.A.Summary), B: runOf(c.B.Summary), Metrics: []ComparedMetric{},
		Variables: differenceLines(c.Variables), Spec: differenceLines(c.Spec), Data: differenceLines(c.Data),
		Plugins: differenceLines(c.Plugins), Machine: differenceLines(c.Machine),
		Unrecorded: append([]string{}, c.Unrecorded...), SameDigest: c.A.Digest != "" && c.A.Digest == c.B.Digest,
	}
	for _, m := range c.Metrics {
		line := ComparedMetric{Name: m.Name, A: curveJSON(m.A), B: curveJSON(m.B)}
		a, inA := m.A.Last()
		b, inB := m.B.Last()
		if difference := b - a; inA && inB && difference-difference == 0 {
			line.Difference = &difference
		}
		out.Metrics = append(out.Metrics, line)
	}
	return out
}

// curveJSON returns a curve's values by step. If a step has several values, the last one is used.
func curveJSON(c compare.Curve) runstore.Numbers {
	out := runstore.Numbers{}
	for i, step := range c.Steps {
		out[fmt.Sprint(step)] = c.Values[i]
	}
	return out
}

func differenceLines(differences []compare.Difference) []Difference {
	out := []Difference{}
	for _, d := range differences {
		out = append(out, Difference(d))
	}
	return out
}

// Text implements Result.
func (r Comparison) Text(out *text.Printer) {
	c, all := r.of, r.all
	out.Table(sidesTable(c))
	out.Blank()
	table, hidden := metricsTable(c, all)
	out.Table(table)
	if hidden > 0 {
		out.Line(out.Styles.Dim(fmt.Sprintf("and %s of details, by --all", text.Plural(hidden, "metric"))))
	}
	for _, s := range sectionsOf(c) {
		if len(s.differences) > 0 {
			out.Heading(s.title)
			out.Table(differencesTable(s.differences))
		}
	}
	out.Blank()
	out.Paragraph(sentences(c))
}

func sidesTable(c *compare.Comparison) text.Table {
	a, b := c.A.Summary, c.B.Summary
	return text.Table{
		Columns: []text.Column{{Title: ""}, {Title: "A", Shrink: true}, {Title: "B", Shrink: true}},
		Rows: [][]string{
			{"run", a.Ref(), b.Ref()},
			{"status", string(a.Status), string(b.Status)},
			{"step", StepText(a), StepText(b)},
			{"started", a.Created.Local().Format("2006-01-02 15:04:05"), b.Created.Local().Format("2006-01-02 15:04:05")},
			{"digest", text.Digest(c.A.Digest), text.Digest(c.B.Digest)},
		},
	}
}

// curveColumn is the width of a curve when two are shown side by side.
const curveColumn = 12

func metricsTable(c *compare.Comparison, all bool) (table text.Table, hidden int) {
	table.Columns = []text.Column{
		{Title: "METRIC", Shrink: true}, {Title: "A", Right: true}, {Title: "B", Right: true}, {Title: "B - A", Right: true},
		{Title: "CURVE OF A"}, {Title: "CURVE OF B"},
	}
	metrics := slices.Clone(c.Metrics)
	slices.SortStableFunc(metrics, func(a, b compare.Metric) int { // held-out metrics come first
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

// isDetail reports whether a metric belongs to a component or is a timing, rather than a summary of the run.
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

type section struct {
	title       string
	key         string
	differences []compare.Difference
}

func sectionsOf(c *compare.Comparison) []section {
	return []section{
		{"Variables", "variables", c.Variables}, {"Spec", "spec", c.Spec}, {"Data", "data", c.Data},
		{"Plugins", "plugins", c.Plugins},
		{"Machine", "machine", c.Machine},
	}
}

func differencesTable(differences []compare.Difference) text.Table {
	table := text.Table{Columns: []text.Column{
		{Title: "", Shrink: true}, {Title: "A", Shrink: true}, {Title: "B", Shrink: true},
	}}
	for _, d := range differences {
		table.Rows = append(table.Rows, []string{d.Path, valueText(d.A), valueText(d.B)})
	}
	return table
}

// hexadecimal matches a digest without the name of the algorithm.
var hexadecimal = regexp.MustCompile(`^[0-9a-f]{64}$`)

// valueText returns a value for people. Digests are shortened to an identifying prefix.
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

// sentences summarizes a comparison in sentences.
func sentences(c *compare.Comparison) string {
	var same, differ []string
	for _, s := range sectionsOf(c) {
		switch {
		case slices.Contains(c.Unrecorded, s.key):
		case len(s.differences) > 0:
			differ = append(differ, s.key)
		default:
			same = append(same, s.key)
		}
	}
	var said []string
	if len(differ) > 0 {
		said = append(said, "They differ in "+enumerate(differ)+".")
	}
	if len(same) > 0 {
		said = append(said, "The same in both: "+enumerate(same)+".")
	}
	if len(c.Unrecorded) > 0 {
		said = append(said,
			"Not compared, because a run of an earlier version has no record of it: "+enumerate(c.Unrecorded)+".")
	}
	if c.A.Digest != "" && c.A.Digest == c.B.Digest {
		said = append(said, "Their newest checkpoints are equal to the bit.")
	}
	return strings.Join(said, " ")
}

func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
