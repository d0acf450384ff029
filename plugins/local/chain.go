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

// chain is a conversation as tokens. Ids are only ever appended; nothing is tokenised a second time.
type chain struct {
	id           string
	attempt      int // of the episode
	ids          []int32
	trained      []bool    // len(ids): sampled by the policy, on a trainable call
	logprobs     []float32 // len(ids): recorded when it was sampled
	temperatures []float32 // len(ids): that it was sampled at
	ends         []int     // token count after each message

	digest hash.Hash // of the first hashed ids; nil: of none
	hashed int
}

// append adds tokens that the policy did not write.
func (c *chain) append(ids ...int32) {
	c.ids = append(c.ids, ids...)
	c.trained = append(c.trained, make([]bool, len(ids))...)
	c.logprobs = append(c.logprobs, make([]float32, len(ids))...)
	c.temperatures = append(c.temperatures, make([]float32, len(ids))...)
}

// appendMessages adds messages that the policy did not write.
func (c *chain) appendMessages(messages []sdk.Message) error {
	for _, m := range messages {
		message, err := tokenMessage(m)
		if err != nil {
			return fmt.Errorf("encode a message of role %s: %w", m.Role, err)
		}
		ids, err := tokenizer.AppendMessage(nil, message)
		if err != nil {
			return fmt.Errorf("encode a message of role %s: %w", m.Role, err)
		}
		c.append(ids...)
		c.ends = append(c.ends, len(c.ids))
	}
	return nil
}

// appendSampled adds a message of the policy, after its header, with the temperature that it was sampled at. A message
// that a limit cut lacks its end token: it is added, untrained, so that the next message starts as in every other
// conversation.
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

// draft is a copy to be extended. It shares storage with c, which only one draft at a time may extend: what is appended
// lies beyond the end of c.
func (c *chain) draft() *chain {
	out := *c
	if c.digest != nil {
		out.digest, _ = c.digest.(hash.Cloner).Clone() // that of SHA-256 has no error
	}
	return &out
}

// fork is the start of another chain with the first messages of c. Their tokens are context there: c is where they are
// trained.
func (c *chain) fork(messages int) *chain {
	length := 0
	if messages > 0 {
		length = c.ends[messages-1]
	}
	out := &chain{attempt: c.attempt, ends: slices.Clone(c.ends[:messages])}
	out.append(c.ids[:length]...)
	return out
}

// row is the chain as a training row, sampled by the policy of a version. The end token that was added to a message that
// the context cut is one more than the context takes: it is left out, as nothing follows it.
func (c *chain) row(version int64, context int) tinylm.Row {
	n := min(len(c.ids), context)
	return tinylm.Row{IDs: c.ids[:n], Trained: c.trained[:n], Logprobs: c.logprobs[:n], Temperatures: c.temperatures[:n], Version: version}
}

// sum identifies the tokens of the chain. It reads those that are new since the last time.
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
