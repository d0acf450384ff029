// Package heap keeps the garbage collector from running all the time in a process with a small heap.
//
//	heap.Pace(16 << 20) // early in main
//
// Go collects when the heap has doubled. With a few megabytes alive and a busy protocol that is many times a second, and a
// tenth of the process's CPU time. Paced, at least so many bytes are allocated between two collections: a small heap
// costs that much more memory and hardly any collecting, a large one is left as it is.
//
// It must not know what the process does. GOGC, where the user sets it, has the last word.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Pace gives the collector room, in bytes, for as long as the process lives. It adjusts after each collection, in the
// runtime's own goroutine. Of several calls in a process, the one for the largest room counts: that of a component with
// more garbage than others, beside its plugin's.
func Pace(room int) {
	if os.Getenv("GOGC") == "" {
		process.widen(uint64(room))
	}
}

// Spare lets the collector run up to twice as often as by Go's own pace, for as long as the process lives: memory is
// then dearer than the time it takes. The room of Pace is given all the same.
func Spare() {
	if os.Getenv("GOGC") == "" {
		process.spare()
	}
}

// process is the pace of this one.
var process = pace{percent: standard, least: standard}

// standard is Go's own pace: collect when the heap has doubled.
const standard = 100

type pace struct {
	mu      sync.Mutex
	room    uint64
	percent int
	least   int
}

func (p *pace) spare() {
	p.mu.Lock()
	p.least = standard / 2
	p.mu.Unlock()
	p.adjust()
}

func (p *pace) widen(room uint64) {
	p.mu.Lock()
	isFirst := p.room == 0
	p.room = max(p.room, room)
	p.mu.Unlock()
	p.adjust()
	if isFirst {
		p.rearm()
	}
}

// sentinel is garbage from the beginning: its cleanup runs after each collection. The pointer keeps it out of the allocator
// for tiny objects, which lets several live as long as one of them.
type sentinel struct{ _ *sentinel }

func (p *pace) rearm() {
	runtime.AddCleanup(&sentinel{}, func(p *pace) {
		p.adjust()
		p.rearm()
	}, p)
}

// adjust sets the percentage that leaves the room. Setting it stops the world for a moment, so that small changes are
// left out.
func (p *pace) adjust() {
	p.mu.Lock()
	defer p.mu.Unlock()
	want := percent(p.room, base(), p.least)
	if want > p.percent*5/4 || want < p.percent*4/5 {
		p.percent = want
		debug.SetGCPercent(want)
	}
}

// percent of the base that is the room; never below the least.
func percent(room, base uint64, least int) int {
	return max(least, int(min(100*room/max(base, 1), max(most, 100*room/smallest))))
}

// Go lets a heap grow to smallest bytes times the percentage before it collects at all. That bounds the percentage: to
// most, or to what lets a heap grow to the room.
const (
	smallest = 4 << 20
	most     = 300
)

// base is what Go's percentage is of: the live heap, the stacks and the globals.
func base() uint64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(samples)
	var sum uint64
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			sum += s.Value.Uint64()
		}
	}
	return sum
}
