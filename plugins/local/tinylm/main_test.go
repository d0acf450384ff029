package tinylm

import (
	"context"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/plugins/local/grpo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newTestPolicy(t testing.TB, c Config, seed uint64) *Policy {
	t.Helper()
	p, err := New(c, seed, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// copyRow returns a conversation of the copy task: a few symbols, a separator, the same symbols again, the end.
func copyRow(r *rand.Rand, symbols, length int) Row {
	const end, separator, first = 1, 2, 3
	ids := make([]int32, 2*length+2)
	for i := range length {
		ids[i] = first + int32(r.IntN(symbols))
		ids[length+1+i] = ids[i]
	}
	ids[length], ids[2*length+1] = separator, end
	trained := make([]bool, len(ids))
	for i := length + 1; i < len(ids); i++ {
		trained[i] = true
	}
	return Row{IDs: ids, Trained: trained}
}

func copyRows(r *rand.Rand, n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = copyRow(r, 9, 1+r.IntN(6))
	}
	return rows
}

// sampledRow returns a sampled answer as a training row.
func sampledRow(t testing.TB, p *Policy, prompt []int32, seed uint64, s Sampling) Row {
	t.Helper()
	out, err := p.Generate(context.Background(), GenRequest{PromptIDs: prompt, Seed: seed, Sampling: s})
	if err != nil {
		t.Fatal(err)
	}
	row := Row{Version: out.Version, IDs: append(append([]int32{}, prompt...), out.IDs...)}
	row.Trained = make([]bool, len(row.IDs))
	row.Temperatures = make([]float32, len(row.IDs))
	for i := range out.IDs {
		row.Trained[len(prompt)+i], row.Temperatures[len(prompt)+i] = true, s.RowTemperature()
	}
	row.Logprobs = append(make([]float32, len(prompt)), out.Logprobs...)
	return row
}

// rollout samples group answers to each of several prompts. The reward is the share of tokens with id 5.
func rollout(t testing.TB, p *Policy, step uint64, prompts, group int) []Sample {
	t.Helper()
	var samples []Sample
	for prompt := range prompts {
		ids := []int32{3, int32(3 + prompt%5), 2}
		for member := range group {
			row := sampledRow(t, p, ids, step<<32+uint64(prompt*group+member), Sampling{Temperature: 1, MaxTokens: 12})
			hits := 0
			for _, id := range row.IDs[len(ids):] {
				if id == 5 {
					hits++
				}
			}
			samples = append(samples, Sample{
				Outcome: grpo.Outcome{Group: string(rune('a' + prompt)), Reward: float64(hits) / 12},
				Rows:    []Row{row},
			})
		}
	}
	return samples
}

// trainSome makes a few steps of both kinds, with every term of the loss enabled.
func trainSome(t testing.TB, p *Policy, from, steps int) {
	t.Helper()
	h := grpo.DefaultHyper()
	h.KL, h.Entropy, h.MiniBatch, h.Epochs, h.Seed = 0.05, 0.01, 6, 2, 9
	for step := from; step < from+steps; step++ {
		if _, err := p.SFTStep(copyRows(rand.New(rand.NewPCG(uint64(step), 1)), 40), 2e-3); err != nil {
			t.Fatal(err)
		}
		if step == 1 {
			p.FreezeReference()
		}
		p.Publish()
		if step >= 1 {
			if _, err := p.GRPOStep(rollout(t, p, uint64(step), 4, 4), h); err != nil {
				t.Fatal(err)
			}
			p.Publish()
		}
	}
}
