// Package server runs the servers that a run's environments need. Each server is started once, monitored, restarted
// after a failure, and stopped with the run.
//
//	servers := server.NewSet(server.Options{Run: id, For: "run desk-1", Guard: guard, Records: dir, MaxRestarts: 5, …})
//	err := servers.Start(ctx, block.Server) // it serves
//	servers.StopAll(ctx)
//
// A server is a process that runs until it is stopped, or a command that starts containers and exits with 0. Containers
// are not children of the command. Their stop command is therefore recorded for as long as they may be running: if this
// host is killed, the next host that starts the server first runs that command.
//
// The package must not depend on what a server is used for.
package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk/process"
)

// Options holds the settings shared by all of a run's servers.
type Options struct {
	Run         string         // id of the run
	For         string         // owner of the servers in messages: run desk-1
	Guard       *process.Guard // starts the processes; nil: this process starts them
	Records     string         // folder of the records for another host's cleanup; created on demand
	MaxRestarts int            // of each server
	// LogFile returns the path of a server's log; nil: no log. Redact removes secrets from the log's lines.
	LogFile func(name string) string
	Redact  func(line string) string
	// Log returns the logger for a server's output; nil discards it.
	Log func(name string) *slog.Logger
	// Notify receives a server's events; Failed receives a server's final failure. Calls for one server are sequential.
	// Both may be nil.
	Notify func(Update)
	Failed func(name string, err error)
	// Moved is called after a restart that changed the server's connection details. May be nil.
	Moved func(address string)
}

// Update is a server event.
type Update struct {
	Level   slog.Level
	Server  string // name of the server
	Message string
	ViewURL string // URL for users; empty: none, or published before
}

// nameOf returns a server's name in logs: the address of its environment with a suffix.
func nameOf(address string) string { return address + "." + spec.StartBlock }

// Records returns the directory to use in Options.Records for the specs in a directory, shared by all runs and
// evaluations.
func Records(specDir string) string { return filepath.Join(specDir, ".awhost", "servers") }

// Set holds a run's servers.
type Set struct {
	options Options
	life    context.Context // of the goroutines that monitor them
	end     context.CancelFunc

	mu      sync.Mutex
	servers []*server                  // in start order
	told    map[string]json.RawMessage // connection details by address
	ended   bool
}

// NewSet returns a set but does not start anything.
func NewSet(options Options) *Set {
	life, end := context.WithCancel(context.Background())
	return &Set{options: options, told: map[string]json.RawMessage{}, life: life, end: end}
}

var errEnded = errors.New("the servers have been ended")

// Start starts a server and waits until it is ready. A server that is already running is used and not stopped. Start
// does nothing for a server that it has started before.
func (s *Set) Start(ctx context.Context, config *spec.Server) error {
	v := &server{
		Server: config, config: config, details: &details{}, set: s, name: nameOf(config.Address), over: make(chan struct{}),
	}
	known, err := s.add(v)
	if known || err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(s.life, stop)()
	if err := v.open(ctx); err != nil {
		close(v.over)
		return fmt.Errorf("start the server for %s: %w", config.Address, err)
	}
	s.keep(v)
	go v.watch()
	return nil
}

// ConnectionOf returns the connection details that a server printed as JSON, or nil if it prints none.
func (s *Set) ConnectionOf(address string) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told[address]
}

// keep stores the connection details that a server printed and reports whether they have changed.
func (s *Set) keep(v *server) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.told[v.Address]
	s.told[v.Address] = v.details.result()
	return !bytes.Equal(before, s.told[v.Address])
}

func (s *Set) add(v *server) (known bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false, fmt.Errorf("start the server for %s: %w", v.Address, errEnded)
	}
	if slices.ContainsFunc(s.servers, func(o *server) bool { return o.config.Address == v.config.Address }) {
		return true, nil
	}
	s.servers = append(s.servers, v)
	return false, nil
}

// StopAll stops all servers in the reverse order of their start. The error names the servers that could not be stopped.
func (s *Set) StopAll(ctx context.Context) error {
	s.mu.Lock()
	servers := s.servers
	s.servers, s.ended = nil, true
	s.mu.Unlock()
	s.end()
	var problems []error
	for _, v := range slices.Backward(servers) {
		<-v.over
		problems = append(problems, v.close(ctx))
	}
	return errors.Join(problems...)
}

func (s *Set) notify(level slog.Level, name, format string, args ...any) {
	s.updates(Update{Level: level, Server: name, Message: fmt.Sprintf(format, args...)})
}

func (s *Set) updates(n Update) {
	if s.options.Notify != nil {
		s.options.Notify(n)
	}
}
