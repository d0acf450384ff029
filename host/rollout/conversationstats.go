package rollout

import (
	"cmp"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// ConversationStats counts the tokens in an episode's conversations: how many were sampled, and how many of those the
// trainer receives in rows. It is recorded with an episode's metrics if a program sends its own requests, or if the
// episode is not trained as a whole.
type ConversationStats struct {
	Tokens    int // sampled by the policy
	Auxiliary int // of Tokens, in auxiliary calls outside the task

	// The following fields cover the trained calls in trained episodes.
	Sampled   int // tokens
	Delivered int // of Sampled, in rows that the trainer takes
	Rows      int
	Merged    int // calls contained in the row of another call
	Saved     int // additional tokens, including prompts, that one row per call would need
}

// The names of the numbers of ConversationStats in records.
const (
	statTokens    = "gateway/tokens"
	statAuxiliary = "gateway/auxiliary_tokens"
	statSampled   = "gateway/sampled_tokens"
	statDelivered = "gateway/delivered_tokens"
	statRows      = "gateway/rows"
	statMerged    = "gateway/rows_merged"
	statSaved     = "gateway/tokens_saved"
)

func (f *ConversationStats) metrics() map[string]float64 {
	return map[string]float64{
		statTokens: float64(f.Tokens), statAuxiliary: float64(f.Auxiliary), statSampled: float64(f.Sampled),
		statDelivered: float64(f.Delivered), statRows: float64(f.Rows), statMerged: float64(f.Merged),
		statSaved: float64(f.Saved),
	}
}

// add adds the numbers recorded for another episode.
func (f *ConversationStats) add(metrics map[string]float64) {
	f.Tokens += int(metrics[statTokens])
	f.Auxiliary += int(metrics[statAuxiliary])
	f.Sampled += int(metrics[statSampled])
	f.Delivered += int(metrics[statDelivered])
	f.Rows += int(metrics[statRows])
	f.Merged += int(metrics[statMerged])
	f.Saved += int(metrics[statSaved])
}

// chainSums holds the sums over one chain's trained calls.
type chainSums struct {
	calls  int
	tokens int // sampled
	asked  int // prompts and answers of all calls
	length int // of the row: prompt and answer of the last call
}

// conversationStats counts the conversations in an episode that has ended. It must be called after the trained chains
// have been selected.
func (s *stage) conversationStats(r *EpisodeRecord) ConversationStats {
	var f ConversationStats
	chains := map[string]*chainSums{}
	for i := range r.Turns {
		t := &r.Turns[i]
		if t.Served != "" {
			continue
		}
		f.Tokens += t.OutputTokens
		if s.Auxiliary != nil && s.Auxiliary(t.Agent) {
			f.Auxiliary += t.OutputTokens
		}
		if !s.Trainable(t.Agent) {
			continue
		}
		c := chains[t.Chain]
		if c == nil {
			c = &chainSums{}
			chains[t.Chain] = c
		}
		c.calls++
		c.tokens += t.OutputTokens
		c.length = t.PromptTokens + t.OutputTokens
		c.asked += c.length
	}
	for _, c := range r.Chains {
		if sums := chains[c.Chain]; c.Train && sums != nil {
			f.Sampled += sums.tokens
		}
	}
	for _, c := range s.delivered(r.Chains, chains) {
		f.Delivered += c.tokens
		f.Rows++
		f.Merged += c.calls - 1
		f.Saved += c.asked - c.length
	}
	return f
}

// delivered returns the chains that become rows: all trained chains or, if the trainer takes one row per episode, the
// one with the most sampled tokens. If several have equally many, it returns the first, like the ledgers in
// docs/reference/bridge.md.
func (s *stage) delivered(records []ChainRecord, chains map[string]*chainSums) []*chainSums {
	var rows []*chainSums
	for _, c := range records {
		if sums := chains[c.Chain]; c.Train && sums != nil && sums.tokens > 0 {
			rows = append(rows, sums)
		}
	}
	if !s.OneRow || len(rows) < 2 {
		return rows
	}
	return []*chainSums{slices.MaxFunc(rows, func(a, b *chainSums) int { return cmp.Compare(a.tokens, b.tokens) })}
}

// forests sums the conversation statistics of a step's episodes. An episode without recorded statistics is trained as a
// whole.
func forests(episodes []*summary) (out ConversationStats) {
	for _, e := range episodes {
		if e.slot.Split != sdk.SplitTrain {
			continue
		}
		if _, recorded := e.metrics[statSampled]; recorded {
			out.add(e.metrics)
			continue
		}
		out.Sampled += e.trained
		out.Delivered += e.trained
	}
	return out
}
