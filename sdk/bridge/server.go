package bridge

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// maxUnauthenticated limits the number of connections whose handshake is unfinished. Workers retry.
const maxUnauthenticated = 256

// Server is the adapter's end of the bridge.
type Server struct {
	options   Options
	token     string
	settings  json.RawMessage
	tlsConfig *tls.Config // nil: without TLS
	listener  net.Listener

	ctx             context.Context // of the work for workers
	cancel          context.CancelCauseFunc
	running         sync.WaitGroup
	unauthenticated chan struct{} // one for each connection with an unfinished handshake
	refusalLog      rateLimiter
	waitLog         rateLimiter

	mu       sync.Mutex
	closed   bool
	conns    map[net.Conn]bool
	sessions map[string]*session
	episodes map[string]*episode // by id, with the session that has it open
	orders   []controlOrder      // for workers that come later
}

// Listen starts a server and writes its endpoint file.
func Listen(o Options) (_ *Server, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("listen for framework workers: %w", err)
		}
	}()
	if o, err = o.withDefaults(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	before, err := previousEndpoint(o)
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: o, token: newToken(), unauthenticated: make(chan struct{}, maxUnauthenticated),
		conns: map[net.Conn]bool{}, sessions: map[string]*session{}, episodes: map[string]*episode{},
	}
	if s.settings, err = json.Marshal(o.Settings); err != nil {
		return nil, fmt.Errorf("Options.Settings: %w", err)
	}
	var authority []byte
	if o.TLS {
		if s.tlsConfig, authority, err = newCertificate(); err != nil {
			return nil, err
		}
	}
	if s.listener, err = listen(o, before); err != nil {
		return nil, err
	}
	if err := publish(o, s.listener.Addr(), s.token, authority); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.running.Go(s.accept)
	return s, nil
}

// EndpointFile returns the path to pass to workers.
func (s *Server) EndpointFile() string { return filepath.Join(s.options.Dir, endpointName) }

// Addr returns the listen address.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// accept accepts connections until the listener is closed.
func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // for example too many open files: a temporary error
			s.options.Logger.Warn("a framework worker could not be accepted", "error", err)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-s.ctx.Done():
			}
			continue
		}
		s.receive(conn)
	}
}

// receive starts a goroutine for a connection unless too many handshakes are unfinished.
func (s *Server) receive(conn net.Conn) {
	select {
	case s.unauthenticated <- struct{}{}:
	default:
		conn.Close()
		return
	}
	if s.tlsConfig != nil {
		conn = tls.Server(conn, s.tlsConfig)
	}
	if !s.addConn(conn) {
		link.HardClose(conn)
		<-s.unauthenticated
		return
	}
	s.running.Go(func() {
		defer s.removeConn(conn)
		s.serve(conn)
	})
}

func (s *Server) addConn(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.conns[conn] = true
	return true
}

func (s *Server) removeConn(conn net.Conn) {
	link.HardClose(conn)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// serve serves a connection until it ends.
func (s *Server) serve(conn net.Conn) {
	lines := link.NewLines(conn, link.MaxHelloBytes)
	session, err := s.handshake(conn, lines)
	var refused *refusal
	if errors.As(err, &refused) {
		s.logRefusal(conn, refused)
		sendRefusal(conn, refused)
	}
	<-s.unauthenticated
	if err != nil {
		return
	}
	err = session.stream.Run(conn, lines, link.Timing{Ping: s.options.PingInterval}, func(f link.Frame) error {
		err := session.handle(f)
		if errors.As(err, &refused) {
			sendRefusal(conn, refused)
		}
		return err
	})
	session.log().Debug("the connection of a framework worker ended", "why", err)
	if refused != nil {
		session.end(fmt.Errorf("%w: %w", ErrGone, refused))
	}
	s.detach(session)
}

// logRefusal logs only the code and the address, at a limited rate, because the peer has not been authenticated.
func (s *Server) logRefusal(conn net.Conn, r *refusal) {
	if s.refusalLog.allow(time.Now()) {
		s.options.Logger.Warn("a framework worker was refused", "code", r.Code, "from", conn.RemoteAddr().String())
	}
}

// rateLimiter lets one call per second through.
type rateLimiter struct {
	mu   sync.Mutex
	next time.Time
}

func (t *rateLimiter) allow(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Before(t.next) {
		return false
	}
	t.next = now.Add(time.Second)
	return true
}
