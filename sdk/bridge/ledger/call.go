package ledger

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// The ways in which a conversation can differ from a plain extension.
const (
	clean   = "CLEAN"
	realign = "REALIGN"
	fork    = "FORK"
)

// Call is a draft: a request's additions to a chain.
type Call struct {
	ledger   *Ledger
	req      sdk.GenerateRequest
	source   *chain // the chain that is extended or forked; nil: the call begins one
	revision int    // of source at the time of the draft
	cuts     int    // cuts of source at that time
	done     bool

	kept         int     // number of ids of source that stay
	keptMessages int     // number of messages that end in the kept part
	suffix       []int32 // the ids after it
	closing      int     // number of ids at the start of suffix that end a message cut by a limit
	drift        string
}

// checked checks that the context has room for one more ID.
func (c *Call) checked(err error) (*Call, error) {
	if err != nil {
		return nil, err
	}
	if limit := c.ledger.maxContext; limit > 0 && c.length() >= limit {
		return nil, &sdk.GenerateError{
			Kind: sdk.GenerateContextFull, Detail: fmt.Sprintf("the conversation has %d tokens, but the context "+
				"holds only %d", c.length(), limit),
		}
	}
	return c, nil
}

func (c *Call) length() int { return c.kept + len(c.suffix) }

// Prompt returns the IDs that the engine has to continue.
func (c *Call) Prompt() []int32 {
	if c.source == nil {
		return slices.Clone(c.suffix)
	}
	c.ledger.mu.Lock()
	defer c.ledger.mu.Unlock()
	return slices.Concat(c.source.ids[:min(c.kept, len(c.source.ids))], c.suffix)
}

// Room returns the number of IDs that may be sampled, or the largest int if the ledger has no limit.
func (c *Call) Room() int {
	if c.ledger.maxContext == 0 {
		return math.MaxInt
	}
	return c.ledger.maxContext - c.length()
}

// Drift returns CLEAN, REALIGN or FORK, or an empty string if the request is a plain extension.
func (c *Call) Drift() string { return c.drift }

// render computes the IDs of the new messages.
func (c *Call) render() error {
	source, base := c.source, c.req.Base
	if source == nil {
		return c.renderSeparate(nil, "")
	}
	plain := base == len(source.messages)
	end := unknownEnd
	switch {
	case plain:
		end = len(source.ids)
	case base > 0:
		end = source.ends[base-1]
	}
	// The opening lists the tools, because the model would not see any others.
	if end == unknownEnd || !sameTools(source.tools, c.req.Tools) {
		return c.renderSeparate(source.messages[:base], fork)
	}
	ends := c.ledger.ends()
	suffix, ok := extension(c.ledger.renderer, ends, source.outline(base), c.req.Messages, source.tools)
	if !ok {
		return c.renderSeparate(source.messages[:base], fork)
	}
	c.kept, c.keptMessages = end, base
	last, first := unknownID, unknownID
	if end > 0 {
		last = source.ids[end-1]
	}
	if len(suffix) > 0 {
		first = suffix[0]
	}
	switch ended := slices.Contains(ends.sampled, last); {
	case ended && first == last:
		suffix = suffix[1:] // the sampled end starts the next message
	case source.sampled[base-1] && !ended && !slices.Contains(ends.sampled, first):
		c.suffix, c.closing = append(c.suffix, ends.closing[0]), 1 // a limit cut the message
	}
	c.suffix = append(c.suffix, suffix...)
	if !plain {
		c.drift = fork
	}
	return nil
}

func sameTools(a, b []sdk.Tool) bool { return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b) }

// renderSeparate creates a separate chain that shares nothing.
func (c *Call) renderSeparate(history []sdk.Message, drift string) error {
	ids, err := c.ledger.renderer.Render(slices.Concat(history, c.req.Messages), c.req.Tools, true)
	if err != nil {
		return &sdk.GenerateError{
			Kind: sdk.GenerateRefused, Detail: fmt.Sprintf("the chat template cannot render the conversation: %v", err),
		}
	}
	c.fork(ids, drift)
	return nil
}

func (c *Call) fork(ids []int32, drift string) {
	c.kept, c.keptMessages, c.suffix, c.drift = 0, 0, slices.Clone(ids), drift
}

// observe records the IDs that an engine has computed for the conversation.
func (c *Call) observe(prompt []int32) {
	source := c.source
	switch {
	case source == nil:
		c.fork(prompt, "")
		return
	case c.req.Base < len(source.messages):
		c.fork(prompt, fork)
		return
	}
	same := 0
	for same < len(prompt) && same < len(source.ids) && prompt[same] == source.ids[same] {
		same++
	}
	if same < source.lastSampled {
		c.fork(prompt, fork)
		return
	}
	c.kept, c.suffix, c.drift = same, slices.Clone(prompt[same:]), realign
	if same == len(source.ids) {
		c.drift = clean
		ends := c.ledger.renderer.Ends()
		if len(c.suffix) > 0 && slices.Contains(ends, c.suffix[0]) &&
			(same == 0 || !slices.Contains(ends, source.ids[same-1])) {
			c.closing = 1
		}
	}
	c.keptMessages = c.req.Base
	for c.keptMessages > 0 {
		if end := source.ends[c.keptMessages-1]; end != unknownEnd && end <= same {
			break
		}
		c.keptMessages--
	}
}

// Sample is an engine's response.
type Sample struct {
	IDs      []int32
	Logprobs []float32 // natural, under the sampling distribution, one per id; nil is valid if the call is not trained
	Versions []sdk.VersionSpan
	Finish   sdk.FinishReason
	Message  sdk.Message // the message of the ids
}

