package sdk

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Sessions holds the open episodes of an environment by their ids. The zero value is empty. Its methods may be called
// concurrently.
type Sessions[S comparable] struct {
	Max int // of open episodes; 0: no limit. Do not change it after the first call.

	mu   sync.Mutex
	open map[string]S
}

// Add registers an episode, and returns the one with the same id that it replaces. At the limit, it returns a retryable
// failure.
func (s *Sessions[S]) Add(id string, session S) (before S, replaced bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, replaced = s.open[id]
	if !replaced && s.Max > 0 && len(s.open) >= s.Max {
		return before, false, &Failure{
			Class: FailureEnvironment, Retryable: true,
			Detail: fmt.Sprintf("%d episodes are open: raise max_sessions or lower the run's concurrency", s.Max),
		}
	}
	if s.open == nil {
		s.open = map[string]S{}
	}
	s.open[strings.Clone(id)] = session // the id may be a part of a large request
	return before, replaced, nil
}

// Get returns an open episode, or ErrSessionLost.
func (s *Sessions[S]) Get(id string) (S, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session, open := s.open[id]
	if !open {
		return session, fmt.Errorf("%w: this process does not know the episode", ErrSessionLost)
	}
	return session, nil
}

// Take removes an episode. It reports whether the episode was open.
func (s *Sessions[S]) Take(id string) (S, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session, open := s.open[id]
	delete(s.open, id)
	return session, open
}

// Remove removes an episode unless another one has replaced it.
func (s *Sessions[S]) Remove(id string, session S) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[id] == session {
		delete(s.open, id)
	}
}

// TakeAll removes all episodes.
func (s *Sessions[S]) TakeAll() []S {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Collect(maps.Values(s.open))
	clear(s.open)
	return all
}
