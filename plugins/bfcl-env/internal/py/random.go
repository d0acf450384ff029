package py

import (
	"crypto/sha512"
	"math"
	"math/big"
	"sync"
)

// Random is random.Random: Matsumoto and Nishimura's Mersenne Twister MT19937 (1998), with CPython's seeding.
type Random struct {
	state  *[stateWords]uint32
	next   int  // index in state
	shared bool // the state is shared and copied before a change
}

// The constants of MT19937.
const (
	stateWords = 624
	middleWord = 397
	matrixA    = 0x9908b0df
	upperMask  = 0x80000000
	lowerMask  = 0x7fffffff
)

// seeded caches the initial generators for some seeds, because seeding takes longer than all draws in most episodes.
var seeded = struct {
	sync.Mutex
	by map[int]*Random
}{by: map[int]*Random{}}

// maxSeeded bounds the cache.
const maxSeeded = 64

// NewRandom returns a generator seeded with a number or a string.
func NewRandom(seed Value) (*Random, error) {
	n, ok := seed.(int)
	if !ok {
		return newRandom(seed)
	}
	seeded.Lock()
	defer seeded.Unlock()
	begun := seeded.by[n]
	if begun == nil {
		begun, _ = newRandom(seed) // an int is always a valid seed
		begun.generate()
		if len(seeded.by) < maxSeeded {
			seeded.by[n] = begun
		}
	}
	return begun.Clone(), nil
}

func newRandom(seed Value) (*Random, error) {
	var n *big.Int
	switch s := seed.(type) {
	case string:
		sum := sha512.Sum512([]byte(s))
		n = new(big.Int).SetBytes(append([]byte(s), sum[:]...))
	case float64:
		n = floatHash(s)
	default:
		whole, ok := BigInt(seed)
		if !ok {
			return nil, TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
		}
		n = new(big.Int).Abs(whole)
	}
	r := &Random{state: new([stateWords]uint32)}
	r.seedByArray(words(n))
	return r, nil
}

// words returns the 32-bit digits of a number, least significant first; there is always at least one.
func words(n *big.Int) []uint32 {
	var out []uint32
	mask := big.NewInt(math.MaxUint32)
	for rest := new(big.Int).Set(n); rest.Sign() > 0; rest.Rsh(rest, 32) {
		out = append(out, uint32(new(big.Int).And(rest, mask).Uint64()))
	}
	if len(out) == 0 {
		return []uint32{0}
	}
	return out
}

// floatHash returns hash(f) as an unsigned number: f modulo 2^61-1.
func floatHash(f float64) *big.Int {
	modulus := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 61), big.NewInt(1))
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return big.NewInt(314159)
	}
	exact := new(big.Rat).SetFloat64(math.Abs(f))
	inverse := new(big.Int).ModInverse(exact.Denom(), modulus)
	hash := inverse.Mul(inverse, exact.Num())
	hash.Mod(hash, modulus)
	if f < 0 && hash.Sign() > 0 {
		hash.Neg(hash)
		if hash.IsInt64() && hash.Int64() == -1 {
			hash.SetInt64(-2)
		}
		hash.Add(hash, new(big.Int).Lsh(big.NewInt(1), 64))
	}
	return hash
}

func (r *Random) seedByNumber(seed uint32) {
	r.state[0] = seed
	for i := uint32(1); i < stateWords; i++ {
		before := r.state[i-1]
		r.state[i] = 1812433253*(before^before>>30) + i
	}
	r.next = stateWords
}

func (r *Random) seedByArray(key []uint32) {
	r.seedByNumber(19650218)
	i, j := 1, 0
	advance := func() {
		i++
		if i >= stateWords {
			r.state[0] = r.state[stateWords-1]
			i = 1
		}
	}
	for range max(stateWords, len(key)) {
		before := r.state[i-1]
		r.state[i] = (r.state[i] ^ (before^before>>30)*1664525) + key[j] + uint32(j)
		advance()
		j = (j + 1) % len(key)
	}
	for range stateWords - 1 {
		before := r.state[i-1]
		r.state[i] = (r.state[i] ^ (before^before>>30)*1566083941) - uint32(i)
		advance()
	}
	r.state[0] = upperMask
}

// Uint32 returns getrandbits(32).
func (r *Random) Uint32() uint32 {
	if r.next >= stateWords {
		r.generate()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (r *Random) generate() {
	if r.shared {
		own := *r.state
		r.state, r.shared = &own, false
	}
	for i := range stateWords {
		y := r.state[i]&upperMask | r.state[(i+1)%stateWords]&lowerMask
		next := r.state[(i+middleWord)%stateWords] ^ y>>1
		if y&1 == 1 {
			next ^= matrixA
		}
		r.state[i] = next
	}
	r.next = 0
}

// Clone returns a generator that produces the same future values as r.
func (r *Random) Clone() *Random {
	r.shared = true
	out := *r
	return &out
}

// bits returns getrandbits(n) for n from 1 to 64.
func (r *Random) bits(n int) uint64 {
	if n <= 32 {
		return uint64(r.Uint32() >> (32 - n))
	}
	low := uint64(r.Uint32())
	return low | uint64(r.Uint32()>>(64-n))<<32
}

// Int returns randint(low, high), which includes both bounds.
func (r *Random) Int(low, high int) int {
	count := uint64(high-low) + 1
	n := 0
	for rest := count; rest > 0; rest >>= 1 {
		n++
	}
	for {
		if drawn := r.bits(n); drawn < count {
			return low + int(drawn)
		}
	}
}

// Float returns random(), a number from 0 up to but not including 1, in steps of 2^-53.
func (r *Random) Float() float64 {
	high, low := r.Uint32()>>5, r.Uint32()>>6
	return (float64(high)*67108864 + float64(low)) / 9007199254740992
}

// Uniform returns uniform(low, high).
func (r *Random) Uniform(low, high float64) float64 { return low + (high-low)*r.Float() }
