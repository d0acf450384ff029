package view

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/view/text"
)

// knownMetrics are what an engineer looks for first, in that order, under the names that trainers give them.
var knownMetrics = []struct {
	label string
	names []string
}{
	{"loss", []string{"train/loss", "actor/pg_loss"}},
	{"entropy", []string{"train/entropy", "actor/entropy"}},
	{"KL", []string{"train/kl", "actor/kl_loss", "actor/ppo_kl"}},
	{"clip fraction", []string{"train/clip_fraction", "actor/pg_clipfrac"}},
	{"grad norm", []string{"train/grad_norm", "actor/grad_norm"}},
	{"learning rate", []string{"train/learning_rate", "train/lr", "actor/lr"}},
	{"reward std", []string{"train/reward_std"}},
	{"logprob gap", []string{"train/logprob_gap"}},
	{"probability gap", []string{"train/probability_gap"}},
	{"zero variance", []string{"train/zero_variance_groups"}},
}

// goals are what a run is for.
var goals = []string{
	"train/reward", "train/reward_mean", "train/success", "train/success_rate", "validation/reward", "validation/success_rate",
}

// Interest says how far up a metric belongs in a list: 0 is the top.
func Interest(name string) int {
	if i := slices.Index(goals, name); i >= 0 {
		return i
	}
	for i, known := range knownMetrics {
		if slices.Contains(known.names, name) {
			return len(goals) + i
		}
	}
	first, _, _ := strings.Cut(name, "/")
	rest := len(goals) + len(knownMetrics)
	switch {
	case strings.HasPrefix(first, "timing") || first == "perf" || strings.HasSuffix(name, "_seconds"):
		return rest + 2
	case (first == "train" || first == "validation") && !strings.Contains(name, "/components/"):
		return rest
	}
	return rest + 1
}

// IsHeadline says of a metric that everybody wants to see it.
func IsHeadline(name string) bool { return Interest(name) < len(goals)+len(knownMetrics) }

// shownElsewhere are metrics that have a place of their own on the screen.
var shownElsewhere = []string{
	"train/reward", "train/reward_mean", "train/success", "train/success_rate",
	"train/episodes", "train/retries", "train/truncated", "train/failed", "train/tokens_per_second",
}

// reading is a number on the screen.
type reading struct {
	label  string
	value  string
	isBad  bool // not finite: something is broken
	series *series
}

// speeds are how fast the last step was.
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

// trained are the metrics of the last step, the known ones first.
func (m *Model) trained() []reading {
	var readings []reading
	left := maps.Clone(m.metrics)
	for _, name := range shownElsewhere {
		delete(left, name)
	}
	maps.DeleteFunc(left, func(name string, _ *series) bool { return strings.HasPrefix(name, "timing/") }) // what the run itself costs
	for _, known := range knownMetrics {
		for _, name := range known.names {
			if s, ok := left[name]; ok {
				readings = append(readings, m.read(known.label, name, s))
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

// labelOf is the name of a metric in short. What a framework or a reward calls its own stays as it is: people search for it.
func labelOf(name string) string {
	own, ok := strings.CutPrefix(name, "train/")
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

const readingWidth = 24 // of a cell of the grid

// grid puts readings in columns, as many rows as allowed.
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

// metricsPane has all metrics, a line each.
func (m *Model) metricsPane(width, height int) text.Block {
	readings := append(m.trained(), m.speeds()...)
	if len(readings) == 0 {
		return m.panel("Metrics", "", []string{m.Styles.Dim(noStep)}, width, height)
	}
	first, last := m.visible(len(readings), height-1)
	return m.panel("Metrics", m.position(first, last, len(readings)), m.list(readings[first:last], width, height-1), width, height)
}

const labelWidth = 16 // at least, of a line of the list

// list puts one reading in a line, with its curve.
func (m *Model) list(readings []reading, width, rows int) []string {
	const value = 10
	shown := readings[:min(max(0, rows), len(readings))]
	label := labelWidth
	for _, r := range shown {
		label = max(label, min(text.Width(r.label), 2*width/5)) // names of components differ only at their ends
	}
	var lines []string
	for _, r := range shown {
		curve := ""
		if r.series != nil {
			curve = text.Sparkline(r.series.values(), width-label-value-2)
		}
		lines = append(lines, m.Styles.Dim(text.Fit(r.label, label))+m.valueStyle(r)(text.FitRight(r.value, value))+"  "+m.Styles.Accent(curve))
	}
	return lines
}
