// Package quarantine finds the tasks that kill plugins, and keeps them from being tried again.
//
// A plugin's death says nothing about the episodes that it takes along: each is tried again, with the same draw.
// But a task that kills whatever it meets would be tried for ever, and everything beside it, too. So a task that
// was open in three deaths is tried alone. If the process dies under it again, and had served nobody else before,
// the task is to blame: its episode fails, for good. From the next boundary on the task is in quarantine: its
// episodes fail without being tried.
//
// What becomes of an episode depends on what it does to a fresh process, not on what ran beside it, and the
// quarantine changes at boundaries only: so concurrency and foreign deaths leave no trace in what the run comes to.
//
// A plugin that lives may lose sessions: a server that it works with has died. An episode that has lost three of its
// own is tried alone, too; if that costs a session twice, with nobody else there, its task is to blame.
//
//	tracker := q.Tracker("environment.calculator.desk")
//	visit := tracker.Enter(ctx, quarantine.KeyOf(slot), waits) // before an attempt
//	failure := visit.Survive(loss)                             // when it was lost
//	visit.Leave(true)                                          // when it came to an end of its own
//
// It knows nothing of episodes but their slots.
package quarantine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// suspicious is in how many deaths a task has been open when it is tried alone, and how many sessions of a plugin that
// lives an episode of it has lost.
const suspicious = 3

// Lives knows the plugins' processes.
type Lives interface {
	// Life numbers the process of a plugin, from 1, and reports whether it serves.
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
	Deaths  int    // in which the task was open, the last one included; where Lives, lost sessions of the episode
	Lives   bool   // the plugin does: it lost sessions
	Err     error  // the plugin's last words
}

// Task is a task whose episodes are not tried any more. It is part of what a resumed run goes on from.
type Task struct {
	Stage   string           `json:"stage"`
	Split   sdk.Split        `json:"split"`
	Task    string           `json:"task"`
	Step    int              `json:"step"`    // after which
	Address string           `json:"address"` // of the plugin that it kills
	Class   sdk.FailureClass `json:"class"`   // of its failures
}

// Failure is that of the episodes of the task.
func (q *Task) Failure() *sdk.Failure {
	return &sdk.Failure{Class: q.Class, Detail: fmt.Sprintf(
		"task %q is in quarantine since step %d: it kills %s or a server behind it, also alone", q.Task, q.Step, q.Address)}
}

// Key names a task within a stage.
type Key struct {
	Split sdk.Split
	Task  string
}

// Options are what a Quarantine works with.
type Options struct {
	Lives Lives // nil: no task is blamed
	// AwaitPlugin waits until a plugin serves again; Fail ends the run.
	AwaitPlugin func(ctx context.Context, address string, cause error) error
	Fail        func(error)
	// Blamed hears of tasks that killed a plugin alone; nil: nobody does. MaxBlamed is under how many of them in a
	// row a plugin may die before it is broken itself; 0: any number.
	Blamed    func(Blame)
	MaxBlamed int
}

// Quarantine is the tasks of a stage that are not tried any more, and what is known of the deaths of its plugins.
type Quarantine struct {
	options Options

	mu       sync.Mutex
	trackers map[string]*Tracker // by address
	tasks    map[Key]*Task       // they change at boundaries
}

// New returns a Quarantine without tasks.
func New(options Options) *Quarantine {
	return &Quarantine{options: options, trackers: map[string]*Tracker{}, tasks: map[Key]*Task{}}
}

// Reset forgets everything, and puts those of the tasks into quarantine that are of the stage.
func (q *Quarantine) Reset(stage string, tasks []Task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.trackers)
	clear(q.tasks)
	for _, t := range tasks {
		if t.Stage == stage {
			q.tasks[Key{t.Split, t.Task}] = &t
		}
	}
}

// Tracker watches who is with a plugin when its process dies.
type Tracker struct {
	all     *Quarantine
	address string

	mu       sync.Mutex
	inside   int  // visitors
	alone    bool // the visitor is tried alone
	trials   int  // that wait: nobody else comes in before them
	changed  chan struct{}
	visited  int // the last process that anybody has been with
	suspects map[Key]*suspect
	blamed   map[Key]bool // since an episode last came to its end
	unspent  []int        // the deaths that they caused: forgiven when another episode comes to its end
	words    error        // the last ones of the plugin
	lives    bool         // the plugin did at the last blame: a server behind it died
	serves   bool         // an episode came to its end since the last boundary
	served   bool         // or before
}

// suspect is a task that was open when the process died.
type suspect struct {
	deaths int
	last   int   // number of the process that died last
	spent  []int // numbers of those whose restart came out of the budget
}

