// Package queue limits the number of episodes that run at the same time.
//
//	q := queue.New(64, 8)
//	ticket, err := q.Enter(ctx, q.Order(), true) // waits for a slot, and a session of the environment
//	ticket.LeaveEnvironment()
//	ticket.Leave()
//
// An episode needs a slot and, if there is an environment, one of its sessions. It receives both or neither, so that no
// episode holds one while waiting for the other. Waiting episodes are served first in group order and then in order of
// arrival: a group's last sample does not wait behind later groups, and no episode starves, because groups are finite.
//
// It does not depend on episodes.
package queue

import (
	"container/heap"
	"context"
	"sync"
)

// Queue holds the free slots and sessions, and the waiting episodes.
type Queue struct {
	mu       sync.Mutex
	slots    int // free
	sessions int // free
	waiting  waitList
	arrivals uint64
}

// unlimited exceeds any possible number of episodes.
const unlimited = int(^uint(0) >> 2)

// New returns a queue with the given number of slots and sessions. A value of 0 sessions means no limit.
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

// Ticket is an episode's slot and session. It is used by one goroutine.
type Ticket struct {
	queue         *Queue
	slot, session bool
}

// Enter waits for a slot and a session. group determines the position in the queue; 0 means the episode's own arrival.
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

// Order returns the position in the queue order for a group that arrives now.
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

// admit serves the queue from the front. It stops at the first waiter that cannot be served, which would otherwise
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

// LacksSessions reports whether the first episode in the queue is waiting for an environment session rather than a
// slot.
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

// LeaveEnvironment releases the session but keeps the slot.
func (t *Ticket) LeaveEnvironment() {
	if t.session {
		t.session = false
		t.queue.release(0, 1)
	}
}

// Leave releases whatever the ticket still holds. It may be called more than once.
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
