package codeenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sandbox"
)

// environment runs code for any number of episodes.
type environment struct {
	config *config
	pool   *pool
	folder *os.File // of all servers; locked while it is open
	dir    string   // of the environment; contains the records of BlameKill

	sessions sdk.Sessions[*session]
}

func newEnvironment(ctx context.Context, set sdk.Setup) (*environment, error) {
	c := &config{}
	if err := set.Decode(c); err != nil {
		return nil, err
	}
	problems := c.check()
	python, problem := c.findPython()
	if problem != nil {
		problems = append(problems, *problem)
	}
	if foreseen := c.describeSandbox(); foreseen.Severity == sdk.SeverityError {
		problems = append(problems, foreseen)
	}
	if len(problems) > 0 {
		return nil, &sdk.ConfigError{Diagnostics: problems}
	}
	folder, err := filepath.EvalSymlinks(set.Dir)
	if err != nil {
		return nil, err
	}
	m := &serverFactory{config: c, folder: filepath.Join(folder, "episodes"), log: set.Log}
	if m.python, m.read, err = sandbox.Python(ctx, python); err != nil {
		return nil, fmt.Errorf("set up the environment: %w", err)
	}
	m.read = append(m.read, c.Read...)
	if c.Sandbox != sandboxNone {
		if weak := sandbox.Probe().Weak; len(weak) > 0 {
			set.Log.Warn("the sandbox of code is without " + strings.Join(weak, ", "))
		}
	}
	held, err := sandbox.LockFolder(m.folder, set.Log)
	if err != nil {
		return nil, fmt.Errorf("set up the environment: %w", err)
	}
	e := &environment{config: c, pool: newPool(m, c.Warm), folder: held, dir: folder}
	e.sessions.Max = c.MaxSessions
	// The first server shows whether servers can start with all imports.
	first, err := e.pool.start(ctx)
	if err != nil {
		e.pool.close()
		held.Close()
		return nil, fmt.Errorf("set up the environment: %w", err)
	}
	e.pool.addIdle(first)
	return e, nil
}

// Tools implements sdk.EnvironmentWithTools.
func (e *environment) Tools() []sdk.Tool { return []sdk.Tool{e.config.tool()} }

// environmentFailure wraps a failure that the model did not cause.
func environmentFailure(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	class := sdk.FailureEnvironment
	if errors.Is(err, errKilled) {
		class = sdk.FailureInfrastructure
	}
	return &sdk.Failure{Class: class, Detail: err.Error(), Retryable: true}
}

// Open implements sdk.Environment.
func (e *environment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	files, err := e.config.filesFor(req.Task)
	if err != nil {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	i, err := e.pool.take(ctx)
	if err != nil {
		return nil, environmentFailure(err)
	}
	var opened struct {
		Failed string `json:"failed"`
	}
	if lost := i.ask(ctx, openRequest{Files: files, Seed: req.Seed}, &opened, startTimeout); lost != "" {
		e.pool.release(i)
		err := errors.New(lost)
		if i.killed {
			err = fmt.Errorf("%w: %s", errKilled, lost)
		}
		return nil, environmentFailure(fmt.Errorf("begin an episode: %w", err))
	}
	if opened.Failed != "" {
		e.pool.release(i)
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "begin an episode: " + opened.Failed}
	}
	s := &session{config: e.config, pool: e.pool, interpreter: i, counts: map[string]float64{}}
	task := req.Task.Digest()
	s.killFailure = func() error { return sdk.BlameKill(e.dir, task, "the interpreter") }
	before, replaced, err := e.sessions.Add(req.EpisodeID, s)
	if err != nil {
		s.close()
		return nil, err
	}
	if replaced {
		before.close()
	}
	return &sdk.OpenResponse{InstanceID: req.EpisodeID, Tools: e.Tools(), MaxTurns: e.config.MaxTurns}, nil
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
func (e *environment) Snapshot(_ context.Context, episodeID string) (json.RawMessage, error) {
	s, err := e.sessions.Get(episodeID)
	if err != nil {
		return nil, err
	}
	return s.snapshot()
}

// Close implements sdk.Environment.
func (e *environment) Close(_ context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	s, open := e.sessions.Take(req.EpisodeID)
	if !open {
		return &sdk.CloseResponse{}, nil
	}
	return &sdk.CloseResponse{Metrics: s.close()}, nil
}

// Stop implements sdk.Stopper.
func (e *environment) Stop(context.Context, func(string)) error {
	for _, s := range e.sessions.TakeAll() {
		s.close()
	}
	e.pool.close()
	return e.folder.Close()
}

var (
	_ sdk.EnvironmentWithSnapshot = (*environment)(nil)
	_ sdk.EnvironmentWithTools    = (*environment)(nil)
	_ sdk.Stopper                 = (*environment)(nil)
)
