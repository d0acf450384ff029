// Package quarantine identifies tasks that kill plugins and prevents them from being tried again.
//
// When a plugin dies, it is unknown which of the running episodes caused it, so each is retried with the same draw.
// However, a task that kills every plugin process would be retried forever, together with all concurrent episodes.
// Therefore, a task that was open during three deaths is tried alone. If the process dies again and had served no other
// task before, the task is blamed: its episode fails permanently. From the next boundary on, the task is in quarantine:
// its episodes fail without being tried.
//
// An episode's outcome depends on its effect on a new process, not on concurrent episodes, and the quarantine changes
// only at boundaries. Concurrency and unrelated deaths therefore do not affect the run's results.
//
// A running plugin may lose sessions because a server that it depends on has died. An episode that has lost three
// sessions is also tried alone. If a session is lost twice while no other episode is using the plugin, the episode's
// task is blamed.
//
//	tracker := q.Tracker("environment.calculator.desk")
//	visit := tracker.Enter(ctx, quarantine.KeyOf(slot), waits) // before an attempt
//	failure := visit.Recovered(loss)                           // when the attempt was lost
//	visit.Leave(true)                                          // when it ended normally
//
// It uses only the slots of episodes.
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

// suspicious is the number of deaths after which a task is tried alone, and the number of sessions lost by a running
// plugin after which an episode is tried alone.
const suspicious = 3

// ProcessTracker tracks the plugins' processes.
type ProcessTracker interface {
	// Process returns the number of the plugin's current process, counting from 1, and reports whether the process is
	// serving.
	Process(address string) (number int, serving bool)
	// HoldRestart exempts a plugin's next death from its restart budget until done is called.
	HoldRestart(address string) (done func())
	// RefundRestarts refunds restarts that were caused by a task.
	RefundRestarts(address string, restarts int)
}

// Blame reports that a task killed a plugin while running alone.
type Blame struct {
	Address string // of the plugin
	Split   sdk.Split
	Task    string
	Episode string // the episode that was tried
	// Deaths is the number of deaths in which the task was open, including the last. If Running is set, it is the number
	// of lost sessions of the episode.
	Deaths  int
	Running bool  // the plugin is running: it lost sessions
	Err     error // the plugin's last error
}

// Task is a task whose episodes are not tried again. A resumed run restores it.
type Task struct {
	Stage   string           `json:"stage"`
	Split   sdk.Split        `json:"split"`
	Task    string           `json:"task"`
	Step    int              `json:"step"`    // of the quarantine's start
	Address string           `json:"address"` // of the plugin that it kills
	Class   sdk.FailureClass `json:"class"`   // of its failures
}

// Failure returns the failure for the task's episodes.
func (q *Task) Failure() *sdk.Failure {
	return &sdk.Failure{Class: q.Class, Detail: fmt.Sprintf(
		"task %q has been quarantined since step %d because it kills %s or a server behind it even when run "+
			"alone", q.Task, q.Step, q.Address)}
}

// Key identifies a task within a stage.
type Key struct {
	Split sdk.Split
	Task  string
}

// Options holds the settings for a Quarantine.
type Options struct {
	Processes ProcessTracker // nil: no task is blamed
	// AwaitPlugin waits until a plugin is serving again. Fail ends the run.
	AwaitPlugin func(ctx context.Context, address string, cause error) error
	Fail        func(error)
	// Blamed is called for each task that killed a plugin while running alone. It may be nil. MaxBlamed is the number
	// of consecutive blamed tasks after which the plugin itself is considered broken. 0 means no limit.
	Blamed    func(Blame)
	MaxBlamed int
}

// Quarantine holds the stage's tasks that are not tried again and the data about deaths of the stage's plugins.
type Quarantine struct {
	options Options

	mu       sync.Mutex
	trackers map[string]*Tracker // by address
	tasks    map[Key]*Task       // changed at boundaries
}

