package local

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// chain is a conversation represented as tokens. IDs are only ever appended; no text is tokenized twice.
type chain struct {
	id           string
	attempt      int // of the episode
	ids          []int32
	trained      []bool    // len(ids): sampled by the policy, on a trainable call
	logprobs     []float32 // len(ids): recorded at sampling
	temperatures []float32 // len(ids): of the sampling
	ends         []int     // token count after each message

	digest hash.Hash // of the first hashed ids; nil: none are hashed
	hashed int
}

// append adds tokens that the policy did not generate.
func (c *chain) append(ids ...int32) {
	c.ids = append(c.ids, ids...)
	c.trained = append(c.trained, make([]bool, len(ids))...)
	c.logprobs = append(c.logprobs, make([]float32, len(ids))...)
	c.temperatures = append(c.temperatures, make([]float32, len(ids))...)
}

// appendMessages adds messages that the policy did not generate.
func (c *chain) appendMessages(messages []sdk.Message) error {
	for _, m := range messages {
		message, err := tokenMessage(m)
		if err != nil {
			return fmt.Errorf("encode a message with role %s: %w", m.Role, err)
		}
		ids, err := tokenizer.AppendMessage(nil, message)
		if err != nil {
			return fmt.Errorf("encode a message with role %s: %w", m.Role, err)
		}
		c.append(ids...)
		c.ends = append(c.ends, len(c.ids))
	}
	return nil
}

// appendSampled adds a policy message, after its header, with its sampling temperature. A message that was cut off by a
// limit lacks its end token. The token is added untrained, so that the next message starts in the same way as in every
// other conversation.
func (c *chain) appendSampled(ids []int32, logprobs []float32, temperature float32, trainable bool) {
	c.ids = append(c.ids, ids...)
	c.logprobs = append(c.logprobs, logprobs...)
	for range ids {
		c.trained, c.temperatures = append(c.trained, trainable), append(c.temperatures, temperature)
	}
	if c.ids[len(c.ids)-1] != tokenizer.End {
		c.append(tokenizer.End)
	}
	c.ends = append(c.ends, len(c.ids))
}

// draft returns a copy to be extended. It shares storage with c, and only one draft at a time may extend it, because
// appended tokens are stored beyond the end of c.
func (c *chain) draft() *chain {
	out := *c
	if c.digest != nil {
		out.digest, _ = c.digest.(hash.Cloner).Clone() // SHA-256's Clone never fails
	}
	return &out
}

// fork returns a new chain that starts with the first messages of c. In the new chain, their tokens are context,
// because they are trained as part of c.
func (c *chain) fork(messages int) *chain {
	length := 0
	if messages > 0 {
		length = c.ends[messages-1]
	}
	out := &chain{attempt: c.attempt, ends: slices.Clone(c.ends[:messages])}
	out.append(c.ids[:length]...)
	return out
}

// row returns the chain as a training row that was sampled by a given version of the policy. If the context limit cut
// off the last message, the end token added to it exceeds the context. The row omits the token, because nothing follows
// it.
func (c *chain) row(version int64, context int) tinylm.Row {
	n := min(len(c.ids), context)
	return tinylm.Row{IDs: c.ids[:n], Trained: c.trained[:n], Logprobs: c.logprobs[:n], Temperatures: c.temperatures[:n],
		Version: version}
}

// sum returns a digest of the chain's tokens. It hashes only the tokens added since the last call.
func (c *chain) sum() string {
	if c.digest == nil {
		c.digest = sha256.New()
	}
	var raw []byte
	for _, id := range c.ids[c.hashed:] {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(id))
	}
	c.digest.Write(raw)
	c.hashed = len(c.ids)
	return hex.EncodeToString(c.digest.Sum(nil))
}
