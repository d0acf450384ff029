package local

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

const (
	trained  = sdk.ConsumedTrained
	masked   = sdk.ConsumedMasked
	filtered = sdk.ConsumedFiltered
	lost     = sdk.ConsumedLost
)

// Each case gives the uses of the four samples of group a. The rewards of group b are 0, 1, 0 and 1.
func TestBatch_WhatBecomesOfSamples(t *testing.T) {
	type fate struct {
		Uses            []sdk.Consumption // of group a
		Masked, Dropped int
		Groups, Flat    int
		Mean            float64 // reward over both groups
	}
	reward := func(v float64) *sdk.EpisodeResult {
		return &sdk.EpisodeResult{Outcome: sdk.OutcomeScored, Reward: &v}
	}
	with := func(r *sdk.EpisodeResult, change func(*sdk.EpisodeResult)) *sdk.EpisodeResult { change(r); return r }
	left := func(r *sdk.EpisodeResult) *sdk.EpisodeResult { r.DropGroup = true; return r }
	tests := map[string]struct {
		results []*sdk.EpisodeResult
		norows  int  // number of leading samples without a row
		lost    int  // number of leading samples that lost a chain
		keep    bool // drop_zero_variance = false
		want    fate
	}{
		"all are trained": {
			results: []*sdk.EpisodeResult{reward(1), reward(0), reward(1), reward(0)},
			want:    fate{Uses: []sdk.Consumption{trained, trained, trained, trained}, Groups: 2, Mean: 0.5},
		},
		"a truncated one with a number is trained": {
			results: []*sdk.EpisodeResult{with(reward(1), func(r *sdk.EpisodeResult) { r.Outcome = sdk.OutcomeTruncated }),
				reward(0), reward(1), reward(0)},
			want: fate{Uses: []sdk.Consumption{trained, trained, trained, trained}, Groups: 2, Mean: 0.5},
		},
		"a masked one stays out of the baseline": {
			results: []*sdk.EpisodeResult{with(reward(9), func(r *sdk.EpisodeResult) { r.Masked = true }), reward(0), reward(1),
				reward(0)},
			want: fate{Uses: []sdk.Consumption{masked, trained, trained, trained}, Masked: 1, Groups: 2, Mean: 3. / 7},
		},
		"a failed one has no number": {
			results: []*sdk.EpisodeResult{{Outcome: sdk.OutcomeFailed}, reward(0), reward(1), reward(0)},
			want:    fate{Uses: []sdk.Consumption{masked, trained, trained, trained}, Masked: 1, Groups: 2, Mean: 3. / 7},
		},
		"a dropped one leaves the batch": {
			results: []*sdk.EpisodeResult{{Outcome: sdk.OutcomeDropped}, reward(0), reward(1), reward(0)},
			want:    fate{Uses: []sdk.Consumption{filtered, trained, trained, trained}, Dropped: 1, Groups: 2, Mean: 3. / 7},
		},
		"a cancelled one leaves the batch": {
			results: []*sdk.EpisodeResult{{Outcome: sdk.OutcomeCancelled}, reward(0), reward(1), reward(0)},
			want:    fate{Uses: []sdk.Consumption{filtered, trained, trained, trained}, Dropped: 1, Groups: 2, Mean: 3. / 7},
		},
		"nothing of a dropped group is used, whose samples the host marks": {
			results: []*sdk.EpisodeResult{left(reward(1)), left(&sdk.EpisodeResult{Outcome: sdk.OutcomeFailed}),
				left(&sdk.EpisodeResult{Outcome: sdk.OutcomeDropped}), left(reward(0))},
			want: fate{Uses: []sdk.Consumption{filtered, filtered, filtered, filtered}, Dropped: 4, Groups: 1, Mean: 0.5},
		},
		"a group of equal rewards teaches nothing": {
			results: []*sdk.EpisodeResult{reward(1), reward(1), reward(1), reward(1)},
			want:    fate{Uses: []sdk.Consumption{filtered, filtered, filtered, filtered}, Groups: 2, Flat: 1, Mean: 0.75},
		},
		"a group of equal rewards is trained where the spec wants it": {
			results: []*sdk.EpisodeResult{reward(1), reward(1), reward(1), reward(1)}, keep: true,
			want: fate{Uses: []sdk.Consumption{trained, trained, trained, trained}, Groups: 2, Flat: 1, Mean: 0.75},
		},
		"a rounding difference counts as drift": {
			results: []*sdk.EpisodeResult{reward(1), reward(1 + 1e-12), reward(1), reward(1)},
			want: fate{Uses: []sdk.Consumption{filtered, filtered, filtered, filtered}, Groups: 2, Flat: 1,
				Mean: 0.75 + 1e-12/8},
		},
		"a lone survivor has nothing to be compared with": {
			results: []*sdk.EpisodeResult{reward(1), {Outcome: sdk.OutcomeFailed}, {Outcome: sdk.OutcomeFailed},
				{Outcome: sdk.OutcomeDropped}},
			want: fate{Uses: []sdk.Consumption{filtered, masked, masked, filtered}, Masked: 2, Dropped: 1, Groups: 2, Flat: 1,
				Mean: 0.6},
		},
		"a number without a token of the policy says nothing about it": {
			results: []*sdk.EpisodeResult{reward(9), reward(0), reward(1), reward(0)}, norows: 1,
			want: fate{Uses: []sdk.Consumption{masked, trained, trained, trained}, Masked: 1, Groups: 2, Mean: 3. / 7},
		},
		"a lost chain makes its sample unusable": {
			results: []*sdk.EpisodeResult{reward(9), reward(0), reward(1), reward(0)}, lost: 1,
			want: fate{Uses: []sdk.Consumption{lost, trained, trained, trained}, Masked: 1, Groups: 2, Mean: 3. / 7},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			policy, err := tinylm.New(tinylm.Tiny(), 1, tinylm.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var all []sample
			for i, result := range append(test.results, reward(0), reward(1), reward(0), reward(1)) {
				s := sample{group: "ab"[i/4 : i/4+1], result: result, rows: []chainRow{{Row: someRow(i)}}, lost: i < test.lost}
				result.EpisodeID = fmt.Sprint(i)
				if i < test.norows {
					s.rows = nil
				}
				all = append(all, s)
			}
			h := knobSettings(t, knobsOf(1, func(k *sdk.Knobs) { k.Algorithm.DropZeroVariance = ptr(!test.keep) })).step(1, 1)
			b := newBatch(all, h)
			metrics, err := policy.GRPOStep(b.samples, h)
			if err != nil {
				t.Fatal(err)
			}
			got := fate{
				Uses: b.uses[:4], Masked: metrics.Masked, Dropped: b.dropped(), Groups: metrics.Groups,
				Flat: metrics.ZeroVarianceGroups, Mean: metrics.RewardMean,
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateApprox(0, 1e-15)); diff != "" {
				t.Errorf("batch (-want +got):\n%s", diff)
			}
			used := 0
			for _, u := range b.uses {
				if u == trained {
					used++
				}
			}
			if used != metrics.Used {
				t.Errorf("%d samples are reported as trained, the update used %d", used, metrics.Used)
			}
		})
	}
}

