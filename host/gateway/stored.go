package gateway

import (
	"encoding/json"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat/canonical"
)

// storedResponse is a response of the Responses API that later requests of the lease may name: with its ID as
// previous_response_id, or with the IDs of its items as references.
type storedResponse struct {
	before   *storedResponse // the response that the request continued; nil: none
	messages []sdk.Message   // the ones after before, without instructions; the last one is the response
	calls    []string        // the calls that sampled them
	digest   canonical.Digest
	length   int // of the whole conversation
	items    []object
}

// drafted returns what a lease stores of a request once its response exists. It keeps only messages that no stored
// response has. The caller holds no lock.
func (l *lease) drafted(messages []sdk.Message, calls []string) *storedResponse {
	prefixes := canonical.Prefixes(messages)
	out := &storedResponse{length: len(messages), digest: prefixes[len(messages)]}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, call := range slices.Backward(calls) {
		if s := l.stored[call]; s != nil && s.length <= len(messages) && s.digest == prefixes[s.length] {
			out.before, messages, calls = s, messages[s.length:], calls[s.length:]
			break
		}
	}
	out.messages, out.calls = slices.Clone(messages), slices.Clone(calls)
	return out
}

// store completes a draft with its response.
func (l *lease) store(s *storedResponse, r *sdk.ModelReply, a *ask) {
	s.messages, s.calls = append(s.messages, r.Message), append(s.calls, r.CallID)
	s.digest, s.length, s.items = s.digest.With(&r.Message), s.length+1, items(r, a)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stored == nil {
		l.stored = map[string]*storedResponse{}
	}
	l.stored[r.CallID] = s
}

// conversation returns all messages, and the calls that sampled them.
func (s *storedResponse) conversation() (messages []sdk.Message, calls []string) {
	if s == nil {
		return nil, nil
	}
	messages, calls = s.before.conversation()
	return append(messages, s.messages...), append(calls, s.calls...)
}

// response returns the stored response of a call, or nil.
func (l *lease) response(call string) *storedResponse {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stored[call]
}

// previous returns the conversation up to a response.
func (l *lease) previous(id string) (messages []sdk.Message, calls []string, _ *problem) {
	call, ok := strings.CutPrefix(id, responsePrefix)
	s := l.response(call)
	if !ok || s == nil {
		return nil, nil, refused("previous_response_id", "this episode has no stored response %q: responses with "+
			"store = false are not stored; send the whole input", shorten(id))
	}
	messages, calls = s.conversation()
	return messages, calls, nil
}

// item returns the stored item with an ID.
func (l *lease) item(id, at string) (out inputItem, _ *problem) {
	if s := l.response(callOfItem(id)); s != nil {
		for _, item := range s.items {
			if item["id"] == id {
				text, err := json.Marshal(item)
				if err == nil {
					err = jsonv2.Unmarshal(text, &out, jsonOptions)
				}
				if err != nil {
					return out, refused(at, "the item %q cannot be read: %v", shorten(id), err)
				}
				return out, nil
			}
		}
	}
	return out, refused(at, "no stored response of this episode has an item %q: responses with store = false are not "+
		"stored; send the item itself", shorten(id))
}
