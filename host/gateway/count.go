package gateway

import (
	"math"
	"net/http"
)

// bytesPerToken is the estimate used before the policy has counted any tokens.
const bytesPerToken = 4

// estimate returns the estimated number of tokens in a request, based on the tokens counted by the policy in this
// attempt.
func (l *lease) estimate(bytes int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.asked
	if seen.tokens == 0 || seen.bytes == 0 {
		seen = volume{tokens: 1, bytes: bytesPerToken}
	}
	return int(math.Ceil(float64(bytes) * float64(seen.tokens) / float64(seen.bytes)))
}

// countTokens returns the number of tokens in a request. Only the sampler can count them, and adapters have no such
// call, so the result is an estimate and is marked as one.
func (g *Gateway) countTokens(w http.ResponseWriter, r *http.Request) {
	l, a, p := g.take(w, r, messages{})
	if p != nil {
		fail(w, messages{}, p)
		return
	}
	defer l.leave()
	a.counted()
	reply(w, map[string]any{"input_tokens": l.estimate(a.bytes), "estimated": true})
}