// New returns a Quarantine with no tasks.
func New(options Options) *Quarantine {
	return &Quarantine{options: options, trackers: map[string]*Tracker{}, tasks: map[Key]*Task{}}
}

// Reset drops all data and puts the stage's quarantined tasks into quarantine.
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

// Tracker records which tasks use a plugin when its process dies.
type Tracker struct {
	all     *Quarantine
	address string

	mu         sync.Mutex
	inside     int  // visitors
	alone      bool // the visitor is tried alone
	trials     int  // waiting trials: no other visitor enters before them
	changed    chan struct{}
	visited    int // the last process with a visitor
	suspects   map[Key]*suspect
	blamed     map[Key]bool // since an episode last ended normally
	refundable []int        // deaths caused by blamed tasks; refunded when another episode ends normally
	lastErr    error        // last error of the plugin
	running    bool         // the plugin was running at the last blame: a server behind it died
	serves     bool         // an episode ended normally since the last boundary
	served     bool         // or before
}

// suspect is a task that was open when a process died.
type suspect struct {
	deaths  int
	last    int   // number of the process that died last
	charged []int // numbers of the processes whose restart was charged to the budget
}

// Tracker returns a plugin's tracker, or nil if deaths are not tracked.
func (q *Quarantine) Tracker(address string) *Tracker {
	if q.options.Processes == nil {
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

// Visit is the period during which an attempt or scoring uses a plugin. It is used by one goroutine. The methods do
// nothing on a nil Visit.
type Visit struct {
	tracker     *Tracker
	key         Key
	process     int
	alone       bool
	fresh       bool // first visit to this process
	releaseHold func()
}

// Enter begins a visit when permitted: not while a task is being tried alone and, if the task is a suspect, only after
// all other visits have ended. It returns nil if ctx or the run ends first; the caller detects this later.
func (t *Tracker) Enter(ctx context.Context, key Key, waits wait.Stacks) *Visit {
	if t == nil {
		return nil
	}
	v, err := t.admit(ctx, key, waits)
	if err != nil {
		return nil
	}
	if v.process, err = t.serving(ctx, waits); err != nil {
		v.Leave(false)
		return nil
	}
	t.mu.Lock()
	v.fresh = t.visited != v.process
	t.visited = v.process
	t.mu.Unlock()
	if v.alone {
		v.releaseHold = t.all.options.Processes.HoldRestart(t.address)
	}
	return v
}

// serving waits for a process and returns its number.
func (t *Tracker) serving(ctx context.Context, waits wait.Stacks) (int, error) {
	life, serves := t.all.options.Processes.Process(t.address)
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
	life, _ = t.all.options.Processes.Process(t.address)
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

// wait releases the lock until something changes.
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
			t.wake() // the trial may be canceled, or no longer be a trial
		}
	}
	return err
}

// wake wakes all waiters. The lock is held.
func (t *Tracker) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *Tracker) isSuspicious(key Key) bool {
	s := t.suspects[key]
	return s != nil && s.deaths >= suspicious
}

// Leave ends the visit. A visit that ended normally clears its task, and also the plugin, because the plugin served the
// task.
func (v *Visit) Leave(ended bool) {
	if v == nil {
		return
	}
	if v.releaseHold != nil {
		v.releaseHold()
	}
	t := v.tracker
	t.mu.Lock()
	t.inside--
	t.alone = false
	forgiven := 0
	if ended {
		delete(t.suspects, v.key)
		forgiven = len(t.refundable)
		t.refundable, t.serves, t.served = nil, true, true
		clear(t.blamed)
	}
	t.wake()
	t.mu.Unlock()
	if forgiven > 0 {
		t.all.options.Processes.RefundRestarts(t.address, forgiven)
	}
}

// Loss describes the loss of an attempt.
type Loss struct {
	Episode  string
	Call     *verdict.CallError
	Sessions int // lost sessions of the episode with running plugins so far, including this one
}

