package pythonplugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// loadTimeout limits the import of a user's file, which takes minutes for large packages on a busy machine. The host
// waits ten minutes for a plugin to be configured.
const loadTimeout = 9 * time.Minute

// loader starts processes that run the user's function.
type loader struct {
	program python
	file    *source
	name    string // for messages: "rewards.py:score"
	log     *slog.Logger
	op      string // the load call
	body    []byte // of it
	env     map[string]string
	timeout time.Duration
}

func newLoader(c *rewardConfig, program python, file *source, known []string, log *slog.Logger) (*loader, error) {
	body, err := c.members(file, known)
	if err != nil {
		return nil, err
	}
	components := c.Components
	if components == nil {
		components = []string{}
	}
	more, err := json.Marshal(struct {
		Batch       bool     `json:"batch"`
		Completions string   `json:"completions"`
		Components  []string `json:"components"`
		Timeout     float64  `json:"timeout"` // seconds
	}{c.Batch > 0, c.Completions, components, c.timeout.Seconds()})
	if err != nil {
		return nil, err
	}
	body = append(append(body, ','), more[1:len(more)-1]...)
	return &loader{program: program, file: file, name: file.base() + ":" + c.Name, log: log, op: "load_reward",
		body: body, timeout: loadTimeout}, nil
}

// loaded describes the function that a process has loaded.
type loaded struct {
	Wants      []string `json:"wants"`      // names of values
	Concurrent bool     `json:"concurrent"` // an async function of one item: calls may overlap
}

// load starts a process and returns it with a description of the function. A process that ends in the meantime may have
// been killed externally, so the load is retried, like an item.
func (l *loader) load(ctx context.Context) (*interpreter.Interpreter, *loaded, error) {
	slow := fmt.Errorf("the import took more than %s: move slow work into the function, or out of the imports", l.timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, limit(l.timeout), slow)
	defer cancel()
	for deaths := 1; ; deaths++ {
		p, about, err := l.attempt(ctx)
		if deaths == maxDeaths || ctx.Err() != nil || !errors.Is(err, interpreter.ErrExited) {
			return p, about, err
		}
	}
}

func (l *loader) attempt(ctx context.Context) (*interpreter.Interpreter, *loaded, error) {
	p, err := interpreter.Start(ctx, interpreter.Config{Python: l.program.path, Name: "python " + l.file.base(),
		Dir: filepath.Dir(l.file.path), Log: l.log, Env: l.env})
	if err != nil {
		return nil, nil, &startError{err}
	}
	if err := debug(ctx, p); err != nil {
		p.Kill()
		return nil, nil, err
	}
	answer, err := p.Call(ctx, l.op, l.body)
	about := &loaded{}
	if err == nil {
		err = json.Unmarshal(answer, about)
	}
	if err != nil {
		p.Kill()
		return nil, nil, err
	}
	return p, about, nil
}

// startError is an error in starting Python, rather than in the user's code.
type startError struct{ err error }

// Error implements error.
func (e *startError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *startError) Unwrap() error { return e.err }

// problem converts an error returned by load to a diagnostic.
func (l *loader) problem(err error) error {
	var refused *interpreter.Refusal
	var start *startError
	d := about("file", "The file cannot be loaded", err.Error())
	switch {
	case errors.As(err, &start):
		d = about("python", "Python does not start", err.Error())
	case errors.As(err, &refused):
		attribute := refused.Attribute
		if attribute == "" {
			attribute = "file"
		}
		d = about(attribute, refused.Summary, refused.Detail)
	}
	d.Detail += "\nPython: " + l.program.String() + "; set `python` to use another."
	return &sdk.ConfigError{Diagnostics: []sdk.Diagnostic{*d}}
}
