package findings

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/awhost/awhost/sdk/metric"
)

// history holds the metrics of a stage.
type history struct {
	step   int
	steps  []int // the last ones, in order
	series map[string][]point
	now    map[string]float64 // the values of this step
	worst  Worst              // of this step

	launch   string
	launched int // the first step of the launch
}

type point struct {
	step  int
	value float64
}

func newHistory() *history { return &history{series: map[string][]point{}} }

// window limits the points that are kept of a metric, apart from the first ones.
const (
	window   = 64
	kept     = 8 // first points
	baseline = 2 // steps that decide, where one may be chance
)

// add adds a step's values. A second row of a step adds to the first, as for a validation pass.
func (h *history) add(step Step) {
	if step.Step != h.step || h.now == nil {
		h.step, h.now, h.worst = step.Step, map[string]float64{}, Worst{}
		h.steps = append(h.steps, step.Step)
		h.steps = h.steps[max(0, len(h.steps)-window):]
	}
	if step.Launch != h.launch {
		h.launch, h.launched = step.Launch, step.Step
	}
	h.worst = cmp.Or(step.Worst, h.worst)
	maps.Copy(h.now, step.Values)
	for name, value := range step.Values {
		if !isFinite(value) {
			continue // the rule not_finite reports it
		}
		points := h.series[name]
		if n := len(points); n > 0 && points[n-1].step == step.Step {
			points = points[:n-1]
		}
		points = append(points, point{step.Step, value})
		if len(points) > window {
			points = slices.Delete(points, kept, len(points)-window+kept)
		}
		h.series[name] = points
	}
}

// reports reports whether the stage has values of all these metrics.
func (h *history) reports(names ...string) bool {
	for _, name := range names {
		if len(h.series[name]) == 0 {
			return false
		}
	}
	return true
}

// suffices reports whether the stage has the metrics that a rule needs.
func (h *history) suffices(rule *Rule) bool {
	return rule.Checked(func(name string) bool { return h.reports(name) })
}

// has reports whether this step has values of all these metrics.
func (h *history) has(names ...string) bool {
	for _, name := range names {
		if _, ok := h.now[name]; !ok {
			return false
		}
	}
	return true
}

// last returns a metric's values in the last n steps, or nil if one of them has none.
func (h *history) last(name string, n int) []float64 {
	points := h.series[name]
	if len(points) < n || len(h.steps) < n {
		return nil
	}
	points = points[len(points)-n:]
	for i, step := range h.steps[len(h.steps)-n:] {
		if points[i].step != step {
			return nil
		}
	}
	return values(points)
}

// before returns the values of a metric before this step.
func (h *history) before(name string) []float64 {
	points := h.series[name]
	if n := len(points); n > 0 && points[n-1].step == h.step {
		points = points[:n-1]
	}
	return values(points)
}

func values(points []point) []float64 {
	out := make([]float64, len(points))
	for i, p := range points {
		out[i] = p.value
	}
	return out
}

// sample is a mean with its standard error.
type sample struct{ mean, err float64 }

// combine returns the mean of means.
func combine(samples []sample) sample {
	var out sample
	for _, s := range samples {
		out.mean += s.mean / float64(len(samples))
		out.err += s.err * s.err
	}
	out.err = math.Sqrt(out.err) / float64(len(samples))
	return out
}

// rise returns by how many standard errors b is above a.
func rise(a, b sample) float64 {
	return (b.mean - a.mean) / math.Max(math.Hypot(a.err, b.err), 1e-9)
}

// rates returns a rate's values with the errors that their numbers of episodes imply.
func (h *history) rates(name, episodes string) []sample {
	return h.samples(name, func(step int, rate float64) float64 {
		n := max(1, h.at(episodes, step))
		p := (rate*n + 1) / (n + 2) // no rate is certain after a few episodes
		return math.Sqrt(p * (1 - p) / n)
	})
}

// successes returns the success rates of training.
func (h *history) successes() []sample { return h.rates(metric.SuccessRate, metric.Judged) }

// rewards returns the mean rewards of training.
func (h *history) rewards() []sample {
	return h.samples(metric.Reward, func(step int, _ float64) float64 {
		return h.at(metric.RewardStd, step) / math.Sqrt(max(1, h.at(metric.Scored, step)))
	})
}

func (h *history) samples(name string, deviation func(step int, value float64) float64) []sample {
	points := h.series[name]
	out := make([]sample, len(points))
	for i, p := range points {
		out[i] = sample{p.value, deviation(p.step, p.value)}
	}
	return out
}

// at returns a metric's value at a step, or 0.
func (h *history) at(name string, step int) float64 {
	points := h.series[name]
	i, ok := slices.BinarySearchFunc(points, step, func(p point, step int) int { return p.step - step })
	if !ok {
		return 0
	}
	return points[i].value
}

// trend compares the first and the last values of a series, two each. ok is false while they would overlap.
func trend(all []sample) (first, last sample, ok bool) {
	if len(all) < 2*baseline {
		return sample{}, sample{}, false
	}
	return combine(all[:baseline]), combine(all[len(all)-baseline:]), true
}

// improved reports whether success, or without it the reward, has clearly risen since the first steps.
func (h *history) improved() bool {
	all := h.successes()
	if len(all) == 0 {
		all = h.rewards()
	}
	n := min(len(all)/2, kept)
	return n >= baseline && rise(combine(all[:n]), combine(all[len(all)-n:])) > clearly
}

// A change of that many standard errors is not chance. The best of many values is compared very clearly.
const (
	clearly     = 3
	veryClearly = 4.5
)

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	if len(list) == 0 {
		return 0
	}
	return (list[len(list)/2] + list[(len(list)-1)/2]) / 2
}

func least(list []float64) float64 {
	if len(list) == 0 {
		return math.Inf(1)
	}
	return slices.Min(list)
}

func most(list []float64) float64 {
	if len(list) == 0 {
		return math.Inf(-1)
	}
	return slices.Max(list)
}
