package gateway

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// held is what is on the heap and in use, in bytes.
func held() int64 {
	var m runtime.MemStats
	for range 3 { // a pool is empty after two
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestTools_WhatAWaitingCallHolds: a call may take minutes. As soon as it is understood its body is counted no longer
// among those that are being read, and is on the heap no more. Its arguments are, twice: the library has them, too.
func TestTools_WhatAWaitingCallHolds(t *testing.T) {
	const calls, size = 32, 256 << 10
	d := newDesk()
	g, e, end := gatewayTools(t, d)
	var waiting []*played
	before := held()
	for i := range calls {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wait","arguments":{"a":%q}}}`,
			i, strings.Repeat("x", size))
		waiting = append(waiting, play(t, g, e, body, nil, whole))
	}
	<-d.begun
	s := g.leases[e.Token].tools
	for pending := 0; pending < calls; runtime.Gosched() {
		s.mu.Lock()
		pending = s.calls.pending
		s.mu.Unlock()
	}
	if left := g.left.Load(); left != g.bounds.bodies {
		t.Errorf("%d bytes are being read", g.bounds.bodies-left)
	}
	if each := (held() - before) / calls; each > size*7/2 { // the test has the body, too
		t.Errorf("a call with arguments of %d bytes holds %d", size, each)
	}
	close(d.wait)
	for _, p := range waiting {
		p.answer()
	}
	end()
}
