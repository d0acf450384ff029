package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"github.com/awhost/awhost/sdk"
)

// digest is a SHA-256 hash of fields. Each is preceded by its length, so that the fields are unambiguous.
type digest struct{ sum hash.Hash }

// newDigest starts a digest with a given purpose. Digests for different purposes never match.
func newDigest(purpose string) digest {
	d := digest{sha256.New()}
	d.add([]byte(purpose))
	return d
}

// newFingerprint starts the fingerprint of a sequence of tasks.
func newFingerprint() digest { return newDigest("awhost/dataset/1") }

func (d digest) add(field []byte) {
	d.number(uint64(len(field)))
	d.sum.Write(field)
}

// number adds 8 bytes, big endian.
func (d digest) number(n uint64) {
	var bytes [8]byte
	binary.BigEndian.PutUint64(bytes[:], n)
	d.sum.Write(bytes[:])
}

func (d digest) task(t sdk.Task) {
	d.add([]byte(t.ID))
	d.add(t.Public)
	d.add(t.Private)
}

func (d digest) text() string { return hex.EncodeToString(d.sum.Sum(nil)) }

// first returns the beginning of the digest as a number.
func (d digest) first() uint64 { return binary.BigEndian.Uint64(d.sum.Sum(nil)) }
