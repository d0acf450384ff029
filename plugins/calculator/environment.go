package calculator

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
)

// environment is a desk calculator for any number of episodes. Episodes share only the environment's settings.
type environment struct {
	operations []arithmetic.Operation
	tools      []sdk.Tool
	maxTurns   int
	sessions   sdk.Sessions[*session]
}

func newEnvironment(_ context.Context, setup sdk.Setup) (sdk.Environment, error) {
	c := environmentConfig{Operations: operationNames(arithmetic.Operations()), MaxTurns: 4}
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	operations, err := c.operations()
	if err != nil {
		return nil, fmt.Errorf("set up the calculator: operations: %w", err)
	}
	return &environment{
		operations: operations, tools: toolsFor(operations), maxTurns: c.MaxTurns,
		sessions: sdk.Sessions[*session]{Max: c.MaxSessions},
	}, nil
}

// Tools implements sdk.EnvironmentWithTools.
func (e *environment) Tools() []sdk.Tool { return e.tools }

// probe returns the available tools.
func probe(ctx context.Context, config json.RawMessage, _ sdk.Probe) sdk.ProbeResponse {
	e, err := newEnvironment(ctx, sdk.Setup{Config: config})
	if err != nil { // checked by validation
		return sdk.ProbeResponse{}
	}
	return sdk.ProbeResponse{Tools: e.(*environment).tools}
}

func toolsFor(operations []arithmetic.Operation) []sdk.Tool {
	tools := make([]sdk.Tool, 0, len(operations))
	for _, o := range operations {
		tools = append(tools, sdk.Tool{Name: o.Name(), Description: o.Description(), Parameters: arithmetic.Parameters()})
	}
	return tools
}

// Open implements sdk.Environment. The task may ask any question. Only an arithmetic question gets the metrics
// tool_ok and args_ok.
func (e *environment) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	messages, err := questionMessages(req.Task)
	if err != nil {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	opened := &session{operations: e.operations, maxTurns: e.maxTurns, state: state{Calls: []callState{}}}
	if problem, err := problemOf(messages); err == nil {
		opened.problem = &problem
	}
	if _, _, err := e.sessions.Add(req.EpisodeID, opened); err != nil {
		return nil, err
	}
	return &sdk.OpenResponse{InstanceID: req.EpisodeID, Messages: messages, Tools: e.tools, MaxTurns: e.maxTurns}, nil
}

// Step implements sdk.Environment.
func (e *environment) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	session, err := e.sessions.Get(req.EpisodeID)
	if err != nil {
		return nil, err
	}
	return session.step(req.Message)
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (e *environment) Snapshot(_ context.Context, episodeID string) (json.RawMessage, error) {
	session, err := e.sessions.Get(episodeID)
	if err != nil {
		return nil, err
	}
	return session.snapshot()
}

// Close implements sdk.Environment.
func (e *environment) Close(_ context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	session, open := e.sessions.Take(req.EpisodeID)
	if !open {
		return &sdk.CloseResponse{}, nil
	}
	digest, err := session.digest()
	if err != nil {
		return nil, err
	}
	return &sdk.CloseResponse{StateDigest: digest, Metrics: session.metrics()}, nil
}

var (
	_ sdk.EnvironmentWithSnapshot = (*environment)(nil)
	_ sdk.EnvironmentWithTasks    = (*environment)(nil)
	_ sdk.EnvironmentWithTools    = (*environment)(nil)
)
