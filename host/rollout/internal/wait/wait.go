// Package wait records what episodes wait for, so that it can be displayed. No recorded result depends on it.
//
//	stack := wait.NewStack(system, task, queue.LacksSessions, "environment.calculator.desk")
//	end := stack.Begin(wait.Wait{For: wait.Environment, Address: address, Call: "Step"})
//	defer end()
//
// It uses only the tasks of episodes.
package wait

import (
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
)

// For is the kind of a wait.
type For string

// The kinds of waits. If a plugin causes the wait, Wait.Address names the plugin.
const (
	Slot        For = "slot"        // for a slot, of which there are train.concurrency
	Session     For = "session"     // for one of the limited sessions of its environment
	Generate    For = "generate"    // for a message of the trainer or of a served model
	Place       For = "place"       // for one of the limited concurrent requests to a served model
	Paused      For = "paused"      // the trainer has paused its generation
	Environment For = "environment" // for a response of its environment
	Agent       For = "agent"       // for its agent, which has no pending request
	Reward      For = "reward"      // for a score
	Repeat      For = "repeat"      // for the next try after a failure
	Restart     For = "restart"     // until a dead plugin serves again
	Trial       For = "trial"       // for a plugin in which a suspicious task runs alone
	Siblings    For = "siblings"    // for the other samples of its group
	Record      For = "record"      // for the journal's write to disk
	Host        For = "host"        // for the host's own work on the episode
)

// Wait is something that episodes are currently waiting for.
type Wait struct {
	For      For
	Address  string // of the plugin; may be empty
	Call     string // to the plugin: "Step"; may be empty
	ID       string // distinguishes it from similar waits of an episode; may be empty
	Try      int    // number of earlier calls in vain
	About    any    // for users of finished waits; not used here
	Episodes int
	Since    time.Time // of the longest wait
	Episode  string    // with the longest wait
	Task     string    // of that episode
}

// Stack holds an episode's current waits, with the outermost first. Only the episode's own goroutines and observers
// acquire its lock.
type Stack struct {
	mu            sync.Mutex
	clock         clock.Clock
	begun         time.Time
	task          string
	lacksSessions func() bool // reports whether the queue waits for a session rather than a slot
	environment   string      // address
	under         []*Wait
	keeps         bool
	finished      []Finished
}

// Finished is a wait that has ended.
type Finished struct {
	Wait
	Until time.Time
}

// NewStack returns the stack for an episode that begins now. environment is the address of the episode's environment.
func NewStack(clock clock.Clock, task string, lacksSessions func() bool, environment string) *Stack {
	return &Stack{clock: clock, begun: clock.Now(), task: task, lacksSessions: lacksSessions, environment: environment}
}

// Begin starts a wait, which lasts until end is called.
func (s *Stack) Begin(wait Wait) (end func()) {
	noted := &wait
	noted.Since = s.clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under = append(s.under, noted)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if i := slices.Index(s.under, noted); i >= 0 {
			s.under = slices.Delete(s.under, i, i+1)
			if s.keeps {
				s.finished = append(s.finished, Finished{Wait: *noted, Until: s.clock.Now()})
			}
		}
	}
}

// Keep enables storing finished waits for Take.
func (s *Stack) Keep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps = true
}

// Take returns the finished waits that have not been taken yet, in the order in which they ended.
func (s *Stack) Take() []Finished {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.finished
	s.finished = nil
	return taken
}

// Now returns the innermost wait.
func (s *Stack) Now() Wait {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := Wait{For: Host, Since: s.begun}
	if n := len(s.under); n > 0 {
		wait = *s.under[n-1]
	}
	if wait.For == Slot && s.lacksSessions() {
		wait.For, wait.Address = Session, s.environment
	}
	wait.Task = s.task
	return wait
}

// Stacks holds the stacks of several episodes that share an operation, such as a reward call for a group.
type Stacks []*Stack

// Begin starts a wait for all of them, which lasts until end is called.
func (all Stacks) Begin(wait Wait) (end func()) {
	ends := make([]func(), len(all))
	for i, s := range all {
		ends[i] = s.Begin(wait)
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}
