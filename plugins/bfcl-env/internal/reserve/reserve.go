// Package reserve lets the garbage collector run less often in a process with many short lives and a small heap.
//
//	reserve.Memory()
//
// The collector runs when the heap has doubled. An environment holds some ten megabytes of data and makes as much garbage
// in ten milliseconds: a third of its time went to collections. A block that nobody ever writes into takes no memory of the
// machine, and counts as heap: with it, there is a collection for each size megabytes. What the process takes grows by no
// more than that, however many episodes are open, where a higher GOGC would multiply.
package reserve

import (
	"runtime"
	"sync"
)

const size = 64 << 20

var (
	once  sync.Once
	block []byte
)

// Memory makes the block; once for a process.
func Memory() {
	once.Do(func() { block = make([]byte, size) })
	runtime.KeepAlive(block)
}
