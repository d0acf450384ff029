package tinylm

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// frequencies samples the first token of an answer many times.
func frequencies(t *testing.T, p *Policy, s Sampling, draws int) []float64 {
	t.Helper()
	s.MaxTokens = 1
	counts := make([]float64, p.cfg.Vocab)
	for i := range draws {
		out, err := p.Generate(context.Background(), GenRequest{PromptIDs: []int32{3, 4, 5}, Seed: uint64(i), Sampling: s})
		if err != nil {
			t.Fatal(err)
		}
		counts[out.IDs[0]] += 1 / float64(draws)
	}
	return counts
}

// nextLogits returns the logits after the prompt of frequencies.
func nextLogits(p *Policy) []float64 {
	s := newSession(p.cfg)
	s.model = p.Snapshot().model
	for i, id := range []int32{3, 4, 5} {
		s.feed(id, i == 2)
	}
	logits := make([]float64, len(s.logits))
	for i, l := range s.logits {
		logits[i] = float64(l)
	}
	return logits
}

func softmax64(logits []float64) []float64 {
	probs := make([]float64, len(logits))
	sum := 0.0
	for i, l := range logits {
		probs[i] = math.Exp(l)
		sum += probs[i]
	}
	for i := range probs {
		probs[i] /= sum
	}
	return probs
}

// TestSamplingDistribution compares frequencies with the expected distribution of each setting.
func TestSamplingDistribution(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 11)
	logits := nextLogits(p)
	order := make([]int, len(logits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, logits[b]-logits[a])) })
	scaled := func(by float64) []float64 {
		out := slices.Clone(logits)
		for i := range out {
			out[i] *= by
		}
		return out
	}
	only := func(kept []int) []float64 {
		out := make([]float64, len(logits))
		for i := range out {
			out[i] = math.Inf(-1)
		}
		for _, i := range kept {
			out[i] = logits[i]
		}
		return out
	}
	biased := slices.Clone(logits)
	biased[order[0]] = math.Inf(-1)
	biased[order[5]] += 2
	half, reached := 0, 0.0
	for probs := softmax64(logits); reached < 0.5; half++ {
		reached += probs[order[half]]
	}
	bias := map[int32]float64{int32(order[0]): math.Inf(-1), int32(order[5]): 2}
	tests := map[string]struct {
		sampling Sampling
		logits   []float64
	}{
		"temperature 1":   {Sampling{Temperature: 1}, logits},
		"temperature 0.5": {Sampling{Temperature: 0.5}, scaled(2)},
		"temperature 3":   {Sampling{Temperature: 3}, scaled(1. / 3)},
		"top-k":           {Sampling{Temperature: 1, TopK: 3}, only(order[:3])},
		"top-p":           {Sampling{Temperature: 1, TopP: 0.5}, only(order[:half])},
		"both":            {Sampling{Temperature: 1, TopP: 0.999999, TopK: 2}, only(order[:2])},
		"logit bias":      {Sampling{Temperature: 1, LogitBias: bias}, biased},
		"greedy":          {Sampling{}, only(order[:1])},
		"greedy and bias": {Sampling{LogitBias: map[int32]float64{int32(order[0]): math.Inf(-1)}}, only(order[1:2])},
		"top-k of all":    {Sampling{Temperature: 1, TopK: 1000, TopP: 1}, logits},
	}
	const draws = 4000
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := frequencies(t, p, test.sampling, draws)
			for id, want := range softmax64(test.logits) {
				tolerance := 5*math.Sqrt(want*(1-want)/draws) + 1e-9 // five standard deviations
				if math.Abs(got[id]-want) > tolerance {
					t.Errorf("id %d has frequency %.4f, want %.4f ± %.4f", id, got[id], want, tolerance)
				}
			}
		})
	}
}

