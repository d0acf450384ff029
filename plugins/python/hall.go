package pythonplugin

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// hall is where episodes are played: a few processes, each with many episodes at a time. One that is lost, or that an
// episode does not let go of, is replaced.
type hall struct {
	loader *loader
	owned  sync.WaitGroup // goroutines that end processes

	mu     sync.Mutex
	stages []*stage
	deaths map[string]int // processes that ended under an episode that is not over
	closed bool
	live   map[*interpreter.Interpreter]bool
}

// stage is the place of one process and its successors.
type stage struct {
	loading sync.Mutex // held while a process is started

	// Guarded by hall.mu.
	cast   *cast // nil: there is no process
	queued int   // episodes that wait for one
}

// cast is a process with what is played in it.
type cast struct {
	process *interpreter.Interpreter
	active  int
	retired bool // nothing more is played in it
}

// seat is an episode's place.
type seat struct {
	*cast
	episode string
	alone   bool // the process is its own
}

// mostDeathsTogether is how many processes may end under an episode before it gets one of its own: if that ends, too, the
// episode is to blame.
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

// enter gives an episode a place. The caller leaves it.
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

// load is how much is played or about to be. The caller holds hall.mu.
func (s *stage) load() int {
	if s.cast == nil {
		return s.queued
	}
	return s.queued + s.cast.active
}

// fill makes sure that a stage has a process, and takes a place in it.
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

// leave gives a place back. stuck says that the episode goes on in it all the same: then nothing more is played there,
// and the process ends when nothing else is. It reports whether the process died.
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

// blame is the failure of an episode that could not begin.
func (a *agent) blame(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errStopped):
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, err)
	}
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: fmt.Sprintf("%s: start its Python again: %v", a.name, err), Retryable: true}
}

// explain is the failure of an episode whose agent gave no answer. A process that died may have done so because of another
// episode, or been killed: the episode is tried again, until it has had a process for itself.
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
	return &sdk.Failure{Class: class, Detail: fmt.Sprintf("%s: its Python ended during the episode: %v", a.name, err), Retryable: true}
}
