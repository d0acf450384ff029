package interpreter

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// exitTimeout is the maximum time that a process has to exit after it has closed its pipe.
const exitTimeout = 2 * time.Second

// maxAnswerBytes limits the length of a line; the driver's lines are shorter.
const maxAnswerBytes = 8 << 20

// Call sends an operation and waits for the response. body contains the contents of a JSON object without braces and
// line breaks: its members, or nothing. When ctx is done, the wait ends, but the operation does not.
func (i *Interpreter) Call(ctx context.Context, op string, body []byte) (json.RawMessage, error) {
	pending, err := i.Send(ctx, op, body)
	if err != nil {
		return nil, err
	}
	select {
	case answer := <-pending:
		return answer.OK, answer.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Send sends an operation. It always receives a response, at the latest when the process ends. Operations that the
// driver does not defer are executed one after another, in call order.
func (i *Interpreter) Send(ctx context.Context, op string, body []byte) (<-chan Answer, error) {
	i.mu.Lock()
	i.last++
	id := i.last
	i.mu.Unlock()
	pending := i.addWaiting(id)
	select {
	case i.lines <- line(id, op, body):
		return pending, nil
	case <-i.done:
		return pending, nil // fail has answered it
	case <-ctx.Done():
		i.removeWaiting(id)
		return nil, context.Cause(ctx)
	}
}

// line encodes a call. The driver relies on the position of the ID.
func line(id int64, op string, body []byte) []byte {
	out := make([]byte, 0, len(body)+64)
	out = fmt.Appendf(out, `{"id":%d,"op":%q`, id, op)
	if len(body) > 0 {
		out = append(append(out, ','), body...)
	}
	return append(out, '}', '\n')
}

func (i *Interpreter) addWaiting(id int64) <-chan Answer {
	answer := make(chan Answer, 1) // buffered, because a caller may have stopped waiting
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.broken != nil {
		answer <- Answer{Err: i.broken}
		return answer
	}
	i.waiting[id] = answer
	return answer
}

func (i *Interpreter) removeWaiting(id int64) (chan Answer, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	answer, ok := i.waiting[id]
	delete(i.waiting, id)
	delete(i.asking, id)
	return answer, ok
}

// fail answers all current and future calls. The first reason counts.
func (i *Interpreter) fail(why error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.broken != nil {
		return
	}
	i.broken = why
	close(i.done)
	for _, answer := range i.waiting {
		answer <- Answer{Err: why}
	}
	i.waiting, i.asking = nil, map[int64]func(Ask){}
}

// write writes calls until the process has ended. It is a goroutine.
func (i *Interpreter) write() {
	for {
		select {
		case text := <-i.lines:
			if _, err := i.pipes.calls.Write(text); err != nil {
				return // the reader reports the cause
			}
		case <-i.done:
			return
		}
	}
}

// read delivers responses until the process has ended or has written invalid output. It is a goroutine.
func (i *Interpreter) read() {
	reader := bufio.NewReaderSize(i.pipes.answers, 64<<10)
	for {
		text, err := readLine(reader)
		if err == nil {
			err = i.dispatch(text)
		}
		if err != nil {
			i.fail(i.explain(err))
			return
		}
	}
}

// watch stops reading if the process has ended and one of its descendants keeps the pipe open. It is a goroutine.
func (i *Interpreter) watch() {
	select {
	case <-i.process.Done():
		_ = i.pipes.answers.SetReadDeadline(time.Now().Add(exitTimeout)) // a pipe without deadlines is read to its end
	case <-i.done:
	}
}

// dispatch delivers a response to its caller.
func (i *Interpreter) dispatch(text []byte) error {
	var message struct {
		ID    int64           `json:"id"`
		OK    json.RawMessage `json:"ok"`
		Error *Refusal        `json:"error"`
		Ask   int64           `json:"ask"`
		Op    string          `json:"op"`
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return fmt.Errorf("invalid answer to awhost: %w", err)
	}
	if message.Ask != 0 {
		i.asked(Ask{Call: message.ID, N: message.Ask, Op: message.Op, Body: bytes.Clone(text)})
		return nil
	}
	answer, ok := i.removeWaiting(message.ID)
	if !ok {
		return nil // its caller stopped waiting while the call was queued
	}
	if message.Error != nil {
		answer <- Answer{Err: message.Error}
		return nil
	}
	answer <- Answer{OK: message.OK}
	return nil
}

// explain returns the reason why there are no more responses, which is usually that the process has ended. A process
// that has closed its pipe but is still running is then ended.
func (i *Interpreter) explain(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		select {
		case <-i.process.Done():
		case <-time.After(exitTimeout):
		}
		if exit := i.process.Exit(); exit != nil {
			return fmt.Errorf("%w: %w", ErrExited, exit)
		}
		return fmt.Errorf("%w: it closed awhost's file descriptors", ErrExited)
	}
	return fmt.Errorf("%w: %w", ErrExited, err)
}

func readLine(reader *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := reader.ReadSlice('\n')
		switch {
		case err == nil && whole == nil:
			return part, nil
		case err == nil:
			return append(whole, part...), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
		whole = append(whole, bytes.Clone(part)...)
		if len(whole) > maxAnswerBytes {
			return nil, fmt.Errorf("the answer exceeds %d MiB", maxAnswerBytes>>20)
		}
	}
}

// pipes are the two pipes between a plugin and an interpreter.
type pipes struct {
	calls, answers           *os.File // this side's ends
	childCalls, childAnswers *os.File
	closing                  sync.Once
}

func newPipes() (*pipes, error) {
	w := &pipes{}
	var err error
	if w.childCalls, w.calls, err = os.Pipe(); err != nil {
		return nil, err
	}
	if w.answers, w.childAnswers, err = os.Pipe(); err != nil {
		w.childCalls.Close()
		w.calls.Close()
		return nil, err
	}
	return w, nil
}

func (w *pipes) childEnds() []*os.File { return []*os.File{w.childCalls, w.childAnswers} }

func (w *pipes) closeChildEnds() {
	w.childCalls.Close()
	w.childAnswers.Close()
}

func (w *pipes) closeOwnEnds() {
	w.closing.Do(func() {
		w.calls.Close()
		w.answers.Close()
	})
}
