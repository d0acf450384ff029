package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/awhost/awhost/host/event"
)

// Client is a connection to the host of a run. It sends one request at a time.
type Client struct {
	Hello Hello

	conn net.Conn
	in   *bufio.Reader
}

// SilentError reports that the host is connected but does not respond: its process is stopped or hung.
type SilentError struct {
	Waited time.Duration
}

// Error implements error.
func (e *SilentError) Error() string {
	return fmt.Sprintf("the run's host did not respond within %s", e.Waited)
}

// ErrGone reports that the host exited without a final message.
var ErrGone = errors.New("the run's host has exited")

// silence is the maximum time without receiving a line while following events: several keep-alive intervals.
const silence = 20 * time.Second

// Dial connects to the host and reads its hello. It returns a SilentError if the host does not respond before the
// deadline of ctx.
func Dial(ctx context.Context, socket string) (*Client, error) {
	began := time.Now()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("connect to the run's host: %w", err)
	}
	c := &Client{conn: conn, in: bufio.NewReader(conn)}
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	if err := c.greet(); err != nil {
		return nil, errors.Join(silent(err, began), conn.Close())
	}
	return c, conn.SetDeadline(time.Time{})
}

// greet reads the hello. For a later form, only the version can be parsed.
func (c *Client) greet() error {
	line, err := c.line()
	if err != nil {
		return err
	}
	if err := refusal(line); err != nil {
		return err
	}
	if err := json.Unmarshal(line, &c.Hello); err != nil || c.Hello.Type != typeHello {
		return errors.New("the process listening on the socket is not the host of a run")
	}
	if c.Hello.Control > version {
		return fmt.Errorf("the run's host uses control protocol %d, this awhost %d: use awhost %s or "+
			"newer", c.Hello.Control, version, c.Hello.Awhost)
	}
	return nil
}

// silent converts an exceeded deadline to a SilentError.
func silent(err error, began time.Time) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &SilentError{Waited: time.Since(began).Round(100 * time.Millisecond)}
	}
	return err
}

// refusal returns the error contained in an error line, or nil for any other line.
func refusal(line []byte) error {
	var f frame
	if json.Unmarshal(line, &f) == nil && f.Type == typeError {
		return errors.New(f.Message)
	}
	return nil
}

func (c *Client) line() ([]byte, error) {
	line, err := c.in.ReadBytes('\n')
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return nil, ErrGone
	}
	return line, err
}

// ask sends a request and reads the response line.
func (c *Client) ask(ctx context.Context, request request) ([]byte, error) {
	began := time.Now()
	if deadline, ok := ctx.Deadline(); ok {
		if err := c.conn.SetDeadline(deadline); err != nil {
			return nil, err
		}
	}
	if err := c.send(request); err != nil {
		return nil, silent(err, began)
	}
	line, err := c.line()
	if err != nil {
		return nil, silent(err, began)
	}
	return line, refusal(line)
}

func (c *Client) send(request request) error {
	line, err := event.AppendLine(nil, request)
	if err != nil {
		return err
	}
	_, err = c.conn.Write(line)
	return err
}

// Status returns the progress of the run.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var status Status
	line, err := c.ask(ctx, request{Request: requestStatus})
	if err == nil {
		err = json.Unmarshal(line, &status)
	}
	if err != nil {
		return status, fmt.Errorf("request the run's status: %w", err)
	}
	return status, nil
}

// Waits returns the run's current waits. A host of an earlier version responds with an error that lists the requests it
// supports.
func (c *Client) Waits(ctx context.Context) (Waits, error) {
	var waits Waits
	line, err := c.ask(ctx, request{Request: requestWaits})
	if err == nil {
		err = json.Unmarshal(line, &waits)
	}
	if err != nil {
		return waits, fmt.Errorf("request what the run is waiting for: %w", err)
	}
	return waits, nil
}

// Stop requests that the run end after the current step, or immediately. It returns after the host has acknowledged the
// request.
func (c *Client) Stop(ctx context.Context, now bool, source string) error {
	if _, err := c.ask(ctx, request{Request: requestStop, Now: now, Source: source}); err != nil {
		return fmt.Errorf("request the end of the run: %w", err)
	}
	return nil
}

// Events passes past and future events to handle until the run has ended, and then returns nil. It also ends when ctx
// is done. Events of kinds unknown to this version are skipped.
func (c *Client) Events(ctx context.Context, handle func(event.Event)) error {
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	defer stop()
	if err := c.conn.SetDeadline(time.Time{}); err != nil {
		return err
	}
	err := c.send(request{Request: requestEvents})
	for err == nil && ctx.Err() == nil {
		err = c.next(handle)
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// next reads one line. It returns io.EOF after the last event.
func (c *Client) next(handle func(event.Event)) error {
	began := time.Now()
	if err := c.conn.SetReadDeadline(began.Add(silence)); err != nil {
		return err
	}
	line, err := c.line()
	if err != nil {
		return silent(err, began)
	}
	var f frame
	if err := json.Unmarshal(line, &f); err != nil {
		return fmt.Errorf("read a line from the host: %w", err)
	}
	switch f.Type {
	case typeEvent:
		return deliver(f, handle)
	case typeEnd:
		return io.EOF
	case typeDropped, typeError:
		return errors.New(f.Message)
	}
	return nil // keep-alive lines, and types of later versions
}

func deliver(f frame, handle func(event.Event)) error {
	var e event.Event
	var unknown *event.UnknownKindError
	switch err := json.Unmarshal(f.Event, &e); {
	case errors.As(err, &unknown):
		return nil
	case err != nil:
		return fmt.Errorf("read an event from the host: %w", err)
	}
	if p, ok := e.Payload.(event.RunStarted); ok {
		p.Earlier = f.Earlier.history()
		e.Payload = p
	}
	handle(e)
	return nil
}

// Close ends the connection.
func (c *Client) Close() error {
	err := c.conn.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

var _ error = (*SilentError)(nil)
