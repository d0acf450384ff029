package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// What a server may answer at most: one that never comes to an end would take all memory.
var (
	mostAnswerBytes int64 = 64 << 20 // of one answer, and of all pages of a list
	mostPages             = 1000     // of a list
)

// tooLarge is the error of an answer that is too large to be read.
type tooLarge struct{}

// Error implements error.
func (tooLarge) Error() string {
	return fmt.Sprintf("the answer has more than %d bytes", mostAnswerBytes)
}

// boundedLines ends a stream of lines at one that is too long.
type boundedLines struct {
	io.ReadCloser
	line     int64 // bytes of the present line
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
	if b.line > mostAnswerBytes {
		b.exceeded.Store(true)
		return n, tooLarge{}
	}
	return n, err
}

// boundedBody ends the body of a response that is too long, and tells the tap of the request.
type boundedBody struct {
	io.ReadCloser
	left int64
	seen *tap // nil: nobody asks
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

// bounded bounds the answer to a request.
func bounded(ctx context.Context, r *http.Response) *http.Response {
	seen, _ := ctx.Value(tapKey{}).(*tap)
	r.Body = &boundedBody{ReadCloser: r.Body, left: mostAnswerBytes, seen: seen}
	return r
}

// exceeded reports whether an answer that the tap waited for was too large to be read.
func (c *Conn) exceeded(seen *tap) bool {
	return seen.exceeded.Load() || c.child != nil && c.child.out.exceeded.Load()
}
