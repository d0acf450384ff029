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
	decode   int64         // bytes of memory for decoding requests, see decodeCost
	perLease int           // concurrent requests of a lease
	calls    int           // messages sampled for one lease
	header   time.Duration // limit for the header of a request to arrive
	read     time.Duration // limit for a request to arrive, once it has begun
	write    time.Duration // limit for a program to read the next part of an answer
}

var defaultBounds = bounds{
	body: 64 << 20, bodies: 1 << 30, ofLease: 128 << 20, decode: 160 << 20, perLease: 512, calls: 1 << 16,
	header: 10 * time.Second, read: 2 * time.Minute, write: time.Minute,
}

// buffers holds the buffers of bodies that have already been decoded.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// mostKept is the size of the largest buffer that is kept for another body.
const mostKept = 1 << 20

// unsized is the factor by which the bytes of a body of unknown size are counted, because its buffer is copied when it
// grows.
const unsized = 4

// meter counts the bytes of a body, for the gateway and for one lease. A body of known size is counted before it
// arrives, because its buffer is allocated all at once.
type meter struct {
	left, ofLease *atomic.Int64
	taken         int64
	size          int64 // of the body; -1: unknown
	from          io.Reader
}

var (
	errTooMany = errors.New("too many bytes are being read")
	tooMany    = &problem{status: http.StatusTooManyRequests, kind: kindBusy,
		text: "too many bytes of requests are being processed: try again later"}
)

// take counts bytes, or none of them if they exceed a limit. Bytes that exceed the lease's limit never count for the
// gateway.
func (m *meter) take(n int64) error {
	if m.ofLease.Add(-n) < 0 {
		m.ofLease.Add(n)
		return errTooMany
	}
	if m.left.Add(-n) < 0 {
		m.left.Add(n)
		m.ofLease.Add(n)
		return errTooMany
	}
	m.taken += n
	return nil
}

// readTo reads the body into a buffer.
func (m *meter) readTo(body *bytes.Buffer) error {
	if m.size >= 0 {
		if err := m.take(m.size); err != nil {
			return err
		}
		body.Grow(int(m.size) + bytes.MinRead) // ReadFrom needs room to find the end
	}
	_, err := body.ReadFrom(m)
	return err
}

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	if m.size < 0 {
		if over := m.take(unsized * int64(n)); over != nil {
			return n, over
		}
	}
	return n, err
}

func (m *meter) release() {
	m.left.Add(m.taken)
	m.ofLease.Add(m.taken)
}

// valueBytes is at least the amount of memory needed to decode a JSON value, without its text: the largest is a message
// or a block.
const valueBytes = 256

// decodeCost returns the approximate number of bytes of memory needed to decode a body: two copies of its text, plus
// its values. A value opens an object or a list, or follows a comma; the others are few or small.
func decodeCost(body []byte) int64 {
	values, rest := 0, body
	for inText := false; len(rest) > 0; inText = !inText {
		var part []byte
		part, rest, _ = bytes.Cut(rest, []byte{'"'})
		if inText && (len(part)-len(bytes.TrimRight(part, `\`)))%2 == 1 {
			inText = false // the quotation mark is part of the text
		} else if !inText {
			for _, c := range part {
				if c == '{' || c == '[' || c == ',' {
					values++
				}
			}
		}
	}
	return 2*int64(len(body)) + valueBytes*int64(values)
}

// admit waits until it is a body's turn to be decoded. A lease's requests are decoded one at a time, so that a lease
// delays the others by at most one request; small requests wait only for their own lease. done ends the turn once the
// memory for the request's call has been counted.
func (g *Gateway) admit(l *lease, body []byte) (done func(), _ *problem) {
	cost := decodeCost(body)
	if cost > g.bounds.decode {
		return nil, &problem{status: http.StatusRequestEntityTooLarge, kind: kindInvalid, text: fmt.Sprintf("the request "+
			"takes %d MiB of memory, and the limit is %s: send fewer messages, parts and list elements", cost>>20,
			sizeText(g.bounds.decode))}
	}
	if cost < g.bounds.decode/64 {
		cost = 0
	}
	if l.decoding.Acquire(l.ctx, 1) != nil {
		return nil, l.ended()
	}
	var p *problem
	switch {
	case l.left.Load() < 0 || g.left.Load() < 0: // a call may hold more memory than its request has bytes
		p = tooMany
	case g.decoding.Acquire(l.ctx, cost) != nil:
		p = l.ended()
	}
	if p != nil {
		l.decoding.Release(1)
		return nil, p
	}
	return func() {
		g.decoding.Release(cost)
		l.decoding.Release(1)
	}, nil
}

// read reads a body subject to a size limit and a time limit. done returns its buffer.
func (g *Gateway) read(
	w http.ResponseWriter, r *http.Request, l *lease, most int64,
) (body *bytes.Buffer, done func(), _ *problem) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(g.bounds.read))
	arrived := l.atEnd(func() { _ = control.SetReadDeadline(time.Now()) })
	defer func() { _ = control.SetWriteDeadline(time.Now().Add(g.bounds.write)) }() // reading took time
	if r.ContentLength < 0 {
		most = min(most, g.bounds.ofLease/unsized)
	}
	if r.ContentLength > most {
		defer arrived()
		return nil, nil, tooLarge(w, r, most)
	}
	m := &meter{left: &g.left, ofLease: &l.left, size: r.ContentLength, from: http.MaxBytesReader(w, r.Body, most)}
	body, _ = buffers.Get().(*bytes.Buffer)
	body.Reset()
	done = func() {
		m.release()
		if body.Cap() <= mostKept {
			buffers.Put(body)
		}
	}
	err := m.readTo(body)
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
		// A client that is still sending would receive a connection reset instead of the response.
		_, _ = io.CopyN(io.Discard, r.Body, most)
		return nil, nil, tooMany
	}
	return nil, nil, &problem{status: http.StatusRequestTimeout, kind: kindInvalid,
		text: fmt.Sprintf("the request ended too early, or took longer than %s: %v", g.bounds.read, err)}
}

// tooLarge rejects a body. It continues reading for a while: a program that is still sending sees the response only if
// its bytes are read.
func tooLarge(w http.ResponseWriter, r *http.Request, most int64) *problem {
	_, _ = io.CopyN(io.Discard, r.Body, 4*most)
	w.Header().Set("Connection", "close")
	without := ""
	if r.ContentLength < 0 {
		without = " if it has no Content-Length"
	}
	return &problem{status: http.StatusRequestEntityTooLarge, kind: kindInvalid,
		text: "a request has at most " + sizeText(most) + without}
}

func sizeText(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
