package local

import (
	"math"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// tokens returns the reported rows of a step.
func (r *rig) tokens(step int) (rows []sdk.TokensRow) {
	for _, e := range r.events {
		if e.Tokens != nil && e.Tokens.Step == step {
			rows = append(rows, e.Tokens.Rows...)
		}
	}
	return rows
}

// The reported tokens must match the update: the same logprobs as at sampling, with the same weights, and one
// advantage per sample, of both signs in a group.
func TestTokens_AreThoseOfTheUpdate(t *testing.T) {
	r := newRig(t, map[string]any{"tokens_every": 2})
	r.train(r.request(knobsOf(2, nil)), sdk.FinishedCompleted)
	if rows := r.tokens(1); rows != nil {
		t.Errorf("step 1 told %d rows, want none: every second step does", len(rows))
	}
	rows := r.tokens(2)
	if r.metrics(2)[metric.Updates] == 0 || len(rows) == 0 {
		t.Fatalf("step 2 told %d rows", len(rows))
	}
	above, below := 0, 0
	for _, row := range rows {
		trained := 0
		var advantage float32
		for i, is := range row.Trained {
			if !is {
				if !math.IsNaN(float64(row.SamplerLogprobs[i])) || !math.IsNaN(float64(row.Advantages[i])) {
					t.Fatalf("token %d of %s is not trained and has numbers", i, row.EpisodeID)
				}
				continue
			}
			trained++
			gap := math.Abs(float64(row.SamplerLogprobs[i] - row.TrainerLogprobs[i]))
			if gap > 1e-3 || row.SamplerLogprobs[i] > 0 || advantage != 0 && advantage != row.Advantages[i] {
				t.Errorf("token %d of %s: sampler %v, trainer %v, advantage %v", i, row.EpisodeID, row.SamplerLogprobs[i],
					row.TrainerLogprobs[i], row.Advantages[i])
			}
			advantage = row.Advantages[i]
		}
		if n := len(row.IDs); trained == 0 || len(row.Texts) != n || len(row.TrainerLogprobs) != n || row.Total < n ||
			row.Chain == "" {
			t.Errorf("row of %s: %d trained of %d, %d texts, total %d, chain %q", row.EpisodeID, trained, n, len(row.Texts),
				row.Total, row.Chain)
		}
		if advantage > 0 {
			above++
		} else if advantage < 0 {
			below++
		}
	}
	if above == 0 || below == 0 {
		t.Errorf("%d rows have an advantage above 0, %d below", above, below)
	}
}

// Reporting tokens must not change the training.
func TestTokens_ChangeNothing(t *testing.T) {
	digests := func(every int) []stepDigest {
		r := newRig(t, map[string]any{"tokens_every": every})
		r.train(r.request(knobsOf(3, nil)), sdk.FinishedCompleted)
		if told := len(r.tokens(3)) > 0; told != (every > 0) {
			t.Errorf("tokens_every %d: told %t", every, told)
		}
		return r.digests(1)
	}
	with, without := digests(1), digests(0)
	for i := range with {
		if with[i] != without[i] {
			t.Errorf("step %d: %s with, %s without", with[i].Step, with[i].Digest, without[i].Digest)
		}
	}
}
