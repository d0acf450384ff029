package bridge

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// Close sends the waiting frames, ends all connections, and cancels the open episodes (ErrClosed) without notifying the
// workers, because an adapter in a later epoch may continue them. It returns when the handler has returned or ctx is
// done.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	sessions := make([]*session, 0, len(s.sessions))
	for _, session := range s.sessions {
		sessions = append(sessions, session)
	}
	s.mu.Unlock()
	if first {
		_ = s.listener.Close()
	}
	for _, session := range sessions {
		session.stream.Flush(ErrClosed)
	}
	for _, session := range sessions {
		session.stream.Await(ctx)
		session.end(ErrClosed)
	}
	s.cancel(ErrClosed)
	s.closeConns()
	done := make(chan struct{})
	go func() { defer close(done); s.running.Wait() }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the bridge: its handler is still running: %w", ctx.Err())
	}
}

func (s *Server) closeConns() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.conns {
		link.HardClose(conn)
	}
}
