package process

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"
)

// Piped is a process that answers lines on its standard input with lines on its standard output. Its owner kills it and
// closes both files.
type Piped struct {
	*Process
	In, Out *os.File
	answers *bufio.Reader
}

// StartPiped starts a process with pipes as its standard input and output.
func StartPiped(ctx context.Context, config Config) (_ *Piped, err error) {
	p := &Piped{}
	if config.Stdin, p.In, err = os.Pipe(); err != nil {
		return nil, err
	}
	defer config.Stdin.Close()
	if p.Out, config.Stdout, err = os.Pipe(); err != nil {
		return nil, errors.Join(err, p.In.Close())
	}
	defer config.Stdout.Close()
	if p.Process, err = New(config); err == nil {
		err = p.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, p.In.Close(), p.Out.Close())
	}
	p.answers = bufio.NewReader(p.Out)
	return p, nil
}

// Exchange sends a line and waits for the answer. The error is the process's *Exit if it has ended, or wraps
// os.ErrDeadlineExceeded. Calls must not be concurrent.
func (p *Piped) Exchange(line []byte, timeout time.Duration) ([]byte, error) {
	limit := time.Now().Add(timeout)
	_ = p.In.SetWriteDeadline(limit) // for a pipe without deadlines, the process's end unblocks the call
	_ = p.Out.SetReadDeadline(limit)
	_, err := p.In.Write(append(line, '\n'))
	if err == nil {
		line, err = p.answers.ReadBytes('\n')
	}
	broken := err != nil && strings.Contains(err.Error(), "broken pipe")
	if broken || errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		_ = p.Kill(context.Background())
		if exit := p.Exit(); exit != nil {
			return nil, exit
		}
	}
	return line, err
}
