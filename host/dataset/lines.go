package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// line is one line of a text file.
type line struct {
	text    []byte // without the line break; valid until the next line is read
	offset  int64  // of the text
	number  int    // from 1
	tooLong bool   // it exceeds the limit, and text is empty
}

// lineReader reads lines of any length in bounded memory. Lines end with \n; a \r before it is whitespace in JSON. A
// byte order mark at the beginning is skipped.
type lineReader struct {
	input  *bufio.Reader
	max    int // bytes in a line, without the line break
	offset int64
	number int
	buffer []byte
}

var (
	markUTF8    = []byte("\xef\xbb\xbf")
	markUTF16LE = []byte("\xff\xfe")
	markUTF16BE = []byte("\xfe\xff")
)

var errUTF16 = errors.New("the file is UTF-16: save it as UTF-8")

func newLineReader(input io.Reader, maxBytes int) *lineReader {
	return &lineReader{input: bufio.NewReaderSize(input, 256<<10), max: maxBytes}
}

// next returns the next line, or io.EOF after the last one. The last line does not have to end with a line break.
func (r *lineReader) next() (line, error) {
	if r.number == 0 {
		n, err := skipMark(r.input)
		if err != nil {
			return line{}, err
		}
		r.offset += int64(n)
	}
	out := line{offset: r.offset, number: r.number + 1}
	r.buffer = r.buffer[:0]
	for {
		piece, err := r.input.ReadSlice('\n')
		r.offset += int64(len(piece))
		if !out.tooLong {
			r.buffer = append(r.buffer, piece...)
			out.tooLong = len(r.buffer) > r.max && r.buffer[r.max] != '\n'
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			return line{}, err
		case err == io.EOF && r.offset == out.offset:
			return line{}, io.EOF
		}
		break
	}
	r.number++
	if out.tooLong {
		r.buffer = nil // release the memory
	}
	out.text = bytes.TrimSuffix(r.buffer, []byte("\n"))
	return out, nil
}

// skipMark skips a byte order mark and returns its length.
func skipMark(input *bufio.Reader) (int, error) {
	start, err := input.Peek(len(markUTF8))
	if err != nil && err != io.EOF {
		return 0, err
	}
	switch {
	case bytes.HasPrefix(start, markUTF16LE), bytes.HasPrefix(start, markUTF16BE):
		return 0, errUTF16
	case bytes.HasPrefix(start, markUTF8):
		return input.Discard(len(markUTF8))
	}
	return 0, nil
}
