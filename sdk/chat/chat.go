// Package chat finds the chain that a conversation continues. An agent can thus use lists of messages, like programs
// written for OpenAI's API, and the policy is still trained on exactly the tokens that it sampled.
//
//	talk := chat.New(model) // one per episode
//	reply, err := talk.Ask(ctx, chat.Request{Messages: messages, Tools: episode.Tools})
//	messages = append(messages, reply.Message)
//
// A conversation continues from its longest beginning that ends in a message of the policy and equals what was sent
// and received. Without such a beginning it starts a new chain: a sub-agent, a compacted history, another sample of
// the first message. A conversation that continues from an earlier point of a chain also becomes a new chain.
//
// Concurrent calls produce the same messages regardless of the order of the responses, as long as Prepare is called in
// the same order each time.
//
// An episode's conversations form a forest. Only the policy's messages can be continued, and each is trained once: if
// two chains share a beginning, it is context in the later one. Package sdk/chat/canonical determines when two messages
// are equal.
//
// A request is read once. Only its new messages are stored and sent to the policy.
//
// It owns the matching. The package must not depend on tokens, the host, or the source of the messages.
package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat/canonical"
)

// Conversations holds the conversations of one episode. It may be used by many goroutines.
type Conversations struct {
	model sdk.AgentModel

	mu            sync.Mutex
	positions     map[canonical.Digest][]*position // ends of conversations, by their digest, in the order of their calls
	requestCounts map[requestKey]int               // number of equal calls
	calls         int
}

// New returns a Talk for an episode.
func New(model sdk.AgentModel) *Conversations {
	return &Conversations{model: model, positions: map[canonical.Digest][]*position{}, requestCounts: map[requestKey]int{}}
}

// Request asks for the next message in a conversation.
type Request struct {
	Messages []sdk.Message // the whole conversation
	// Calls names the call that sampled each message, or contains "" if it is unknown. It may be shorter than Messages.
	// It distinguishes identical policy messages.
	Calls []string
	// Thread is the program's name for the conversation, or "" if it is unknown. If there are identical policy
	// messages, the one requested in this thread is continued. It is a hint and does not separate conversations.
	Thread    string
	Tools     []sdk.Tool
	Member    string   // the part of the agent that asks; empty: the agent itself
	MaxTokens int      // lowers the spec's limit; 0 keeps it
	Stop      []string // in addition to the spec's
	// TemplateKwargs holds arguments of the chat template as a JSON object. They must equal the spec's. Nil: none.
	TemplateKwargs json.RawMessage
	Constraints    *sdk.DecodingConstraints // nil: none
}

// position is the end of a policy message, at which a conversation can be continued.
type position struct {
	number    int // of the call in the episode
	call      string
	ids       []string // of its tool calls
	thread    string
	chain     string
	length    int           // number of messages up to here
	continued bool          // a call continues the chain here: others start new chains
	released  chan struct{} // closed when that call has ended
}

// requestKey holds the properties that determine whether two calls are equal.
type requestKey struct {
	member string
	from   *position
	digest canonical.Digest
}

// Call is a request together with its position among the other requests.
type Call struct {
	conversations *Conversations
	request       sdk.ModelRequest
	number        int
	thread        string
	digest        canonical.Digest
	from          *position // nil: it starts a chain
	first         bool      // it continues the chain there
}

// Ask samples the next message. A message that was cut off by a limit has no tool calls: nothing in it is executed.
func (t *Conversations) Ask(ctx context.Context, req Request) (*sdk.ModelReply, error) {
	return t.Prepare(req).Do(ctx)
}

// Prepare assigns a position to a request. It does not wait.
func (t *Conversations) Prepare(req Request) *Call {
	prefixes := canonical.Prefixes(req.Messages)
	t.mu.Lock()
	defer t.mu.Unlock()
	from, known := t.find(req, prefixes)
	t.calls++
	c := &Call{
		conversations: t, from: from, digest: prefixes[len(req.Messages)], number: t.calls, thread: req.Thread,
		request: sdk.ModelRequest{
			Member: req.Member, Messages: slices.Clone(req.Messages[known:]), Tools: req.Tools,
			MaxTokens: req.MaxTokens, Stop: req.Stop, TemplateKwargs: req.TemplateKwargs,
			Constraints: req.Constraints,
		},
	}
	if from != nil {
		c.request.Chain, c.request.Base = from.chain, from.length
		c.first = !from.continued
		from.continued = true
	}
	asked := requestKey{member: req.Member, from: from, digest: c.digest}
	repeat := t.requestCounts[asked]
	t.requestCounts[asked] = repeat + 1
	c.request.Repeat = &repeat
	return c
}

