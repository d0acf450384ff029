package interpreter

import (
	"context"
	"encoding/json"
)

// Ask is a request that an operation sends to the plugin before it can respond.
type Ask struct {
	Call int64           // of Converse
	N    int64           // number within the call
	Op   string          // the requested operation
	Body json.RawMessage // the whole line
}

// Converse sends an operation like Send, and handles the requests that it makes to the plugin. The reading goroutine
// calls ask for each request in order, so ask must not block. Notify sends the answer. Converse also returns the number
// of the call.
func (i *Interpreter) Converse(ctx context.Context, op string, body []byte, ask func(Ask)) (int64, <-chan Answer,
	error) {
	i.mu.Lock()
	i.last++
	id := i.last
	i.asking[id] = ask
	i.mu.Unlock()
	pending := i.addWaiting(id)
	select {
	case i.lines <- line(id, op, body):
		return id, pending, nil
	case <-i.done:
		return id, pending, nil // fail has answered it
	case <-ctx.Done():
		i.removeWaiting(id)
		return id, nil, context.Cause(ctx)
	}
}

// Notify sends an operation that has no response. It does not report an error if the process has ended.
func (i *Interpreter) Notify(op string, body []byte) {
	select {
	case i.lines <- line(0, op, body):
	case <-i.done:
	}
}

// asked forwards a request from an operation. It drops requests from calls that have finished.
func (i *Interpreter) asked(a Ask) {
	i.mu.Lock()
	ask := i.asking[a.Call]
	i.mu.Unlock()
	if ask != nil {
		ask(a)
	}
}
