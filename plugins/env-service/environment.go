package envservice

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/awhost/awhost/sdk"
)

// environment is a world provided by a service, for any number of episodes.
type environment struct {
	config *config
	client *client
	ledger *ledger
	log    *slog.Logger

	sessions sdk.Sessions[*session]
}

// newEnvironment waits for the service, so that an unavailable service is reported before the first episode.
func newEnvironment(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
	c := &config{}
	if err := setup.Decode(c); err != nil {
		return nil, err
	}
	if problems := c.check(); len(problems) > 0 {
		return nil, &sdk.ConfigError{Diagnostics: problems}
	}
	calls := newClient(c, setup.Log)
	if err := calls.await(ctx); err != nil {
		calls.close()
		return nil, fmt.Errorf("reach the environment service at %s: %w: start it, or correct url", calls.base, err)
	}
	l, err := openLedger(calls, setup.Dir, setup.Log)
	if err != nil {
		calls.close()
		return nil, fmt.Errorf("keep a record of open instances: %w", err)
	}
	e := &environment{config: c, client: calls, ledger: l, log: setup.Log}
	e.sessions.Max = c.MaxSessions
	return e, nil
}

// Open implements sdk.Environment.
func (e *environment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	s := newSession(e.config, e.client, instanceRecord{
		InstanceID: newID(), URL: e.client.base, EnvType: e.config.EnvType, TaskID: taskID(req.Task),
	})
	before, replaced, err := e.sessions.Add(req.EpisodeID, s)
	if err != nil {
		return nil, err
	}
	if replaced { // opened again: starts from scratch
		before.cancel()
		e.ledger.later(before.record)
	}
	if err := e.ledger.add(s.record); err != nil {
		e.sessions.Remove(req.EpisodeID, s)
		return nil, fmt.Errorf("keep a record of open instances: %w", err)
	}
	opened, err := s.create(ctx)
	if err != nil {
		e.sessions.Remove(req.EpisodeID, s)
		if !answered(err) { // the service may still be creating the instance
			s.record.pendingUntil = time.Now().Add(e.client.limit(callCreate))
		}
		e.ledger.later(s.record)
		return nil, classified(err)
	}
	e.ledger.sweep() // the service is available
	return opened, nil
}

// newID returns a new instance ID for each attempt and each repetition of an episode.
func newID() string {
	var bytes [16]byte
	_, _ = rand.Read(bytes[:]) // it never fails
	return hex.EncodeToString(bytes[:])
}

// taskID returns the service's name for a task: the value of the task_id column, or otherwise the task's ID.
func taskID(task sdk.Task) json.RawMessage {
	var public struct {
		TaskID json.RawMessage `json:"task_id"`
	}
	if json.Unmarshal(task.Public, &public) == nil && present(public.TaskID) {
		return public.TaskID
	}
	text, _ := json.Marshal(task.ID) // a string has a JSON form
	return text
}

// Step implements sdk.Environment.
func (e *environment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	s, err := e.sessions.Get(req.EpisodeID)
	if err != nil {
		return nil, err
	}
	out, err := s.stepOnce(ctx, req.StepID, req.Message)
	return out, classified(err)
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (e *environment) Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error) {
	s, err := e.sessions.Get(episodeID)
	if err != nil {
		return nil, err
	}
	shown, err := s.snapshot(ctx)
	return shown, classified(err)
}

// Close implements sdk.Environment. An instance that cannot be released now is released later, because the episode
// has ended.
func (e *environment) Close(ctx context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	s, open := e.sessions.Take(req.EpisodeID)
	if !open {
		return &sdk.CloseResponse{}, nil
	}
	metrics, later := s.end()
	if later {
		e.ledger.later(s.record)
	} else if err := e.ledger.release(ctx, s.record); err != nil {
		e.log.Warn("an instance was not released yet", "instance", s.record.InstanceID, "error", err)
	}
	return &sdk.CloseResponse{Metrics: metrics}, nil
}

// Stop implements sdk.Stopper.
func (e *environment) Stop(ctx context.Context, _ func(string)) error {
	for _, s := range e.sessions.TakeAll() {
		s.cancel()
		e.ledger.later(s.record)
	}
	e.ledger.close(ctx)
	e.client.close()
	return nil
}

var (
	_ sdk.EnvironmentWithSnapshot = (*environment)(nil)
	_ sdk.EnvironmentWithTasks    = (*environment)(nil)
	_ sdk.Stopper                 = (*environment)(nil)
)
