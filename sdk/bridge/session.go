package bridge

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// errBye ends the session of a worker that has sent bye.
var errBye = errors.New("the worker has said goodbye")

// session is a worker process, independent of its connections. The server's lock guards the fields that follow it.
type session struct {
	server  *Server
	info    Worker
	stream  *link.Stream
	reports *reports
	once    sync.Once

	connected bool
	expiry    *time.Timer // ends the session when the worker does not come back
	episodes  map[string]*episode
	bye       bool
}

// attach finds or creates the session for a hello and assigns it to this connection.
func (s *Server) attach(h hello) (*session, helloAck, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, helloAck{}, ErrClosed
	}
	known, resumed := s.sessions[h.Session], false
	if known != nil {
		if known.connected {
			return nil, helloAck{}, refuse("busy", "the session already has a connection: retry once that "+
				"connection is detected as dead")
		}
		var usable bool
		if usable, resumed = known.resume(h.Received); !usable {
			delete(s.sessions, h.Session)
			s.running.Go(func() { known.end(fmt.Errorf("%w: invalid frame count", ErrGone)) })
			known = nil
		}
	}
	if known == nil {
		known = s.newSession(h)
	}
	known.connected = true
	if known.expiry != nil {
		known.expiry.Stop()
	}
	return known, helloAck{
		Type: "hello_ack", Protocol: protocolVersion, Epoch: s.options.Epoch, Resumed: resumed,
		Received: known.stream.Received(),
		Credits:  s.options.Credits, PingMS: s.options.PingInterval.Milliseconds(), GraceMS: s.options.Grace.Milliseconds(),
		Settings: s.settings,
	}, nil
}

// resume resumes a session. If no frame from the worker has arrived since the session was created, the worker may not
// know about it, because the hello_ack was lost. In that case, both sides start over, and the worker's received count
// is outdated.
func (s *session) resume(received uint64) (usable, resumed bool) {
	if !s.stream.HasReceived() {
		return s.stream.Resume(0), false
	}
	ok := s.stream.Resume(received)
	return ok, ok
}

// newSession creates a session. The caller holds the server's lock.
func (s *Server) newSession(h hello) *session {
	n := &session{
		server: s, stream: link.NewStream(s.options.limits), episodes: map[string]*episode{},
		info: Worker{
			Session: h.Session, Role: h.Role, Framework: h.Framework, FrameworkVersion: h.FrameworkVersion,
			Node: h.Node, PID: h.PID, Capabilities: h.Capabilities,
		},
	}
	n.reports = newReports(n, s.options.limits.KeptBytes)
	s.sessions[h.Session] = n
	for _, o := range s.orders {
		_ = n.stream.Send(o.frame) // a new stream has room
	}
	s.running.Go(n.reports.run)
	n.log().Info("a framework worker has joined", "framework", h.Framework, "version", h.FrameworkVersion, "node", h.Node,
		"pid", h.PID)
	return n
}

func (s *session) log() *slog.Logger {
	return s.server.options.Logger.With("session", s.info.Session, "role", s.info.Role)
}

// detach handles the end of one of the session's connections. The session then waits for the next connection.
func (s *Server) detach(n *session) {
	why := n.stream.Ended()
	s.mu.Lock()
	n.connected = false
	if why == nil && !s.closed {
		n.expiry = time.AfterFunc(s.options.Grace, func() { s.expire(n) })
	}
	s.mu.Unlock()
	if why != nil {
		n.end(why)
	}
}

// expire ends a session whose worker has not reconnected.
func (s *Server) expire(n *session) {
	s.mu.Lock()
	back := n.connected || s.closed
	if !back {
		s.removeSession(n) // before the worker can come back to it
	}
	s.mu.Unlock()
	if !back {
		n.end(fmt.Errorf("%w: no connection for %s", ErrGone, s.options.Grace))
	}
}

// removeSession removes a session. The caller holds the server's lock.
func (s *Server) removeSession(n *session) {
	if s.sessions[n.info.Session] == n {
		delete(s.sessions, n.info.Session)
	}
}

// end ends the session and its episodes.
func (s *session) end(why error) {
	s.once.Do(func() {
		s.stream.End(why)
		s.server.mu.Lock()
		s.server.removeSession(s)
		if s.expiry != nil {
			s.expiry.Stop()
		}
		open := make([]*episode, 0, len(s.episodes))
		for _, e := range s.episodes {
			open = append(open, e)
		}
		s.server.mu.Unlock()
		for _, e := range open {
			e.abort(why)
		}
		s.reports.end(why)
		s.log().Info("a framework worker has left", "why", why)
	})
}

func (s *session) worker() Worker {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	return s.workerLocked()
}

func (s *session) workerLocked() Worker {
	w := s.info
	w.Connected, w.OpenEpisodes = s.connected, len(s.episodes)
	return w
}

func sortWorkers(workers []Worker) {
	slices.SortFunc(workers, func(a, b Worker) int {
		return cmp.Or(strings.Compare(a.Node, b.Node), cmp.Compare(a.PID, b.PID), strings.Compare(a.Session, b.Session))
	})
}

// handle processes a data frame. It returns a *refusal if the frame is invalid.
func (s *session) handle(f link.Frame) error {
	switch f.Type {
	case "run_episode", "cancel_episode", "generated", "event", "boundary", "bye":
		if f.Seq == 0 {
			return refuse("line", "a %s frame is missing its seq", f.Type)
		}
	}
	switch f.Type {
	case "run_episode":
		return s.runEpisode(f)
	case "cancel_episode":
		return s.cancelEpisode(f)
	case "generated":
		s.handleAnswer(f)
	case "event":
		return s.event(f)
	case "boundary":
		return s.boundary(f)
	case "bye":
		s.handleBye()
	}
	return nil
}

// body decodes the content of a frame.
func body[T sdk.WireJSON](f link.Frame) (T, error) {
	out, err := sdk.UnmarshalWire[T](f.Body)
	if err != nil {
		return out, refuse("line", "frame %d, %s: %v", f.Seq, f.Type, err)
	}
	return out, nil
}

// handleBye ends the session when its last episode ends.
func (s *session) handleBye() {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.bye = true
	s.leaveLocked()
}

func (s *session) leaveLocked() {
	if s.bye && len(s.episodes) == 0 {
		s.stream.Finish(errBye)
	}
}