// someRow returns a row with two trained tokens.
func someRow(i int) tinylm.Row {
	return tinylm.Row{
		IDs: []int32{1, 2, int32(3 + i), 4}, Trained: []bool{false, false, true, true}, Logprobs: []float32{0, 0, -5, -5},
	}
}

func knobSettings(t *testing.T, k sdk.Knobs) settings {
	t.Helper()
	s, err := newSettings(k, 6)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRows_OnlyListedChainsOfTheLastAttemptAreTrained(t *testing.T) {
	type fate struct {
		result *sdk.EpisodeResult
		tokens int // number of tokens to be trained
	}
	tests := map[string]struct {
		play func(t *testing.T, ctx context.Context, open func() *conversation, req sdk.EpisodeRequest) fate
		use  sdk.Consumption
	}{
		"one chain": {use: trained, play: func(t *testing.T, ctx context.Context, open func() *conversation,
			req sdk.EpisodeRequest) fate {
			c := said(t, ctx, open(), "q", "and?")
			return fate{scored(req, 0, c.chain), c.sampled}
		}},
		"several chains": {use: trained, play: func(t *testing.T, ctx context.Context, open func() *conversation,
			req sdk.EpisodeRequest) fate {
			a, b := said(t, ctx, open(), "q"), said(t, ctx, open(), "other", "and?")
			return fate{scored(req, 0, a.chain, b.chain), a.sampled + b.sampled}
		}},
		"a listed chain that is not to be trained": {use: trained,
			play: func(t *testing.T, ctx context.Context, open func() *conversation, req sdk.EpisodeRequest) fate {
				a, b := said(t, ctx, open(), "q"), said(t, ctx, open(), "other", "and?")
				r := scored(req, 0, a.chain, b.chain)
				r.Chains[1].Train = false
				return fate{r, a.sampled}
			}},
		"a chain that is not listed": {use: trained, play: func(t *testing.T, ctx context.Context, open func() *conversation,
			req sdk.EpisodeRequest) fate {
			a := said(t, ctx, open(), "q")
			said(t, ctx, open(), "other")
			return fate{scored(req, 0, a.chain), a.sampled}
		}},
		"a frozen member": {use: trained, play: func(t *testing.T, ctx context.Context, open func() *conversation,
			req sdk.EpisodeRequest) fate {
			a, frozen := said(t, ctx, open(), "q"), open()
			frozen.frozen = true
			return fate{scored(req, 0, a.chain, said(t, ctx, frozen, "other").chain), a.sampled}
		}},
		"only a frozen member": {use: masked, play: func(t *testing.T, ctx context.Context, open func() *conversation,
			req sdk.EpisodeRequest) fate {
			frozen := open()
			frozen.frozen = true
			return fate{result: scored(req, 0, said(t, ctx, frozen, "q").chain)}
		}},
		"no chains": {use: masked, play: func(_ *testing.T, _ context.Context, _ func() *conversation,
			req sdk.EpisodeRequest) fate {
			return fate{result: scored(req, 0)}
		}},
		"an earlier attempt": {use: trained, play: func(t *testing.T, ctx context.Context, open func() *conversation,
			req sdk.EpisodeRequest) fate {
			said(t, ctx, open(), "q", "and?")
			again := open()
			again.attempt = 2
			r := scored(req, 0, said(t, ctx, again, "q").chain)
			r.Attempt = 2
			return fate{r, again.sampled}
		}},
		"an earlier attempt that is listed all the same": {use: lost,
			play: func(t *testing.T, ctx context.Context, open func() *conversation, req sdk.EpisodeRequest) fate {
				first, again := said(t, ctx, open(), "q", "and?"), open()
				again.attempt = 2
				r := scored(req, 0, said(t, ctx, again, "q").chain, first.chain)
				r.Attempt = 2
				return fate{result: r}
			}},
		"an earlier attempt that is listed, and a last one without the policy": {use: lost,
			play: func(t *testing.T, ctx context.Context, open func() *conversation, req sdk.EpisodeRequest) fate {
				r := scored(req, 0, said(t, ctx, open(), "q", "and?").chain)
				r.Attempt = 2
				return fate{result: r}
			}},
		"a chain that the trainer does not have": {use: lost,
			play: func(t *testing.T, ctx context.Context, open func() *conversation, req sdk.EpisodeRequest) fate {
				return fate{result: scored(req, 0, said(t, ctx, open(), "q").chain, "of somebody else")}
			}},
		"the prefix of a fork is not trained twice": {use: trained,
			play: func(t *testing.T, ctx context.Context, open func() *conversation, req sdk.EpisodeRequest) fate {
				c := said(t, ctx, open(), "q", "and?") // four messages
				fork := open()
				fork.chain, fork.base = c.chain, 2
				said(t, ctx, fork, "instead?")
				if fork.last.Drift != "FORK" || fork.chain == c.chain || fork.base != 4 {
					t.Errorf("continuing after message 2 of 4 gives chain %s with %d messages, drift %q", fork.chain, fork.base,
						fork.last.Drift)
				}
				return fate{scored(req, 0, c.chain, fork.chain), c.sampled + fork.sampled}
			}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			var want atomic.Int64
			r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
				open := func() *conversation { return converse(r.host, req) }
				f := test.play(t, ctx, open, req)
				if req.GroupID == "g0001" { // the other group stays unchanged
					c := said(t, ctx, open(), "q")
					f = fate{scored(req, 0, c.chain), c.sampled}
				}
				*f.result.Reward = float64(req.SampleIndex) // different rewards within the group
				want.Add(int64(f.tokens))
				return f.result, nil
			}
			req := r.request(knobsOf(1, nil))
			req.ValidationTasks = 0
			r.train(req, sdk.FinishedCompleted)
			if got := int64(r.metrics(1)["train/tokens"]); got != want.Load() || got == 0 {
				t.Errorf("the step trained %d tokens, want %d", got, want.Load())
			}
			for slot, use := range r.uses(1)[:4] {
				if use != test.use {
					t.Errorf("slot %d was %s, want %s", slot, use, test.use)
				}
			}
			if gap := r.metrics(1)["train/logprob_gap"]; gap != 0 {
				t.Errorf("sampler and trainer differ by %v nats on the same weights", gap)
			}
		})
	}
}

