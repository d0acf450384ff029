package sdk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// ErrLease reports that a lease is unknown, has ended, or belongs to another holder.
var ErrLease = errors.New("invalid lease: it has expired, or was never issued to this plugin")

// Leases lets agent plugins access the model and the environment of the episodes that they run, and of no others. The
// zero value is ready to use.
type Leases struct {
	mu      sync.Mutex
	byID    map[string]*lease
	refused atomic.Int64
}

// lease is one attempt at an episode that is held by one plugin.
type lease struct {
	holder  string // the only instance that may use it
	model   AgentModel
	session AgentSession // nil: no environment
	ctx     context.Context
	cancel  context.CancelFunc
	calls   sync.WaitGroup
	ended   bool // guarded by Leases.mu
}

// Grant gives holder a lease on a model and a session, which may be nil. end revokes the lease: it rejects further
// calls, cancels running calls, and waits for them to end.
func (l *Leases) Grant(ctx context.Context, holder string, model AgentModel, session AgentSession) (id string,
	end func()) {
	id = rand.Text()
	granted := &lease{holder: holder, model: model, session: session}
	granted.ctx, granted.cancel = context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID == nil {
		l.byID = map[string]*lease{}
	}
	l.byID[id] = granted
	return id, func() { l.end(id, granted) }
}

func (l *Leases) end(id string, granted *lease) {
	l.mu.Lock()
	delete(l.byID, id)
	granted.ended = true
	l.mu.Unlock()
	granted.cancel()
	granted.calls.Wait()
}

// Refused returns the number of calls without a valid lease, such as calls from agents that continue after the end.
func (l *Leases) Refused() int { return int(l.refused.Load()) }

// enter registers a call. The caller must call calls.Done.
func (l *Leases) enter(holder, id string) (*lease, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	granted := l.byID[id]
	if granted == nil || granted.holder != holder || granted.ended {
		l.refused.Add(1)
		return nil, ErrLease
	}
	granted.calls.Add(1)
	return granted, nil
}

// Generate implements AgentHost.AgentGenerate for a caller.
func (l *Leases) Generate(ctx context.Context, holder, id string, req ModelRequest) (*ModelReply, error) {
	granted, err := l.enter(holder, id)
	if err != nil {
		return nil, err
	}
	defer granted.calls.Done()
	ctx, stop := granted.withLease(ctx)
	defer stop()
	return granted.model.Generate(ctx, req)
}

// Step implements AgentHost.AgentStep for a caller.
func (l *Leases) Step(ctx context.Context, holder, id string, step AgentStep) (*StepResponse, error) {
	granted, err := l.enter(holder, id)
	if err != nil {
		return nil, err
	}
	defer granted.calls.Done()
	if granted.session == nil {
		return nil, fmt.Errorf("step: the agent has no environment; name one in its block")
	}
	ctx, stop := granted.withLease(ctx)
	defer stop()
	return granted.session.Step(ctx, step)
}

// withLease returns the context for a call. The context ends with the caller's context or with the lease.
func (l *lease) withLease(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(l.ctx, cancel)
	return ctx, func() {
		release()
		cancel()
	}
}
