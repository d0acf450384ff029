package pythonplugin

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// hall is the pool of processes that play episodes: a few processes, each with many concurrent episodes. A process
// that is lost, or whose episode does not end, is replaced.
type hall struct {
	loader *loader
	owned  sync.WaitGroup // goroutines that end processes

	mu     sync.Mutex
	stages []*stage
	deaths map[string]int // processes that ended during an unfinished episode
	closed bool
	live   map[*interpreter.Interpreter]bool
}

// stage is the slot of a process and its successors.
type stage struct {
	loading sync.Mutex // held while a process is started

	// Guarded by hall.mu.
	cast   *cast // nil: no process
	queued int   // episodes waiting for a process
}

// cast is a process with its episodes.
type cast struct {
	process *interpreter.Interpreter
	active  int
	retired bool // takes no more episodes
}

// seat is an episode's lease of a process.
type seat struct {
	*cast
	episode string
	alone   bool // it has a separate process
}

// mostDeathsTogether is the number of processes that may end during an episode before it gets a separate process. If
// that process ends, too, the episode is blamed.
const mostDeathsTogether = 3

var errStopped = errors.New("the agent was stopped")

func newHall(l *loader, workers int, first *interpreter.Interpreter) *hall {
	h := &hall{loader: l, deaths: map[string]int{}, live: map[*interpreter.Interpreter]bool{first: true}}
	for range workers {
		h.stages = append(h.stages, &stage{})
	}
	h.stages[0].cast = &cast{process: first}
	return h
}

// enter leases a process to an episode. The caller must call leave.
func (h *hall) enter(ctx context.Context, episode string) (*seat, error) {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil, errStopped
	}
	if h.deaths[episode] >= mostDeathsTogether {
		h.mu.Unlock()
		process, err := h.start(ctx)
		if err != nil {
			return nil, err
		}
		return &seat{cast: &cast{process: process, active: 1, retired: true}, episode: episode, alone: true}, nil
	}
	s := h.stages[0]
	for _, other := range h.stages[1:] {
		if other.load() < s.load() {
			s = other
		}
	}
	if s.cast != nil && !hasEnded(s.cast.process) {
		s.cast.active++
		h.mu.Unlock()
		return &seat{cast: s.cast, episode: episode}, nil
	}
	s.queued++
	h.mu.Unlock()
	c, err := h.fill(ctx, s)
	if err != nil {
		return nil, err
	}
	return &seat{cast: c, episode: episode}, nil
}

// load returns the number of running and waiting episodes. The caller holds hall.mu.
func (s *stage) load() int {
	if s.cast == nil {
		return s.queued
	}
	return s.queued + s.cast.active
}

// fill starts a process for a stage if it has none, and takes a place in it.
func (h *hall) fill(ctx context.Context, s *stage) (*cast, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	s.queued--
	if s.cast == nil || hasEnded(s.cast.process) {
		h.mu.Unlock()
		process, err := h.start(ctx)
		h.mu.Lock()
		if err != nil {
			return nil, err
		}
		s.cast = &cast{process: process}
	}
	s.cast.active++
	return s.cast, nil
}

// start starts a process that has loaded the agent.
func (h *hall) start(ctx context.Context) (*interpreter.Interpreter, error) {
	process, _, err := h.loader.load(ctx)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		h.owned.Go(process.Kill)
		return nil, errStopped
	}
	h.live[process] = true
	return process, nil
}

// leave returns a lease. stuck reports that the episode is still running in the process. Then the process takes no
// more episodes, and ends after its other episodes. leave reports whether the process died.
func (h *hall) leave(s *seat, stuck bool) (died bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	died = hasEnded(s.process)
	if died {
		h.deaths[s.episode]++
	} else {
		delete(h.deaths, s.episode)
	}
	s.active--
	s.retired = s.retired || stuck || died
	for _, other := range h.stages {
		if other.cast == s.cast && s.retired {
			other.cast = nil
		}
	}
	if s.retired && s.active == 0 && h.live[s.process] {
		delete(h.live, s.process)
		h.owned.Go(s.process.Kill)
	}
	return died
}

// close ends all processes.
func (h *hall) close() {
	h.mu.Lock()
	h.closed = true
	for process := range h.live {
		h.owned.Go(process.Kill)
	}
	clear(h.live)
	h.mu.Unlock()
	h.owned.Wait()
}

func hasEnded(p *interpreter.Interpreter) bool {
	select {
	case <-p.Gone():
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
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: fmt.Sprintf("%s: restart its Python: %v", a.name, err),
		Retryable: true}
}

// explain returns the failure of an episode whose agent gave no answer. A process may have died because of another
// episode, or have been killed, so the episode is retried until it had a separate process.
func (a *agent) explain(ctx context.Context, p *play, died bool, err error) error {
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
	return &sdk.Failure{Class: class, Detail: fmt.Sprintf("%s: its Python ended during the episode: %v", a.name, err),
		Retryable: true}
}
