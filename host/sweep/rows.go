package sweep

import (
	"maps"
	"math"
	"slices"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/metric"
)

// Row summarizes the members that differ only in their seed.
type Row struct {
	Values   []string // by axis, without the seed
	Members  []*Member
	Mean     *float64       // of the finished members; nil: none has a value
	Interval *eval.Interval // nil unless several members have a value
	Curve    compare.Curve  // means of the finished members
	Best     bool           // no row has a higher mean
}

// measures lists the metrics by which rows are compared, the preferred one first.
var measures = []string{metric.ValidationSuccessRate, metric.ValidationReward, metric.Reward}

// Value returns the metric's value at the end of the member's run, if the run has finished.
func (m *Member) Value(name string) (float64, bool) {
	if !m.HasFinished() || m.Run.Finish == nil {
		return 0, false
	}
	value, ok := m.Run.Finish.Metrics[name]
	return value, ok && value-value == 0
}

// Rows summarizes the members by the first of the measures that a finished member has; the name is empty if none has
// finished.
func (s *Sweep) Rows() (name string, rows []Row, err error) {
	for _, measure := range slices.Backward(measures) {
		if slices.ContainsFunc(s.Members, func(m *Member) bool { _, ok := m.Value(measure); return ok }) {
			name = measure
		}
	}
	for _, m := range s.Members {
		values := m.Values
		if n := len(s.Axes) - 1; s.Axes[n].Name == SeedVariable {
			values = values[:n]
		}
		if n := len(rows); n == 0 || !slices.Equal(rows[n-1].Values, values) {
			rows = append(rows, Row{Values: values})
		}
		row := &rows[len(rows)-1]
		row.Members = append(row.Members, m)
	}
	best := math.Inf(-1)
	for i := range rows {
		if err := rows[i].measure(s.Store, name); err != nil {
			return "", nil, err
		}
		if rows[i].Mean != nil {
			best = max(best, *rows[i].Mean)
		}
	}
	for i := range rows {
		rows[i].Best = rows[i].Mean != nil && *rows[i].Mean == best
	}
	return name, rows, nil
}

// measure fills in the values of a metric.
func (row *Row) measure(store *runstore.Store, name string) error {
	var last []float64
	curves := map[int]map[*Member]float64{} // by step; a repeated step counts once
	for _, m := range row.Members {
		value, ok := m.Value(name)
		if !ok {
			continue
		}
		last = append(last, value)
		run, err := store.Open(m.Run.Dir)
		if err != nil {
			return err
		}
		for r, err := range run.Metrics() {
			if err != nil {
				return err
			}
			if value, ok := r.Values[name]; ok {
				if curves[r.Step] == nil {
					curves[r.Step] = map[*Member]float64{}
				}
				curves[r.Step][m] = value
			}
		}
	}
	if len(last) == 0 {
		return nil
	}
	interval := eval.Means(last)
	if row.Mean = &interval.Value; len(last) > 1 {
		row.Interval = &interval
	}
	if name == metric.ValidationSuccessRate {
		interval.Low, interval.High = max(0, interval.Low), min(1, interval.High)
	}
	for _, step := range slices.Sorted(maps.Keys(curves)) {
		row.Curve.Steps = append(row.Curve.Steps, step)
		at := slices.Collect(maps.Values(curves[step]))
		slices.Sort(at) // for the same sum in each call
		row.Curve.Values = append(row.Curve.Values, eval.Means(at).Value)
	}
	return nil
}
