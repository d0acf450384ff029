package openai

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// The server stores nothing between requests, so the conversations are kept here until Release is called.

// episode holds an episode's chains.
type episode struct {
	chains map[string]*conversation
	order  []string // ids of the chains that were kept, in order of their start
	opened int
}

// conversation is a chain: its messages never change, and longer conversations are copies.
type conversation struct {
	id       string
	messages []sdk.Message
	tokens   []*tokens // of the messages that were sampled in it, if tokens are enabled
}

// driftFork marks a request that continues from an earlier point in its chain.
const driftFork = "FORK"

// draft returns a request's conversation including the new messages. It takes effect only when it is kept.
func (e *Endpoint) draft(req sdk.GenerateRequest) (*conversation, string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ep := e.episodes[req.EpisodeID]
	if ep == nil {
		ep = &episode{chains: map[string]*conversation{}}
		e.episodes[req.EpisodeID] = ep
	}
	if req.Chain == "" {
		return ep.newChain(req, nil), "", nil
	}
	known := ep.chains[req.Chain]
	switch {
	case known == nil:
		return nil, "", &sdk.GenerateError{Kind: sdk.GenerateAborted,
			Detail: fmt.Sprintf("episode %s has no chain %s", req.EpisodeID, req.Chain)}
	case req.Base < 0 || req.Base > len(known.messages):
		return nil, "", &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: fmt.Sprintf("chain %s has %d "+
			"messages, but the request continues after %d", known.id, len(known.messages), req.Base)}
	case req.Base < len(known.messages):
		return ep.newChain(req, known.messages[:req.Base]), driftFork, nil
	}
	longer := slices.Concat(known.messages, req.Messages)
	return &conversation{id: known.id, messages: longer, tokens: known.tokens}, "", nil
}

// newChain returns a new chain that begins with these messages.
func (ep *episode) newChain(req sdk.GenerateRequest, begin []sdk.Message) *conversation {
	ep.opened++
	return &conversation{id: fmt.Sprintf("%s/a%d/c%d", req.EpisodeID, req.Attempt, ep.opened),
		messages: slices.Concat(begin, req.Messages)}
}

// store adds the sampled message and stores the draft.
func (e *Endpoint) store(req sdk.GenerateRequest, draft *conversation, out *sdk.GenerateResponse) {
	draft.messages = append(draft.messages, out.Message)
	e.mu.Lock()
	defer e.mu.Unlock()
	if ep := e.episodes[req.EpisodeID]; ep != nil { // otherwise it was released meanwhile
		if ep.chains[draft.id] == nil {
			ep.order = append(ep.order, draft.id)
		}
		ep.chains[draft.id] = draft
	}
}

// Release drops an episode.
func (e *Endpoint) Release(episodeID string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.episodes, episodeID)
}
