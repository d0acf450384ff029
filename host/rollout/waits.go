package rollout

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
)

// WaitFor is what an episode waits for.
type WaitFor string

// What episodes wait for. Where it is a plugin's doing, Wait.Address names the plugin.
const (
	WaitSlot        WaitFor = "slot"        // to be one of the episodes at work, of which there are train.concurrency
	WaitSession     WaitFor = "session"     // for a session of its environment, which takes only so many
	WaitGenerate    WaitFor = "generate"    // for a message of the trainer
	WaitPaused      WaitFor = "paused"      // the trainer has paused its generation
	WaitEnvironment WaitFor = "environment" // for an answer of its environment
	WaitAgent       WaitFor = "agent"       // for its agent, which asks for nothing
	WaitReward      WaitFor = "reward"      // for a score
	WaitRepeat      WaitFor = "repeat"      // for the next try, after a failure
	WaitRestart     WaitFor = "restart"     // until a plugin that died serves again
	WaitTrial       WaitFor = "trial"       // for a plugin in which a task that killed it is tried alone
	WaitSiblings    WaitFor = "siblings"    // for the other samples of its group
	WaitRecord      WaitFor = "record"      // until the journal has it: the disk
	WaitHost        WaitFor = "host"        // for the host itself, which works on it
)

// Wait is what some episodes wait for at the moment.
type Wait struct {
	For      WaitFor
	Address  string // of the plugin; empty: none
	Call     string // of the plugin: "Step"; empty: none
	Episodes int
	Since    time.Time // the longest
	Episode  string    // which has waited longest
	Task     string    // of that episode
}

// waits is what one episode waits for, the outermost first. Only the episode's own goroutines and those who look take
// its lock.
type waits struct {
	mu    sync.Mutex
	clock clock.Clock
	begun time.Time
	task  string
	stage *stage
	under []*Wait
}

// begin notes a wait until end is called.
func (w *waits) begin(wait Wait) (end func()) {
	noted := &wait
	noted.Since = w.clock.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.under = append(w.under, noted)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if i := slices.Index(w.under, noted); i >= 0 {
			w.under = slices.Delete(w.under, i, i+1)
		}
	}
}

// now is the innermost wait.
func (w *waits) now() Wait {
	w.mu.Lock()
	defer w.mu.Unlock()
	wait := Wait{For: WaitHost, Since: w.begun}
	if n := len(w.under); n > 0 {
		wait = *w.under[n-1]
	}
	if wait.For == WaitSlot && w.stage.queue.LacksSessions() {
		wait.For, wait.Address = WaitSession, w.stage.Environment.Address
	}
	wait.Task = w.task
	return wait
}

// waiters are the episodes for which a reward is asked.
type waiters []*waits

func (all waiters) begin(wait Wait) (end func()) {
	ends := make([]func(), len(all))
	for i, w := range all {
		ends[i] = w.begin(wait)
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// Waits says what the episodes under way wait for, those that wait longest first. Nothing that counts depends on it.
func (e *Engine) Waits() []Wait {
	type kind struct {
		what          WaitFor
		address, call string
	}
	sums := map[kind]*Wait{}
	e.registry.open(func(entry *entry) {
		wait := entry.waits.now()
		key := kind{wait.For, wait.Address, wait.Call}
		sum := sums[key]
		if sum == nil {
			sum = &wait
			sums[key] = sum
		}
		sum.Episodes++
		if sum.Episode == "" || cmp.Or(wait.Since.Compare(sum.Since), cmp.Compare(entry.id, sum.Episode)) < 0 {
			sum.Since, sum.Episode, sum.Task = wait.Since, entry.id, wait.Task
		}
	})
	out := make([]Wait, 0, len(sums))
	for _, sum := range sums {
		out = append(out, *sum)
	}
	slices.SortFunc(out, func(a, b Wait) int {
		return cmp.Or(
			a.Since.Compare(b.Since), cmp.Compare(a.For, b.For), cmp.Compare(a.Address, b.Address), cmp.Compare(a.Call, b.Call),
		)
	})
	return out
}
