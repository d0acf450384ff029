// Package p has a road through two files.
package p

type waiter interface{ wait() }

// Shop serves.
type Shop struct {
	guests list[string]
	waiter waiter
}

// Serve is where the road begins.
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
