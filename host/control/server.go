package control

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/awhost/awhost/host/event"
)

// socketName is the name of the socket in the run's socket directory.
const socketName = "control"

// mostClients limits the number of connections.
const mostClients = 64

// Config configures a server.
type Config struct {
	Hello Hello // the server sets Type and Control
	// Stop is called when a client requests that the run end; now requests an immediate end.
	Stop func(now bool, source string)
	// Record publishes the path of the socket for clients; an empty path means closed. May be nil.
	Record func(socket string) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Queue is the maximum number of queued events per client; 0 means 4096.
	Queue int
	// Alive is the interval of keep-alive lines without events; 0: 5 s.
	Alive time.Duration
	// Patience is the time limit for a client to receive a line or send its request; 0 means 10 s.
	Patience time.Duration
}

// Server serves clients. It is a handler of the run's events. Close it even if it was never opened.
type Server struct {
	config Config
	ended  chan struct{} // closed when the connections must end

	mu       sync.Mutex
	conns    map[net.Conn]bool
	recall   recall
	status   Status // without its activity
	progress progress
	clients  map[*follower]bool
	listener net.Listener
	over     bool // no more events will follow
	look     func() []Wait

	end     sync.Once
	serving sync.WaitGroup
}

// NewServer returns a server that stores events but does not listen yet.
func NewServer(config Config) *Server {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Queue == 0 {
		config.Queue = 4096
	}
	if config.Alive == 0 {
		config.Alive = 5 * time.Second
	}
	if config.Patience == 0 {
		config.Patience = 10 * time.Second
	}
	config.Hello.Type, config.Hello.Control = typeHello, version
	s := &Server{config: config, clients: map[*follower]bool{}, conns: map[net.Conn]bool{}, ended: make(chan struct{})}
	s.status = Status{Type: typeStatus, Run: config.Hello.Run, Dir: config.Hello.Dir, PID: config.Hello.PID,
		Since: config.Now().UTC(), Step: -1}
	return s
}

// Open listens in a directory that only this user can enter. look returns the run's waits; it may be nil.
func (s *Server) Open(sockets string, look func() []Wait) error {
	path := filepath.Join(sockets, socketName)
	listener, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("listen on the control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return errors.Join(fmt.Errorf("listen on the control socket: %w", err), listener.Close())
	}
	s.mu.Lock()
	s.listener, s.look = listener, look
	s.mu.Unlock()
	s.serving.Go(func() { s.accept(listener) })
	if s.config.Record == nil {
		return nil
	}
	if err := s.config.Record(path); err != nil {
		return fmt.Errorf("record the address of the control socket: %w", err)
	}
	return nil
}

// Shut stops accepting clients. Existing connections stay open until Close.
func (s *Server) Shut() {
	s.mu.Lock()
	listener := s.listener
	s.listener = nil
	s.mu.Unlock()
	if listener == nil {
		return
	}
	_ = listener.Close() // no new clients, even if this fails
	if s.config.Record != nil {
		_ = s.config.Record("") // readers detect an outdated entry
	}
}

// Handle implements event.Handler. It never waits for a client.
func (s *Server) Handle(e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recall.keep(e)
	s.status.learn(e)
	s.progress.learn(e)
	for f := range s.clients {
		f.push(e, s.config.Queue)
	}
}

// Close notifies followers of the last event, gives them until ctx is done to receive it, and waits for all goroutines.
// Calling Close again has no effect.
func (s *Server) Close(ctx context.Context) {
	s.Shut()
	s.mu.Lock()
	s.over = true
	for f := range s.clients {
		f.finish()
	}
	for conn := range s.conns {
		_ = conn.SetReadDeadline(time.Now()) // do not wait for clients that have sent no request
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.serving.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	s.end.Do(func() { close(s.ended) })
	s.hangUp()
	<-done
}

// hangUp closes the remaining connections.
func (s *Server) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.conns {
		_ = conn.Close()
	}
}

func (s *Server) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // it was closed
		}
		if !s.admit(conn) {
			s.serving.Go(func() { s.refuse(conn) })
			continue
		}
		s.serving.Go(func() {
			defer s.leave(conn)
			s.serve(conn)
		})
	}
}

func (s *Server) admit(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= mostClients || s.over {
		return false
	}
	s.conns[conn] = true
	return true
}

func (s *Server) leave(conn net.Conn) {
	_ = conn.Close() // the client may have closed it already
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// refuse sends an error to a client that exceeds the limit.
func (s *Server) refuse(conn net.Conn) {
	defer conn.Close()
	w := writer{conn: conn, patience: s.config.Patience}
	_ = w.write(frame{Type: typeError, Message: fmt.Sprintf("the run accepts at most %d connections at a time, and "+
		"none after its end: try again later", mostClients)})
}

// learn updates the status with the next event.
func (s *Status) learn(e event.Event) {
	switch p := e.Payload.(type) {
	case event.RunStarted:
		s.Step, s.TotalSteps = p.Step, p.Plan.TotalSteps
	case event.StepFinished:
		s.Step, s.Reward = p.Step, p.Reward
	case event.ValidationFinished:
		s.Success = p.SuccessRate
	case event.CheckpointCommitted:
		s.Checkpoint = p.Path
	case event.Interrupted:
		s.Stopping = p.Stage
	case event.RunFinished:
		s.Finished = true
	}
}

var _ event.Handler = (*Server)(nil)
