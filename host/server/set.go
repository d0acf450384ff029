// Package server runs the servers that environments of a run need: started once, ready when they say so, watched,
// started again when they die, and ended with the run.
//
//	servers := server.NewSet(server.Options{Run: id, For: "run desk-1", Guard: guard, Records: dir, MaxRestarts: 5, …})
//	err := servers.Start(ctx, block.Server) // it serves
//	servers.StopAll(ctx)
//
// A server is a process that serves until it is ended, or a command that leaves containers running and exits with 0.
// Containers are nobody's children: what ends them is on record for as long as they may run, and whoever starts the
// server next does it first when this host was killed.
//
// The package must not know what a server is for.
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

// Options are what all servers of a run have in common.
type Options struct {
	Run         string         // id of the run
	For         string         // whose servers they are, in messages: run desk-1
	Guard       *process.Guard // starts the processes; nil: this process does
	Records     string         // folder of what may have to be ended by somebody else; it is made when it is needed
	MaxRestarts int            // of each server
	// LogFile names the log of a server; nil: none. Redact takes secrets out of its lines.
	LogFile func(name string) string
	Redact  func(line string) string
	// Log receives what a server writes; nil discards it.
	Log func(name string) *slog.Logger
	// Tell hears what becomes of a server, Failed of one that is not started any more. They are called one at a time for
	// a server. Nil: nobody hears.
	Tell   func(News)
	Failed func(name string, err error)
	// Moved hears of a server that was started again and is reached in another way than before. Nil: nobody hears.
	Moved func(address string)
}

// News is what becomes of a server.
type News struct {
	Level   slog.Level
	Server  string // its name
	Message string
	ViewURL string // where people can watch it; empty: nowhere, or it was said before
}

// nameOf is what a server is called in logs: its environment's address with a word at the end.
func nameOf(address string) string { return address + "." + spec.StartBlock }

// Records is the folder of Options.Records for the specs of a directory, whatever run or evaluation they are used in.
func Records(specDir string) string { return filepath.Join(specDir, ".awhost", "servers") }

// Set is the servers of a run.
type Set struct {
	options Options
	life    context.Context // of what watches them
	end     context.CancelFunc

	mu      sync.Mutex
	servers []*server                  // in start order
	told    map[string]json.RawMessage // by address
	ended   bool
}

// NewSet starts nothing yet.
func NewSet(options Options) *Set {
	life, end := context.WithCancel(context.Background())
	return &Set{options: options, told: map[string]json.RawMessage{}, life: life, end: end}
}

var errEnded = errors.New("the servers have been ended")

// Start starts a server and waits until it serves. One that serves already is used as it is, and not ended. It does
// nothing for a server that it has started before.
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
		return fmt.Errorf("start the server of %s: %w", config.Address, err)
	}
	s.keep(v)
	go v.watch()
	return nil
}

// Told is, as JSON, how a server has told that it is reached; nil: it tells nothing.
func (s *Set) Told(address string) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told[address]
}

// keep keeps what a server has told, and reports whether that is new.
func (s *Set) keep(v *server) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.told[v.Address]
	s.told[v.Address] = v.details.told()
	return !bytes.Equal(before, s.told[v.Address])
}

func (s *Set) add(v *server) (known bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false, fmt.Errorf("start the server of %s: %w", v.Address, errEnded)
	}
	if slices.ContainsFunc(s.servers, func(o *server) bool { return o.config.Address == v.config.Address }) {
		return true, nil
	}
	s.servers = append(s.servers, v)
	return false, nil
}

// StopAll ends all servers, the last started first. What could not be ended is in the error.
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

func (s *Set) tell(level slog.Level, name, format string, args ...any) {
	s.news(News{Level: level, Server: name, Message: fmt.Sprintf(format, args...)})
}

func (s *Set) news(n News) {
	if s.options.Tell != nil {
		s.options.Tell(n)
	}
}