func said(t *testing.T, ctx context.Context, c *conversation, texts ...string) *conversation {
	t.Helper()
	for _, text := range texts {
		if _, err := c.say(ctx, text); err != nil {
			t.Error(err)
		}
	}
	return c
}

// If a message was cut by the context, the end token that is added to it exceeds the context.
func TestRows_AnEpisodeThatFillsTheContextIsTrained(t *testing.T) {
	r := newRig(t, nil)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		c := converse(r.host, req)
		c.sampling = sdk.Sampling{}
		text, err := c.say(ctx, strings.Repeat("x", 40))
		return scored(req, textReward(text), c.chain), err
	}
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	if uses := r.uses(1); !slices.Contains(uses, trained) {
		t.Errorf("no sample was trained: %v", uses)
	}
}

func TestRows_ARewardPerChainIsRefused(t *testing.T) {
	r := newRig(t, nil)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		result, err := twoTurns(ctx, r.host, req)
		if err == nil {
			result.Chains[0].Reward = ptr(1.0)
		}
		return result, err
	}
	if finished := r.train(r.request(knobsOf(1, nil)), sdk.FinishedFailed); !strings.Contains(finished.Reason,
		"has its own reward") {
		t.Errorf("the reason is %q", finished.Reason)
	}
}

func TestMemory_EpisodesAreForgottenBeforeTheHostIsAsked(t *testing.T) {
	r := newRig(t, nil)
	r.host.decide = func(req sdk.StepBoundaryRequest) (sdk.Directive, string) {
		r.inner.episodes.mu.Lock()
		defer r.inner.episodes.mu.Unlock()
		if n := len(r.inner.episodes.byID); n != 0 {
			t.Errorf("after step %d, %d episodes are still in memory", req.Step, n)
		}
		return sdk.DirectiveContinue, ""
	}
	r.train(r.request(knobsOf(2, func(k *sdk.Knobs) { k.Validate.Every = ptr(1) })), sdk.FinishedCompleted)
	if len(r.host.boundaries) != 3 {
		t.Errorf("%d boundaries, want 3", len(r.host.boundaries))
	}
}

