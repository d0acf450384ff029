// Package digest hashes sequences of fields: the contents of episodes and the inputs for their seeds.
//
//	d := digest.New("awhost/episode/1")
//	d.Text(task)
//	d.Int(draw)
//	sum := d.Finish()
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// Digest is a SHA-256 hash of fields with unambiguous boundaries.
type Digest [sha256.Size]byte

// Digester hashes a sequence of fields. Every field has a length prefix or a fixed size, so two different sequences
// never hash the same bytes.
type Digester struct {
	hash hash.Hash
	buf  []byte // written as a whole: short writes to a hash are slow
	out  Digest
}

// digesters holds reusable Digesters, because several are needed per turn.
var digesters = sync.Pool{New: func() any {
	return &Digester{hash: sha256.New(), buf: make([]byte, 0, 512)}
}}

// New starts a digest for a particular purpose. Digests for different purposes never collide. It ends with Finish.
func New(purpose string) *Digester {
	d := digesters.Get().(*Digester)
	d.hash.Reset()
	d.buf = d.buf[:0]
	d.Text(purpose)
	return d
}

// Finish returns the digest. The Digester must not be used after that.
func (d *Digester) Finish() Digest {
	digest := d.Sum()
	digesters.Put(d)
	return digest
}

// Sum returns the digest of the fields hashed so far.
func (d *Digester) Sum() Digest {
	d.flush()
	d.hash.Sum(d.out[:0])
	return d.out
}

func (d *Digester) flush() {
	d.hash.Write(d.buf)
	d.buf = d.buf[:0]
}

// Number hashes 64 bits.
func (d *Digester) Number(n uint64) {
	if len(d.buf)+8 > cap(d.buf) {
		d.flush()
	}
	d.buf = binary.BigEndian.AppendUint64(d.buf, n)
}

// Int hashes a number.
func (d *Digester) Int(n int) { d.Number(uint64(n)) }

// Float hashes the bits of a number.
func (d *Digester) Float(f float64) { d.Number(math.Float64bits(f)) }

// Flag hashes a boolean.
func (d *Digester) Flag(b bool) {
	if b {
		d.Number(1)
		return
	}
	d.Number(0)
}

// Text hashes a string with any content.
func (d *Digester) Text(s string) { field(d, s) }

// Bytes hashes bytes.
func (d *Digester) Bytes(b []byte) { field(d, b) }

func field[T string | []byte](d *Digester, value T) {
	d.Int(len(value))
	if len(d.buf)+len(value) > cap(d.buf) {
		d.flush()
	}
	if len(value) > cap(d.buf) {
		d.hash.Write([]byte(value))
		return
	}
	d.buf = append(d.buf, value...)
}

// Optional hashes a number that may be absent.
func (d *Digester) Optional(f *float64) {
	d.Flag(f != nil)
	if f != nil {
		d.Float(*f)
	}
}

// OptionalFlag hashes a flag that may be absent.
func (d *Digester) OptionalFlag(b *bool) {
	d.Flag(b != nil)
	if b != nil {
		d.Flag(*b)
	}
}

// Numbers hashes named numbers, ordered by name.
func (d *Digester) Numbers(values map[string]float64) {
	d.Int(len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		d.Text(name)
		d.Float(values[name])
	}
}

// Messages hashes messages. Tool call IDs are omitted: they may differ between two runs of the same episode, and the
// order determines which result belongs to which call.
func (d *Digester) Messages(messages []sdk.Message) {
	d.Int(len(messages))
	for i := range messages {
		d.Message(&messages[i])
	}
}

// Message hashes one message; see Messages.
func (d *Digester) Message(m *sdk.Message) {
	d.Text(string(m.Role))
	d.Text(m.Content)
	d.Int(len(m.Images))
	for _, image := range m.Images {
		d.Text(image.MIMEType)
		d.Bytes(image.Data)
		d.Text(image.URL)
		if image.TextAfter > 0 {
			d.Int(image.TextAfter)
		}
	}
	d.Text(m.Reasoning)
	d.Int(len(m.ToolCalls))
	for _, call := range m.ToolCalls {
		d.Text(call.Name)
		d.Text(call.Arguments)
	}
	d.Text(m.Name)
	d.Flag(m.IsError)
	d.Int(len(m.Malformed))
	for _, malformed := range m.Malformed {
		d.Text(malformed.Text)
		d.Text(malformed.Reason)
	}
	if len(m.Attachments) > 0 {
		d.attachments(m.Attachments)
	}
}

// attachments hashes an environment's attachments. Messages without attachments keep the digest that they had before
// attachments existed. An omitted body counts as if it were present.
func (d *Digester) attachments(all []sdk.Attachment) {
	d.Text("attachments") // in the position of another message's role
	d.Int(len(all))
	for i := range all {
		a := &all[i]
		d.Text(string(a.Kind))
		d.Text(a.MIMEType)
		d.Text(a.URI)
		d.Text(a.Name)
		d.Text(a.Marker)
		d.Int(int(a.Bytes()))
		d.Text(a.Digest())
	}
}
