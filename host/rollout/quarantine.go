package rollout

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// A plugin's death says nothing about the episodes that it takes along: each is tried again, with the same draw. But a
// task that kills whatever it meets would be tried for ever, and everything beside it, too. So a task that was open in
// three deaths is tried alone. If the process dies under it again, and had served nobody else before, the task is to
// blame: its episode fails, for good. From the next boundary on the task is in quarantine: its episodes fail without
// being tried.
//
// What becomes of an episode depends on what it does to a fresh process, not on what ran beside it, and the quarantine
// changes at boundaries only: so concurrency and foreign deaths leave no trace in what the run comes to.

// suspicious is in how many deaths a task has been open when it is tried alone.
const suspicious = 3

// Lives knows the plugins' processes.
type Lives interface {
	// Life numbers the process of a plugin, from 1, and says whether it serves.
	Life(address string) (number int, serving bool)
	// Spare lets the next death of a plugin cost no restart out of its budget, until done is called.
	Spare(address string) (done func())
	// Forgive gives restarts back that a task had caused.
	Forgive(address string, restarts int)
}

// Blame says that a task killed a plugin alone.
type Blame struct {
	Address string // of the plugin
	Split   sdk.Split
	Task    string
	Episode string // the one that was tried
	Deaths  int    // in which the task was open, the last one included
	Err     error  // the plugin's last words
}

// Quarantined is a task whose episodes are not tried any more. It is part of what a resumed run goes on from.
type Quarantined struct {
	Stage   string           `json:"stage"`
	Split   sdk.Split        `json:"split"`
	Task    string           `json:"task"`
	Step    int              `json:"step"`    // after which
	Address string           `json:"address"` // of the plugin that it kills
	Class   sdk.FailureClass `json:"class"`   // of its failures
}

func (q *Quarantined) failure() *sdk.Failure {
	return &sdk.Failure{Class: q.Class, Detail: fmt.Sprintf(
		"task %q is in quarantine since step %d: it kills %s, also alone in a fresh process", q.Task, q.Step, q.Address)}
}

// taskKey names a task within a stage.
type taskKey struct {
	split sdk.Split
	task  string
}

// ward watches who is with a plugin when its process dies.
type ward struct {
	engine  *Engine
	address string

	mu       sync.Mutex
	inside   int  // visitors
	alone    bool // the visitor is tried alone
	trials   int  // that wait: nobody else comes in before them
	changed  chan struct{}
	visited  int // the last process that anybody has been with
	suspects map[taskKey]*suspect
	blamed   map[taskKey]bool // since an episode last came to its end
	unspent  []int            // the deaths that they caused: forgiven when another episode comes to its end
	words    error            // the last ones of the plugin
	serves   bool             // an episode came to its end since the last boundary
	served   bool             // or before
}

// suspect is a task that was open when the process died.
type suspect struct {
	deaths int
	last   int   // number of the process that died last
	spent  []int // numbers of those whose restart came out of the budget
}

// ward finds the ward of a plugin; nil where deaths cannot be told.
func (e *Engine) ward(address string) *ward {
	if e.options.Lives == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	w := e.wards[address]
	if w == nil {
		w = &ward{engine: e, address: address, changed: make(chan struct{}), suspects: map[taskKey]*suspect{}, blamed: map[taskKey]bool{}}
		e.wards[address] = w
	}
	return w
}

// visit is the time that an attempt, or a scoring, spends with a plugin. It is used by one goroutine; nil does nothing.
type visit struct {
	ward  *ward
	key   taskKey
	life  int
	alone bool
	fresh bool // nobody else has visited this process
	spare func()
}

// enter begins a visit when it may begin: not while a task is tried alone, and a suspect not before everybody else is
// gone. It returns nil where the end of ctx, or of the run, comes first, as whoever goes on will find.
func (w *ward) enter(ctx context.Context, key taskKey, waits wait.Stacks) *visit {
	if w == nil {
		return nil
	}
	v, err := w.admit(ctx, key, waits)
	if err != nil {
		return nil
	}
	if v.life, err = w.serving(ctx, waits); err != nil {
		v.leave(false)
		return nil
	}
	w.mu.Lock()
	v.fresh = w.visited != v.life
	w.visited = v.life
	w.mu.Unlock()
	if v.alone {
		v.spare = w.engine.options.Lives.Spare(w.address)
	}
	return v
}

// serving waits for a process and returns its number.
func (w *ward) serving(ctx context.Context, waits wait.Stacks) (int, error) {
	life, serves := w.engine.options.Lives.Life(w.address)
	if serves {
		return life, nil
	}
	defer waits.Begin(wait.Wait{For: wait.Restart, Address: w.address})()
	if err := w.engine.options.AwaitPlugin(ctx, w.address, verdict.ErrPluginLost); err != nil {
		if ctx.Err() == nil {
			w.engine.fail(fmt.Errorf("wait for %s: %w", w.address, err))
		}
		return 0, err
	}
	life, _ = w.engine.options.Lives.Life(w.address)
	return life, nil
}

func (w *ward) admit(ctx context.Context, key taskKey, waits wait.Stacks) (*visit, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		trial := w.isSuspicious(key)
		switch {
		case trial && w.inside == 0:
			w.inside, w.alone = 1, true
			return &visit{ward: w, key: key, alone: true}, nil
		case !trial && !w.alone && w.trials == 0:
			w.inside++
			return &visit{ward: w, key: key}, nil
		}
		admitted := waits.Begin(wait.Wait{For: wait.Trial, Address: w.address})
		err := w.wait(ctx, trial)
		if admitted(); err != nil {
			return nil, err
		}
	}
}

