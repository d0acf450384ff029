package control

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/awhost/awhost/host/event"
)

// longestRequest limits the length of a client's line.
const longestRequest = 64 << 10

// writer writes lines to a client with a timeout.
type writer struct {
	conn     net.Conn
	patience time.Duration
}

func (w writer) write(v any) error {
	line, err := event.AppendLine(nil, v)
	if err != nil {
		return err
	}
	if err := w.conn.SetWriteDeadline(time.Now().Add(w.patience)); err != nil {
		return err
	}
	_, err = w.conn.Write(line)
	return err
}

// serve handles one client. Errors affect only this client.
func (s *Server) serve(conn net.Conn) {
	w := writer{conn: conn, patience: s.config.Patience}
	if err := checkPeer(conn); err != nil {
		_ = w.write(frame{Type: typeError, Message: err.Error()})
		return
	}
	if w.write(s.config.Hello) != nil {
		return
	}
	in := bufio.NewReaderSize(conn, longestRequest)
	for {
		request, err := s.read(conn, in)
		if err == nil {
			err = s.answer(w, request)
		}
		var wrong *badRequest
		if errors.As(err, &wrong) {
			_ = w.write(frame{Type: typeError, Message: wrong.Error()})
		}
		if err != nil {
			return
		}
	}
}

// badRequest is an error in a client's request and is sent to the client.
type badRequest struct{ message string }

// Error implements error.
func (e *badRequest) Error() string { return e.message }

func (s *Server) read(conn net.Conn, in *bufio.Reader) (request, error) {
	var request request
	if err := conn.SetReadDeadline(time.Now().Add(s.config.Patience)); err != nil {
		return request, err
	}
	line, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return request, &badRequest{fmt.Sprintf("the request is longer than %d bytes", longestRequest)}
	case errors.Is(err, io.EOF) && len(line) == 0:
		return request, io.EOF
	case err != nil && !errors.Is(err, io.EOF):
		return request, err
	}
	if err := json.Unmarshal(line, &request); err != nil {
		return request, &badRequest{fmt.Sprintf("the request is not a JSON object on one line: %v", err)}
	}
	return request, nil
}

func (s *Server) answer(w writer, request request) error {
	switch request.Request {
	case requestStatus:
		return w.write(s.now())
	case requestStop:
		if s.config.Stop == nil {
			return &badRequest{"this run cannot be stopped from another process"}
		}
		source := request.Source
		if source == "" {
			source = "control socket"
		}
		s.config.Stop(request.Now, source)
		return w.write(frame{Type: typeAnswer, Message: "stopping"})
	case requestWaits:
		waits, err := s.waits()
		if err != nil {
			return err
		}
		return w.write(waits)
	case requestEvents:
		if err := s.follow(w); err != nil {
			return err
		}
		return io.EOF
	}
	return &badRequest{fmt.Sprintf("unknown request %q: want %s, %s, %s or %s",
		request.Request, requestStatus, requestWaits, requestEvents, requestStop)}
}

// now returns the current status.
func (s *Server) now() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.status
	out.Activity = s.progress.activity(s.config.Now())
	out.Attached, out.Plugins = len(s.clients), s.recall.processes()
	return out
}

var _ error = (*badRequest)(nil)
