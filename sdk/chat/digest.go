package chat

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"

	"github.com/awhost/awhost/sdk"
)

// digest stands for the beginning of a conversation.
type digest [sha256.Size]byte

// digests are those of all beginnings, from the empty one on.
func digests(messages []sdk.Message) []digest {
	out := make([]digest, len(messages)+1)
	for i := range messages {
		out[i+1] = out[i].with(&messages[i])
	}
	return out
}

// with is the digest of a beginning and the message that follows. What a client may leave out or write differently when
// it sends a message back does not count: the reasoning, ids of calls, marks on tool results, spaces and the order of
// members in arguments.
func (d digest) with(m *sdk.Message) (out digest) {
	h := sha256.New()
	h.Write(d[:])
	field(h, []byte(m.Role))
	field(h, []byte(m.Content))
	count(h, len(m.Images))
	for _, image := range m.Images {
		field(h, []byte(image.MIMEType))
		field(h, image.Data)
		field(h, []byte(image.URL))
	}
	count(h, len(m.ToolCalls))
	for _, call := range m.ToolCalls {
		field(h, []byte(call.Name))
		field(h, canonical(call.Arguments))
	}
	h.Sum(out[:0])
	return out
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

// canonical is a JSON text without spaces, its members in order, its numbers as they were written. Another text stays as
// it is.
func canonical(text string) []byte {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		return []byte(text)
	}
	out, err := json.Marshal(value)
	if err != nil {
		return []byte(text)
	}
	return out
}
