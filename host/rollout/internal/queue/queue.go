// Package queue limits the number of episodes that run at a time.
//
//	q := queue.New(64, 8)
//	ticket, err := q.Enter(ctx, q.Order(), true) // waits for a slot, and a session of the environment
//	ticket.LeaveEnvironment()
//	ticket.Leave()
//
// An episode needs a slot and, if there is an environment, one of its sessions. It gets both or neither, so that no
// episode holds one while waiting for the other. Waiting episodes are served in the order of groups, then of arrival:
// a group's last sample does not queue behind later groups, and no episode starves, because groups are finite.
//
// It does not depend on episodes.
package queue

import (
	"container/heap"
	"context"
	"sync"
)

// Queue holds the free places and the waiting episodes.
type Queue struct {
	mu       sync.Mutex
	slots    int // free
	sessions int // free
	waiting  waitList
	arrivals uint64
}

// unlimited exceeds any possible number of episodes.
const unlimited = int(^uint(0) >> 2)

// New returns a queue with the given numbers of slots and sessions. 0 sessions mean no limit.
func New(slots, sessions int) *Queue {
	if sessions <= 0 {
		sessions = unlimited
	}
	return &Queue{slots: slots, sessions: sessions}
}

// waiter is an episode in the queue.
type waiter struct {
	group   uint64 // order of the group's arrival
	arrival uint64
	session bool // it needs a session
	ready   chan struct{}
	index   int // in the heap; -1 once admitted or removed
}

// Ticket is an episode's place. It is used by one goroutine.
type Ticket struct {
	queue         *Queue
	slot, session bool
}

// Enter waits for a place. group orders the queue; 0 means the episode's own arrival.
func (q *Queue) Enter(ctx context.Context, group uint64, session bool) (*Ticket, error) {
	w := q.enqueue(group, session)
	select {
	case <-w.ready:
	case <-ctx.Done():
		if q.withdraw(w) {
			return nil, context.Cause(ctx)
		}
		<-w.ready // admitted at the same moment: the caller checks ctx and releases the place
	}
	return &Ticket{queue: q, slot: true, session: session}, nil
}

func (q *Queue) enqueue(group uint64, session bool) *waiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arrivals++
	w := &waiter{group: group, arrival: q.arrivals, session: session, ready: make(chan struct{})}
	if group == 0 {
		w.group = q.arrivals
	}
	heap.Push(&q.waiting, w)
	q.admit()
	return w
}

// Order returns the place in the queue's order of a group that arrives now.
func (q *Queue) Order() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arrivals++
	return q.arrivals
}

func (q *Queue) withdraw(w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if w.index < 0 {
		return false
	}
	heap.Remove(&q.waiting, w.index)
	q.admit()
	return true
}

// admit serves the queue from its head. It stops at the first waiter that cannot be served, which would otherwise
// starve.
func (q *Queue) admit() {
	for len(q.waiting) > 0 {
		head := q.waiting[0]
		if q.slots <= 0 || (head.session && q.sessions <= 0) {
			return
		}
		heap.Pop(&q.waiting)
		q.slots--
		if head.session {
			q.sessions--
		}
		close(head.ready)
	}
}

// LacksSessions reports whether the head of the queue waits for a session of the environment rather than a slot.
func (q *Queue) LacksSessions() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.slots > 0 && q.sessions <= 0
}

func (q *Queue) release(slots, sessions int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots += slots
	q.sessions += sessions
	q.admit()
}

// LeaveEnvironment releases the session and keeps the slot.
func (t *Ticket) LeaveEnvironment() {
	if t.session {
		t.session = false
		t.queue.release(0, 1)
	}
}

// Leave releases the remaining places. It may be called again.
func (t *Ticket) Leave() {
	slots, sessions := 0, 0
	if t.slot {
		slots = 1
	}
	if t.session {
		sessions = 1
	}
	t.slot, t.session = false, false
	if slots+sessions > 0 {
		t.queue.release(slots, sessions)
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
