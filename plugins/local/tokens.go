package local

import (
	"fmt"
	"math"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// reportTokens reports the tokens of one group in the batch as the update receives them. Nothing depends on the report.
// The group is the first one that has a training signal.
func (t *trainer) reportTokens(number int, b *batch, h grpo.Hyper) error {
	if every := t.config.TokensEvery; every == 0 || number%every != 0 {
		return nil
	}
	advantages := b.advantages(h)
	group, found := "", false
	for i, a := range advantages {
		if a.Used {
			group, found = b.samples[i].Group, true
			break
		}
	}
	if !found {
		return nil
	}
	event := &sdk.TokensEvent{Step: number}
	for i, s := range b.samples {
		if s.Group != group || s.Masked {
			continue
		}
		rows, err := t.tokenRows(b.all[b.slots[i]], float32(advantages[i].Value))
		if err != nil {
			return fmt.Errorf("inspect the tokens of step %d: %w", number, err)
		}
		event.Rows = append(event.Rows, rows...)
	}
	return t.emit(sdk.TrainEvent{Tokens: event})
}

// tokenRows returns the reported rows of a sample.
func (t *trainer) tokenRows(s sample, advantage float32) ([]sdk.TokensRow, error) {
	trained, err := t.policy.Logprobs(s.plainRows())
	var out []sdk.TokensRow
	for i, logprobs := range trained {
		row := s.rows[i]
		told := sdk.TokensRow{
			EpisodeID: s.result.EpisodeID, Chain: row.chain, IDs: row.IDs, Trained: row.Trained, Total: row.total,
			SamplerLogprobs: ofTrained(row.Row, func(at int) float32 { return row.Logprobs[at] }),
			TrainerLogprobs: ofTrained(row.Row, func(at int) float32 { return logprobs[at] }),
			Advantages:      ofTrained(row.Row, func(int) float32 { return advantage }),
		}
		for _, id := range row.IDs {
			told.Texts = append(told.Texts, tokenizer.Text(id))
		}
		out = append(out, told)
	}
	return out, err
}

// ofTrained returns a number for each trained token, by position, and NaN for all other tokens.
func ofTrained(row tinylm.Row, of func(at int) float32) []float32 {
	out := make([]float32, len(row.IDs))
	for at, trained := range row.Trained {
		out[at] = float32(math.NaN())
		if trained {
			out[at] = of(at)
		}
	}
	return out
}
