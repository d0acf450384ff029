package link

import (
	"context"
	"fmt"
	"sync"
)

// Stream is one side's part of a session: what it sent and is not acknowledged, and what it has received. It may be used by
// many goroutines; Run only by one at a time.
type Stream struct {
	limits Limits
	wake   chan struct{} // something is to be sent
	done   chan struct{} // closed when the stream has ended

	mu    sync.Mutex
	kept  [][]byte // frames without their closing brace; those that were acknowledged are gone
	first uint64   // seq of kept[0]
	bytes int      // of kept
	cut   func()   // ends the connection that is open; nil: there is none
	full  bool     // the connection was ended for an overflow
	sent  uint64   // the highest seq that was ever written
	ended error    // nothing is sent any more

	finished error // the stream ends with it when it is drained
	flush    bool  // when everything is written, that is; else when both sides know of everything
	heard    bool  // the peer has said something since the handshake

	received uint64   // the last seq that came
	deferred []uint64 // of those, what is not processed yet, in order
	acked    uint64   // what the peer was told on this connection
	unacked  int      // bytes that have come since
	ackNow   bool
	pong     bool
}

// NewStream makes the stream of a new session.
func NewStream(limits Limits) *Stream {
	return &Stream{limits: limits, wake: make(chan struct{}, 1), done: make(chan struct{}), first: 1}
}

// Send keeps a data frame until the peer has it. It does not wait. Seq and Ack of f are set here.
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
		return fmt.Errorf("send %s: it has %d bytes, a line of the bridge at most %d", f.Type, len(line), s.limits.LineBytes)
	}
	s.kept = append(s.kept, line)
	s.bytes += len(line)
	s.checkRoom()
	s.signal()
	return s.ended
}

// checkRoom ends the connection when too much is kept, and the stream when that did not help.
func (s *Stream) checkRoom() {
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

// End drops what is kept and ends the connection. Send returns err from now on.
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

// Finish ends the stream with err as soon as the peer has acknowledged all and was told that all of its frames are
// processed. While there is no connection and nothing is kept, that is now.
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

// idle reports whether the peer has acknowledged all, and none of its frames waits to be processed.
func (s *Stream) idle() bool { return len(s.kept) == 0 && len(s.deferred) == 0 }

// Flush ends the stream with err as soon as everything is written. While there is no connection, that is now.
func (s *Stream) Flush(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished, s.flush = err, true
	if s.cut == nil {
		s.end(err)
	}
	s.signal()
}

// Heard says whether the peer has said anything since the first handshake: whether it knows that this stream exists.
func (s *Stream) Heard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}

// Await waits until the stream has ended, or ctx has.
func (s *Stream) Await(ctx context.Context) {
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}

// Ended is why nothing is sent any more; nil while the stream lives.
func (s *Stream) Ended() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// hear counts a frame that came, with what it acknowledges.
func (s *Stream) hear(ack uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = true
	return s.acknowledge(ack)
}

// acknowledge drops what the peer has processed.
func (s *Stream) acknowledge(n uint64) error {
	if s.ended != nil {
		return s.ended
	}
	if n < s.first {
		return nil // an older one
	}
	if n > s.sent {
		return lineErrorf("it acknowledges frame %d, and only %d were sent", n, s.sent)
	}
	done := n - s.first + 1
	for i, line := range s.kept[:done] {
		s.bytes -= len(line)
		s.kept[i] = nil // the array lives on
	}
	s.kept = s.kept[done:]
	s.first += done
	if s.finished != nil {
		s.signal()
	}
	return nil
}

// Resume takes from a handshake what the peer has received. It says whether this stream can go on from there.
func (s *Stream) Resume(received uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil || received+1 < s.first || s.acknowledge(received) != nil {
		return false
	}
	if s.bytes > s.limits.KeptBytes {
		s.end(fmt.Errorf("%w, not even on a new connection: %d bytes wait", ErrOverflow, s.bytes))
		return false
	}
	s.full = false
	return true
}

// Received is the last frame that is processed and all before it: what a handshake says.
func (s *Stream) Received() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processed()
}

// Kept are the frames that the peer has not acknowledged, in order: what a stream that replaces this one may have to repeat.
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

// Defer says that the frame that is being handled is not processed when its handler returns, but when Processed is called.
func (s *Stream) Defer(seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deferred = append(s.deferred, seq)
}

// Processed says that the oldest deferred frame is, and has the peer told soon: what it keeps is sent again after a restart.
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

// admit says whether a data frame is the next one. One that came before is not; a gap is an error.
func (s *Stream) admit(seq uint64, bytes int) (fresh bool, err error) {
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

// taken counts a frame that was handled.
func (s *Stream) taken(seq uint64) {
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
