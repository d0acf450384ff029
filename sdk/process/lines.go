package process

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLineBytes is the maximum length of a line that is parsed and kept in memory.
const maxLineBytes = 64 << 10

// piece is a line, or part of a line that is longer than maxLineBytes.
type piece struct {
	raw       []byte // as read, with the newline if there was one; valid during the call only
	continues bool   // not the first part of its line
	cut       bool   // the line continues in the next piece
}

// text returns the piece without its line ending.
func (p piece) text() []byte { return bytes.TrimRight(p.raw, "\r\n") }

// readLines passes all data from r to handle until r ends or fails. A long line arrives in pieces: reading never stops,
// because a process blocks if its output is not read. It calls idle before it waits for more data, and at the end.
func readLines(r io.Reader, handle func(piece), idle func()) {
	defer idle()
	reader := bufio.NewReaderSize(idleReader{r, idle}, maxLineBytes)
	continues := false
	for {
		raw, err := reader.ReadSlice('\n')
		cut := errors.Is(err, bufio.ErrBufferFull)
		if len(raw) > 0 {
			handle(piece{raw: raw, continues: continues, cut: cut})
		}
		if err != nil && !cut {
			return
		}
		continues = cut
	}
}

// idleReader calls a function before each read.
type idleReader struct {
	io.Reader
	beforeRead func()
}

func (r idleReader) Read(p []byte) (int, error) {
	r.beforeRead()
	return r.Reader.Read(p)
}
