// Package link is what both sides of the framework bridge have in common (docs/bridge.md): lines, frames, and a stream of
// them that outlives its connections.
//
//	s := link.NewStream(link.DefaultLimits)     // one per session and side
//	err := s.Send(link.Frame{Type: "event", …}) // from any goroutine; never waits for the peer
//	err = s.Run(conn, lines, timing, handle)    // once per connection, after the handshake
//
// It numbers data frames, keeps them until they are acknowledged, sends them again on the next connection, and drops those
// that it has seen before. It knows neither episodes nor which side it is on.
package link

import (
	"errors"
	"fmt"
	"time"
)

// MaxLineBytes bounds a line, its end not counted.
const MaxLineBytes = 64 << 20

// MaxHelloBytes bounds it before the handshake is over.
const MaxHelloBytes = 4 << 10

// Limits bound what a stream keeps.
type Limits struct {
	LineBytes int // of one frame
	// KeptBytes are those of frames that the peer has not acknowledged. More end the connection, so that the next handshake
	// says how far the peer is; twice as many end the stream.
	KeptBytes int
}

// DefaultLimits are those of the protocol.
var DefaultLimits = Limits{LineBytes: MaxLineBytes, KeptBytes: 64 << 20}

// What a peer owes its acknowledgements after.
const (
	ackFrames = 128
	ackBytes  = 512 << 10
)

// Timing is agreed on in the handshake.
type Timing struct {
	Ping time.Duration // silence after which a side says something
}

// Silence is after how long a connection counts as dead.
func (t Timing) Silence() time.Duration { return 3 * t.Ping }

// ErrOverflow ends a connection whose peer does not read or acknowledge, and in the end the stream.
var ErrOverflow = errors.New("the peer does not take what is sent to it")

// LineError is a line that cannot be read. The peer is at fault.
type LineError struct{ Reason string }

// Error implements error.
func (e *LineError) Error() string { return "unreadable line: " + e.Reason }

func lineErrorf(format string, args ...any) error {
	return &LineError{Reason: fmt.Sprintf(format, args...)}
}
