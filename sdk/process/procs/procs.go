// Package procs keeps GOMAXPROCS as low as the load of the process permits.
//
//	procs.Adapt() // before the process starts to serve
//
// A process that mostly waits for messages runs one goroutine at a time. With more than one P, Go still wakes another
// thread for each message to look for work, which takes more CPU time than many messages do themselves. Adapt starts
// with all Ps, releases Ps that were not needed for a second, and returns them within a tenth of a second when the load
// grows.
//
// It must not depend on what the process does. A GOMAXPROCS set by the user takes precedence.
package procs

import (
	"math"
	"os"
	"runtime"
	"sync"
	"time"
)

// Adapt sets GOMAXPROCS according to the load until the process exits. Only the first call has an effect.
func Adapt() { once.Do(adapt) }

var once sync.Once

// interval is the time between two measurements. Each wakes the process, which costs about 10 µs.
const interval = 50 * time.Millisecond

func adapt() {
	all := runtime.GOMAXPROCS(0)
	if _, ok := cpuTime(); !ok || all == 1 || os.Getenv("GOMAXPROCS") != "" {
		return
	}
	go func() {
		g := governor{all: all, now: all}
		before, _ := cpuTime()
		at := time.Now()
		for range time.Tick(interval) {
			used, _ := cpuTime()
			now := time.Now()
			g.set(g.next((used - before).Seconds() / now.Sub(at).Seconds()))
			before, at = used, now
		}
	}()
}

// governor chooses a number of Ps.
type governor struct {
	all, now int
	wanted   [window]int // in the last intervals, as a ring
	at       int
}

// window is the number of intervals in which a P must not be needed before it is released.
const window = 20

// busy is the share of the Ps' time above which more of them are needed.
const busy = 0.9

// next returns the number of Ps after an interval in which that many were busy on average.
func (g *governor) next(used float64) int {
	want := max(1, int(math.Ceil(used/busy)))
	if used > busy*float64(g.now) {
		want = 2 * g.now // the load can be much larger than what the Ps permit
	}
	want = min(want, g.all)
	g.wanted[g.at] = want
	g.at = (g.at + 1) % window
	most := want
	for _, w := range g.wanted {
		if w == 0 {
			w = g.all // before the first full window
		}
		most = max(most, w)
	}
	return most
}

// set applies a number of Ps. Each change briefly stops the world. With all Ps, Go again follows changes of the
// machine's limits by itself.
func (g *governor) set(n int) {
	switch {
	case n == g.now:
	case n == g.all:
		runtime.SetDefaultGOMAXPROCS()
	default:
		runtime.GOMAXPROCS(n)
	}
	g.now = n
}
