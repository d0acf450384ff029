package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// Order is the order in which a run draws from n tasks, one epoch after another. Each epoch is a separate permutation.
// It depends only on n and the seed, on every machine and with every version of Go:
//
//	key   = SHA-256("awhost/order/1", n, seed, epoch), the numbers as 8 bytes, big endian
//	PCG   = the generator PCG-DXSM of math/rand/v2, seeded with the first and the second 8 bytes of key
//	for i = n-1 … 1: swap positions i and j, where j is drawn from 0 … i by Lemire's multiplication with rejection
//
// It is safe for concurrent use.
type Order struct {
	n    int
	seed int64

	mu     sync.Mutex
	recent [2]epochOrder // an asynchronous trainer reads across the boundary of two epochs
}

type epochOrder struct {
	epoch   int
	indexes []int32
}

// NewOrder returns the order of n tasks for a seed. n must be at least 1.
func NewOrder(n int, seed int64) *Order { return &Order{n: n, seed: seed} }

// At returns the task at a position in the infinite sequence of epochs. position must not be negative.
func (o *Order) At(position int) (epoch, index int) {
	epoch = position / o.n
	return epoch, int(o.permutation(epoch)[position%o.n])
}

// Epoch returns the tasks of one epoch, counting epochs from 0, in order.
func (o *Order) Epoch(epoch int) []int {
	indexes := o.permutation(epoch)
	out := make([]int, len(indexes))
	for i, index := range indexes {
		out[i] = int(index)
	}
	return out
}

func (o *Order) permutation(epoch int) []int32 {
	o.mu.Lock()
	defer o.mu.Unlock()
	slot := &o.recent[epoch%len(o.recent)]
	if slot.indexes == nil || slot.epoch != epoch {
		*slot = epochOrder{epoch, permute(o.n, o.seed, epoch)}
	}
	return slot.indexes
}

func permute(n int, seed int64, epoch int) []int32 {
	indexes := make([]int32, n)
	for i := range indexes {
		indexes[i] = int32(i)
	}
	random := generator(n, seed, epoch)
	for i := n - 1; i > 0; i-- {
		j := below(random, uint64(i)+1)
		indexes[i], indexes[j] = indexes[j], indexes[i]
	}
	return indexes
}

func generator(n int, seed int64, epoch int) *rand.PCG {
	text := []byte("awhost/order/1")
	for _, number := range []uint64{uint64(n), uint64(seed), uint64(epoch)} {
		text = binary.BigEndian.AppendUint64(text, number)
	}
	key := sha256.Sum256(text)
	return rand.NewPCG(binary.BigEndian.Uint64(key[:8]), binary.BigEndian.Uint64(key[8:16]))
}

// below draws uniformly from 0 to n-1. n must not be 0.
func below(random *rand.PCG, n uint64) uint64 {
	threshold := -n % n // 2^64 mod n
	for {
		high, low := bits.Mul64(random.Uint64(), n)
		if low >= threshold {
			return high
		}
	}
}