// Tracker finds the tracker of a plugin; nil where deaths cannot be told.
func (q *Quarantine) Tracker(address string) *Tracker {
	if q.options.Lives == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.trackers[address]
	if t == nil {
		t = &Tracker{
			all: q, address: address, changed: make(chan struct{}),
			suspects: map[Key]*suspect{}, blamed: map[Key]bool{},
		}
		q.trackers[address] = t
	}
	return t
}

// Visit is the time that an attempt, or a scoring, spends with a plugin. It is used by one goroutine; nil does
// nothing.
type Visit struct {
	tracker *Tracker
	key     Key
	life    int
	alone   bool
	fresh   bool // nobody else has visited this process
	spare   func()
}

// Enter begins a visit when it may begin: not while a task is tried alone, and a suspect not before everybody else is
// gone. It returns nil where the end of ctx, or of the run, comes first, as whoever goes on will find.
func (t *Tracker) Enter(ctx context.Context, key Key, waits wait.Stacks) *Visit {
	if t == nil {
		return nil
	}
	v, err := t.admit(ctx, key, waits)
	if err != nil {
		return nil
	}
	if v.life, err = t.serving(ctx, waits); err != nil {
		v.Leave(false)
		return nil
	}
	t.mu.Lock()
	v.fresh = t.visited != v.life
	t.visited = v.life
	t.mu.Unlock()
	if v.alone {
		v.spare = t.all.options.Lives.Spare(t.address)
	}
	return v
}

// serving waits for a process and returns its number.
func (t *Tracker) serving(ctx context.Context, waits wait.Stacks) (int, error) {
	life, serves := t.all.options.Lives.Life(t.address)
	if serves {
		return life, nil
	}
	defer waits.Begin(wait.Wait{For: wait.Restart, Address: t.address})()
	if err := t.all.options.AwaitPlugin(ctx, t.address, verdict.ErrPluginLost); err != nil {
		if ctx.Err() == nil {
			t.all.options.Fail(fmt.Errorf("wait for %s: %w", t.address, err))
		}
		return 0, err
	}
	life, _ = t.all.options.Lives.Life(t.address)
	return life, nil
}

func (t *Tracker) admit(ctx context.Context, key Key, waits wait.Stacks) (*Visit, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		trial := t.isSuspicious(key)
		switch {
		case trial && t.inside == 0:
			t.inside, t.alone = 1, true
			return &Visit{tracker: t, key: key, alone: true}, nil
		case !trial && !t.alone && t.trials == 0:
			t.inside++
			return &Visit{tracker: t, key: key}, nil
		}
		admitted := waits.Begin(wait.Wait{For: wait.Trial, Address: t.address})
		err := t.wait(ctx, trial)
		if admitted(); err != nil {
			return nil, err
		}
	}
}

// wait lets go of the lock until something changes.
func (t *Tracker) wait(ctx context.Context, trial bool) error {
	if trial {
		t.trials++
	}
	changed := t.changed
	t.mu.Unlock()
	var err error
	select {
	case <-changed:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	t.mu.Lock()
	if trial {
		if t.trials--; t.trials == 0 {
			t.tell() // it may turn away, or not be a trial any more
		}
	}
	return err
}

// tell wakes whoever waits. The lock is held.
func (t *Tracker) tell() {
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *Tracker) isSuspicious(key Key) bool {
	s := t.suspects[key]
	return s != nil && s.deaths >= suspicious
}

// Leave ends the visit. A visitor that came to an end of its own clears its task, and, by having been served, the
// plugin.
func (v *Visit) Leave(ended bool) {
	if v == nil {
		return
	}
	if v.spare != nil {
		v.spare()
	}
	t := v.tracker
	t.mu.Lock()
	t.inside--
	t.alone = false
	forgiven := 0
	if ended {
		delete(t.suspects, v.key)
		forgiven = len(t.unspent)
		t.unspent, t.serves, t.served = nil, true, true
		clear(t.blamed)
	}
	t.tell()
	t.mu.Unlock()
	if forgiven > 0 {
		t.all.options.Lives.Forgive(t.address, forgiven)
	}
}

// Loss is what an attempt has lost.
type Loss struct {
	Episode  string
	Call     *verdict.CallError
	Sessions int // of plugins that live, which the episode has lost so far, this one included
}

// Survive looks back on a loss, once the plugin serves again: did its process die, or a server behind it, and if so, is
// this task to blame? A suspect that died with a process which others had visited stays: the process is a fresh one
// now.
func (v *Visit) Survive(loss Loss) *sdk.Failure {
	if v == nil || loss.Call.Address != v.tracker.address {
		return nil
	}
	t := v.tracker
	life, _ := t.all.options.Lives.Life(t.address)
	lives := life == v.life
	if lives && !errors.Is(loss.Call, sdk.ErrSessionLost) {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.suspects[v.key]
	if s == nil {
		s = &suspect{}
		t.suspects[v.key] = s
	}
	switch {
	case lives:
		s.deaths = max(s.deaths, loss.Sessions)
	case s.last != v.life: // siblings die together
		s.deaths, s.last = s.deaths+1, v.life
		if !v.alone {
			s.spent = append(s.spent, v.life)
		}
	}
	if !v.alone {
		return nil
	}
	if v.fresh {
		return t.blame(v, s, loss, lives)
	}
	v.spare()
	v.spare = t.all.options.Lives.Spare(t.address)
	v.life, v.fresh, t.visited = life, true, life
	return nil
}

// Stays reports whether the visit goes on with the next attempt.
func (v *Visit) Stays() bool { return v != nil && v.alone && v.fresh }

// blame ends the doubt. A plugin under which one task after the other dies is broken itself, which ends the run as a
// spent restart budget does. The lock is held.
func (t *Tracker) blame(v *Visit, s *suspect, loss Loss, lives bool) *sdk.Failure {
	lost := loss.Call
	t.blamed[v.key], t.words, t.lives = true, lost.Err, lives
	for _, life := range s.spent {
		if !slices.Contains(t.unspent, life) {
			t.unspent = append(t.unspent, life)
		}
	}
	s.spent = nil
	if most := t.all.options.MaxBlamed; most > 0 && len(t.blamed) > most {
		t.all.options.Fail(t.broken())
	}
	if told := t.all.options.Blamed; told != nil {
		told(Blame{
			Address: t.address, Split: v.key.Split, Task: v.key.Task, Episode: loss.Episode, Deaths: s.deaths,
			Lives: lives, Err: lost.Err,
		})
	}
	if lives {
		return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
			"%s loses sessions of task %q again and again, also with no other episode there: %v",
			t.address, v.key.Task, lost.Err)}
	}
	return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
		"%s died %d times while task %q was open, the last time alone in a fresh process: %v",
		t.address, s.deaths, v.key.Task, lost.Err)}
}