// wait lets go of the lock until something changes.
func (w *ward) wait(ctx context.Context, trial bool) error {
	if trial {
		w.trials++
	}
	changed := w.changed
	w.mu.Unlock()
	var err error
	select {
	case <-changed:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	w.mu.Lock()
	if trial {
		if w.trials--; w.trials == 0 {
			w.tell() // it may turn away, or not be a trial any more
		}
	}
	return err
}

// tell wakes whoever waits. The lock is held.
func (w *ward) tell() {
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *ward) isSuspicious(key taskKey) bool {
	s := w.suspects[key]
	return s != nil && s.deaths >= suspicious
}

// leave ends the visit. A visitor that came to an end of its own clears its task, and, by having been served, the plugin.
func (v *visit) leave(ended bool) {
	if v == nil {
		return
	}
	if v.spare != nil {
		v.spare()
	}
	w := v.ward
	w.mu.Lock()
	w.inside--
	w.alone = false
	forgiven := 0
	if ended {
		delete(w.suspects, v.key)
		forgiven = len(w.unspent)
		w.unspent, w.serves, w.served = nil, true, true
		clear(w.blamed)
	}
	w.tell()
	w.mu.Unlock()
	if forgiven > 0 {
		w.engine.options.Lives.Forgive(w.address, forgiven)
	}
}

// survive looks back on a loss, once the plugin serves again: did its process die, and if so, is this task to blame? A
// suspect that died with a process which others had visited stays: the process is a fresh one now.
func (v *visit) survive(episode string, lost *verdict.CallError) *sdk.Failure {
	if v == nil || lost.Address != v.ward.address {
		return nil
	}
	w := v.ward
	life, _ := w.engine.options.Lives.Life(w.address)
	if life == v.life {
		return nil // it lives
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.suspects[v.key]
	if s == nil {
		s = &suspect{}
		w.suspects[v.key] = s
	}
	if s.last != v.life { // siblings die together
		s.deaths, s.last = s.deaths+1, v.life
		if !v.alone {
			s.spent = append(s.spent, v.life)
		}
	}
	if !v.alone {
		return nil
	}
	if v.fresh {
		return w.blame(v, s, episode, lost)
	}
	v.spare()
	v.spare = w.engine.options.Lives.Spare(w.address)
	v.life, v.fresh, w.visited = life, true, life
	return nil
}

// stays says whether the visit goes on with the next attempt.
func (v *visit) stays() bool { return v != nil && v.alone && v.fresh }

// blame ends the doubt. A plugin under which one task after the other dies is broken itself, which ends the run as a
// spent restart budget does. The lock is held.
func (w *ward) blame(v *visit, s *suspect, episode string, lost *verdict.CallError) *sdk.Failure {
	w.blamed[v.key], w.words = true, lost.Err
	for _, life := range s.spent {
		if !slices.Contains(w.unspent, life) {
			w.unspent = append(w.unspent, life)
		}
	}
	s.spent = nil
	if most := w.engine.options.MaxBlamed; most > 0 && len(w.blamed) > most {
		w.engine.fail(w.broken())
	}
	if told := w.engine.options.Blamed; told != nil {
		told(Blame{Address: w.address, Split: v.key.split, Task: v.key.task, Episode: episode, Deaths: s.deaths, Err: lost.Err})
	}
	return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
		"%s died %d times while task %q was open, the last time alone in a fresh process: %v", w.address, s.deaths, v.key.task, lost.Err)}
}

// broken says of the plugin what else would be said of tasks. The lock is held.
func (w *ward) broken() error {
	return fmt.Errorf("%s died under %d tasks in a row, each of them tried alone in a fresh process: it is the plugin that is broken: %w",
		w.address, len(w.blamed), w.words)
}

// doubt is an error where a step must not count: all that the plugin has shown since the last boundary is that it dies,
// under several tasks, or under the first that it was ever given.
func (w *ward) doubt(proven bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	serves := w.serves
	w.serves = false
	if serves || len(w.blamed) == 0 || len(w.blamed) == 1 && (w.served || proven) {
		return nil
	}
	return w.broken()
}

// isolate puts the tasks that were blamed in a step into quarantine. The engine's lock is held.
func (e *Engine) isolate(step int, episodes []*summary) {
	for _, s := range episodes {
		if s.blamed == "" || s.class == "" || e.quarantine[keyOf(s.slot)] != nil {
			continue
		}
		e.quarantine[keyOf(s.slot)] = &Quarantined{
			Stage: s.slot.Stage, Split: s.slot.Split, Task: s.slot.Task, Step: step, Address: s.blamed, Class: s.class,
		}
	}
}

func keyOf(slot Slot) taskKey { return taskKey{split: slot.Split, task: slot.Task} }

// Quarantine lists the tasks of the stage that are not tried any more, as of the last boundary. A resumed run gives it
// back in StageSetup.
func (e *Engine) Quarantine() []Quarantined {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []Quarantined
	for _, q := range e.quarantine {
		out = append(out, *q)
	}
	slices.SortFunc(out, func(a, b Quarantined) int {
		return slot.Compare(Slot{Split: a.Split, Step: a.Step, Task: a.Task}, Slot{Split: b.Split, Step: b.Step, Task: b.Task})
	})
	return out
}

// quarantined says whether a task is in quarantine, and why.
func (e *Engine) quarantined(slot Slot) *Quarantined {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.quarantine[keyOf(slot)]
}