// Recovered evaluates a loss when the plugin is serving again. It returns a failure if the plugin's process or a server
// that it depends on died and this task is to blame. If the process of a suspect had earlier visits, the suspect stays
// for another try, because the process is now a new one.
func (v *Visit) Recovered(loss Loss) *sdk.Failure {
	if v == nil || loss.Call.Address != v.tracker.address {
		return nil
	}
	t := v.tracker
	life, _ := t.all.options.Processes.Process(t.address)
	lives := life == v.process
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
	default:
		died := v.process
		if died <= s.last {
			// Siblings die together, and count once. But the visit may have begun before the death of its process was
			// noticed, and then it has killed a later one.
			died = life - 1
		}
		if died <= s.last {
			break
		}
		s.deaths, s.last = s.deaths+1, died
		if !v.alone {
			s.charged = append(s.charged, died)
		}
	}
	if !v.alone {
		return nil
	}
	if v.fresh {
		return t.blame(v, s, loss, lives)
	}
	v.releaseHold()
	v.releaseHold = t.all.options.Processes.HoldRestart(t.address)
	v.process, v.fresh, t.visited = life, true, life
	return nil
}

// IsRetried reports whether the visit continues with the next attempt.
func (v *Visit) IsRetried() bool { return v != nil && v.alone && v.fresh }

// blame blames the visit's task and returns its failure. A plugin with too many consecutive blamed tasks is itself
// considered broken, which ends the run as an exhausted restart budget does. The lock is held.
func (t *Tracker) blame(v *Visit, s *suspect, loss Loss, lives bool) *sdk.Failure {
	lost := loss.Call
	t.blamed[v.key], t.lastErr, t.running = true, lost.Err, lives
	for _, life := range s.charged {
		if !slices.Contains(t.refundable, life) {
			t.refundable = append(t.refundable, life)
		}
	}
	s.charged = nil
	if most := t.all.options.MaxBlamed; most > 0 && len(t.blamed) > most {
		t.all.options.Fail(t.broken())
	}
	if told := t.all.options.Blamed; told != nil {
		told(Blame{
			Address: t.address, Split: v.key.Split, Task: v.key.Task, Episode: loss.Episode, Deaths: s.deaths,
			Running: lives, Err: lost.Err,
		})
	}
	if lives {
		return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
			"%s repeatedly loses sessions for task %q, even when no other episode is running there: %v",
			t.address, v.key.Task, lost.Err)}
	}
	return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
		"%s died %d times while task %q was open, the last time alone in a fresh process: %v",
		t.address, s.deaths, v.key.Task, lost.Err)}
}

// broken returns the error that blames the plugin rather than its tasks. The lock is held.
func (t *Tracker) broken() error {
	if t.running {
		return fmt.Errorf("%s lost its sessions during %d consecutive tasks, each tried alone, so the server behind "+
			"it is broken: %w", t.address, len(t.blamed), t.lastErr)
	}
	return fmt.Errorf("%s died during %d consecutive tasks, each tried alone in a fresh process, so the plugin "+
		"itself is broken: %w",
		t.address, len(t.blamed), t.lastErr)
}

// doubt returns an error if a step must not be counted because, since the last boundary, the plugin has only died,
// either under several tasks or under its very first task.
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

// End ends a step in which the tasks of the given episodes were blamed, and puts these tasks into quarantine.
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

// Tasks lists the tasks in quarantine as of the last boundary.
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

// Find returns a slot's task if it is in quarantine, or nil otherwise.
func (q *Quarantine) Find(at slot.Slot) *Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.tasks[KeyOf(at)]
}

// CheckServed ends the run if a step must not be counted because a plugin has only died since the last boundary.
// Otherwise, its tasks would be wrongly blamed. proven reports that the plugins have already served a step of the run.
func (q *Quarantine) CheckServed(proven bool) {
	q.mu.Lock()
	trackers := slices.Collect(maps.Values(q.trackers))
	q.mu.Unlock()
	for _, t := range trackers {
		if err := t.doubt(proven); err != nil {
			q.options.Fail(err)
		}
	}
}
