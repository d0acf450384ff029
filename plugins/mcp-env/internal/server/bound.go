package server

import (
	"bytes"
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

// boundedLines ends a stream of lines at the first line that exceeds the limit.
type boundedLines struct {
	io.ReadCloser
	line     int64 // bytes of the current line
	exceeded atomic.Bool
}

// Read implements io.Reader.
func (b *boundedLines) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if end := bytes.LastIndexByte(p[:n], '\n'); end >= 0 {
		b.line = int64(n - 1 - end)
	} else {
		b.line += int64(n)
	}
	if b.line > maxAnswerBytes {
		b.exceeded.Store(true)
		return n, tooLarge{}
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

// bounded limits the response to a request, or each line of a stream that lasts as long as its session.
func bounded(request *http.Request, r *http.Response) *http.Response {
	if request.Method == http.MethodGet {
		r.Body = &boundedLines{ReadCloser: r.Body}
		return r
	}
	seen, _ := request.Context().Value(tapKey{}).(*tap)
	r.Body = &boundedBody{ReadCloser: r.Body, left: maxAnswerBytes, seen: seen}
	return r
}

// exceeded reports whether a response recorded by the tap exceeded the limit.
func (c *Conn) exceeded(seen *tap) bool {
	return seen.exceeded.Load() || c.child != nil && c.child.out.exceeded.Load()
}
