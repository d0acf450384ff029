package main

import (
	"context"
	"fmt"
	"io"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/awhost/awhost/bench/internal/machine"
)

// growthPoints returns the measured runs. The last is not used for the fit: it has the size of a run on 64 GPUs, whose
// episodes have 40 turns and 32,000 tokens, at 4 bytes per token.
func growthPoints() []scenario {
	points := []scenario{
		{concurrency: 100, episodes: 6000, turns: 2},
		{concurrency: 100, episodes: 2000, turns: 10},
		{concurrency: 100, episodes: 500, turns: 40},
		{concurrency: 100, episodes: 2000, turns: 10, text: 1 << 10},
		{concurrency: 100, episodes: 2000, turns: 10, text: 4 << 10},
		{concurrency: 100, episodes: 500, turns: 40, text: 2 << 10},
		{concurrency: 100, episodes: 2000, turns: 10, tools: 20},
		{concurrency: 100, episodes: 2000, turns: 10, tools: 40},
		{concurrency: 1000, episodes: 4000, turns: 10, text: 1 << 10},
		{concurrency: 1000, episodes: 2000, turns: 10, text: 2 << 10, tools: 40},
		{concurrency: 1000, episodes: 1000, turns: 40, text: 1600, tools: 36},
		{concurrency: 4096, episodes: 4096, turns: 40, text: 1600, tools: 36},
	}
	for i := range points {
		points[i].step = max(200, points[i].concurrency)
	}
	return points
}

// features returns the terms of the model of the cost per turn: a turn, the turn's share of an episode, the text of the
// policy and the environment in kB, the tools, and the share of the open episodes' text that the caches do not hold.
func (s scenario) features() []float64 {
	text := 2 * float64(s.text) / 1024
	open := text * float64(s.turns) * float64(s.concurrency) / 1024 // MB
	return []float64{1, 1 / float64(s.turns), text, float64(4 + s.tools), open / (open + cacheMB)}
}

// cacheMB is the size of the third-level cache of the machine whose figures are recorded.
const cacheMB = 32

// featureNames describes the features.
var featureNames = []string{"ms per turn", "ms per episode", "ms per kB of text", "ms per tool and turn",
	"ms per turn if no text is cached"}

// measureGrowth measures the points, fits the model, and prints both.
func measureGrowth(ctx context.Context, o options, scratch string, w io.Writer) error {
	points := growthPoints()
	fmt.Fprintf(w, "%s\n\n%10s %6s %9s %6s %10s %9s %11s %10s\n", machine.Describe(), "concurrent", "turns",
		"text, kB", "tools", "CPU ms", "host ms", "host peak MB", "turns/s")
	var rows [][]float64
	var costs []float64
	for _, s := range points {
		m, err := measureApply(ctx, o, scratch, s)
		if err != nil {
			return fmt.Errorf("%+v: %w", s, err)
		}
		var peak float64
		for _, r := range m.Memory {
			peak = max(peak, r.RSS[hostName])
		}
		fmt.Fprintf(w, "%10d %6d %9.1f %6d %10.3f %9.3f %11.0f %10.0f\n", s.concurrency, s.turns, float64(s.text)/1024,
			4+s.tools, m.perTurn(), 1000*m.CPU[hostName]/float64(max(1, m.Turns)), peak, float64(m.Turns)/m.WallSeconds)
		rows, costs = append(rows, s.features()), append(costs, m.perTurn())
	}
	last := len(points) - 1
	model, err := leastSquares(rows[:last], costs[:last])
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "\nmodel")
	for i, name := range featureNames {
		fmt.Fprintf(w, "  %9.5f %s\n", model[i], name)
	}
	fmt.Fprintln(w, "\nmeasured and predicted ms per turn")
	for i := range rows {
		note := ""
		if i == last {
			note = ", not used for the model"
		}
		predicted := floats.Dot(model, rows[i])
		fmt.Fprintf(w, "  %8.3f %8.3f  %+4.0f %%%s\n", costs[i], predicted, 100*(predicted/costs[i]-1), note)
	}
	return nil
}

// leastSquares returns the factors that minimize the squares of the relative errors.
func leastSquares(rows [][]float64, want []float64) ([]float64, error) {
	relative, ones := mat.NewDense(len(rows), len(rows[0]), nil), mat.NewVecDense(len(rows), nil)
	for i, row := range rows {
		for j, v := range row {
			relative.Set(i, j, v/want[i])
		}
		ones.SetVec(i, 1)
	}
	var out mat.VecDense
	if err := out.SolveVec(relative, ones); err != nil {
		return nil, fmt.Errorf("fit the model: %w", err)
	}
	return out.RawVector().Data, nil
}
