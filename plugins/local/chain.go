package local

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// chain is a conversation as tokens. Sampled ids are only ever appended; nothing is tokenised a second time.
type chain struct {
	id       string
	ids      []int32
	trained  []bool    // len(ids): sampled by the policy, on a trainable call
	logprobs []float32 // len(ids): recorded when it was sampled
	ends     []int     // token count after each message
}

// append adds tokens that the policy did not write.
func (c *chain) append(ids []int32) {
	c.ids = append(c.ids, ids...)
	c.trained = append(c.trained, make([]bool, len(ids))...)
	c.logprobs = append(c.logprobs, make([]float32, len(ids))...)
}

// appendSampled adds tokens of the policy.
func (c *chain) appendSampled(ids []int32, logprobs []float32, trainable bool) {
	c.ids = append(c.ids, ids...)
	c.logprobs = append(c.logprobs, logprobs...)
	for range ids {
		c.trained = append(c.trained, trainable)
	}
}

// endMessage closes a message. A message that a limit cut lacks its end token: it is added, untrained, so that the next
// message starts as in every other conversation.
func (c *chain) endMessage() {
	if n := len(c.ids); n == 0 || c.ids[n-1] != tokenizer.End {
		c.append([]int32{tokenizer.End})
	}
	c.ends = append(c.ends, len(c.ids))
}

// fork starts a new chain from the first messages of c. Its tokens are context there: c is where they are trained.
func (c *chain) fork(id string, messages int) *chain {
	length := 0
	if messages > 0 {
		length = c.ends[messages-1]
	}
	out := &chain{id: id}
	out.append(c.ids[:length])
	out.ends = append(out.ends, c.ends[:messages]...)
	return out
}

// row is the chain as a training row.
func (c *chain) row(version int64) tinylm.Row {
	return tinylm.Row{IDs: c.ids, Trained: c.trained, Logprobs: c.logprobs, Version: version}
}

// sum identifies the tokens of the chain.
func (c *chain) sum() string {
	h := sha256.New()
	var buffer [4]byte
	for _, id := range c.ids {
		binary.LittleEndian.PutUint32(buffer[:], uint32(id))
		h.Write(buffer[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// episode is what the trainer keeps of an episode that it asked for.
type episode struct {
	mu       sync.Mutex // one Generate at a time
	snapshot *tinylm.Snapshot
	chains   map[string]*chain
	opened   int
}

// episodes are those in flight and those of the step that is being trained.
type episodes struct {
	mu   sync.Mutex
	byID map[string]*episode
}

func (e *episodes) open(id string, snapshot *tinylm.Snapshot) *episode {
	ep := &episode{snapshot: snapshot, chains: map[string]*chain{}}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byID == nil {
		e.byID = map[string]*episode{}
	}
	e.byID[id] = ep
	return ep
}

func (e *episodes) find(id string) (*episode, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ep := e.byID[id]; ep != nil {
		return ep, nil
	}
	return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: fmt.Sprintf("episode %s is not one that this trainer waits for", id)}
}

func (e *episodes) close(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.byID, id)
}

// extend returns the chain that a request extends, and how it was found: "" for a plain extension or a new chain.
func (ep *episode) extend(req sdk.GenerateRequest) (*chain, string, error) {
	if req.Chain == "" {
		return ep.add(func(id string) *chain { return &chain{id: id} }, req), "", nil
	}
	c := ep.chains[req.Chain]
	switch {
	case c == nil:
		return nil, "", &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: "unknown chain " + req.Chain}
	case req.Base == len(c.ends):
		return c, "", nil
	case req.Base < 0 || req.Base > len(c.ends):
		return nil, "", &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: fmt.Sprintf("chain %s has %d messages, not %d", c.id, len(c.ends), req.Base)}
	}
	return ep.add(func(id string) *chain { return c.fork(id, req.Base) }, req), "FORK", nil
}

func (ep *episode) add(make func(id string) *chain, req sdk.GenerateRequest) *chain {
	ep.opened++
	c := make(fmt.Sprintf("%s/a%d/c%d", req.EpisodeID, req.Attempt, ep.opened))
	ep.chains[c.id] = c
	return c
}
