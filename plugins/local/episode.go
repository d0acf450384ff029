package local

import (
	"fmt"
	"slices"
	"sync"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// episode is the trainer's state for an episode while it waits for the result.
type episode struct {
	policy   *tinylm.Policy
	snapshot *tinylm.Snapshot

	mu     sync.Mutex // held during Generate
	chains map[string]*chain
	opened int // number of chains so far
}

// draft returns a copy of the chain that a request extends, which takes effect when it is kept. It also returns the
// drift: FORK if the request continues from an earlier point of its chain.
func (ep *episode) draft(req sdk.GenerateRequest) (c *chain, drift string, err error) {
	if req.Chain == "" {
		if req.Base != 0 {
			return nil, "", refused(fmt.Sprintf("a new chain has no messages, but the request continues after "+
				"message %d", req.Base))
		}
		return ep.named(&chain{attempt: req.Attempt}, req), "", nil
	}
	known := ep.chains[req.Chain]
	switch {
	case known == nil:
		return nil, "", refused(fmt.Sprintf("episode %s has no chain %s", req.EpisodeID, req.Chain))
	case known.attempt != req.Attempt:
		return nil, "", refused(fmt.Sprintf("chain %s belongs to attempt %d of the episode, the request to "+
			"attempt %d", known.id, known.attempt, req.Attempt))
	case req.Base < 0 || req.Base > len(known.ends):
		return nil, "", refused(fmt.Sprintf("chain %s has %d messages, but the request continues after message %d",
			known.id, len(known.ends), req.Base))
	case req.Base < len(known.ends):
		return ep.named(known.fork(req.Base), req), "FORK", nil
	}
	return known.draft(), "", nil
}

// named assigns an ID to a new chain.
func (ep *episode) named(c *chain, req sdk.GenerateRequest) *chain {
	c.id = fmt.Sprintf("%s/a%d/c%d", req.EpisodeID, req.Attempt, ep.opened+1)
	return c
}

// keep stores a draft. It drops the chains of earlier attempts, which are never trained.
func (ep *episode) keep(c *chain) {
	if ep.chains[c.id] == nil {
		ep.opened++
		for id, other := range ep.chains {
			if other.attempt < c.attempt {
				delete(ep.chains, id)
			}
		}
	}
	ep.chains[c.id] = c
}

// chainRow is a row and its chain.
type chainRow struct {
	tinylm.Row
	chain string
	total int // tokens of the chain
}

// rows returns the chains that the result lists for training, if they contain policy tokens. lost reports that a listed
// chain is missing.
func (ep *episode) rows(result *sdk.EpisodeResult) (rows []chainRow, lost bool, err error) {
	ep.mu.Lock()
	defer ep.mu.Unlock()
	for _, listed := range result.Chains {
		if !listed.Train {
			continue
		}
		if listed.Reward != nil {
			return nil, false, fmt.Errorf("chain %s has its own reward, but the embedded trainer compares whole "+
				"episodes: assign the reward to the episode", listed.Chain)
		}
		c := ep.chains[listed.Chain]
		if c == nil || c.attempt != result.Attempt {
			lost = true
			continue
		}
		if slices.Contains(c.trained, true) {
			rows = append(rows, chainRow{c.row(ep.snapshot.Version, ep.policy.Config().MaxLen), c.id, len(c.ids)})
		}
	}
	return rows, lost, nil
}

// episodes holds the episodes that the trainer waits for, or the host's episodes that a loaded policy serves.
type episodes struct {
	mu     sync.Mutex
	byID   map[string]*episode
	served *tinylm.Policy // nil: nothing was loaded
}

func (e *episodes) open(id string, policy *tinylm.Policy, snapshot *tinylm.Snapshot) *episode {
	ep := &episode{policy: policy, snapshot: snapshot, chains: map[string]*chain{}}
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
	if e.served != nil {
		e.byID[id] = &episode{policy: e.served, snapshot: e.served.Snapshot(), chains: map[string]*chain{}}
		return e.byID[id], nil
	}
	return nil, refused(fmt.Sprintf("unexpected episode %s", id))
}

func (e *episodes) close(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.byID, id)
}
