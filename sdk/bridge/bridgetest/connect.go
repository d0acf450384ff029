package bridgetest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// endpoint represents the endpoint file.
type endpoint struct {
	Format     string   `json:"format"`
	Run        string   `json:"run"`
	Epoch      int      `json:"epoch"`
	Endpoints  []string `json:"endpoints"`
	TokenFile  string   `json:"token_file"`
	CAFile     string   `json:"ca_file"`
	ServerName string   `json:"server_name"`

	token string
	roots *x509.CertPool // nil: without TLS
}

func readEndpoint(path string) (*endpoint, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var e endpoint
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if e.Format != "awhost.bridge/1" {
		return nil, fmt.Errorf("%s has format %q; want awhost.bridge/1", path, e.Format)
	}
	token, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.TokenFile))
	if err != nil {
		return nil, err
	}
	e.token = strings.TrimSpace(string(token))
	if e.CAFile == "" {
		return &e, nil
	}
	authority, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.CAFile))
	if err != nil {
		return nil, err
	}
	e.roots = x509.NewCertPool()
	if !e.roots.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("%s has no certificate", e.CAFile)
	}
	return &e, nil
}

// reconnectLoop maintains the worker's connections, one after another.
func (w *Worker) reconnectLoop() {
	pause, last, grace := w.options.Backoff, time.Now(), w.options.Patience
	for w.ctx.Err() == nil {
		conn, lines, err := w.connect()
		var refused *Refused
		switch {
		case err == nil:
			if w.isFinal(w.runConnection(conn, lines)) {
				return
			}
			pause, last, grace = w.options.Backoff, time.Now(), time.Duration(w.welcome.GraceMS)*time.Millisecond
		case errors.As(err, &refused) && refused.Code != "epoch" && refused.Code != "busy":
			w.cancel(err)
		case time.Since(last) > grace:
			w.cancel(fmt.Errorf("the adapter could not be reached for %s: %w", grace, err))
		}
		select {
		case <-time.After(pause/2 + rand.N(pause)):
		case <-w.ctx.Done():
		}
		pause = min(2*pause, 40*w.options.Backoff)
	}
}

// runConnection runs the stream over a connection.
func (w *Worker) runConnection(conn net.Conn, lines *link.Lines) error {
	stop := context.AfterFunc(w.ctx, func() { link.HardClose(conn) })
	defer stop()
	ping := time.Duration(w.welcome.PingMS) * time.Millisecond
	return w.current().Run(conn, lines, link.Timing{Ping: ping}, w.handle)
}

func (w *Worker) current() *link.Stream {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stream
}

// isFinal reports whether no further connection is needed: the adapter has permanently rejected the session, or has
// ended it after bye.
func (w *Worker) isFinal(why error) bool {
	var refused *Refused
	if errors.As(why, &refused) {
		w.cancel(why)
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.bye == nil || len(w.episodes) > 0 {
		return false
	}
	kept, err := w.stream.Kept()
	if err != nil || len(kept) > 0 {
		return false // the adapter may not have received it
	}
	close(w.bye)
	return true
}

// connect tries each endpoint. It rereads the files each time, because the adapter may have been replaced.
func (w *Worker) connect() (net.Conn, *link.Lines, error) {
	e, err := readEndpoint(w.options.EndpointFile)
	if err != nil {
		return nil, nil, err
	}
	err = errors.New("the endpoint file does not name an endpoint")
	for _, address := range e.Endpoints {
		var conn net.Conn
		if conn, err = w.options.Dial(w.ctx, address); err != nil {
			continue
		}
		conn = withTLS(conn, e)
		var lines *link.Lines
		if lines, err = w.greet(conn, e); err == nil {
			return conn, lines, nil
		}
		link.HardClose(conn)
	}
	return nil, nil, err
}

// greet performs the handshake.
func (w *Worker) greet(conn net.Conn, e *endpoint) (*link.Lines, error) {
	stop := context.AfterFunc(w.ctx, func() { link.HardClose(conn) })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(w.options.Patience)); err != nil {
		return nil, err
	}
	line, err := link.Encode(map[string]any{
		"type": "hello", "protocol": []int{1}, "run": e.Run, "epoch": e.Epoch, "token": e.token, "session": w.options.Session,
		"received": w.current().Received(), "role": w.options.Role, "framework": w.options.Framework,
		"framework_version": w.options.Version, "node": w.options.Node, "pid": w.options.PID, "capabilities": []string{},
	})
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(line); err != nil {
		return nil, err
	}
	lines := link.NewLines(conn, link.MaxLineBytes)
	answer, err := lines.Next()
	if err != nil {
		return nil, err
	}
	var hello welcome
	if err := link.Parse(answer, &hello); err != nil {
		return nil, err
	}
	switch hello.Type {
	case "hello_ack":
	case "refused":
		return nil, &Refused{Code: hello.Code, Detail: hello.Detail}
	default:
		return nil, fmt.Errorf("the adapter answered hello with %q", hello.Type)
	}
	if err := w.accept(hello); err != nil {
		return nil, err
	}
	return lines, conn.SetDeadline(time.Time{})
}

// withTLS adds TLS to a connection.
func withTLS(conn net.Conn, e *endpoint) net.Conn {
	if e.roots == nil {
		return conn
	}
	return tls.Client(conn, &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: e.roots, ServerName: e.ServerName})
}
