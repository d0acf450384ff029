package link

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// Lines reads lines of limited length.
type Lines struct {
	in    *bufio.Reader
	from  *source
	limit int
	long  []byte // a line that exceeds the buffer of in
}

// NewLines reads from in. Lines are at most limit bytes; the limit may be raised later.
func NewLines(in io.Reader, limit int) *Lines {
	from := &source{Reader: in}
	return &Lines{in: bufio.NewReaderSize(from, 64<<10), from: from, limit: limit}
}

// readSlack is the extra time, after a silence, for reading data that arrived while this process was unable to read.
const readSlack = 100 * time.Millisecond

// source is a connection that must not be silent for long.
type source struct {
	io.Reader
	silence time.Duration // 0: no limit
}

// Read implements io.Reader. If the process was stopped for longer than the silence limit, or was delayed on a busy
// machine, its deadline has passed even though the peer has sent data. Data that has arrived by then is read.
func (s *source) Read(p []byte) (int, error) {
	conn, ok := s.Reader.(net.Conn)
	if !ok || s.silence == 0 {
		return s.Reader.Read(p)
	}
	n, err := readWithin(conn, p, s.silence)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		return readWithin(conn, p, readSlack)
	}
	return n, err
}

func readWithin(conn net.Conn, p []byte, limit time.Duration) (int, error) {
	if err := conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return 0, err
	}
	return conn.Read(p)
}

// Next returns a line without its line ending. It is valid until the next call. A final line without a line ending
// results in io.ErrUnexpectedEOF.
func (l *Lines) Next() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		size := len(l.long) + len(part)
		if err == nil {
			size--
		}
		switch {
		case size > l.limit:
			return nil, lineErrorf("longer than %d bytes", l.limit)
		case err == nil && len(l.long) == 0:
			return part[:size], nil
		case err == nil:
			l.long = append(l.long, part...)
			return l.long[:size], nil
		case errors.Is(err, bufio.ErrBufferFull):
			l.long = append(l.long, part...)
		case errors.Is(err, io.EOF) && size > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}
