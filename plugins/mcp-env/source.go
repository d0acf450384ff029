package mcpenv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/sdk"
)

// source is a configured server that provides the episodes' connections.
type source struct {
	config server.Config // of each connection, completed by block.launch
	block  serverConfig
	folder string // parent of private folders
	shared bool
	warm   int           // number of processes started in advance
	tools  []server.Tool // listed when the run began; all connections must list the same

	// ready holds unused connections to processes that were started in advance.
	ready    chan *server.Conn
	startCtx context.Context // context of pending starts
	end      context.CancelFunc
	mu       sync.Mutex
	pending  int // number of pending starts
	ended    bool
	refills  sync.WaitGroup

	outage outage        // since when the server has not answered
	turn   chan struct{} // holds one token; its owner may change common
	// common is the connection of all episodes to a shared server; nil: not connected.
	common *server.Conn
}

// open establishes the first connection.
func open(ctx context.Context, config server.Config, c serverConfig, folder string) (*source, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	s := &source{
		config: config, block: c, folder: folder, shared: c.Session == sessionShared, warm: c.Warm, startCtx: life, end: end,
		turn: make(chan struct{}, 1),
	}
	conn, err := s.reach(ctx, "", nil)
	if err != nil {
		s.end()
		return nil, err
	}
	s.tools = conn.Tools()
	if err := c.checkMinTools(conn, config.Name); err != nil {
		s.end()
		conn.Close()
		return nil, err
	}
	config.Log.Info("connected", "about", conn.About(), "tools", len(s.tools))
	switch {
	case s.shared:
		s.common = conn
	case len(config.Command) > 0:
		s.ready = make(chan *server.Conn, max(1, c.Warm))
		if usesEpisodeValues(slices.Collect(maps.Values(c.texts()))...) {
			conn.Close()
			break
		}
		s.ready <- conn
		for range c.Warm - 1 {
			s.refill()
		}
	default:
		conn.Close() // each episode opens a separate session
	}
	return s, nil
}

// close ends the connections that are not held by any episode.
func (s *source) close() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.end()
	s.refills.Wait()
	s.turn <- struct{}{} // waits for a pending connect; later ones find that the source has ended
	defer func() { <-s.turn }()
	if s.common != nil {
		s.common.Close()
	}
	for {
		select {
		case conn := <-s.ready:
			conn.Close()
		default:
			return
		}
	}
}

// outage records the time since which a server has been unreachable.
type outage struct {
	mu    sync.Mutex
	since time.Time // zero: the last attempt succeeded
}

// note records the outcome of an attempt with its start time, and returns how long the server has been unreachable.
func (a *outage) note(began time.Time, reached bool) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case reached:
		a.since = time.Time{}
		return 0
	case a.since.IsZero():
		a.since = began
	}
	return time.Since(a.since)
}

// reach connects to a server. An HTTP server that does not respond may be restarting: reach retries until the server
// has been unreachable for the duration of the connect timeout.
func (s *source) reach(ctx context.Context, episode string, of values) (*server.Conn, error) {
	const pause = 250 * time.Millisecond
	config, err := s.block.launch(s.config, s.folder, of)
	if err != nil {
		return nil, err
	}
	for {
		began := time.Now()
		conn, err := server.Connect(ctx, config, episode)
		lost := s.outage.note(began, err == nil)
		if err == nil || config.URL == "" || errors.As(err, new(*server.WrongAnswer)) || lost+pause > config.Connect {
			return conn, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// maxConcurrentStarts limits the number of concurrent server starts, except for the first start of each server: 64
// episodes may begin at once.
const maxConcurrentStarts = 8

var startSlots = make(chan struct{}, maxConcurrentStarts)

// start connects to a server. A server process waits for a free slot; the wait does not count toward connect_timeout.
func (s *source) start(ctx context.Context, episode string, of values) (*server.Conn, error) {
	if len(s.config.Command) > 0 {
		select {
		case startSlots <- struct{}{}:
			defer func() { <-startSlots }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.reach(ctx, episode, of)
}

// connect establishes a connection for one episode or for all episodes.
func (s *source) connect(ctx context.Context, episode string, of values) (*server.Conn, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(s.startCtx, stop)()
	conn, err := s.start(ctx, episode, of)
	var wrong *server.WrongAnswer
	switch {
	case errors.As(err, new(*sdk.Failure)):
		return nil, err
	case errors.As(err, &wrong):
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	case err != nil:
		return nil, &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: err.Error(), Retryable: true}
	}
	if !slices.EqualFunc(conn.Tools(), s.tools, sameTool) {
		conn.Close()
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: fmt.Sprintf(
			"MCP server %q lists other tools now than when the run began: pin its version, or begin another run", s.config.Name)}
	}
	return conn, nil
}

func sameTool(a, b server.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema) &&
		a.ReadOnly == b.ReadOnly && a.Repeatable == b.Repeatable
}

// take returns an episode's connection. An unshared connection is closed with the episode.
func (s *source) take(ctx context.Context, episode string, of values) (*server.Conn, error) {
	if s.shared {
		return s.commonConn(ctx)
	}
	if s.ready == nil {
		return s.connect(ctx, episode, of)
	}
	defer s.refill()
	for {
		select {
		case conn := <-s.ready:
			if alive(conn) {
				return conn, nil
			}
			conn.Close()
		default:
			return s.connect(ctx, episode, of)
		}
	}
}

func alive(conn *server.Conn) bool {
	select {
	case <-conn.Closed():
		return false
	default:
		return true
	}
}

// commonConn returns the connection that all episodes share, and reconnects if it has been lost.
func (s *source) commonConn(ctx context.Context) (*server.Conn, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.common != nil && alive(s.common) {
		return s.common, nil
	}
	if s.common != nil {
		s.common.Close()
		s.common = nil
	}
	conn, err := s.connect(ctx, "", nil)
	if err != nil {
		return nil, err
	}
	s.common = conn
	return conn, nil
}

// refill starts a process in advance. A failed start is reported by the next episode.
func (s *source) refill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || len(s.ready)+s.pending >= s.warm {
		return
	}
	s.pending++
	s.refills.Go(func() {
		conn, err := s.connect(s.startCtx, "", nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pending--
		if err != nil {
			if s.startCtx.Err() == nil {
				s.config.Log.Warn("a server that was started ahead of need did not come up", "error", err)
			}
			return
		}
		select {
		case s.ready <- conn:
		default:
			conn.Close()
		}
	})
}
