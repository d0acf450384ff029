package server

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// Limits on a server's responses. An endless response would fill up the memory.
var (
	maxAnswerBytes int64 = 64 << 20 // per answer, and for all pages of a list
	maxPages             = 1000     // per list
)

// tooLarge is the error for a response that exceeds the limit.
type tooLarge struct{}

// Error implements error.
func (tooLarge) Error() string {
	return fmt.Sprintf("the answer has more than %d bytes", maxAnswerBytes)
}

// boundedLines ends a stream at the first line that exceeds the limit, or at the first event, which an empty line ends.
type boundedLines struct {
	io.ReadCloser
	events   bool
	size     int64 // bytes of the current line or event
	blank    bool  // the current line is empty
	exceeded *atomic.Bool
}

// Read implements io.Reader.
func (b *boundedLines) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	for _, c := range p[:n] {
		switch b.size++; {
		case c == '\n' && (!b.events || b.blank):
			b.size, b.blank = 0, true
		case c == '\n':
			b.blank = true
		case c != '\r':
			b.blank = false
		}
		if b.size > maxAnswerBytes {
			b.exceeded.Store(true)
			return n, tooLarge{}
		}
	}
	return n, err
}

// boundedBody ends a response body that exceeds the limit, and notifies the request's tap.
type boundedBody struct {
	io.ReadCloser
	left int64
	seen *tap // nil: no tap
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		if b.seen != nil {
			b.seen.exceeded.Store(true)
		}
		return n, tooLarge{}
	}
	return n, err
}

// bounded limits the response to a request, or each event of a stream that lasts as long as its session.
func bounded(request *http.Request, r *http.Response, exceeded *atomic.Bool) *http.Response {
	if request.Method == http.MethodGet {
		r.Body = &boundedLines{ReadCloser: r.Body, events: true, exceeded: exceeded}
		return r
	}
	seen, _ := request.Context().Value(tapKey{}).(*tap)
	r.Body = &boundedBody{ReadCloser: r.Body, left: maxAnswerBytes, seen: seen}
	return r
}

// exceeded reports whether a response recorded by the tap exceeded the limit.
func (c *Conn) exceeded(seen *tap) bool {
	return seen.exceeded.Load() || c.stream.Load()
}
