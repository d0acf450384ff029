package tinylm

import (
	"slices"
	"sync"
)

// worthCopying is the minimum number of tokens shared with another session that justifies copying keys and values.
// Fewer are recomputed.
const worthCopying = 4

// prefixCache keeps idle sessions so that the next turn of a conversation computes only its new tokens, and a group's
// samples compute their prompt only once. Keys and values depend only on the weights and the preceding tokens. A cache
// hit produces the same bits as recomputing. Idle sessions use at most limit bytes; the least recently used session is
// dropped first.
type prefixCache struct {
	cfg   Config
	limit int // bytes

	mu    sync.Mutex
	idle  []*session // least recently used first
	bytes int        // of the idle sessions

	reused, computed int // prompt tokens, for tests
}

func newPrefixCache(c Config, bytes int) *prefixCache {
	return &prefixCache{cfg: c, limit: bytes}
}

// take returns a session whose tokens are a prefix of the prompt without its last token, which must be fed to get
// logits. The caller returns it with put.
func (p *prefixCache) take(m *model, serial uint64, prompt []int32) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	best, shared := p.longestPrefix(serial, prompt)
	var s *session
	switch {
	case best >= 0 && shared == len(p.idle[best].ids):
		s = p.remove(best) // the next turn of the same conversation
	case best >= 0 && shared >= worthCopying:
		source := p.idle[best]
		if s = p.spare(serial); s != source {
			s.copyPrefix(p.cfg, source, shared)
		}
	default:
		s, shared = p.spare(serial), 0
	}
	s.truncate(shared)
	s.model, s.serial = m, serial
	p.reused += shared
	p.computed += len(prompt) - shared
	return s
}

// longestPrefix returns the idle session with these weights that shares the most tokens with the prompt.
func (p *prefixCache) longestPrefix(serial uint64, prompt []int32) (best, shared int) {
	best = -1
	for i, s := range p.idle {
		if s.serial != serial {
			continue
		}
		n := commonPrefix(s.ids, prompt[:len(prompt)-1])
		// If several share equally many, a session that is entirely a prefix is preferable, because nothing has to be
		// copied.
		if n > shared || n > 0 && n == shared && len(s.ids) == n {
			best, shared = i, n
		}
	}
	return best, shared
}

func commonPrefix(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// spare returns a session that can be overwritten: one with other weights, a new one or, at the limit, the least
// recently used one.
func (p *prefixCache) spare(serial uint64) *session {
	if len(p.idle) > 0 && (p.idle[0].serial != serial || p.bytes+p.idle[0].bytes() > p.limit) {
		return p.remove(0)
	}
	return newSession(p.cfg)
}

func (p *prefixCache) remove(i int) *session {
	s := p.idle[i]
	p.bytes -= s.bytes()
	p.idle = slices.Delete(p.idle, i, i+1)
	return s
}

// put returns a session to the cache. It drops the reference to the weights, so that old snapshots can be freed.
func (p *prefixCache) put(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.model = nil
	p.idle = append(p.idle, s)
	p.bytes += s.bytes()
	for p.bytes > p.limit {
		p.remove(0)
	}
}