// A step without a signal must keep the weights and still count as a step.
func TestStep_WithoutVarianceCommitsTheSameWeights(t *testing.T) {
	r := newRig(t, nil)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		result, err := twoTurns(ctx, r.host, req)
		if err == nil {
			*result.Reward = 0.5
		}
		return result, err
	}
	r.train(r.request(knobsOf(2, nil)), sdk.FinishedCompleted)
	digests := r.digests(0)
	if digests[0].Digest != digests[1].Digest || digests[1].Digest != digests[2].Digest {
		t.Errorf("the weights moved: %v", digests)
	}
	for _, e := range r.events {
		if e.Consumed != nil && e.Consumed.VersionAfter != 0 {
			t.Errorf("step %d published version %d, and nothing has changed", e.Consumed.Step, e.Consumed.VersionAfter)
		}
	}
	want := map[string]float64{"train/updates": 0, "train/zero_variance_groups": 2, "train/groups": 2, "train/reward": 0.5,
		"train/reward_std": 0, "train/loss": 0}
	for name, v := range want {
		if got := r.metrics(2)[name]; got != v {
			t.Errorf("%s is %v, want %v", name, got, v)
		}
	}
}

func TestMetrics_AreTheOnesThatThePluginDeclares(t *testing.T) {
	r := warmRig(t)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		result, err := twoTurns(ctx, r.host, req)
		if err == nil {
			result.IsSuccess = ptr(req.SampleIndex == 0)
		}
		return result, err
	}
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	emitted := map[string]bool{}
	for _, e := range r.events {
		if e.Metrics != nil {
			for name := range e.Metrics.Values {
				emitted[name] = true
			}
		}
	}
	declared := map[string]bool{}
	for _, name := range Plugin().Adapters[0].Metrics {
		declared[name] = true
	}
	if diff := cmp.Diff(declared, emitted); diff != "" {
		t.Errorf("metrics (-declared +emitted):\n%s", diff)
	}
	if rate := r.metrics(1)["train/success_rate"]; rate != 0.25 {
		t.Errorf("the success rate is %v, want 1 of 4", rate)
	}
}
