// Package heap makes garbage collection less frequent in a process with a small heap.
//
//	heap.Pace(16 << 20) // early in main
//
// Go collects when the heap has doubled. With a heap of a few megabytes and a busy protocol, this happens many times
// per second and takes a tenth of the process's CPU time. With Pace, at least the given number of bytes is allocated
// between collections. A small heap uses that much more memory and is hardly ever collected, whereas a large heap is
// unaffected.
//
// It must not depend on what the process does. A GOGC set by the user takes precedence.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Pace lets the process allocate room bytes between collections until it exits. It makes adjustments after each
// collection, in the runtime's own goroutine. If it is called several times in a process, the largest room applies, for
// example for a component that creates more garbage than its plugin assumes.
func Pace(room int) {
	if os.Getenv("GOGC") == "" {
		process.raiseRoom(uint64(room))
	}
}

// SaveMemory lets the collector run up to twice as often as at Go's default pace until the process exits, for use if
// memory is more valuable than CPU time. The room set with Pace still applies.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		process.lowerFloor()
	}
}

// process is this process's pace.
var process = pace{percent: defaultPercent, least: defaultPercent}

// defaultPercent is Go's default pace, which collects when the heap has doubled.
const defaultPercent = 100

type pace struct {
	mu      sync.Mutex
	room    uint64
	percent int
	least   int
}

func (p *pace) lowerFloor() {
	p.mu.Lock()
	p.least = defaultPercent / 2
	p.mu.Unlock()
	p.adjust()
}

func (p *pace) raiseRoom(room uint64) {
	p.mu.Lock()
	isFirst := p.room == 0
	p.room = max(p.room, room)
	p.mu.Unlock()
	p.adjust()
	if isFirst {
		p.rearm()
	}
}

// sentinel is garbage from the start, so its cleanup runs after each collection. The pointer keeps it out of the
// allocator for tiny objects, which frees a block only when all objects in it are garbage.
type sentinel struct{ _ *sentinel }

func (p *pace) rearm() {
	runtime.AddCleanup(&sentinel{}, func(p *pace) {
		p.adjust()
		p.rearm()
	}, p)
}

// adjust sets the percentage that yields the room. Setting it briefly stops the world, so small changes are skipped.
func (p *pace) adjust() {
	p.mu.Lock()
	defer p.mu.Unlock()
	want := percent(p.room, base(), p.least)
	if want > p.percent*5/4 || want < p.percent*4/5 {
		p.percent = want
		debug.SetGCPercent(want)
	}
}

// percent returns the room as a percentage of the base, but no less than the minimum.
func percent(room, base uint64, least int) int {
	return max(least, int(min(100*room/max(base, 1), max(maxPercent, 100*room/minBase))))
}

// Go lets a heap grow to minBase bytes times the percentage before its first collection. This bounds the percentage:
// to maxPercent, or to the value at which a heap grows to the room.
const (
	minBase    = 4 << 20
	maxPercent = 300
)

// base returns the base for Go's percentage: the live heap, the stacks, and the globals.
func base() uint64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"},
		{Name: "/gc/scan/globals:bytes"}}
	metrics.Read(samples)
	var sum uint64
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			sum += s.Value.Uint64()
		}
	}
	return sum
}
