package local

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// batch is what a step learns from, in slot order.
type batch struct {
	results []*sdk.EpisodeResult // by slot
	samples []tinylm.Sample
	uses    []sdk.Consumption // by slot
}

// rollouts asks the host for all samples of a step and builds the batch.
func (t *trainer) rollouts(ctx context.Context, step, k int) (*batch, error) {
	total := t.settings.prompts * t.settings.groupSize
	requests := make([]sdk.EpisodeRequest, 0, total)
	for g := range t.settings.prompts {
		for i := range t.settings.groupSize {
			requests = append(requests, sdk.EpisodeRequest{
				EpisodeID: fmt.Sprintf("%s/t%06d/g%04d/s%03d", t.request.LaunchID, step, g, i), GroupID: fmt.Sprintf("g%04d", g),
				GroupSize: t.settings.groupSize, SampleIndex: i, DatasetIndex: (k-1)*t.settings.prompts + g,
				Stage: t.request.Stage, Split: sdk.SplitTrain, Step: step,
			})
		}
	}
	b := &batch{uses: make([]sdk.Consumption, total)}
	rows := make([][]tinylm.Row, total)
	var err error
	b.results, err = t.episodesOf(ctx, "rollout", step, requests, func(slot int, ep *episode, result *sdk.EpisodeResult) {
		rows[slot] = trainedRows(ep, result)
	})
	if err != nil {
		return nil, err
	}
	b.assemble(requests, rows)
	return b, nil
}

