package local

import (
	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// sample is a finished episode with its training rows.
type sample struct {
	group  string
	result *sdk.EpisodeResult
	rows   []chainRow // of its trained chains; each has a trained token
	lost   bool       // a chain to be trained is missing
}

// use determines how a sample is used, regardless of its group. A sample without a reward or without any policy tokens
// provides no information about the policy and is excluded from the baseline.
func (s sample) use() sdk.Consumption {
	switch r := s.result; {
	case r.Outcome == sdk.OutcomeDropped, r.Outcome == sdk.OutcomeCancelled, r.DropGroup:
		return sdk.ConsumedFiltered
	case r.Masked, r.Reward == nil:
		return sdk.ConsumedMasked
	case s.lost:
		return sdk.ConsumedLost
	case len(s.rows) == 0:
		return sdk.ConsumedMasked
	}
	return sdk.ConsumedTrained
}

func (s sample) plainRows() []tinylm.Row {
	rows := make([]tinylm.Row, len(s.rows))
	for i, r := range s.rows {
		rows[i] = r.Row
	}
	return rows
}

// batch holds the samples of a step. Everything is in slot order.
type batch struct {
	all     []sample
	uses    []sdk.Consumption
	slots   []int           // indices of samples in all
	samples []tinylm.Sample // of the update, without dropped ones
}

// newBatch determines how each sample is used in an update with the given settings.
func newBatch(all []sample, h grpo.Hyper) *batch {
	b := &batch{all: all, uses: make([]sdk.Consumption, len(all))}
	for slot, s := range all {
		b.uses[slot] = s.use()
		out := tinylm.Sample{Outcome: grpo.Outcome{Group: s.group, Masked: true}}
		switch b.uses[slot] {
		case sdk.ConsumedFiltered:
			continue
		case sdk.ConsumedTrained:
			out = tinylm.Sample{Outcome: grpo.Outcome{Group: s.group, Reward: *s.result.Reward}, Rows: s.plainRows()}
		}
		b.samples, b.slots = append(b.samples, out), append(b.slots, slot)
	}
	b.filter(h)
	return b
}

// filter marks samples from groups without variance as filtered. They count in the statistics, but are not trained.
func (b *batch) filter(h grpo.Hyper) {
	advantages := b.advantages(h)
	for i, slot := range b.slots {
		if b.uses[slot] == sdk.ConsumedTrained && !advantages[i].Used {
			b.uses[slot] = sdk.ConsumedFiltered
		}
	}
}

// advantages returns the advantages of samples.
func (b *batch) advantages(h grpo.Hyper) []grpo.Advantage {
	outcomes := make([]grpo.Outcome, len(b.samples))
	for i, s := range b.samples {
		outcomes[i] = s.Outcome
	}
	advantages, _ := grpo.Advantages(outcomes, h)
	return advantages
}

// rows returns the rows of the update.
func (b *batch) rows() []tinylm.Row {
	var rows []tinylm.Row
	for _, s := range b.samples {
		rows = append(rows, s.Rows...)
	}
	return rows
}

func (b *batch) consumed() []sdk.ConsumedEpisode {
	out := make([]sdk.ConsumedEpisode, len(b.all))
	for slot, s := range b.all {
		out[slot] = sdk.ConsumedEpisode{EpisodeID: s.result.EpisodeID, Use: b.uses[slot]}
	}
	return out
}

// dropped returns the number of samples that left the batch.
func (b *batch) dropped() int { return len(b.all) - len(b.samples) }

// successRate returns the share of solved samples among samples with a verdict, or -1 without any.
func (b *batch) successRate() float64 {
	judged, solved := 0, 0
	for _, s := range b.all {
		if s.result.IsSuccess == nil {
			continue
		}
		judged++
		if *s.result.IsSuccess {
			solved++
		}
	}
	if judged == 0 {
		return -1
	}
	return float64(solved) / float64(judged)
}