// broken says of the plugin what else would be said of tasks. The lock is held.
func (t *Tracker) broken() error {
	if t.lives {
		return fmt.Errorf("%s lost its sessions under %d tasks in a row, each of them tried alone: "+
			"it is the server behind it that is broken: %w", t.address, len(t.blamed), t.words)
	}
	return fmt.Errorf("%s died under %d tasks in a row, each of them tried alone in a fresh process: "+
		"it is the plugin that is broken: %w",
		t.address, len(t.blamed), t.words)
}

// doubt is an error where a step must not count: all that the plugin has shown since the last boundary is that it
// dies, under several tasks, or under the first that it was ever given.
func (t *Tracker) doubt(proven bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	serves := t.serves
	t.serves = false
	if serves || len(t.blamed) == 0 || len(t.blamed) == 1 && (t.served || proven) {
		return nil
	}
	return t.broken()
}

// End ends a step in which the tasks of these episodes were blamed: they are in quarantine from now on.
func (q *Quarantine) End(step int, blamed []Blamed) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, b := range blamed {
		key := KeyOf(b.Slot)
		if q.tasks[key] != nil {
			continue
		}
		q.tasks[key] = &Task{
			Stage: b.Slot.Stage, Split: b.Slot.Split, Task: b.Slot.Task, Step: step, Address: b.Address, Class: b.Class,
		}
	}
}

// Blamed is an episode whose task was blamed.
type Blamed struct {
	Slot    slot.Slot
	Address string           // of the plugin
	Class   sdk.FailureClass // of the episode's failure
}

// KeyOf returns the key of a slot's task.
func KeyOf(at slot.Slot) Key { return Key{Split: at.Split, Task: at.Task} }

// Tasks lists the tasks in quarantine, as of the last boundary.
func (q *Quarantine) Tasks() []Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	var out []Task
	for _, t := range q.tasks {
		out = append(out, *t)
	}
	slices.SortFunc(out, func(a, b Task) int {
		return slot.Compare(
			slot.Slot{Split: a.Split, Step: a.Step, Task: a.Task}, slot.Slot{Split: b.Split, Step: b.Step, Task: b.Task})
	})
	return out
}

// Find returns the task of a slot where it is in quarantine, else nil.
func (q *Quarantine) Find(at slot.Slot) *Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.tasks[KeyOf(at)]
}

// Doubt ends the run where a step must not count: all that a plugin has shown since the last boundary is that it
// dies. Its tasks would be blamed for it. proven says that the plugins have served a step of the run before.
func (q *Quarantine) Doubt(proven bool) {
	q.mu.Lock()
	trackers := slices.Collect(maps.Values(q.trackers))
	q.mu.Unlock()
	for _, t := range trackers {
		if err := t.doubt(proven); err != nil {
			q.options.Fail(err)
		}
	}
}
