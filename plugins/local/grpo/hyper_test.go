package grpo

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHyperValidate(t *testing.T) {
	tests := map[string]struct {
		change func(*Hyper)
		want   string // part of the error; empty: valid
	}{
		"default":             {func(*Hyper) {}, ""},
		"NaN learning rate":   {func(h *Hyper) { h.LearningRate = math.NaN() }, "learning rate is NaN"},
		"infinite KL":         {func(h *Hyper) { h.KL = math.Inf(1) }, "KL coefficient is +Inf"},
		"clip below 0":        {func(h *Hyper) { h.ClipLow = 1.5 }, "lower clip range is 1.5"},
		"negative epochs":     {func(h *Hyper) { h.Epochs = -1 }, "number of epochs is -1"},
		"unknown scaling":     {func(h *Hyper) { h.Normalize = "batch" }, `unknown normalisation "batch"`},
		"unknown aggregation": {func(h *Hyper) { h.Aggregate = "sum" }, `unknown aggregation "sum"`},
		"length missing":      {func(h *Hyper) { h.Aggregate = ConstantLength }, "needs a constant length"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := DefaultHyper()
			test.change(&h)
			err := h.Validate()
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

// TestTokenWeight checks the three averages on a batch of two samples with 2 and 6 tokens.
func TestTokenWeight(t *testing.T) {
	tests := []struct {
		hyper Hyper
		want  [2]float64
	}{
		{Hyper{}, [2]float64{1. / 8, 1. / 8}},
		{Hyper{Aggregate: SequenceMean}, [2]float64{1. / 4, 1. / 12}},
		{Hyper{Aggregate: ConstantLength, ConstantLength: 10}, [2]float64{1. / 20, 1. / 20}},
	}
	for _, test := range tests {
		got := [2]float64{test.hyper.TokenWeight(2, 8, 2), test.hyper.TokenWeight(6, 8, 2)}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.hyper.Aggregate, diff)
		}
	}
}

func TestSchedule(t *testing.T) {
	tests := map[string]struct {
		schedule Schedule
		want     []float64 // steps 1, 2, 3, …
	}{
		"constant":          {Schedule{Peak: 2}, []float64{2, 2, 2}},
		"constant, warm-up": {Schedule{Peak: 2, WarmupSteps: 4}, []float64{0.5, 1, 1.5, 2, 2}},
		"linear to 10 %":    {Schedule{Peak: 1, Shape: Linear, TotalSteps: 4}, []float64{0.775, 0.55, 0.325, 0.1, 0.1}},
		"cosine to 10 %":    {Schedule{Peak: 1, Shape: Cosine, TotalSteps: 2}, []float64{0.55, 0.1, 0.1}},
		"hold, then to 10 %": {Schedule{Peak: 1, Shape: Hold, TotalSteps: 10},
			[]float64{1, 1, 1, 1, 1, 1, 1, 1, 0.55, 0.1, 0.1}},
		"warm-up multiplies": {Schedule{Peak: 1, Shape: Linear, TotalSteps: 4, WarmupSteps: 2},
			[]float64{0.3875, 0.55, 0.325}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if err := test.schedule.Validate(); err != nil {
				t.Fatal(err)
			}
			var got []float64
			for step := range test.want {
				got = append(got, test.schedule.At(step+1))
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
				t.Errorf("rates (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScheduleValidate(t *testing.T) {
	for want, s := range map[string]Schedule{
		"unknown shape":              {Shape: "step"},
		"needs the total number":     {Shape: Linear},
		"the peak is -1":             {Peak: -1},
		"-3 warm-up steps, there mu": {WarmupSteps: -3},
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got error %v, want %q", s, err, want)
		}
	}
}
