// Package canonical decides when two messages of a conversation are the same. Programs send a conversation back with
// every request, and few send it back as they got it; what they change without meaning anything by it must not start
// another conversation, and what they rewrite must.
//
//	said := canonical.Digest{}.With(&question).With(&answer) // stands for the two
//	back := canonical.Prefixes(request.Messages)             // back[n] stands for the first n
//	goesOn := back[2] == said
//
// The rules, and what they were found with. Those marked "decoded" concern one protocol: the decoders of host/gateway
// apply them when they read a request, so that a message is the same here whatever protocol it came by. All others
// stand in this package and nowhere else.
//
//	what differs                     same?  found with
//	role                             no     developer is system (decoded)
//	text of system, user, tool       no     byte by byte: it is prompt
//	text of the assistant            no     but for white space around it: the Messages API refuses texts of white space
//	                                        and texts that end in it, so programs for it trim
//	assistant "", null, absent       yes    opencode sends "", Qwen Code null, Claude Code nothing beside a call
//	text, or a list of text blocks   yes    tool results: a text from opencode, blocks from Qwen Code, both from Claude
//	                                        Code (decoded)
//	cache_control                    yes    Claude Code moves it from message to message (decoded: it is not read)
//	x-anthropic-billing-header       yes    Claude Code's first system block (decoded: it is left out)
//	system message between turns     -      Claude Code; told by the user's turn beside it (decoded)
//	pictures                         no     type and bytes, or the URL, and the place in the text
//	calls: number, order, names      no
//	calls: arguments                 no     but compared as JSON: spaces, the order of members and how a number is
//	                                        written (1.0, 1, 1e0) do not count, its value does, exactly; nothing
//	                                        at all is {}; what is no JSON is compared as text
//	calls: arguments, no object      yes    as {}: the Messages API has objects only, so its clients get {} and
//	                                        send it (Forms)
//	ids of calls, results, items     yes    Codex gives items ids of its own; sdk/chat prefers, of messages that say the
//	                                        same, the one whose ids come back
//	name and error mark of a result  yes    chat completions have neither
//	reasoning                        yes    most programs do not send it back
//	tools of the request             yes    the owner of tokens makes a new row where a template shows others
//
// Nothing here makes a message trainable: what the policy is trained on is what it sampled, by the records of sdk/chat.
// A message of role assistant that the program made up, as Qwen Code's "Got it. Thanks for the context!", is prompt.
//
// It must not know chains, protocols or tokens.
package canonical

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Digest stands for the beginning of a conversation. The zero value is that of the empty one.
type Digest [sha256.Size]byte

// Prefixes are the digests of all beginnings of a conversation, from the empty one on. It reads each message once.
func Prefixes(messages []sdk.Message) []Digest {
	out := make([]Digest, len(messages)+1)
	for i := range messages {
		out[i+1] = out[i].With(&messages[i])
	}
	return out
}

// With is the digest of a beginning and the message that follows.
func (d Digest) With(m *sdk.Message) Digest { return d.with(m, Arguments) }

// Forms are the digests under which a message of the policy may come back: that of With, and another one where a
// protocol cannot express what the policy wrote.
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

// text is what counts of the content.
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
