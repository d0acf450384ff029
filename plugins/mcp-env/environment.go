package mcpenv

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/plugins/mcp-env/internal/toolset"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sandbox"
)

// environment is a set of MCP servers for any number of episodes.
type environment struct {
	config  config
	log     *slog.Logger
	folder  *os.File // parent of the private folders of processes; nil before it is claimed
	sources []*source
	set     *toolset.Set
	all     map[string]toolset.Tool // by server/tool, including hidden ones
	offered []sdk.Tool

	sessions sdk.Sessions[*session]
}

// newEnvironment connects to all servers, so that a server that does not start is reported before the first episode.
func newEnvironment(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
	e := &environment{log: setup.Log, all: map[string]toolset.Tool{}}
	if err := setup.Decode(&e.config); err != nil {
		return nil, err
	}
	if len(e.config.Servers) == 0 {
		return nil, errNoServer
	}
	e.sessions.Max = e.config.MaxSessions
	folder, err := filepath.Abs(filepath.Join(setup.Dir, "servers"))
	if err == nil {
		err = e.connect(ctx, folder)
	}
	if err == nil {
		err = e.choose()
	}
	if err != nil {
		e.closeAll()
		return nil, err
	}
	return e, nil
}

// connect connects to all servers concurrently, preserving their order. Their processes receive private directories in
// folder.
func (e *environment) connect(ctx context.Context, folder string) (err error) {
	if e.folder, err = sandbox.LockFolder(folder, e.log); err != nil {
		return err
	}
	names := e.config.names()
	sources, problems := make([]*source, len(names)), make([]error, len(names))
	var connecting sync.WaitGroup
	for i, name := range names {
		connecting.Go(func() {
			c := e.config.Servers[name]
			sources[i], problems[i] = open(ctx, c.reach(name, e.log), c, folder)
		})
	}
	connecting.Wait()
	for _, s := range sources {
		if s != nil {
			e.sources = append(e.sources, s)
		}
	}
	return errors.Join(problems...)
}

// choose selects the offered tools.
func (e *environment) choose() (err error) {
	var servers []toolset.Server
	for _, s := range e.sources {
		servers = append(servers, toolset.Server{Name: s.config.Name, Tools: s.tools})
		for _, t := range s.tools {
			tool := toolset.Tool{Tool: t, Server: s.config.Name}
			e.all[tool.Key()] = tool
		}
	}
	if e.set, err = e.config.choose(servers); err != nil {
		return err
	}
	e.offered = agentTools(e.set)
	for _, t := range e.set.Renamed() {
		e.log.Info("a tool is offered under another name", "tool", t.Key(), "name", t.Shown, "because", t.Reason)
	}
	return nil
}

// agentTools converts the tools in a set to the form in which agents receive them.
func agentTools(set *toolset.Set) []sdk.Tool {
	var out []sdk.Tool
	for _, t := range set.Offered() {
		out = append(out, sdk.Tool{Name: t.Shown, Description: t.Description, Parameters: t.Schema, Origin: t.Key()})
	}
	return out
}

// Tools implements sdk.EnvironmentWithTools.
func (e *environment) Tools() []sdk.Tool { return e.offered }

// tool returns a tool that choose has found.
func (e *environment) tool(key string) toolset.Tool { return e.all[key] }

// Open implements sdk.Environment.
func (e *environment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	id := req.EpisodeID + "-" + rand.Text() // evaluations repeat EpisodeID, and servers keep sandboxes by this name
	values, err := valuesOf(req, id)
	if err != nil {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	s := &session{
		environment: e, id: id, values: values, conns: map[string]*sessionConn{}, state: state{Calls: []callState{}},
	}
	before, replaced, err := e.sessions.Add(req.EpisodeID, s)
	if err != nil {
		return nil, err
	}
	if replaced { // opened again: starts from scratch
		before.close()
	}
	err = s.connect(ctx)
	if err == nil {
		err = s.own(ctx, e.config.Setup, checkSucceeded)
	}
	if err != nil {
		s.close()
		e.sessions.Remove(req.EpisodeID, s)
		return nil, err
	}
	return &sdk.OpenResponse{InstanceID: req.EpisodeID, Tools: e.offered, MaxTurns: e.config.MaxTurns}, nil
}

// Step implements sdk.Environment.
func (e *environment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	s, err := e.sessions.Get(req.EpisodeID)
	if err != nil {
		return nil, err
	}
	return s.step(ctx, req.Message)
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (e *environment) Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error) {
	s, err := e.sessions.Get(episodeID)
	if err != nil {
		return nil, err
	}
	return s.snapshot(ctx)
}

// Close implements sdk.Environment.
func (e *environment) Close(ctx context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	s, open := e.sessions.Take(req.EpisodeID)
	if !open {
		return &sdk.CloseResponse{}, nil
	}
	s.finish(ctx)
	s.close()
	return &sdk.CloseResponse{Metrics: s.metrics()}, nil
}

// finish makes the calls at the end of an episode. Errors are only logged, because the episode has ended.
func (s *session) finish(ctx context.Context) {
	s.turn.Lock()
	defer s.turn.Unlock()
	for _, call := range s.environment.config.Teardown { // a failure does not prevent the others
		if err := s.own(ctx, []callConfig{call}, checkSucceeded); err != nil {
			s.environment.log.Warn("a call at the end of an episode failed", "error", err)
		}
	}
}

// Stop implements sdk.Stopper.
func (e *environment) Stop(context.Context, func(string)) error {
	var ending sync.WaitGroup
	for _, s := range e.sessions.TakeAll() {
		ending.Go(s.close)
	}
	ending.Wait()
	e.closeAll()
	return nil
}

func (e *environment) closeAll() {
	var ending sync.WaitGroup
	for _, s := range e.sources {
		ending.Go(s.close)
	}
	ending.Wait()
	_ = e.folder.Close() // os.ErrInvalid if it was not claimed
}

var (
	_ sdk.EnvironmentWithSnapshot = (*environment)(nil)
	_ sdk.EnvironmentWithTools    = (*environment)(nil)
	_ sdk.Stopper                 = (*environment)(nil)
)
