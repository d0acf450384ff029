// Package canonical determines when two messages in a conversation are equal. Programs send a conversation back with
// every request, but few send it back unchanged. Changes that do not affect the meaning must not start a new
// conversation, and changes to the content must.
//
//	said := canonical.Digest{}.With(&question).With(&answer) // identifies the two
//	back := canonical.Prefixes(request.Messages)             // back[n] identifies the first n
//	goesOn := back[2] == said
//
// The rules, and the programs that they were found with. Rules marked "decoded" concern one protocol: the decoders in
// host/gateway apply them when they read a request, so that a message is the same here regardless of the protocol. All
// other rules are defined only in this package.
//
//	difference                       same?  found with
//	role                             no     developer is system (decoded)
//	text of system, user, tool       no     byte by byte: it is prompt
//	text of the assistant            no     except for white space around it: the Messages API refuses texts of white
//	                                        space and texts that end in it, so programs for it trim
//	assistant "", null, absent       yes    next to a call, opencode sends "", Qwen Code null, Claude Code nothing
//	text, or a list of text blocks   yes    tool results: a text from opencode, blocks from Qwen Code, both from Claude
//	                                        Code (decoded)
//	cache_control                    yes    Claude Code moves it from message to message (decoded: it is not read)
//	x-anthropic-billing-header       yes    Claude Code's first system block (decoded: it is dropped)
//	system message between turns     -      Claude Code; detected by the adjacent user turn (decoded)
//	pictures                         no     type and bytes, or the URL, and the place in the text
//	calls: number, order, names      no
//	calls: arguments                 no     but compared as JSON: spaces, the order of members and the notation of
//	                                        numbers (1.0, 1, 1e0) do not count, their exact value does; empty text
//	                                        is {}; invalid JSON is compared as text
//	calls: arguments, no object      yes    as {}: the Messages API has objects only, so its clients get {} and
//	                                        send it (Forms)
//	ids of calls, results, items     yes    Codex gives items its own ids; of equal messages sdk/chat prefers the one
//	                                        whose ids come back
//	name and error mark of a result  yes    chat completions have neither
//	reasoning                        yes    most programs do not return it
//	tools of the request             yes    the owner of tokens starts a new row if the template renders other tools
//
// This package makes no message trainable: the policy is trained on what it sampled, by the records of sdk/chat. An
// assistant message that was made up by the program, such as Qwen Code's "Got it. Thanks for the context!", is part of
// the prompt.
//
// It must not depend on chains, protocols or tokens.
package canonical

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Digest identifies the beginning of a conversation. The zero value is the digest of the empty beginning.
type Digest [sha256.Size]byte

// Prefixes returns the digests of all beginnings of a conversation, starting with the empty one. It reads each message
// once.
func Prefixes(messages []sdk.Message) []Digest {
	out := make([]Digest, len(messages)+1)
	for i := range messages {
		out[i+1] = out[i].With(&messages[i])
	}
	return out
}

// With returns the digest of a beginning and the message that follows.
func (d Digest) With(m *sdk.Message) Digest { return d.with(m, Arguments) }

// Forms returns the digests under which a policy message may be sent back: the digest returned by With, and another one
// if a protocol cannot express the policy's message.
func (d Digest) Forms(m *sdk.Message) []Digest {
	out := []Digest{d.With(m)}
	if told := d.with(m, objectArguments); told != out[0] {
		out = append(out, told)
	}
	return out
}

func (d Digest) with(m *sdk.Message, arguments func(string) string) (out Digest) {
	h := sha256.New()
	h.Write(d[:])
	field(h, []byte(m.Role))
	field(h, []byte(text(m)))
	count(h, len(m.Images))
	for _, image := range m.Images {
		field(h, []byte(image.MIMEType))
		field(h, image.Data)
		field(h, []byte(image.URL))
		if image.TextAfter > 0 && m.Role != sdk.RoleAssistant { // the assistant's text is compared without white space
			count(h, image.TextAfter)
		}
	}
	count(h, len(m.ToolCalls))
	for _, call := range m.ToolCalls {
		field(h, []byte(call.Name))
		field(h, []byte(arguments(call.Arguments)))
	}
	h.Sum(out[:0])
	return out
}

// text returns the part of the content that is compared.
func text(m *sdk.Message) string {
	if m.Role == sdk.RoleAssistant {
		return strings.TrimSpace(m.Content)
	}
	return m.Content
}

func field(h hash.Hash, value []byte) {
	count(h, len(value))
	h.Write(value)
}

func count(h hash.Hash, n int) {
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(n))
	h.Write(size[:])
}
