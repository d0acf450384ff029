package rollout

import (
	"container/heap"
	"context"
	"sync"
)

// admission lets a bounded number of episodes work at a time. An episode needs a slot and, where there is an
// environment, one of its sessions; it gets both or neither, so that nobody holds one while waiting for the other.
// Whoever waits is served in the order of groups, then of arrival: a group's last sample does not queue behind
// groups that came later, and nobody starves, because groups are finite.
type admission struct {
	mu       sync.Mutex
	slots    int // free
	sessions int // free
	waiting  waitList
	arrivals uint64
}

// unlimited is more sessions than there can be episodes.
const unlimited = int(^uint(0) >> 2)

// newAdmission admits that many episodes at a time; 0 sessions mean any number.
func newAdmission(slots, sessions int) *admission {
	if sessions <= 0 {
		sessions = unlimited
	}
	return &admission{slots: slots, sessions: sessions}
}

// waiter is an episode in the queue.
type waiter struct {
	group   uint64 // order of the group's arrival
	arrival uint64
	session bool // it needs one
	ready   chan struct{}
	index   int // in the heap; -1 once admitted or gone
}

// ticket is a place that an episode holds. It is used by one goroutine.
type ticket struct {
	admission     *admission
	slot, session bool
}

// enter waits for a place. group orders the queue; 0 means the episode's own arrival.
func (a *admission) enter(ctx context.Context, group uint64, session bool) (*ticket, error) {
	w := a.enqueue(group, session)
	select {
	case <-w.ready:
	case <-ctx.Done():
		if a.withdraw(w) {
			return nil, context.Cause(ctx)
		}
		<-w.ready // admitted in the same moment: the caller sees ctx and gives the place back
	}
	return &ticket{admission: a, slot: true, session: session}, nil
}

func (a *admission) enqueue(group uint64, session bool) *waiter {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arrivals++
	w := &waiter{group: group, arrival: a.arrivals, session: session, ready: make(chan struct{})}
	if group == 0 {
		w.group = a.arrivals
	}
	heap.Push(&a.waiting, w)
	a.admit()
	return w
}

// order is a place in the queue's order for a group that arrives now.
func (a *admission) order() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arrivals++
	return a.arrivals
}

func (a *admission) withdraw(w *waiter) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w.index < 0 {
		return false
	}
	heap.Remove(&a.waiting, w.index)
	a.admit()
	return true
}

// admit serves the queue from its head. It stops at the first that cannot be served: passing it would let it starve.
func (a *admission) admit() {
	for len(a.waiting) > 0 {
		head := a.waiting[0]
		if a.slots <= 0 || (head.session && a.sessions <= 0) {
			return
		}
		heap.Pop(&a.waiting)
		a.slots--
		if head.session {
			a.sessions--
		}
		close(head.ready)
	}
}

// lacksSessions reports whether it is the environment's sessions that the head of the queue waits for, and not a slot.
func (a *admission) lacksSessions() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.slots > 0 && a.sessions <= 0
}

func (a *admission) release(slots, sessions int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.slots += slots
	a.sessions += sessions
	a.admit()
}

// leaveEnvironment gives the session back and keeps the slot.
func (t *ticket) leaveEnvironment() {
	if t.session {
		t.session = false
		t.admission.release(0, 1)
	}
}

// leave gives back what is still held. It may be called again.
func (t *ticket) leave() {
	slots, sessions := 0, 0
	if t.slot {
		slots = 1
	}
	if t.session {
		sessions = 1
	}
	t.slot, t.session = false, false
	if slots+sessions > 0 {
		t.admission.release(slots, sessions)
	}
}

// waitList is a heap of waiters.
type waitList []*waiter

func (l waitList) Len() int { return len(l) }

func (l waitList) Less(i, j int) bool {
	if l[i].group != l[j].group {
		return l[i].group < l[j].group
	}
	return l[i].arrival < l[j].arrival
}

func (l waitList) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].index, l[j].index = i, j
}

// Push implements heap.Interface.
func (l *waitList) Push(x any) {
	w := x.(*waiter)
	w.index = len(*l)
	*l = append(*l, w)
}

// Pop implements heap.Interface.
func (l *waitList) Pop() any {
	last := len(*l) - 1
	w := (*l)[last]
	(*l)[last] = nil
	*l = (*l)[:last]
	w.index = -1
	return w
}

var _ heap.Interface = (*waitList)(nil)
