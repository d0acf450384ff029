package link

import (
	"context"
	"fmt"
	"sync"
)

// Stream is one side of a session: its sent and unacknowledged frames, and its received frames. It may be used by
// many goroutines; only one may call Run at a time.
type Stream struct {
	limits Limits
	wake   chan struct{} // there is data to send
	done   chan struct{} // closed when the stream has ended

	mu    sync.Mutex
	kept  [][]byte // unacknowledged frames, without their closing brace
	first uint64   // seq of kept[0]
	bytes int      // of kept
	cut   func()   // ends the open connection; nil: no connection
	full  bool     // the connection was ended for an overflow
	sent  uint64   // the highest seq that was ever written
	ended error    // if set, sending is disabled

	finished error // the stream ends with it when it is drained
	flush    bool  // true: drained means written; false: acknowledged by both sides
	peerSent bool  // the peer has sent a frame since the handshake

	received uint64   // the last received seq
	deferred []uint64 // received frames that are not processed yet, in order
	acked    uint64   // the last acknowledgement sent on this connection
	unacked  int      // bytes received since then
	ackNow   bool
	pong     bool
}

// NewStream creates the stream for a new session.
func NewStream(limits Limits) *Stream {
	return &Stream{limits: limits, wake: make(chan struct{}, 1), done: make(chan struct{}), first: 1}
}

// Send keeps a data frame until the peer has acknowledged it. It does not wait. It sets f's Seq and Ack.
func (s *Stream) Send(f Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return s.ended
	}
	f.Seq = s.first + uint64(len(s.kept))
	line, err := f.open()
	if err != nil {
		return err
	}
	if len(line)+maxTailBytes > s.limits.LineBytes {
		return fmt.Errorf("send %s: %d bytes exceed the bridge's line limit of "+
			"%d", f.Type, len(line), s.limits.LineBytes)
	}
	s.kept = append(s.kept, line)
	s.bytes += len(line)
	s.enforceLimit()
	s.signal()
	return s.ended
}

// enforceLimit ends the connection if too much data is kept, and the stream if that does not help.
func (s *Stream) enforceLimit() {
	switch {
	case s.bytes > 2*s.limits.KeptBytes:
		s.end(fmt.Errorf("%w: %d bytes wait", ErrOverflow, s.bytes))
	case s.bytes > s.limits.KeptBytes && s.cut != nil && !s.full:
		s.full = true
		s.cut()
	}
}

func (s *Stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// End drops the kept frames and ends the connection. From then on, Send returns err.
func (s *Stream) End(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(err)
}

func (s *Stream) end(err error) {
	if s.ended != nil {
		return
	}
	s.ended, s.kept, s.bytes = err, nil, 0
	close(s.done)
	if s.cut != nil {
		s.cut()
	}
}

// Finish ends the stream with err as soon as the peer has acknowledged all frames and has been notified that all its
// frames have been processed. Without a connection and kept frames it ends at once.
func (s *Stream) Finish(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finished != nil || s.ended != nil {
		return
	}
	s.finished = err
	if s.cut == nil && s.idle() {
		s.end(err)
	}
	s.signal()
}

// idle reports whether the peer has acknowledged all frames and all its frames have been processed.
func (s *Stream) idle() bool { return len(s.kept) == 0 && len(s.deferred) == 0 }

// Flush ends the stream with err as soon as everything is written, or at once without a connection.
func (s *Stream) Flush(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished, s.flush = err, true
	if s.cut == nil {
		s.end(err)
	}
	s.signal()
}

// HasReceived reports whether the peer has sent any frames since the first handshake, and therefore knows that this
// stream exists.
func (s *Stream) HasReceived() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.peerSent
}

// Await waits until the stream or ctx has ended.
func (s *Stream) Await(ctx context.Context) {
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}

// Ended returns the reason why sending is disabled, or nil while the stream is active.
func (s *Stream) Ended() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// acknowledgedBy processes the acknowledgment in a received frame.
func (s *Stream) acceptAck(ack uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peerSent = true
	return s.acknowledge(ack)
}

// acknowledge drops the frames that the peer has processed.
func (s *Stream) acknowledge(n uint64) error {
	if s.ended != nil {
		return s.ended
	}
	if n < s.first {
		return nil // an older one
	}
	if n > s.sent {
		return lineErrorf("frame %d is acknowledged, but only %d were sent", n, s.sent)
	}
	done := n - s.first + 1
	for i, line := range s.kept[:done] {
		s.bytes -= len(line)
		s.kept[i] = nil // releases the line: the array is kept
	}
	s.kept = s.kept[done:]
	s.first += done
	if s.finished != nil {
		s.signal()
	}
	return nil
}

// Resume processes the received count from a handshake. It reports whether this stream can continue from there.
func (s *Stream) Resume(received uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil || received+1 < s.first || s.acknowledge(received) != nil {
		return false
	}
	if s.bytes > s.limits.KeptBytes {
		s.end(fmt.Errorf("%w, even on a new connection: %d bytes are pending", ErrOverflow, s.bytes))
		return false
	}
	s.full = false
	return true
}

// Received returns the last frame up to which all frames have been processed, for use in a handshake.
func (s *Stream) Received() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processed()
}

// Kept returns the unacknowledged frames, in order. A stream that replaces this one may have to repeat them.
func (s *Stream) Kept() ([]Frame, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Frame, len(s.kept))
	for i, line := range s.kept {
		if err := Parse(append(line[:len(line):len(line)], '}'), &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Stream) processed() uint64 {
	if len(s.deferred) > 0 {
		return s.deferred[0] - 1
	}
	return s.received
}

// Defer delays marking the current frame as processed until Processed is called.
func (s *Stream) Defer(seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deferred = append(s.deferred, seq)
}

// Processed marks the oldest deferred frame as processed and soon sends an acknowledgment: the frames that the peer
// keeps are sent again after a restart.
func (s *Stream) Processed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.deferred) == 0 {
		return // the stream has ended meanwhile
	}
	s.deferred = s.deferred[1:]
	s.ackNow = true
	s.signal()
}

// acceptSeq reports whether a data frame is the next one. It returns false for an earlier frame; a gap is an error.
func (s *Stream) acceptSeq(seq uint64, bytes int) (fresh bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unacked += bytes
	switch {
	case s.ended != nil:
		return false, s.ended
	case seq <= s.received:
		return false, nil
	case seq != s.received+1:
		return false, lineErrorf("frame %d came after %d", seq, s.received)
	}
	return true, nil
}

// recordHandled records a handled frame.
func (s *Stream) recordHandled(seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = seq
	if s.ackDue() {
		s.signal()
	}
}

func (s *Stream) ackDue() bool {
	done := s.processed()
	return done > s.acked && (s.ackNow || s.finished != nil || done-s.acked >= ackFrames || s.unacked >= ackBytes)
}