// find returns the position from which a conversation continues, and the number of its messages that this position
// covers.
func (t *Conversations) find(req Request, prefixes []canonical.Digest) (from *position, known int) {
	for n := len(req.Messages); n > 0; n-- {
		if req.Messages[n-1].Role != sdk.RoleAssistant {
			continue
		}
		call := ""
		if n <= len(req.Calls) {
			call = req.Calls[n-1]
		}
		if candidates := t.positions[prefixes[n]]; len(candidates) > 0 {
			return choosePosition(candidates, call, req.Thread, &req.Messages[n-1]), n
		}
	}
	return nil, 0
}

// choosePosition selects one of the positions of equal conversations: first by the call, then by returned IDs, then by
// the thread, and then one that has not been continued yet. If several remain, it selects the first.
func choosePosition(candidates []*position, call, thread string, back *sdk.Message) *position {
	rank := func(p *position) (rank int) {
		if call != "" && p.call == call {
			rank += 8
		}
		if len(p.ids) > 0 && slices.Equal(p.ids, idsOf(back)) {
			rank += 4
		}
		if thread != "" && p.thread == thread {
			rank += 2
		}
		if !p.continued {
			rank++
		}
		return rank
	}
	best := candidates[0]
	for _, p := range candidates[1:] {
		if rank(p) > rank(best) {
			best = p
		}
	}
	return best
}

// idsOf returns the IDs of a message's calls, or nil if any are missing.
func idsOf(m *sdk.Message) []string {
	var out []string
	for _, call := range m.ToolCalls {
		if call.ID == "" {
			return nil
		}
		out = append(out, call.ID)
	}
	return out
}

// From returns the call whose message the request continues, or "" if it starts a chain.
func (c *Call) From() string {
	if c.from == nil {
		return ""
	}
	return c.from.call
}

// structBytes is the approximate size of a message, a call or a tool without its text and images.
const structBytes = 256

// Size returns approximately how many bytes of memory the request's new messages and its tools occupy until it is
// answered.
func (c *Call) Size() (bytes int64) {
	add := func(sizes ...int) {
		bytes += structBytes
		for _, size := range sizes {
			bytes += int64(size)
		}
	}
	for i := range c.request.Messages {
		m := &c.request.Messages[i]
		add(len(m.Content), len(m.Reasoning), len(m.ToolCallID), len(m.Name))
		for _, image := range m.Images {
			add(len(image.Data), len(image.URL))
		}
		for _, call := range m.ToolCalls {
			add(len(call.ID), len(call.Name), len(call.Arguments))
		}
	}
	for _, tool := range c.request.Tools {
		add(len(tool.Name), len(tool.Description), len(tool.Parameters))
	}
	return bytes
}

// Do samples the message. It is called once.
func (c *Call) Do(ctx context.Context) (*sdk.ModelReply, error) {
	if c.first {
		defer close(c.from.released)
	} else if c.from != nil {
		select { // the owner of the chain must not depend on which call is faster
		case <-c.from.released:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	reply, err := c.conversations.model.Generate(ctx, c.request)
	if err != nil {
		return nil, err
	}
	if reply.Finish == sdk.FinishLength {
		reply.Message.ToolCalls = nil
	}
	c.store(reply)
	return reply, nil
}

// store stores a reply as a position from which to continue, in each form in which it may be sent back.
func (c *Call) store(reply *sdk.ModelReply) {
	t := c.conversations
	p := &position{
		number: c.number, call: reply.CallID, ids: idsOf(&reply.Message), thread: c.thread,
		chain: reply.Chain, length: reply.ChainLength, released: make(chan struct{}),
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, said := range c.digest.Forms(&reply.Message) {
		others := t.positions[said]
		at, _ := slices.BinarySearchFunc(others, p.number, func(o *position, n int) int {
			return cmp.Compare(o.number, n)
		})
		t.positions[said] = slices.Insert(others, at, p)
	}
}
