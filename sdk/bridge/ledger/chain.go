package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// unknownEnd is the end of a message without its own position in the ids, because a template has merged it with others.
const unknownEnd = -1

// chain is a conversation as tokens. The cost of an addition depends only on the part that is added.
type chain struct {
	name, agent string
	attempt     int
	tools       []sdk.Tool
	messages    []sdk.Message
	sampled     []bool // of each message
	ends        []int  // number of ids up to the end of each message, or unknown
	opening     int    // number of messages before the first sampled one
	revision    int    // grows with each change
	cuts        int    // number of times that ids were removed

	ids         []int32
	mask        []bool
	logprobs    []float32
	versions    []sdk.VersionSpan
	turns       []int32
	calls       []string // of each turn
	lastSampled int      // start of the last sampled segment
	trained     int
	digest      hash.Hash // of ids
}

func newChain(name string, req sdk.GenerateRequest) *chain {
	return &chain{name: name, agent: req.Agent, attempt: req.Attempt, tools: req.Tools, digest: sha256.New()}
}

// segment is a unit of appended IDs.
type segment struct {
	ids      []int32
	logprobs []float32         // nil: not trained
	versions []sdk.VersionSpan // nil: not sampled
	turn     int32             // -1: not sampled
}

// add appends a segment.
func (c *chain) add(s segment) {
	c.ids = append(c.ids, s.ids...)
	c.hash(s.ids)
	for i := range s.ids {
		c.mask, c.turns = append(c.mask, s.logprobs != nil), append(c.turns, s.turn)
		if s.logprobs != nil {
			c.logprobs = append(c.logprobs, s.logprobs[i])
		} else {
			c.logprobs = append(c.logprobs, 0)
		}
	}
	if s.logprobs != nil {
		c.trained += len(s.ids)
	}
	if s.turn < 0 {
		s.versions = []sdk.VersionSpan{{Version: -1, Tokens: len(s.ids)}}
	}
	for _, span := range s.versions {
		c.addVersion(span)
	}
}

func (c *chain) addVersion(span sdk.VersionSpan) {
	if last := len(c.versions) - 1; last >= 0 && c.versions[last].Version == span.Version {
		c.versions[last].Tokens += span.Tokens
		return
	}
	if span.Tokens > 0 {
		c.versions = append(c.versions, span)
	}
}

func (c *chain) hash(ids []int32) {
	bytes := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		bytes = binary.LittleEndian.AppendUint32(bytes, uint32(id))
	}
	c.digest.Write(bytes)
}

// keep drops the IDs from length onward.
func (c *chain) keep(length int) {
	if length == len(c.ids) {
		return
	}
	c.cuts++
	for _, trained := range c.mask[length:] {
		if trained {
			c.trained--
		}
	}
	c.ids, c.mask, c.logprobs, c.turns = c.ids[:length], c.mask[:length], c.logprobs[:length], c.turns[:length]
	c.versions = firstSpans(c.versions, length)
	for i, end := range c.ends {
		if end > length {
			c.ends[i] = unknownEnd
		}
	}
	c.digest.Reset()
	c.hash(c.ids)
}

// firstSpans returns the spans that cover the first IDs.
func firstSpans(spans []sdk.VersionSpan, ids int) []sdk.VersionSpan {
	for i := range spans {
		if spans[i].Tokens >= ids {
			spans[i].Tokens = ids
			if ids == 0 {
				return spans[:i]
			}
			return spans[:i+1]
		}
		ids -= spans[i].Tokens
	}
	return spans
}

func (c *chain) sum() string { return hex.EncodeToString(c.digest.Sum(nil)) }

func (c *chain) row(reward *float64) Row {
	first := slices.IndexFunc(c.turns, func(turn int32) bool { return turn >= 0 })
	if first < 0 {
		first = len(c.turns)
	}
	return Row{
		TokenRow: sdk.TokenRow{
			Chain: c.name, IDs: slices.Clone(c.ids), LossMask: slices.Clone(c.mask), Logprobs: slices.Clone(c.logprobs),
			Versions: slices.Clone(c.versions), TurnIDs: slices.Clone(c.turns), PromptLength: first,
		},
		Agent: c.agent, Reward: reward, Calls: slices.Clone(c.calls), Trained: c.trained, Digest: c.sum(),
	}
}
