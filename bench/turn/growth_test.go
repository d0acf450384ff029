package main

import (
	"math"
	"testing"
)

func TestLeastSquares_FindsTheCosts(t *testing.T) {
	want := []float64{0.2, 0.3, 0.01, 0.002, 0.0005}
	var rows [][]float64
	var costs []float64
	for _, s := range growthPoints() {
		row, cost := s.features(), 0.0
		for i, v := range row {
			cost += want[i] * v
		}
		rows, costs = append(rows, row), append(costs, cost)
	}
	got, err := leastSquares(rows, costs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Errorf("%s is %g, want %g", featureNames[i], got[i], want[i])
		}
	}
}
