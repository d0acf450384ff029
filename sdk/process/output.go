package process

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
)

func (p *Process) run(started chan<- error) {
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.waitErr = p.cmd.Wait()
	close(p.done)
}

const (
	readBuffer    = 64 << 10
	maxNoiseBytes = 1 << 20 // before the handshake
)

var handshakeLine = regexp.MustCompile(`^\d+\|\d+\|(unix|tcp)\|`)

// readStdout passes the handshake line on and logs everything else, for ever: a child that nobody reads blocks.
func (p *Process) readStdout(own *os.File) {
	defer p.sink.release()
	defer own.Close()
	reader := bufio.NewReaderSize(own, readBuffer)
	noise := 0
	for noise < maxNoiseBytes {
		line, err := readPiece(reader)
		if handshakeLine.Match(line) {
			_, _ = p.handshakeWrite.Write(append(line, '\n')) // go-plugin stopped listening: the start timed out
			break
		}
		if len(line) > 0 {
			noise += len(line)
			p.line("stdout", line)
		}
		if err != nil {
			break
		}
	}
	_ = p.handshakeWrite.CloseWithError(io.EOF)
	p.drain("stdout", reader)
}

func (p *Process) readStderr(own *os.File) {
	defer p.sink.release()
	defer own.Close()
	p.drain("stderr", bufio.NewReaderSize(own, readBuffer))
}

func (p *Process) drain(stream string, reader *bufio.Reader) {
	for {
		line, err := readPiece(reader)
		if len(line) > 0 {
			p.line(stream, line)
		}
		if err != nil {
			return
		}
	}
}

// readPiece returns a line without its end, or 64 KiB of a longer one.
func readPiece(reader *bufio.Reader) ([]byte, error) {
	piece, err := reader.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		err = nil
	}
	return bytes.Clone(bytes.TrimRight(piece, "\r\n")), err
}

func (p *Process) line(stream string, line []byte) {
	p.sink.write(line)
	entry := parseLine(line)
	if stream == "stderr" {
		p.tail.add(entry.text())
	}
	entry.log(p.config.Log, stream)
}

// sink is the log file of a child, closed when its last reader is done.
type sink struct {
	mu      sync.Mutex
	file    *os.File // nil: no file, or closed
	left    int64
	dropped int
	users   int
}

func openSink(path string, limit int64) (*sink, error) {
	s := &sink{left: limit, users: 1}
	if path == "" {
		return s, nil
	}
	var err error
	s.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open its log: %w", err)
	}
	return s, nil
}

func (s *sink) write(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return
	}
	if int64(len(line)+1) > s.left {
		s.dropped++
		if s.dropped == 1 {
			fmt.Fprintln(s.file, "awhost: the log is full; what follows is not kept")
		}
		return
	}
	s.left -= int64(len(line) + 1)
	// A log that cannot be written must not stop the child; the parsed lines still reach the run's log.
	_, _ = s.file.Write(append(line, '\n'))
}

func (s *sink) retain(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users += n
}

func (s *sink) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if s.users == 0 && s.file != nil {
		_ = s.file.Close()
		s.file = nil
	}
}
