// Package ledger keeps an episode's conversations as tokens, for a worker written in Go: docs/reference/bridge.md, "The
// ledger".
//
//	l := ledger.New(renderer, 4096)         // one per episode
//	call, err := l.Extend(req)              // a draft: nothing changes
//	ids, logprobs, err := engine.Sample(call.Prompt(), call.Room())
//	response, err := call.Sampled(ledger.Sample{IDs: ids, Logprobs: logprobs, …})
//	rows, err := l.Rows(result)             // after the episode
//
// Sampled ids are only ever appended, and no text is tokenized twice. A failed call has no effect.
//
// It must not depend on engines, templates or connections. It and its Python counterpart are tested with the same
// vectors.
package ledger

import (
	"fmt"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// Renderer converts messages to tokens.
type Renderer interface {
	// Render renders a conversation from the beginning. If prompt is set, it ends with the assistant's header. An error
	// reports that the template does not support the conversation.
	Render(messages []sdk.Message, tools []sdk.Tool, prompt bool) ([]int32, error)
	// Decode returns the text of the given IDs, including control tokens.
	Decode(ids []int32) string
	// Ends returns the IDs that can end a sampled message; there is at least one.
	Ends() []int32
}

// Ledger holds the chains of one episode. It may be used by many goroutines, one for each chain.
type Ledger struct {
	renderer   Renderer
	maxContext int
	ends       func() ends

	mu      sync.Mutex
	chains  map[string]*chain
	opened  int // number of chains, for their names
	attempt int // the last sampled attempt
}

// New creates the ledger for an episode. Its chains contain at most maxContext IDs; 0 means no limit.
func New(r Renderer, maxContext int) *Ledger {
	return &Ledger{
		renderer: r, maxContext: maxContext, chains: map[string]*chain{},
		ends: sync.OnceValue(func() ends { return findEnds(r) }),
	}
}

// Extend drafts a call, which consists of the messages that it adds to its chain. The errors are *sdk.GenerateError.
func (l *Ledger) Extend(req sdk.GenerateRequest) (*Call, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.draft(req)
	if err == nil {
		err = c.render()
	}
	return c.checked(err)
}

// Observe drafts a call for an engine that does its own rendering, using the engine's IDs for the conversation.
func (l *Ledger) Observe(req sdk.GenerateRequest, prompt []int32) (*Call, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.draft(req)
	if err == nil {
		c.observe(prompt)
	}
	return c.checked(err)
}

func aborted(format string, args ...any) error {
	return &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: fmt.Sprintf(format, args...)}
}

// draft finds the chain that a request continues.
func (l *Ledger) draft(req sdk.GenerateRequest) (*Call, error) {
	c := &Call{ledger: l, req: req}
	if req.Attempt < l.attempt {
		return nil, aborted("the call belongs to attempt %d of the episode, which is at attempt %d", req.Attempt, l.attempt)
	}
	if req.Chain == "" {
		if req.Base != 0 {
			return nil, aborted("a new chain has no messages, but the call continues after %d", req.Base)
		}
		return c, nil
	}
	source := l.chains[req.Chain]
	switch {
	case source == nil:
		return nil, aborted("episode %s has no chain %s", req.EpisodeID, req.Chain)
	case source.attempt != req.Attempt:
		return nil, aborted("chain %s belongs to attempt %d, the call to attempt %d", req.Chain, source.attempt, req.Attempt)
	case req.Base < 0 || req.Base > len(source.messages):
		return nil, aborted("chain %s has %d messages, but the call continues after %d", req.Chain, len(source.messages),
			req.Base)
	}
	c.source, c.revision, c.cuts = source, source.revision, source.cuts
	return c, nil
}

// Row is a chain in the form of a training row.
type Row struct {
	sdk.TokenRow
	Agent   string
	Reward  *float64 // of this chain; nil: the episode's
	Calls   []string // the call that sampled each turn
	Trained int      // number of ids with mask true
	Digest  string
}

// Rows returns the rows that a result lists for training, in the same order.
func (l *Ledger) Rows(result *sdk.EpisodeResult) ([]Row, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rows []Row
	for _, listed := range result.Chains {
		if !listed.Train {
			continue
		}
		c := l.chains[listed.Chain]
		if c == nil || c.attempt != result.Attempt {
			return nil, fmt.Errorf("the result of episode %s lists chain %s from attempt %d, which this ledger does "+
				"not have: it was sampled elsewhere or before the adapter restarted; do not train on it",
				result.EpisodeID, listed.Chain, result.Attempt)
		}
		if c.trained > 0 {
			rows = append(rows, c.row(listed.Reward))
		}
	}
	return rows, nil
}

// Main returns the row with the most trained IDs, or the earliest such row if there is a tie, for frameworks that
// accept only one row per episode. It also returns the number of trained IDs in the other rows.
func Main(rows []Row) (main *Row, leftOut int) {
	for i := range rows {
		leftOut += rows[i].Trained
		if main == nil || rows[i].Trained > main.Trained {
			main = &rows[i]
		}
	}
	if main != nil {
		leftOut -= main.Trained
	}
	return main, leftOut
}

// Chains returns the names of the ledger's chains.
func (l *Ledger) Chains() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := make([]string, 0, len(l.chains))
	for name := range l.chains {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Row returns a chain in its current state, whether or not it is trained.
func (l *Ledger) Row(name string) (Row, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chains[name]
	if c == nil {
		return Row{}, false
	}
	return c.row(nil), true
}
