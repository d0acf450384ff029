package pythonplugin

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// processPool is the pool of processes that play episodes: a few processes, each with many concurrent episodes. A
// process that is lost, or whose episode does not end, is replaced.
type processPool struct {
	loader *loader
	enough int            // concurrent episodes for which a running process is not helped by another
	owned  sync.WaitGroup // goroutines that end processes

	mu     sync.Mutex
	slots  []*slot
	deaths map[string]int // processes that ended during an unfinished episode
	closed bool
	live   map[*interpreter.Interpreter]bool
}

// slot is the slot of a process and its successors.
type slot struct {
	loading sync.Mutex // held while a process is started

	// Guarded by processPool.mu.
	current *agentProcess // nil: no process
	queued  int           // episodes waiting for a process
}

// agentProcess is a process with its episodes.
type agentProcess struct {
	process *interpreter.Interpreter
	active  int
	retired bool // takes no more episodes
}

// lease is an episode's lease of a process.
type lease struct {
	*agentProcess
	episode string
	alone   bool // it has a separate process
}

// maxDeathsTogether is the number of processes that may end during an episode before it gets a separate process. If
// that process ends, too, the episode is blamed.
const maxDeathsTogether = 3

var errStopped = errors.New("the agent was stopped")

// episodesPerProcess is the number of concurrent episodes that one process plays before another is started, unless the
// spec sets the number of processes.
const episodesPerProcess = 16

// maxDefaultProcesses is the maximum number of processes unless the spec sets it. Each keeps its own copy of what the
// agent imports.
const maxDefaultProcesses = 16

// newProcessPool creates a pool of that many processes, or, if workers is 0, of as many as the episodes need, at most
// one for each core.
func newProcessPool(l *loader, workers int, first *interpreter.Interpreter) *processPool {
	p := &processPool{loader: l, deaths: map[string]int{}, live: map[*interpreter.Interpreter]bool{first: true}}
	if workers == 0 {
		workers, p.enough = min(runtime.NumCPU(), maxDefaultProcesses), episodesPerProcess
	}
	for range processes(workers) {
		p.slots = append(p.slots, &slot{})
	}
	p.slots[0].current = &agentProcess{process: first}
	return p
}

// acquire leases a process to an episode. The caller must call release.
func (p *processPool) acquire(ctx context.Context, episode string) (*lease, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errStopped
	}
	if p.deaths[episode] >= maxDeathsTogether {
		p.mu.Unlock()
		process, err := p.start(ctx)
		if err != nil {
			return nil, err
		}
		alone := &agentProcess{process: process, active: 1, retired: true}
		return &lease{agentProcess: alone, episode: episode, alone: true}, nil
	}
	s := p.chooseSlot()
	if s.current != nil && !hasEnded(s.current.process) {
		s.current.active++
		p.mu.Unlock()
		return &lease{agentProcess: s.current, episode: episode}, nil
	}
	s.queued++
	p.mu.Unlock()
	c, err := p.fill(ctx, s)
	if err != nil {
		return nil, err
	}
	return &lease{agentProcess: c, episode: episode}, nil
}

// chooseSlot returns the slot with the fewest episodes, without starting a process that is not needed. The caller holds
// processPool.mu.
func (p *processPool) chooseSlot() *slot {
	s := p.slots[0]
	for _, other := range p.slots[1:] {
		if other.load() == 0 && other.current == nil && s.load() < p.enough {
			continue
		}
		if other.load() < s.load() {
			s = other
		}
	}
	return s
}

// load returns the number of running and waiting episodes. The caller holds processPool.mu.
func (s *slot) load() int {
	if s.current == nil {
		return s.queued
	}
	return s.queued + s.current.active
}

// fill starts a process for a slot if it has none, and takes a place in it.
func (p *processPool) fill(ctx context.Context, s *slot) (*agentProcess, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	s.queued--
	if s.current == nil || hasEnded(s.current.process) {
		p.mu.Unlock()
		process, err := p.start(ctx)
		p.mu.Lock()
		if err != nil {
			return nil, err
		}
		s.current = &agentProcess{process: process}
	}
	s.current.active++
	return s.current, nil
}

// start starts a process that has loaded the agent.
func (p *processPool) start(ctx context.Context) (*interpreter.Interpreter, error) {
	process, _, err := p.loader.load(ctx)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		p.owned.Go(process.Kill)
		return nil, errStopped
	}
	p.live[process] = true
	return process, nil
}

// release returns a lease. stuck reports that the episode is still running in the process. Then the process takes no
// more episodes, and ends after its other episodes. release reports whether the process died.
func (p *processPool) release(s *lease, stuck bool) (died bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	died = hasEnded(s.process)
	if died {
		p.deaths[s.episode]++
	} else {
		delete(p.deaths, s.episode)
	}
	s.active--
	s.retired = s.retired || stuck || died
	for _, other := range p.slots {
		if other.current == s.agentProcess && s.retired {
			other.current = nil
		}
	}
	if s.retired && s.active == 0 && p.live[s.process] {
		delete(p.live, s.process)
		p.owned.Go(s.process.Kill)
	}
	return died
}

// close ends all processes.
func (p *processPool) close() {
	p.mu.Lock()
	p.closed = true
	for process := range p.live {
		p.owned.Go(process.Kill)
	}
	clear(p.live)
	p.mu.Unlock()
	p.owned.Wait()
}

func hasEnded(p *interpreter.Interpreter) bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}

// blame returns the failure of an episode that could not start.
func (a *agent) blame(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errStopped):
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, err)
	}
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: fmt.Sprintf("%s: restart its Python process: %v", a.name, err),
		Retryable: true}
}

// explain returns the failure of an episode whose agent gave no answer. A process may have died because of another
// episode, or have been killed, so the episode is retried until it had a separate process.
func (a *agent) explain(ctx context.Context, p *agentEpisode, died bool, err error) error {
	var refused *interpreter.Refusal
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.fatal != nil:
		return p.fatal
	case errors.As(err, &refused):
		return p.refused(a.name, refused)
	case !died:
		return err
	}
	class := sdk.FailureInfrastructure
	if p.alone {
		class = sdk.FailureAgent
	}
	return &sdk.Failure{Class: class, Detail: fmt.Sprintf("%s: its Python process ended during the episode: "+
		"%v", a.name, err),
		Retryable: true}
}
