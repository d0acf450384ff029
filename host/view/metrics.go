package view

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/metric"
)

// goals lists the metrics that a run optimizes. headlines lists the next most important metrics. Both are in display
// order.
var (
	goals     = chosen(func(m metric.Metric) bool { return m.Goal })
	headlines = chosen(func(m metric.Metric) bool { return m.Headline })
)

func chosen(is func(metric.Metric) bool) []metric.Metric {
	return slices.DeleteFunc(metric.All(), func(m metric.Metric) bool { return !is(m) })
}

// indexOf returns the index of a metric in a list, by any of its names, or -1 if it is missing.
func indexOf(list []metric.Metric, name string) int {
	return slices.IndexFunc(list, func(m metric.Metric) bool { return slices.Contains(names(m), name) })
}

// names returns all names under which trainers report a metric, starting with its own name.
func names(m metric.Metric) []string { return append([]string{m.Name}, m.Aliases...) }

// Interest returns a metric's rank in a list. 0 is the top.
func Interest(name string) int {
	if i := indexOf(goals, name); i >= 0 {
		return i
	}
	if i := indexOf(headlines, name); i >= 0 {
		return len(goals) + i
	}
	first, _, _ := strings.Cut(name, "/")
	rest := len(goals) + len(headlines)
	switch {
	case strings.HasPrefix(first, "timing") || first == "perf" || strings.HasSuffix(name, "_seconds"):
		return rest + 2
	case (first == "train" || first == "validation") && !strings.Contains(name, "/components/"):
		return rest
	}
	return rest + 1
}

// IsHeadline reports whether a metric is always worth showing.
func IsHeadline(name string) bool { return Interest(name) < len(goals)+len(headlines) }

// shownElsewhere lists metrics that have a dedicated place on the screen.
var shownElsewhere = []string{metric.Episodes, metric.Retries, metric.Truncated, metric.Failed, metric.TokensPerSecond}

// reading is a number on the screen.
type reading struct {
	label  string
	value  string
	isBad  bool // not finite: an error
	series *series
}

// speeds returns the throughput in the last step.
func (m *Model) speeds() []reading {
	readings := []reading{}
	add := func(label string, value float64, known bool) {
		if known {
			readings = append(readings, reading{label: label, value: text.Number(value)})
		}
	}
	episodes, ok := m.latest.Rates.EpisodesPerSecond.Get()
	add("episodes/s", episodes, ok)
	tokens, ok := m.latest.Rates.TokensPerSecond.Get()
	add("tokens/s", tokens, ok)
	add("s/step", m.pace.perStep().Seconds(), m.pace.perStep() > 0)
	return readings
}

// trained returns the last step's metrics, known ones first.
func (m *Model) trained() []reading {
	var readings []reading
	left := maps.Clone(m.metrics)
	for _, name := range shownElsewhere {
		delete(left, name)
	}
	maps.DeleteFunc(left, func(name string, _ *series) bool { // shown elsewhere too
		return indexOf(goals, name) >= 0 && strings.HasPrefix(name, metric.Training)
	})
	maps.DeleteFunc(left, func(name string, _ *series) bool { return strings.HasPrefix(name, "timing/") }) // the run's overhead
	for _, known := range headlines {
		for _, name := range names(known) {
			if s, ok := left[name]; ok {
				readings = append(readings, m.read(known.Label, name, s))
				delete(left, name)
				break
			}
		}
	}
	byInterest := func(a, b string) int { return cmp.Or(cmp.Compare(Interest(a), Interest(b)), cmp.Compare(a, b)) }
	for _, name := range slices.SortedFunc(maps.Keys(left), byInterest) {
		readings = append(readings, m.read(labelOf(name), name, left[name]))
	}
	return readings
}

// labelOf returns a metric's short label. Names from a framework or a reward are left unchanged because users search
// for them.
func labelOf(name string) string {
	own, ok := strings.CutPrefix(name, metric.Training)
	if component, ok := strings.CutPrefix(own, "components/reward."); ok {
		return component
	}
	if !ok {
		return name
	}
	return strings.ReplaceAll(own, "_", " ")
}

func (m *Model) read(label, name string, s *series) reading {
	value, ok := m.latest.Metrics[name]
	if !ok && len(s.points) > 0 {
		value = s.points[len(s.points)-1].Y
	}
	return reading{label: label, value: text.Number(value), isBad: math.IsNaN(value) || math.IsInf(value, 0), series: s}
}

const readingWidth = 24 // width of a cell of the grid

// grid arranges readings in columns, with at most the given number of rows.
func (m *Model) grid(readings []reading, width, rows int) []string {
	columns := max(1, (width+2)/(readingWidth+2))
	cell := (width - 2*(columns-1)) / columns
	rows = min(rows, (len(readings)+columns-1)/columns)
	lines := make([]string, rows)
	for row := range lines {
		cells := make([]string, 0, columns)
		for column := range columns {
			if i := row*columns + column; i < len(readings) {
				cells = append(cells, m.cell(readings[i], cell))
			}
		}
		lines[row] = strings.Join(cells, "  ")
	}
	return lines
}

func (m *Model) cell(r reading, width int) string {
	const value = 9
	return m.Styles.Dim(text.Fit(r.label, width-value)) + m.valueStyle(r)(text.FitRight(r.value, value))
}

func (m *Model) valueStyle(r reading) text.Style {
	if r.isBad {
		return m.Styles.Bad
	}
	return func(s string) string { return s }
}

// metricsPane returns all metrics, one per line.
func (m *Model) metricsPane(width, height int) text.Block {
	readings := append(m.trained(), m.speeds()...)
	if len(readings) == 0 {
		return m.panel("Metrics", "", []string{m.Styles.Dim(noStep)}, width, height)
	}
	first, last := m.visible(len(readings), height-1)
	return m.panel("Metrics", m.position(first, last, len(readings)), m.list(readings[first:last], width, height-1), width,
		height)
}

const labelWidth = 16 // minimum width in a line of the list

// list returns one line with a curve for each reading.
func (m *Model) list(readings []reading, width, rows int) []string {
	const value = 10
	shown := readings[:min(max(0, rows), len(readings))]
	label := labelWidth
	for _, r := range shown {
		label = max(label, min(text.Width(r.label), 2*width/5)) // component names differ only at their ends
	}
	var lines []string
	for _, r := range shown {
		curve := ""
		if r.series != nil {
			curve = text.Sparkline(r.series.values(), width-label-value-2)
		}
		lines = append(lines, m.Styles.Dim(text.Fit(r.label, label))+m.valueStyle(r)(text.FitRight(r.value, value))+"  "+
			m.Styles.Accent(curve))
	}
	return lines
}