// TestLogprobsAreBeforeBiasAndCuts checks that bias, top-k and top-p do not affect the recorded logprob.
func TestLogprobsAreBeforeBiasAndCuts(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 11)
	for _, s := range []Sampling{{}, {Temperature: 1}, {Temperature: 0.3}, {Temperature: 2, TopK: 2},
		{Temperature: 1, LogitBias: map[int32]float64{4: 9}}} {
		s.MaxTokens = 1
		out, err := p.Generate(context.Background(), GenRequest{PromptIDs: []int32{3, 4, 5}, Seed: 5, Sampling: s})
		if err != nil {
			t.Fatal(err)
		}
		logits := nextLogits(p)
		for i := range logits {
			logits[i] /= float64(s.RowTemperature())
		}
		if want := math.Log(softmax64(logits)[out.IDs[0]]); math.Abs(float64(out.Logprobs[0])-want) > 1e-5 {
			t.Errorf("%+v: logprob %v, want %v", s, out.Logprobs[0], want)
		}
	}
}

func TestFinish(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 2)
	never := []int32{}
	tests := map[string]struct {
		prompt   int
		sampling Sampling
		finish   Finish
		tokens   int
	}{
		"max tokens":                    {4, Sampling{Temperature: 1, MaxTokens: 7, Stop: never}, FinishLength, 7},
		"context":                       {4, Sampling{Temperature: 1, Stop: never}, FinishContext, 28},
		"max tokens beyond the context": {30, Sampling{Temperature: 1, MaxTokens: 9, Stop: never}, FinishContext, 2},
		"max tokens fill the context":   {30, Sampling{Temperature: 1, MaxTokens: 2, Stop: never}, FinishLength, 2},
		"a stop id is part of the answer": {4, Sampling{LogitBias: map[int32]float64{7: 100}, Stop: []int32{9, 7}},
			FinishStop, 1},
		"the end id stops by default": {4, Sampling{LogitBias: map[int32]float64{1: 100}}, FinishStop, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := p.Generate(context.Background(), GenRequest{PromptIDs: make([]int32, test.prompt),
				Sampling: test.sampling})
			if err != nil {
				t.Fatal(err)
			}
			if out.Finish != test.finish || len(out.IDs) != test.tokens || len(out.Logprobs) != test.tokens {
				t.Errorf("finish %q after %d tokens, want %q after %d", out.Finish, len(out.IDs), test.finish, test.tokens)
			}
		})
	}
}

func TestGenerateErrors(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 2)
	other := newTestPolicy(t, Tiny(), 1)
	for want, r := range map[string]GenRequest{
		"to a model of another shape": {PromptIDs: []int32{1}, Snapshot: other.Snapshot()},
		"the prompt is empty":         {},
		"the prompt has 32 tokens":    {PromptIDs: make([]int32, 32)},
		"token 1 has id 12":           {PromptIDs: []int32{1, 12}},
		"the temperature is NaN":      {PromptIDs: []int32{1}, Sampling: Sampling{Temperature: math.NaN()}},
		"top-p 2":                     {PromptIDs: []int32{1}, Sampling: Sampling{TopP: 2}},
		"stop ids: token 0 has id -1": {PromptIDs: []int32{1}, Sampling: Sampling{Stop: []int32{-1}}},
		"the logit bias of token 3 is +Inf": {PromptIDs: []int32{1},
			Sampling: Sampling{LogitBias: map[int32]float64{3: math.Inf(1)}}},
		"max tokens -1 must be at least 0": {PromptIDs: []int32{1}, Sampling: Sampling{MaxTokens: -1}},
		"the logit bias of token 99 is 1; ids": {PromptIDs: []int32{1},
			Sampling: Sampling{LogitBias: map[int32]float64{99: 1}}},
	} {
		_, err := p.Generate(context.Background(), r)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
		if errors.Is(err, ErrContextFull) != (len(r.PromptIDs) == 32) {
			t.Errorf("%v: is ErrContextFull = %v", err, errors.Is(err, ErrContextFull))
		}
	}
}

func TestGenerateStopsWithItsContext(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 2)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("the episode is over"))
	_, err := p.Generate(ctx, GenRequest{PromptIDs: []int32{3}})
	if err == nil || !strings.Contains(err.Error(), "the episode is over") {
		t.Errorf("got error %v, want the cause of the cancellation", err)
	}
}
