package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// bounds limit a program's use of the gateway, so that no program affects the others.
type bounds struct {
	body     int64         // bytes of a request
	bodies   int64         // bytes of all requests that are being read or whose calls wait for an answer
	ofLease  int64         // the same for the requests of one lease
	perLease int           // concurrent requests of a lease
	calls    int           // messages sampled for one lease
	header   time.Duration // limit for the header of a request to arrive
	read     time.Duration // limit for a request to arrive, once it has begun
	write    time.Duration // limit for a program to read the next part of an answer
}

var defaultBounds = bounds{
	body: 64 << 20, bodies: 2 << 30, ofLease: 256 << 20, perLease: 512, calls: 1 << 16,
	header: 10 * time.Second, read: 2 * time.Minute, write: time.Minute,
}

// buffers holds the buffers of bodies that have been decoded.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// mostKept is the largest buffer kept for another body.
const mostKept = 1 << 20

// meter counts the bytes of bodies being read, for the gateway and for one lease.
type meter struct {
	left, ofLease *atomic.Int64
	read          int64
	from          io.Reader
}

var errTooMany = errors.New("too many bytes are being read")

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.read += int64(n)
	mine, all := m.ofLease.Add(-int64(n)), m.left.Add(-int64(n))
	if mine < 0 || all < 0 {
		return n, errTooMany
	}
	return n, err
}

func (m *meter) release() {
	m.left.Add(m.read)
	m.ofLease.Add(m.read)
}

// read reads a body with a size and a time limit. done returns its buffer.
func (g *Gateway) read(
	w http.ResponseWriter, r *http.Request, l *lease, most int64,
) (body *bytes.Buffer, done func(), _ *problem) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(g.bounds.read))
	arrived := l.atEnd(func() { _ = control.SetReadDeadline(time.Now()) })
	defer func() { _ = control.SetWriteDeadline(time.Now().Add(g.bounds.write)) }() // reading took time
	if r.ContentLength > most {
		defer arrived()
		return nil, nil, tooLarge(w, r, most)
	}
	m := &meter{left: &g.left, ofLease: &l.left, from: http.MaxBytesReader(w, r.Body, most)}
	body, _ = buffers.Get().(*bytes.Buffer)
	body.Reset()
	done = func() {
		m.release()
		if body.Cap() <= mostKept {
			buffers.Put(body)
		}
	}
	_, err := body.ReadFrom(m)
	if err == nil {
		arrived() // before the deadline is cleared: the expired deadline would close the connection of an answer
		_ = control.SetReadDeadline(time.Time{})
		return body, done, nil
	}
	defer arrived()
	done()
	w.Header().Set("Connection", "close")
	var more *http.MaxBytesError
	switch {
	case errors.As(err, &more):
		return nil, nil, tooLarge(w, r, most)
	case errors.Is(err, errTooMany):
		// A client that is still sending would get a reset instead of the response.
		_, _ = io.CopyN(io.Discard, r.Body, most)
		return nil, nil, &problem{status: http.StatusTooManyRequests, kind: kindBusy,
			text: "too many bytes of requests are being processed: try again later"}
	}
	return nil, nil, &problem{status: http.StatusRequestTimeout, kind: kindInvalid,
		text: fmt.Sprintf("the request ended too early, or took longer than %s: %v", g.bounds.read, err)}
}

// tooLarge rejects a body. It reads on for a while: a program that is still sending sees the answer only if its bytes
// are read.
func tooLarge(w http.ResponseWriter, r *http.Request, most int64) *problem {
	_, _ = io.CopyN(io.Discard, r.Body, 4*most)
	w.Header().Set("Connection", "close")
	return &problem{status: http.StatusRequestEntityTooLarge, kind: kindInvalid,
		text: "a request has at most " + sizeText(most)}
}

func sizeText(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
