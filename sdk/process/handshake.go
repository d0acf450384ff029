package process

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
)

// cutHandshake is one without the bar at its end, behind which a certificate would stand. go-plugin takes it, and other clients
// of the protocol need not.
var cutHandshake = regexp.MustCompile(`^\d+\|\d+\|(unix|tcp)\|[^|]*\|grpc\s*$`)

// handshakeLine is what go-plugin's handshake looks like: core version, protocol version, network, address, ….
var handshakeLine = regexp.MustCompile(`^\d+\|\d+\|(unix|tcp)\|`)

// maxNoiseBytes bounds what a process may print before its handshake.
const maxNoiseBytes = 1 << 20

// Why there was no handshake; see StartError.
var (
	ErrStartTimeout = errors.New("no handshake in time")
	ErrNotAPlugin   = errors.New("no handshake")
	ErrExited       = errors.New("exited before the handshake")
	ErrCutHandshake = errors.New("a handshake without its end")
)

// handshake is the standard output that go-plugin sees: one line, then its end. It ends without a line when there will
// be none, so that go-plugin stops waiting.
type handshake struct {
	once    sync.Once
	ready   chan struct{}
	text    *strings.Reader // set before ready closes
	failure error           // likewise; nil after a handshake
	address string          // likewise; path of the unix socket, if it is one
	state   string          // likewise; what the process was doing when the time was over
	cut     string          // likewise; the line, for ErrCutHandshake
	noise   int64           // bytes seen before; used by the reader of standard output only
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

// timeOut fails and notes what the process was doing.
func (h *handshake) timeOut(state string) {
	h.once.Do(func() {
		h.text, h.failure, h.state = strings.NewReader(""), ErrStartTimeout, state
		close(h.ready)
	})
}

// failed tells whether there will be no handshake.
func (h *handshake) failed() bool { return !h.pending() && h.failure != nil }

// pending tells whether a handshake may still come.
func (h *handshake) pending() bool {
	select {
	case <-h.ready:
		return false
	default:
		return true
	}
}

// offer looks at a line and reports whether it is the handshake. Other lines are noise; too much of it ends the wait.
func (h *handshake) offer(line []byte) bool {
	if !h.pending() {
		return false
	}
	if cutHandshake.Match(line) {
		h.once.Do(func() {
			h.text, h.failure, h.cut = strings.NewReader(""), ErrCutHandshake, strings.TrimSpace(string(line))
			close(h.ready)
		})
		return false
	}
	if handshakeLine.Match(line) {
		h.succeed(strings.TrimSpace(string(line)))
		return true
	}
	if h.noise += int64(len(line)); h.noise > maxNoiseBytes {
		h.fail(ErrNotAPlugin)
	}
	return false
}

// Read implements io.Reader. It waits until the handshake is decided.
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
