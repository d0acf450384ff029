package gateway

import (
	"math"
	"net/http"
)

// bytesPerToken is what a token is taken for before the policy has counted any.
const bytesPerToken = 4

// estimate is how many tokens a request of so many bytes has, by those that the policy has counted in this attempt.
func (l *lease) estimate(bytes int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.asked
	if seen.tokens == 0 || seen.bytes == 0 {
		seen = volume{tokens: 1, bytes: bytesPerToken}
	}
	return int(math.Ceil(float64(bytes) * float64(seen.tokens) / float64(seen.bytes)))
}

// countTokens says how many tokens a request would have. Only who samples can tell, and adapters are not asked for it:
// the answer is an estimate, and says so.
func (g *Gateway) countTokens(w http.ResponseWriter, r *http.Request) {
	l, a, p := g.take(w, r, messages{})
	if p != nil {
		fail(w, messages{}, p)
		return
	}
	defer l.leave()
	reply(w, map[string]any{"input_tokens": l.estimate(a.bytes), "estimated": true})
}
