// Package wait notes what episodes wait for, for people who watch. Nothing that counts depends on it.
//
//	stack := wait.NewStack(system, task, queue.LacksSessions, "environment.calculator.desk")
//	end := stack.Begin(wait.Wait{For: wait.Environment, Address: address, Call: "Step"})
//	defer end()
//
// It knows nothing of episodes but their tasks.
package wait

import (
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
)

// For is what an episode waits for.
type For string

// What episodes wait for. Where it is a plugin's doing, Wait.Address names the plugin.
const (
	Slot        For = "slot"        // to be one of the episodes at work, of which there are train.concurrency
	Session     For = "session"     // for a session of its environment, which takes only so many
	Generate    For = "generate"    // for a message of the trainer, or of a served model
	Place       For = "place"       // for its turn to ask a served model, which takes only so many requests
	Paused      For = "paused"      // the trainer has paused its generation
	Environment For = "environment" // for an answer of its environment
	Agent       For = "agent"       // for its agent, which asks for nothing
	Reward      For = "reward"      // for a score
	Repeat      For = "repeat"      // for the next try, after a failure
	Restart     For = "restart"     // until a plugin that died serves again
	Trial       For = "trial"       // for a plugin in which a task that killed it is tried alone
	Siblings    For = "siblings"    // for the other samples of its group
	Record      For = "record"      // until the journal has it: the disk
	Host        For = "host"        // for the host itself, which works on it
)

// Wait is what some episodes wait for at the moment.
type Wait struct {
	For      For
	Address  string // of the plugin; empty: none
	Call     string // of the plugin: "Step"; empty: none
	ID       string // tells it from others of its kind in an episode; empty: it has none
	Try      int    // how many calls for the same have been in vain
	About    any    // for those who keep waits that are over; it is not looked at here
	Episodes int
	Since    time.Time // the longest
	Episode  string    // which has waited longest
	Task     string    // of that episode
}

// Stack is what one episode waits for, the outermost first. Only the episode's own goroutines and those who look take
// its lock.
type Stack struct {
	mu            sync.Mutex
	clock         clock.Clock
	begun         time.Time
	task          string
	lacksSessions func() bool // reports whether it is a session that the queue waits for, not a slot
	environment   string      // the address
	under         []*Wait
	keeps         bool
	over          []Over
}

// Over is a wait that is over.
type Over struct {
	Wait
	Until time.Time
}

// NewStack returns the stack of an episode that begins now, with the address of its environment.
func NewStack(clock clock.Clock, task string, lacksSessions func() bool, environment string) *Stack {
	return &Stack{clock: clock, begun: clock.Now(), task: task, lacksSessions: lacksSessions, environment: environment}
}

// Begin notes a wait until end is called.
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
				s.over = append(s.over, Over{Wait: *noted, Until: s.clock.Now()})
			}
		}
	}
}

// Keep remembers waits that are over from now on, for Take.
func (s *Stack) Keep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps = true
}

// Take returns the waits that are over and were not taken yet, in the order of their ends.
func (s *Stack) Take() []Over {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.over
	s.over = nil
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

// Stacks are those of the episodes for which something is done once, as a reward is asked about a group.
type Stacks []*Stack

// Begin notes a wait of all of them until end is called.
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
