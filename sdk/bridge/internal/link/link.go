// Package link implements what both sides of the framework bridge (docs/reference/bridge.md) have in common: lines,
// frames, and a stream of frames that survives its connections.
//
//	s := link.NewStream(link.DefaultLimits)     // one per session and side
//	err := s.Send(link.Frame{Type: "event", …}) // from any goroutine; never waits for the peer
//	err = s.Run(conn, lines, timing, handle)    // once per connection, after the handshake
//
// It numbers data frames, keeps them until they are acknowledged, sends them again on the next connection, and drops
// duplicates. It depends neither on episodes nor on which side of the bridge it runs.
package link

import (
	"errors"
	"fmt"
	"time"
)

// MaxLineBytes limits the length of a line, without its line ending.
const MaxLineBytes = 64 << 20

// MaxHelloBytes limits the length of a line before the handshake is finished.
const MaxHelloBytes = 4 << 10

// Limits restricts the memory used by a stream.
type Limits struct {
	LineBytes int // of one frame
	// KeptBytes limits the size of the frames that the peer has not acknowledged. Exceeding it ends the connection, so
	// that the next handshake reports the peer's progress. If twice as many bytes are kept, the stream ends.
	KeptBytes int
}

// DefaultLimits are the limits of the protocol.
var DefaultLimits = Limits{LineBytes: MaxLineBytes, KeptBytes: 64 << 20}

// The amount of received data after which an acknowledgment is due.
const (
	ackFrames = 128
	ackBytes  = 512 << 10
)

// Timing is set by the handshake.
type Timing struct {
	Ping time.Duration // silence after which a side sends a ping
}

// Silence returns the time without data after which a connection is considered dead.
func (t Timing) Silence() time.Duration { return 3 * t.Ping }

// ErrOverflow ends a connection whose peer does not read or acknowledge, and finally the stream.
var ErrOverflow = errors.New("the peer does not read its data")

// LineError reports an invalid line. The peer is at fault.
type LineError struct{ Reason string }

// Error implements error.
func (e *LineError) Error() string { return "unreadable line: " + e.Reason }

func lineErrorf(format string, args ...any) error {
	return &LineError{Reason: fmt.Sprintf(format, args...)}
}
