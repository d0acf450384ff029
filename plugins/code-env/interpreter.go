package codeenv

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/awhost/awhost/sdk/process"
)

// killDelay is the time added to a call's time limit before its interpreter is ended. The limit itself is enforced
// inside the interpreter.
const killDelay = 2 * time.Second

// openRequest is the first request to an interpreter, which starts an episode.
type openRequest struct {
	Files map[string]string `json:"files"`
	Seed  uint64            `json:"seed"`
}

// request is a call.
type request struct {
	Code    string  `json:"code"`
	Timeout float64 `json:"timeout"` // seconds
}

// outcome is the result of a call.
type outcome struct {
	Status int    `json:"status"`
	Late   bool   `json:"late"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Cut    bool   `json:"cut"`
	// lost is the reason why the interpreter ended during the call; it is empty if the interpreter is running.
	lost string
}

// killed reports whether an external kill ended the copy of the interpreter that ran a call (state = "fresh").
func (o outcome) killed() bool {
	return o.lost == "" && !o.Late && o.Status < 0 && process.IsKill(syscall.Signal(-o.Status).String())
}

// interpreter is a Python process that runs the code of one episode.
type interpreter struct {
	server   *server
	in       *os.File
	out      *os.File
	answers  *bufio.Reader
	lost     bool // both it and its server have ended
	killed   bool // ended by an external kill
	hasEnded bool // it has ended, and its server is running
	status   int  // exit status: negative for a signal, -1 if unknown
}

// ask sends a request and reads the response, or returns the reason why the interpreter is lost. It ends an interpreter
// that does not respond in time.
func (i *interpreter) ask(ctx context.Context, request, answer any, patience time.Duration) (lost string) {
	line, err := json.Marshal(request)
	if err != nil {
		return err.Error()
	}
	deadline := time.Now().Add(patience)
	if err := errors.Join(i.in.SetWriteDeadline(deadline), i.out.SetReadDeadline(deadline)); err != nil {
		return err.Error()
	}
	stop := context.AfterFunc(ctx, func() {
		_ = i.in.SetWriteDeadline(time.Now()) // ends the wait with an error
		_ = i.out.SetReadDeadline(time.Now())
	})
	defer stop()
	if _, err = i.in.Write(append(line, '\n')); err == nil {
		line, err = readLine(i.answers, i.server.factory.maxAnswer())
	}
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	if err == nil {
		return ""
	}
	return i.fail(ctx, err, patience-killDelay)
}

// fail ends an interpreter that did not respond, along with its server, and returns the reason.
func (i *interpreter) fail(ctx context.Context, err error, patience time.Duration) string {
	s := i.server
	ended := errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE)
	own, killed, gone := "", false, false
	if ended {
		own, killed, gone = i.childExit()
	}
	i.end()
	switch {
	case s.report.Failure != "":
		return s.report.Failure
	case s.report.Excess != "":
		return s.report.Excess
	case ctx.Err() != nil:
		return ctx.Err().Error()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("it did not end when its time was up (%s)", patience)
	}
	i.killed = killed || gone && s.killed() // otherwise the kill was end's
	return cmp.Or(own, s.describeExit(err))
}

// end ends the interpreter along with its server.
func (i *interpreter) end() {
	i.lost = true
	i.server.close()
	i.closePipes()
}

// endProcesses ends everything that runs in the episode's directory, so that its files no longer change. A server that
// can serve more episodes is kept.
func (i *interpreter) endProcesses() {
	if i.lost || i.hasEnded {
		return
	}
	if i.hasEnded = i.server.reusable && i.server.box.EndUsers() == nil; !i.hasEnded {
		i.end()
	}
}

// childExit describes how an interpreter that is a copy exited, and reports whether it was killed. The description is
// empty if no copy has exited; gone reports whether the server has exited.
func (i *interpreter) childExit() (how string, killed, gone bool) {
	if !i.server.reusable {
		return "", false, i.server.waitExit()
	}
	status, err := i.server.ended()
	switch {
	case err != nil: // it is the server that has ended
		return "", false, i.server.waitExit()
	case status.Signaled():
		signal := status.Signal()
		i.status = -int(signal)
		return "it was ended by a signal: " + signal.String(), process.IsKill(signal.String()), false
	}
	i.status = status.ExitStatus()
	return fmt.Sprintf("it ended with status %d", i.status), false, false
}

// replacement starts another interpreter for the same episode, in the unchanged directory.
func (i *interpreter) replacement(ctx context.Context) (*interpreter, error) {
	s, err := i.server.factory.start(ctx, i.server.folder, true)
	if err != nil {
		return nil, err
	}
	next, err := s.begin()
	if err != nil {
		s.close()
	}
	return next, err
}

func (i *interpreter) closePipes() { closeAll(i.in, i.out) }

// mostAnswer returns the maximum size of a response, because each byte of both streams may need six bytes in JSON.
func (m *serverFactory) maxAnswer() int { return 16*m.config.OutputBytes + 64<<10 }

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}