// episodesOf runs episodes side by side and returns their results by slot. keep is called with what the trainer holds of
// an episode, before it is forgotten; calls come at once for different slots.
func (t *trainer) episodesOf(ctx context.Context, phase string, step int, requests []sdk.EpisodeRequest, keep func(int, *episode, *sdk.EpisodeResult)) ([]*sdk.EpisodeResult, error) {
	results := make([]*sdk.EpisodeResult, len(requests))
	snapshot := t.policy.Snapshot()
	progress := newProgress(len(requests), func(done int) error { return t.phase(phase, step, done, len(requests)) })
	group, ctx := errgroup.WithContext(ctx)
	for slot, req := range requests {
		req.PolicyVersion = snapshot.Version
		group.Go(func() error {
			ep := t.episodes.open(req.EpisodeID, snapshot)
			defer t.episodes.close(req.EpisodeID)
			result, err := t.host.RunEpisode(ctx, req)
			if err != nil {
				return err
			}
			results[slot] = result
			keep(slot, ep, result)
			return progress.add()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}

// progress reports how far a phase is, ten times a second at most, and at the end.
type progress struct {
	total  int
	done   atomic.Int64
	report func(done int) error
	mu     sync.Mutex
	last   time.Time
}

const progressInterval = 100 * time.Millisecond

func newProgress(total int, report func(int) error) *progress {
	return &progress{total: total, report: report}
}

func (p *progress) add() error {
	done := int(p.done.Add(1))
	p.mu.Lock()
	defer p.mu.Unlock()
	if done < p.total && time.Since(p.last) < progressInterval {
		return nil
	}
	p.last = time.Now()
	return p.report(done)
}

// trainedRows are the chains that the result lists for training.
func trainedRows(ep *episode, result *sdk.EpisodeResult) []tinylm.Row {
	ep.mu.Lock()
	defer ep.mu.Unlock()
	var rows []tinylm.Row
	for _, listed := range result.Chains {
		if c := ep.chains[listed.Chain]; c != nil && listed.Train {
			rows = append(rows, c.row(ep.snapshot.Version))
		}
	}
	return rows
}

// assemble turns results into samples. A sample without a number leaves the baseline; a dropped group leaves the batch.
func (b *batch) assemble(requests []sdk.EpisodeRequest, rows [][]tinylm.Row) {
	dropped := map[string]bool{}
	for slot, result := range b.results {
		if result.DropGroup {
			dropped[requests[slot].GroupID] = true
		}
	}
	for slot, result := range b.results {
		group := requests[slot].GroupID
		switch {
		case dropped[group], result.Outcome == sdk.OutcomeDropped, result.Outcome == sdk.OutcomeCancelled:
			b.uses[slot] = sdk.ConsumedFiltered
			continue
		case result.Masked, result.Reward == nil:
			b.uses[slot] = sdk.ConsumedMasked
			b.samples = append(b.samples, tinylm.Sample{Outcome: grpo.Outcome{Group: group, Masked: true}})
			continue
		}
		b.uses[slot] = sdk.ConsumedTrained
		b.samples = append(b.samples, tinylm.Sample{Outcome: grpo.Outcome{Group: group, Reward: *result.Reward}, Rows: rows[slot]})
	}
	b.markFiltered(requests)
}

// markFiltered finds the samples whose group has no variance: they are consumed, but nothing of them is trained.
func (b *batch) markFiltered(requests []sdk.EpisodeRequest) {
	type span struct{ lowest, highest float64 }
	groups := map[string]*span{}
	for slot, use := range b.uses {
		if use != sdk.ConsumedTrained {
			continue
		}
		reward := *b.results[slot].Reward
		s := groups[requests[slot].GroupID]
		if s == nil {
			groups[requests[slot].GroupID] = &span{reward, reward}
			continue
		}
		s.lowest, s.highest = min(s.lowest, reward), max(s.highest, reward)
	}
	for slot, use := range b.uses {
		if s := groups[requests[slot].GroupID]; use == sdk.ConsumedTrained && s.lowest == s.highest {
			b.uses[slot] = sdk.ConsumedFiltered
		}
	}
}

func (b *batch) consumed() []sdk.ConsumedEpisode {
	out := make([]sdk.ConsumedEpisode, len(b.results))
	for slot, result := range b.results {
		out[slot] = sdk.ConsumedEpisode{EpisodeID: result.EpisodeID, Use: b.uses[slot]}
	}
	return out
}

// successRate is the share of solved samples among those with a verdict; -1 without any.
func (b *batch) successRate() float64 {
	judged, solved := 0, 0
	for _, result := range b.results {
		if result.IsSuccess != nil {
			judged++
			if *result.IsSuccess {
				solved++
			}
		}
	}
	if judged == 0 {
		return -1
	}
	return float64(solved) / float64(judged)
}

func (b *batch) metrics(m grpo.Metrics, rollout, update time.Duration) map[string]float64 {
	values := map[string]float64{
		"train/loss": m.Loss, "train/learning_rate": m.LearningRate, "train/reward": m.RewardMean, "train/reward_std": m.RewardStd,
		"train/entropy": m.Entropy, "train/kl": m.KL, "train/clip_fraction": m.ClipFraction, "train/grad_norm": m.GradNorm,
		"train/logprob_gap": m.LogprobGap, "train/tokens": float64(m.Tokens), "train/groups": float64(m.Groups),
		"train/zero_variance_groups": float64(m.ZeroVarianceGroups), "train/masked": float64(m.Masked),
		"train/dropped": float64(len(b.results) - m.Samples - m.Masked), "train/updates": float64(m.Updates),
		"train/rollout_seconds": rollout.Seconds(), "train/update_seconds": update.Seconds(),
		"train/tokens_per_second": float64(m.Tokens) / max(update.Seconds(), 1e-9),
	}
	if rate := b.successRate(); rate >= 0 {
		values["train/success_rate"] = rate
	}
	return values
}

// validation runs every validation task; the host counts.
func (t *trainer) validation(ctx context.Context, step int) error {
	var requests []sdk.EpisodeRequest
	for task := range t.request.ValidationTasks {
		for i := range t.settings.validateSamples {
			requests = append(requests, sdk.EpisodeRequest{
				EpisodeID: fmt.Sprintf("%s/v%06d/g%05d/s%03d", t.request.LaunchID, step, task, i), GroupID: fmt.Sprintf("v%05d", task),
				GroupSize: t.settings.validateSamples, SampleIndex: i, DatasetIndex: task,
				Stage: t.request.Stage, Split: sdk.SplitValidation, Step: step,
			})
		}
	}
	if len(requests) == 0 {
		return nil
	}
	_, err := t.episodesOf(ctx, "validation", step, requests, func(int, *episode, *sdk.EpisodeResult) {})
	return err
}
