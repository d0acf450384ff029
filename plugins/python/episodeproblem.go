package pythonplugin

import (
	"context"
	"errors"
	"slices"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// userError returns the failure for an error in the user's code.
func userError(err error) error { return &sdk.Failure{Class: sdk.FailureAgent, Detail: err.Error()} }

// problem is an error in the format for Python.
type problem struct {
	Kind   string `json:"kind"` // "context_full", "over", "agent"
	Detail string `json:"detail"`
}

// keep returns the error for the user's code, and stores errors that always end the episode.
func (p *agentEpisode) keep(ctx context.Context, err error) *problem {
	var full *sdk.GenerateError
	var failure *sdk.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &full) && full.Kind == sdk.GenerateContextFull:
		return &problem{"context_full", full.Detail}
	case errors.As(err, &full) && full.Kind == sdk.GenerateRefused:
		return &problem{"agent", full.Detail}
	case errors.As(err, &failure) && failure.Class == sdk.FailureAgent:
		return &problem{"agent", failure.Detail}
	case ctx.Err() != nil:
		return &problem{"over", ""}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fatal == nil {
		p.fatal = err
	}
	return &problem{"over", ""}
}

func (p *agentEpisode) sendAnswer(a interpreter.Ask, answer any, failed *problem) {
	text := encoded(struct {
		Play  int64    `json:"play"`
		Ask   int64    `json:"ask"`
		OK    any      `json:"ok,omitempty"`
		Error *problem `json:"error,omitempty"`
	}{a.Call, a.N, answer, failed})
	p.process.Notify("told", text[1:len(text)-1])
}

// refused returns the failure for an exception raised by the user's code.
func (p *agentEpisode) refused(name string, r *interpreter.Refusal) error {
	if slices.Contains(r.Kinds, contextFullKind) {
		return &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: r.Summary}
	}
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: name + ": " + r.Error(), Retryable: true}
}
