package interpreter

import (
	"context"
	"encoding/json"
)

// Ask is what an operation wants from the plugin before it can answer.
type Ask struct {
	Call int64           // of Converse
	N    int64           // names it within the call
	Op   string          // what is wanted
	Body json.RawMessage // the whole line
}

// Converse is Send for operations that ask back. ask is called in the order in which they do, by the goroutine that
// reads: it must not wait. Tell answers. It returns the call's number, too.
func (i *Interpreter) Converse(ctx context.Context, op string, body []byte, ask func(Ask)) (int64, <-chan Answer, error) {
	i.mu.Lock()
	i.last++
	id := i.last
	i.asking[id] = ask
	i.mu.Unlock()
	pending := i.expect(id)
	select {
	case i.lines <- line(id, op, body):
		return id, pending, nil
	case <-i.gone:
		return id, pending, nil // it has been answered
	case <-ctx.Done():
		i.forget(id)
		return id, nil, context.Cause(ctx)
	}
}

// Tell sends an operation that is never answered. Nobody is told when the process is gone.
func (i *Interpreter) Tell(op string, body []byte) {
	select {
	case i.lines <- line(0, op, body):
	case <-i.gone:
	}
}

// asked hands on what an operation wants. Nobody wants an answer for a call that is over.
func (i *Interpreter) asked(a Ask) {
	i.mu.Lock()
	ask := i.asking[a.Call]
	i.mu.Unlock()
	if ask != nil {
		ask(a)
	}
}
