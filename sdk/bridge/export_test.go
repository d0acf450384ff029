package bridge

import (
	"time"

	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// Waiting returns the number of callers that wait for a call.
func (s *Server) Waiting(episode, id string) int {
	s.mu.Lock()
	e := s.episodes[episode]
	s.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.calls[id]; c != nil {
		return c.waiting
	}
	return 0
}

// WithKeptBytes limits the queues of a server.
func (o Options) WithKeptBytes(bytes int) Options {
	o.limits = link.Limits{LineBytes: link.MaxLineBytes, KeptBytes: bytes}
	return o
}

// MaxUnauthenticated is the maximum number of connections before their handshake.
const MaxUnauthenticated = maxUnauthenticated

// WithHandshakeTimeout shortens the handshake.
func (o Options) WithHandshakeTimeout(d time.Duration) Options {
	o.handshake = d
	return o
}
