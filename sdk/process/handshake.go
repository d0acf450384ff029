package process

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
)

// truncatedHandshake matches a handshake that lacks the final bar, which a certificate would follow. go-plugin accepts
// it, but other implementations of the protocol may not.
var truncatedHandshake = regexp.MustCompile(`^\d+\|\d+\|(unix|tcp)\|[^|]*\|grpc\s*$`)

// handshakeLine matches go-plugin's handshake: core version, protocol version, network, address, ….
var handshakeLine = regexp.MustCompile(`^\d+\|\d+\|(unix|tcp)\|`)

// maxNoiseBytes limits a process's output before its handshake.
const maxNoiseBytes = 1 << 20

// The reasons for a missing handshake; see StartError.
var (
	ErrStartTimeout = errors.New("no handshake in time")
	ErrNotAPlugin   = errors.New("no handshake")
	ErrExited       = errors.New("exited before the handshake")
	ErrCutHandshake = errors.New("incomplete handshake")
)

// handshake is the standard output that go-plugin sees: one line, then its end. It ends without a line if there will be
// no handshake, so that go-plugin does not keep waiting.
type handshake struct {
	once       sync.Once
	ready      chan struct{}
	text       *strings.Reader // set before ready closes
	failure    error           // likewise; nil after a handshake
	address    string          // likewise; path of the unix socket, if it is one
	state      string          // likewise; the process's state at the timeout
	truncated  string          // likewise; the line, for ErrCutHandshake
	noiseBytes int64           // bytes seen before; used by the reader of standard output only
}

func newHandshake() *handshake { return &handshake{ready: make(chan struct{})} }

func (h *handshake) succeed(line string) {
	h.once.Do(func() {
		h.text = strings.NewReader(line + "\n")
		if fields := strings.Split(line, "|"); len(fields) > 3 && fields[2] == "unix" {
			h.address = fields[3]
		}
		close(h.ready)
	})
}

func (h *handshake) fail(why error) {
	h.once.Do(func() {
		h.text, h.failure = strings.NewReader(""), why
		close(h.ready)
	})
}

// timeOut marks the handshake as failed and records the process's state.
func (h *handshake) timeOut(state string) {
	h.once.Do(func() {
		h.text, h.failure, h.state = strings.NewReader(""), ErrStartTimeout, state
		close(h.ready)
	})
}

// failed reports whether the handshake has failed.
func (h *handshake) failed() bool { return !h.pending() && h.failure != nil }

// pending reports whether a handshake may still arrive.
func (h *handshake) pending() bool {
	select {
	case <-h.ready:
		return false
	default:
		return true
	}
}

// parseLine checks a line and reports whether the line is the handshake. Other lines are noise; too much noise ends the
// wait.
func (h *handshake) parseLine(line []byte) bool {
	if !h.pending() {
		return false
	}
	if truncatedHandshake.Match(line) {
		h.once.Do(func() {
			h.text, h.failure, h.truncated = strings.NewReader(""), ErrCutHandshake, strings.TrimSpace(string(line))
			close(h.ready)
		})
		return false
	}
	if handshakeLine.Match(line) {
		h.succeed(strings.TrimSpace(string(line)))
		return true
	}
	if h.noiseBytes += int64(len(line)); h.noiseBytes > maxNoiseBytes {
		h.fail(ErrNotAPlugin)
	}
	return false
}

// Read implements io.Reader. It waits until the handshake succeeds or fails.
func (h *handshake) Read(p []byte) (int, error) {
	<-h.ready
	return h.text.Read(p)
}

// Close implements io.Closer.
func (h *handshake) Close() error {
	h.fail(ErrNotAPlugin)
	return nil
}

var _ io.ReadCloser = (*handshake)(nil)
