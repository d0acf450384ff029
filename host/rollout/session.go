package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// session is an attempt's environment, from Open to Close.
type session struct {
	run    *episode
	record *AttemptRecord
	model  *model
	id     string // the environment's id of the attempt
	opened *sdk.OpenResponse
	spans  []Span
}

// sessionID returns an ID that differs between attempts, so that a late Close of an abandoned attempt cannot end a
// later one.
func sessionID(episodeID string, attempt int) string {
	if attempt == 1 {
		return episodeID
	}
	return episodeID + "#" + strconv.Itoa(attempt)
}

// openSession opens the environment. It returns the session even if there is an error, because the session must be
// closed: a failed Open may have taken effect.
func openSession(ctx context.Context, run *episode, record *AttemptRecord) (*session, error) {
	s := &session{run: run, record: record, id: sessionID(record.EpisodeID, record.Attempt)}
	env := run.stage.Environment
	calling, stop := s.time(ctx, "Open", "")
	opened, err := env.Environment.Open(calling, sdk.OpenRequest{
		EpisodeID: s.id,
		Task:      show(run.task, env.Capabilities.Needs),
		Seed:      run.seeds.Environment,
		Split:     record.Slot.Split,
	})
	stop(err)
	if err != nil {
		return s, s.wrap(err)
	}
	s.opened = opened
	return s, nil
}

// time records the start of a call and returns the call's context and a function that ends the call and records its
// duration as time spent in the environment.
func (s *session) time(ctx context.Context, name, id string, asked ...sdk.Message) (
	calling context.Context, stop func(err error, answered ...sdk.Message) time.Duration,
) {
	started, what := s.run.clock().Now(), toolsOf(name, asked)
	by := s.run.trace.Attempt(s.record.Attempt)
	said := by.Exchange(asked...)
	call := wait.Wait{
		For: wait.Environment, Address: s.run.stage.Environment.Address, Call: name, ID: id, About: said,
	}
	end := s.run.entry.Waits.Begin(call)
	return by.Under(ctx, call), func(err error, answered ...sdk.Message) time.Duration {
		said.End(err, answered...)
		end()
		took := s.run.clock().Now().Sub(started)
		s.spans = append(s.spans, Span{
			Part: PartEnvironment, At: started, Took: took, Attempt: s.record.Attempt, CallID: id, Name: what,
		})
		return took
	}
}

// mostName is the maximum length of a span's name, in bytes.
const mostName = 60

// toolsOf returns the names of the tools that a message calls, or the name of the environment call if there is no
// message.
func toolsOf(call string, message []sdk.Message) string {
	var names []string
	length := 0
	for i := range message {
		for _, c := range message[i].ToolCalls {
			if length += len(c.Name) + len(", "); length > mostName {
				return strings.Join(append(names, "…"), ", ")
			}
			names = append(names, c.Name)
		}
	}
	if len(message) == 0 {
		return call
	}
	return strings.Join(names, ", ")
}

func (s *session) wrap(err error) error {
	return &verdict.CallError{Class: sdk.FailureEnvironment, Address: s.run.stage.Environment.Address, Err: err}
}

// Opened implements agent.Session.
func (s *session) Opened() *sdk.OpenResponse { return s.opened }

// Step implements agent.Session. The call's ID is also the step's ID, because one message is one step.
func (s *session) Step(ctx context.Context, callID string, message sdk.Message) (*sdk.StepResponse, error) {
	calling, stop := s.time(ctx, "Step", callID, message)
	step, err := s.run.stage.Environment.Environment.Step(calling, sdk.StepRequest{
		EpisodeID: s.id, InstanceID: s.opened.InstanceID, StepID: callID, Message: message,
	})
	if err != nil {
		stop(err)
		return nil, s.wrap(err)
	}
	took := stop(nil, step.Messages...)
	s.model.stepTook(callID, took, step.TurnReward)
	s.record.addMetrics(environmentMetrics, step.Metrics)
	return step, nil
}

// environmentMetrics is the prefix of the environment's metric names.
const environmentMetrics = "environment/"

// snapshot reads the state for rewards.
func (s *session) snapshot(ctx context.Context) (json.RawMessage, error) {
	calling, stop := s.time(ctx, "Snapshot", "")
	env := s.run.stage.Environment.Environment.(sdk.EnvironmentWithSnapshot) // checked by newStage
	state, err := env.Snapshot(calling, s.id)
	stop(err)
	if err != nil {
		return nil, s.wrap(err)
	}
	return state, nil
}

// close always ends the session, using a context that is detached from the episode's context and has its own limit. Its
// result and error count only if the episode ended normally. Otherwise, they would depend on when the episode ended.
func (s *session) close(ctx context.Context, reason string) error {
	engine := s.run.engine
	calling, stop := s.time(context.WithoutCancel(ctx), "Close", "")
	bounded, cancel := clock.WithLimit(calling, engine.clock, engine.options.CloseTimeout, context.DeadlineExceeded)
	defer cancel()
	request := sdk.CloseRequest{EpisodeID: s.id, Reason: reason}
	if s.opened != nil {
		request.InstanceID = s.opened.InstanceID
	}
	closed, err := s.run.stage.Environment.Environment.Close(bounded, request)
	stop(err)
	if err != nil {
		engine.live.unclosed.Add(1)
		return s.wrap(err)
	}
	if reason != closeDone {
		return nil
	}
	s.record.StateDigest = closed.StateDigest
	s.record.addMetrics(environmentMetrics, closed.Metrics)
	return nil
}

func closeReason(ctx context.Context, err error) string {
	switch {
	case ctx.Err() != nil:
		return closeCancelled
	case err != nil:
		return closeFailed
	}
	return closeDone
}

// closeError returns the part of a Close error that affects an episode that ended normally. The result of Close belongs
// to the record, so a plugin that dies during Close fails the attempt, and failures that it reports deliberately count.
// Other errors affect only the environment.
func closeError(err error) error {
	var failure *sdk.Failure
	if errors.Is(err, verdict.ErrPluginLost) || errors.Is(err, sdk.ErrSessionLost) || errors.As(err, &failure) {
		return err
	}
	return nil
}

// The reasons passed to Close.
const (
	closeDone      = "done"
	closeFailed    = "failed"
	closeCancelled = "cancelled"
)

var _ agent.Session = (*session)(nil)
