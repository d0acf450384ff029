// Package p has a request that passes through two files.
package p

type waiter interface{ wait() }

// Shop handles requests.
type Shop struct {
	guests list[string]
	waiter waiter
}

// Serve starts the walk.
func (s *Shop) Serve() {
	s.guests.add("a")
	s.greet()
	s.waiter.wait()
	after := func() { defer run(later) }
	after()
	s.greet()
	alone()
}

func (s *Shop) greet() {}

func alone() {}

var run = func(f func()) { f() }
