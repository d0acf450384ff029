package rollout

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

// digest is a SHA-256 over fields that cannot run into one another.
type digest [sha256.Size]byte

// digester hashes a sequence of fields. Every field has a length or a fixed size, so that two different sequences
// never hash the same bytes.
type digester struct {
	hash hash.Hash
	buf  []byte // written out whole: short writes to a hash are slow
	out  digest
}

// digesters are used again: several are needed per turn.
var digesters = sync.Pool{New: func() any {
	return &digester{hash: sha256.New(), buf: make([]byte, 0, 512)}
}}

// newDigester starts a digest for one purpose; digests of different purposes never meet. It ends with finish.
func newDigester(purpose string) *digester {
	d := digesters.Get().(*digester)
	d.hash.Reset()
	d.buf = d.buf[:0]
	d.text(purpose)
	return d
}

// finish returns the digest. The digester must not be used any more.
func (d *digester) finish() digest {
	digest := d.sum()
	digesters.Put(d)
	return digest
}

// sum is the digest of the fields so far.
func (d *digester) sum() digest {
	d.flush()
	d.hash.Sum(d.out[:0])
	return d.out
}

func (d *digester) flush() {
	d.hash.Write(d.buf)
	d.buf = d.buf[:0]
}

func (d *digester) number(n uint64) {
	if len(d.buf)+8 > cap(d.buf) {
		d.flush()
	}
	d.buf = binary.BigEndian.AppendUint64(d.buf, n)
}

func (d *digester) int(n int) { d.number(uint64(n)) }

func (d *digester) float(f float64) { d.number(math.Float64bits(f)) }

func (d *digester) flag(b bool) {
	if b {
		d.number(1)
		return
	}
	d.number(0)
}

func (d *digester) text(s string) { field(d, s) }

func (d *digester) bytes(b []byte) { field(d, b) }

func field[T string | []byte](d *digester, value T) {
	d.int(len(value))
	if len(d.buf)+len(value) > cap(d.buf) {
		d.flush()
	}
	if len(value) > cap(d.buf) {
		d.hash.Write([]byte(value))
		return
	}
	d.buf = append(d.buf, value...)
}

// optional hashes a number that may be missing.
func (d *digester) optional(f *float64) {
	d.flag(f != nil)
	if f != nil {
		d.float(*f)
	}
}

func (d *digester) optionalFlag(b *bool) {
	d.flag(b != nil)
	if b != nil {
		d.flag(*b)
	}
}

// numbers hashes named numbers in the order of their names.
func (d *digester) numbers(values map[string]float64) {
	d.int(len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		d.text(name)
		d.float(values[name])
	}
}

// messages hashes what was said. Ids of tool calls are left out: they may differ between two runs of one episode,
// and the order says which result belongs to which call.
func (d *digester) messages(messages []sdk.Message) {
	d.int(len(messages))
	for i := range messages {
		d.message(&messages[i])
	}
}

func (d *digester) message(m *sdk.Message) {
	d.text(string(m.Role))
	d.text(m.Content)
	d.int(len(m.Images))
	for _, image := range m.Images {
		d.text(image.MIMEType)
		d.bytes(image.Data)
		d.text(image.URL)
	}
	d.text(m.Reasoning)
	d.int(len(m.ToolCalls))
	for _, call := range m.ToolCalls {
		d.text(call.Name)
		d.text(call.Arguments)
	}
	d.text(m.Name)
	d.flag(m.IsError)
	d.int(len(m.Malformed))
	for _, malformed := range m.Malformed {
		d.text(malformed.Text)
		d.text(malformed.Reason)
	}
}