// Sampled commits the call. If it returns an error, the chain is unchanged.
func (c *Call) Sampled(s Sample) (*sdk.GenerateResponse, error) {
	l := c.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := c.check(s); err != nil {
		return nil, err
	}
	c.done = true
	target := c.target()
	c.commit(target, s)
	if target.attempt > l.attempt {
		l.attempt, l.chains = target.attempt, map[string]*chain{} // earlier attempts are not trained
	}
	l.chains[target.name] = target
	out := &sdk.GenerateResponse{
		Message: s.Message, Finish: finish(s), PromptTokens: c.length(), OutputTokens: len(s.IDs),
		Versions: slices.Clone(s.Versions),
		Chain:    target.name, ChainLength: len(target.messages), ChainDigest: target.sum(), Drift: c.drift,
	}
	if l.maxContext > 0 {
		out.RemainingTokens = max(0, l.maxContext-len(target.ids))
	}
	return out, nil
}

// finish returns the finish reason for the agent: a message with tool calls has ended because of them.
func finish(s Sample) sdk.FinishReason {
	if s.Finish == sdk.FinishStop && len(s.Message.ToolCalls) > 0 {
		return sdk.FinishToolCalls
	}
	return s.Finish
}

// check rejects invalid samples, and drafts whose chain has changed in the meantime.
func (c *Call) check(s Sample) error {
	covered := 0
	for _, span := range s.Versions {
		covered += span.Tokens
		if span.Tokens < 0 {
			return fmt.Errorf("the engine returned a negative number of tokens for version %d", span.Version)
		}
	}
	switch {
	case c.done:
		return errors.New("this call has already been sampled")
	case covered != len(s.IDs):
		return fmt.Errorf("the engine returned %d ids but policy versions for %d", len(s.IDs), covered)
	case s.Logprobs == nil && c.req.Trainable && len(s.IDs) > 0:
		return errors.New("the engine returned no log-probabilities for a trained call")
	case s.Logprobs != nil && len(s.Logprobs) != len(s.IDs):
		return fmt.Errorf("the engine returned %d ids but %d log-probabilities", len(s.IDs), len(s.Logprobs))
	case c.source != nil && c.source.revision != c.revision && c.drift != fork:
		return aborted("chain %s was extended by another call meanwhile", c.source.name)
	case c.source != nil && c.kept > 0 && c.source.cuts != c.cuts:
		return aborted("chain %s was realigned by another call meanwhile", c.source.name)
	case c.req.Attempt < c.ledger.attempt:
		return aborted("a later attempt of the episode has begun meanwhile")
	}
	for _, v := range s.Logprobs {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("the engine returned an invalid log-probability: %v", v)
		}
	}
	return nil
}

// target returns the chain to append to, truncated to the part that is kept.
func (c *Call) target() *chain {
	source := c.source
	if source != nil && c.drift != fork {
		source.keep(c.kept)
		return source
	}
	l, base := c.ledger, c.req.Base
	l.opened++
	fresh := newChain(fmt.Sprintf("%s/a%d/c%d", c.req.EpisodeID, c.req.Attempt, l.opened), c.req)
	fresh.opening = base + len(c.req.Messages)
	if source == nil {
		return fresh
	}
	fresh.messages = slices.Clone(source.messages[:base])
	if c.kept == 0 { // no part of it was sampled here
		fresh.sampled, fresh.ends = make([]bool, base), slices.Repeat([]int{unknownEnd}, base)
		return fresh
	}
	if base > source.opening {
		fresh.opening = source.opening
	}
	fresh.sampled, fresh.ends = slices.Clone(source.sampled[:base]), slices.Clone(source.ends[:base])
	fresh.add(segment{ids: source.ids[:c.kept], turn: -1})
	return fresh
}

// commit appends the new messages and the sampled message.
func (c *Call) commit(target *chain, s Sample) {
	start, n := len(target.ids)+c.closing, len(c.req.Messages)
	pending := len(target.messages) - c.keptMessages + n
	target.add(segment{ids: c.suffix, turn: -1})
	target.messages = append(target.messages, c.req.Messages...)
	target.sampled = append(target.sampled, make([]bool, n)...)
	target.ends = append(target.ends, slices.Repeat([]int{unknownEnd}, n)...)
	target.placeEnds(c.ledger.ends().closing, start, pending)

	target.lastSampled = len(target.ids)
	sampled := segment{ids: s.IDs, versions: s.Versions, turn: int32(len(target.calls))}
	if c.req.Trainable {
		sampled.logprobs = s.Logprobs
	}
	target.add(sampled)
	target.calls = append(target.calls, c.req.CallID)
	target.messages = append(target.messages, s.Message)
	target.sampled = append(target.sampled, true)
	target.ends = append(target.ends, len(target.ids))
	target.revision++
}

// placeEnds finds the ends of the last messages in the IDs from start onward. If each message has one end, these are
// the ends. Otherwise, only the last end is known, and a fork at a different message is rendered again.
func (c *chain) placeEnds(ends []int32, start, messages int) {
	var places []int
	for i := start; i < len(c.ids); i++ {
		if slices.Contains(ends, c.ids[i]) {
			places = append(places, i+1)
		}
	}
	switch {
	case messages == 0 || len(places) == 0:
	case len(places) == messages:
		copy(c.ends[len(c.ends)-messages:], places)
	default:
		c.ends[len(c.ends)-1] = places[len(places)-1]
	}
}
