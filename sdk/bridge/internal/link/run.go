package link

import (
	"crypto/tls"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"
)

const (
	batchBytes   = 256 << 10 // approximate size of one write
	maxTailBytes = 64        // more than the output of tail
)

// Run transports the stream over a connection until the connection ends, and closes it. The handshake must be finished:
// Resume must have been called, unless the stream is new. handle is called for each new data frame, in order; it must
// not block. If it returns a *LineError, or if a line causes one, the peer is at fault.
func (s *Stream) Run(conn net.Conn, lines *Lines, timing Timing, handle func(Frame) error) error {
	lines.limit, lines.from.silence = s.limits.LineBytes, timing.Silence()
	r := &runner{stream: s, conn: conn, timing: timing, stop: make(chan struct{})}
	from, err := s.attach(r.cut)
	if err != nil {
		HardClose(conn)
		return err
	}
	defer s.detach()
	var writer sync.WaitGroup
	writer.Go(func() { r.fail(r.write(from)) })
	r.fail(r.read(lines, handle))
	writer.Wait()
	return r.err
}

// attach returns the seq to send first.
func (s *Stream) attach(cut func()) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return 0, s.ended
	}
	// The handshake reported the frames processed up to that time; this connection has not yet acknowledged any.
	s.cut, s.acked, s.unacked, s.ackNow, s.pong = cut, 0, 0, false, false
	return s.first, nil
}

func (s *Stream) detach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut = nil
	switch {
	case s.flush: // no connection is left for writing
		s.end(s.finished)
	case s.finished != nil && s.idle() && !s.ackDue(): // the peer has left on receiving the last acknowledgement
		s.end(s.finished)
	}
}

// runner is one connection of a stream.
type runner struct {
	stream *Stream
	conn   net.Conn
	timing Timing
	once   sync.Once
	stop   chan struct{}
	err    error // set before stop is closed
}

// fail ends the connection. Run returns the first reason.
func (r *runner) fail(err error) {
	r.once.Do(func() {
		r.err = err
		close(r.stop)
		HardClose(r.conn)
	})
}

// cut ends the connection. The caller holds the stream's lock.
func (r *runner) cut() {
	err := ErrOverflow
	if r.stream.ended != nil {
		err = r.stream.ended
	}
	r.fail(err)
}

func (r *runner) read(lines *Lines, handle func(Frame) error) error {
	for {
		line, err := lines.Next()
		if err != nil {
			return err
		}
		var f Frame
		if err := Parse(line, &f); err != nil {
			return err
		}
		if err := r.handleFrame(f, len(line), handle); err != nil {
			return err
		}
	}
}

func (r *runner) handleFrame(f Frame, bytes int, handle func(Frame) error) error {
	if err := r.stream.acceptAck(f.Ack); err != nil {
		return err
	}
	switch f.Type {
	case typePing:
		r.stream.queuePong()
		return nil
	case typePong, typeAck:
		return nil
	}
	if f.Seq == 0 {
		return handle(f) // refused, or a newer type: the owner decides
	}
	fresh, err := r.stream.acceptSeq(f.Seq, bytes)
	if err != nil || !fresh {
		return err
	}
	if err := handle(f); err != nil {
		return err
	}
	r.stream.recordHandled(f.Seq)
	return nil
}

func (s *Stream) queuePong() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pong = true
	s.signal()
}

// write sends the pending frames starting at next, and a ping after a period of silence.
func (r *runner) write(next uint64) error {
	ping := time.NewTimer(r.timing.Ping)
	defer ping.Stop()
	var buffer []byte
	due := false
	for {
		buffer, next = r.stream.appendPending(buffer[:0], next, due)
		due = false
		if len(buffer) > 0 {
			if err := r.send(buffer); err != nil {
				return err
			}
			ping.Reset(r.timing.Ping)
			if cap(buffer) > 4*batchBytes {
				buffer = nil // allocated for one very long line
			}
			continue
		}
		select {
		case <-r.stream.wake:
		case <-ping.C:
			due = true
		case <-r.stop:
			return errors.New("the connection has ended")
		}
	}
}

func (r *runner) send(text []byte) error {
	if err := r.conn.SetWriteDeadline(time.Now().Add(r.timing.Silence())); err != nil {
		return err
	}
	_, err := r.conn.Write(text)
	return err
}

// appendPending appends the data to be written now: frames starting at next, or a ping or an acknowledgment. The last
// frame carries an acknowledgment if there is a new one.
func (s *Stream) appendPending(buffer []byte, next uint64, ping bool) ([]byte, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next = max(next, s.first)
	end := s.first + uint64(len(s.kept))
	for next < end && len(buffer) < batchBytes {
		buffer = append(buffer, s.kept[next-s.first]...)
		next++
		if next < end && len(buffer) < batchBytes {
			buffer = append(buffer, "}\n"...)
			continue
		}
		buffer = s.appendTail(buffer)
	}
	s.sent = max(s.sent, next-1)
	if s.pong {
		s.pong = false
		buffer = s.appendTail(append(buffer, `{"type":"pong"`...))
	}
	switch {
	case len(buffer) > 0:
	case ping:
		buffer = s.appendTail(append(buffer, `{"type":"ping"`...))
	case s.ackDue():
		buffer = s.appendTail(append(buffer, `{"type":"ack"`...))
	case s.finished != nil && (s.flush || s.idle()):
		s.end(s.finished)
	}
	return buffer, next
}

// appendTail closes a frame.
func (s *Stream) appendTail(buffer []byte) []byte {
	s.ackNow = false
	if done := s.processed(); done > s.acked {
		buffer = append(buffer, `,"ack":`...)
		buffer = strconv.AppendUint(buffer, done, 10)
		s.acked, s.unacked = done, 0
	}
	return append(buffer, "}\n"...)
}

// HardClose ends a connection without waiting for the peer, unlike closing a TLS connection.
func HardClose(conn net.Conn) {
	if secured, ok := conn.(*tls.Conn); ok {
		conn = secured.NetConn()
	}
	conn.Close()
}
