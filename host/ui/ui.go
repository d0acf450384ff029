// Package ui serves what `awhost ui` shows: a page, and the runs in a directory as JSON for that page.
//
//	server := ui.New(ui.Config{Store: store, Cache: cacheDir, Token: token})
//	defer server.Close()
//	err := server.HTTP().Serve(listener)
//
// The server is read-only: no request changes a run, a file of a run, or a process. All text from models and plugins is
// sent as JSON, never as HTML. Numbers, standings and failures come from the readers that the commands use
// (host/runstore, host/compare, host/view/result). Lists, filters and searches use an index for each run
// (internal/index), which is created when the run is first viewed.
//
// A request must come from the page itself: it needs the token, its Host must name this machine's loopback, and its
// Origin, if present, must be this server. docs/guides/ui.md lists the requests.
//
// The package must not depend on how runs are executed or where datasets are located. Config.Private reads a task's
// private part when the user requests it; it is not part of any other response.
package ui

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui/page"
)

// Config configures a server.
type Config struct {
	Store *runstore.Store
	// Cache is a directory for run indexes. It may be emptied at any time.
	Cache string
	// Token is the token that requests must contain.
	Token string
	// Private reads the private part of an episode's task from its dataset. If it is nil, that part cannot be shown.
	Private func(ctx context.Context, run *runstore.Run, e runstore.Episode) (json.RawMessage, error)
	// Waits asks a run's host for the waits in the run. If it is nil, waits cannot be shown.
	Waits func(ctx context.Context, run *runstore.Run) (any, error)
	// Processes asks a run's host for its plugin processes. If it is nil, resource usage is not shown.
	Processes func(ctx context.Context, run *runstore.Run) ([]Process, error)
	// Poll is the interval at which a watched run is polled; 0 means twice a second.
	Poll time.Duration
	// RequestTimeout is how long a request without the token may take to arrive; 0 means 10 s.
	RequestTimeout time.Duration
}

// Server responds to the page's requests.
type Server struct {
	config  Config
	indexes *indexCache
	sizes   *runSizes
	health  *health
	streams chan struct{} // holds a token for each open stream
	ended   context.Context
	end     context.CancelFunc
}

// maxStreams is the maximum number of concurrent streams.
const maxStreams = 32

// New returns a server.
func New(config Config) *Server {
	if config.Poll == 0 {
		config.Poll = 500 * time.Millisecond
	}
	if config.RequestTimeout == 0 {
		config.RequestTimeout = 10 * time.Second
	}
	s := &Server{
		config: config, indexes: newIndexCache(config.Store, config.Cache), sizes: newRunSizes(),
		health: newHealth(config.Processes), streams: make(chan struct{}, maxStreams),
	}
	s.ended, s.end = context.WithCancel(context.Background())
	return s
}

// HTTP returns a server whose limits apply to requests without the token: guard lifts them for the others.
func (s *Server) HTTP() *http.Server {
	return &http.Server{
		Handler: s.Handler(), MaxHeaderBytes: 64 << 10,
		ReadTimeout:  s.config.RequestTimeout,
		WriteTimeout: 6 * s.config.RequestTimeout, IdleTimeout: 6 * s.config.RequestTimeout,
	}
}

// Handler answers all requests.
func (s *Server) Handler() http.Handler {
	api := http.NewServeMux()
	for path, answer := range map[string]func(*http.Request) (any, error){
		"/api/runs":                             s.runs,
		"/api/runs/{run}":                       s.run,
		"/api/runs/{run}/metrics":               s.metrics,
		"/api/runs/{run}/steps":                 s.steps,
		"/api/runs/{run}/episodes":              s.episodes,
		"/api/runs/{run}/episodes/{id}":         s.episode,
		"/api/runs/{run}/episodes/{id}/private": s.private,
		"/api/runs/{run}/validations":           s.validations,
		"/api/runs/{run}/tasks":                 s.tasks,
		"/api/runs/{run}/spec":                  s.spec,
		"/api/runs/{run}/waits":                 s.waits,
		"/api/runs/{run}/log":                   s.log,
		"/api/compare":                          s.compare,
	} {
		api.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			value, err := answer(r)
			respond(w, value, err)
		})
	}
	api.HandleFunc("/api/runs/{run}/live", s.live)
	api.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		respond(w, nil, notFound("%s does not exist", shortened(r.URL.Path)))
	})
	return guard(s.config.Token, api, pageOf(page.Files()))
}

// Close ends all streams and closes the indexes.
func (s *Server) Close() error {
	s.end()
	return s.indexes.close()
}

// pageOf serves files, and index.html at "/".
func pageOf(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			if info, err := fs.Stat(files, r.URL.Path[1:]); err != nil || info.IsDir() {
				respond(w, nil, notFound("%s does not exist", shortened(r.URL.Path)))
				return
			}
		}
		server.ServeHTTP(w, r)
	})
}
